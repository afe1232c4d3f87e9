"""The scripts of pages: notes on the thing under the pointer, and stepping through a plan."""

from __future__ import annotations

THINGS = """
"use strict";
const element = name => document.getElementById(name);
const data = JSON.parse(element("data").textContent);
function written(tag, text, kind) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}
function tell(event) {
  const thing = event.target.closest("[data-thing]");
  if (!thing) return;
  const told = data.stages[thing.closest("[data-stage]").dataset.stage][thing.dataset.thing] || [];
  const list = document.createElement("ul");
  for (const [action, reasons] of told.map(number => data.notes[number])) {
    const line = list.appendChild(written("li", action, reasons.length ? "not" : "may"));
    if (reasons.length) {
      const why = line.appendChild(document.createElement("ul"));
      for (const reason of reasons) why.appendChild(written("li", data.reasons[reason]));
    }
  }
  const name = written("h2", thing.querySelector("title").textContent);
  element("about").replaceChildren(name, told.length ? list : written("p", "No action takes it here."));
}
const invitation = (matchMedia("(hover: none)").matches ? "Tap" : "Point at")
  + " a cell or a tile in hand to see what may be done there, or why not.";
function forget() { element("about").replaceChildren(written("p", invitation)); }
forget();
document.addEventListener("pointerover", tell);
document.addEventListener("focusin", tell);
"""

STEPS = """
const stages = Array.from(document.querySelectorAll("section[data-told]"));
const last = stages.length - 1;
let shown = 0, known = 0;
const wide = () => stages[shown].querySelector(".wide") || {};
function show(step) {
  const left = wide().scrollLeft;
  stages[shown].hidden = true;
  shown = Math.max(0, Math.min(step, known));
  stages[shown].hidden = false;
  wide().scrollLeft = left;
  forget();
  element("status").textContent = stages[shown].dataset.told;
  element("step").max = known;
  element("step").value = shown;
  element("first").disabled = element("back").disabled = shown === 0;
  element("forward").disabled = element("last").disabled = shown === known;
  element("hint").disabled = element("all").disabled = known === last;
  for (let step = 1; step <= last; step += 1) {
    const action = element("action-" + step);
    action.hidden = step > known;
    action.classList.toggle("here", step === shown);
  }
  element("answer").hidden = known < last;
}
function reveal(step) { known = Math.min(step, last); }
element("first").addEventListener("click", () => show(0));
element("back").addEventListener("click", () => show(shown - 1));
element("forward").addEventListener("click", () => show(shown + 1));
element("last").addEventListener("click", () => show(known));
element("step").addEventListener("input", event => show(Number(event.target.value)));
element("hint").addEventListener("click", () => { reveal(known + 1); show(known); });
element("all").addEventListener("click", () => { reveal(last); show(shown); });
for (let step = 1; step <= last; step += 1) {
  element("action-" + step).addEventListener("click", () => show(step));
}
document.addEventListener("keydown", event => {
  if (event.target.tagName === "INPUT" || event.altKey || event.ctrlKey || event.metaKey) return;
  const steps = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: known };
  if (event.key in steps) { event.preventDefault(); show(steps[event.key]); }
});
show(0);
wide().scrollLeft = (wide().scrollWidth - wide().clientWidth) / 2;
"""
