// The play so far, with every other line that was tried, as a list with branches.

import { button, made } from "./dom.js";

export function treeOf(course, go) {
  const top = made("ol", { className: "tree" });
  // As annotated games are written down: a move, then what was tried in its place, then how it goes on.
  const place = (node, list, number) => {
    let [at, others, count] = [node, [], number];
    while (at) {
      list.append(item(at, count, course, go));
      for (const other of others) {
        const branch = made("ol", { className: "tree branch" });
        list.append(made("li", { className: "holder" }, branch));
        place(other, branch, count);
      }
      [at, ...others] = at.children;
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
