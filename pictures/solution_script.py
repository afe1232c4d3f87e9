"""The style and the script of a page of a solution."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light; --paper: #fbfaf7; --ink: #20242b; --faint: #666c75; --line: #c9c5bb; }
.dark { color-scheme: dark; --paper: #14181f; --ink: #e6e8ec; --faint: #9aa1ac; --line: #3a4250; }
body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
main { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
.board { flex: 2 1 20rem; min-width: 0; }
.board svg { max-width: 100%; height: auto; }
.beside { flex: 1 1 16rem; min-width: 0; }
.controls { display: flex; gap: .5rem; align-items: center; }
.controls input { flex: 1; min-width: 4rem; }
button { font: inherit; padding: .4rem .8rem; border: 1px solid var(--line); border-radius: .4rem;
  background: transparent; color: inherit; cursor: pointer; }
button:disabled { color: var(--faint); cursor: default; }
button:focus-visible, input:focus-visible, summary:focus-visible { outline: 3px solid #0072b2; outline-offset: 2px; }
li.here { font-weight: bold; }
li { cursor: pointer; }
[hidden] { display: none; }
"""

SCRIPT = """
"use strict";
const element = name => document.getElementById(name);
const stages = Array.from(document.querySelectorAll("section[data-told]"));
const last = stages.length - 1;
let shown = 0, known = 0;
function show(step) {
  stages[shown].hidden = true;
  shown = Math.max(0, Math.min(step, known));
  stages[shown].hidden = false;
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
"""
