// What is asked before something new is made: a file, a variant, a puzzle of the position on the board.

import { button, element, made, sentence, told } from "./dom.js";

// Ask for some fields; `act` gets their values and may refuse by an error, which is shown and asked again. A field's `wrong` says of a
// value why it cannot be, or "". `doing` says meanwhile what takes so long.
export function ask(title, fields, word, act, doing = "") {
  const dialog = element("dialog");
  const wrong = made("p", { className: "warning", role: "alert" });
  const status = made("p", { className: "faint", role: "status" });
  const inputs = fields.map((field) => input(field));
  const rows = fields.map((field, at) => made("label", { className: field.type === "checkbox" ? "check" : "" }, made("span", {}, ...sentence(field.label)), inputs[at]));
  const go = made("button", { type: "submit", id: "dialog-go" }, word);
  const form = made("form", { method: "dialog" }, made("h2", {}, title), ...rows, wrong, status, made("p", { className: "bar" }, go, button("Cancel", () => dialog.close())));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = Object.fromEntries(fields.map((field, at) => [field.name, field.type === "checkbox" ? inputs[at].checked : inputs[at].value.trim()]));
    const at = fields.findIndex((field) => field.wrong?.(values[field.name]));
    wrong.replaceChildren(...(at < 0 ? [] : sentence(fields[at].wrong(values[fields[at].name]))));
    if (at >= 0) {
      inputs[at].focus();
      return;
    }
    [go.disabled, go.textContent] = [true, "Working …"];
    status.replaceChildren(...sentence(doing));
    try {
      const next = await act(values);
      dialog.close();
      next?.(); // The dialog has given the focus back by then.
    } catch (error) {
      wrong.replaceChildren(...told(error));
    }
    status.replaceChildren();
    [go.disabled, go.textContent] = [false, word];
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  inputs[0].focus();
  inputs[0].select?.();
}

function input(field) {
  const own = { id: `field-${field.name}`, name: field.name };
  if (field.options) {
    const found = made("select", own, ...field.options.map(([value, text]) => made("option", { value }, text)));
    found.value = field.value;
    found.selectedIndex = Math.max(0, found.selectedIndex);
    return found;
  }
  if (field.type === "checkbox") return made("input", { ...own, type: "checkbox", checked: field.value });
  return made("input", { ...own, type: "text", value: field.value ?? "", autocomplete: "off", spellcheck: false });
}
