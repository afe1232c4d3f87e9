// Elements of a page.

export const element = (id) => document.getElementById(id);

// An element with properties, listeners (`onclick` …) and children; texts are never markup.
export function made(tag, properties = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else if (name in found && name !== "list") found[name] = value;
    else found.setAttribute(name, value);
  }
  found.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return found;
}

export const button = (text, onclick, properties = {}) => made("button", { type: "button", onclick, ...properties }, text);
