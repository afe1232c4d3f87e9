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
