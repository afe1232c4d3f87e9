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
