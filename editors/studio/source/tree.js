// The play so far, with every other line that was tried, as a list with branches.

import { button, made } from "./dom.js";

export function treeOf(course, go) {
  const top = made("ol", { className: "tree" });
  const place = (node, list, number) => {
    let at = node;
    let count = number;
    while (at) {
      list.append(item(at, count, course, go));
      const [first, ...others] = at.children;
      for (const other of others) {
        const branch = made("ol", { className: "tree branch" });
        list.append(made("li", { className: "holder" }, branch));
        place(other, branch, count + 1);
      }
      at = first;
      count += 1;
    }
  };
  place(course.root, top, 0);
  return top;
}

function item(node, number, course, go) {
  const isHere = node === course.here;
  const text = node.parent ? `${number}. ${node.action}` : "start";
  const score = node.score === null || node.score === undefined ? "" : ` · ${node.score}`;
  const classes = [isHere ? "here" : "", node.refused ? "refused" : ""].join(" ").trim();
  const step = button(text + score, () => go(node), { className: classes });
  if (isHere) step.setAttribute("aria-current", "step");
  return made("li", {}, step);
}
