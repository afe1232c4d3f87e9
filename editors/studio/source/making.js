// What is made anew: a variant, a file, a puzzle of the position on the board, the answer of a puzzle.

import { ask } from "./dialogs.js";
import { complain, made, show } from "./dom.js";

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const misnamed = (what) => (name) => (!name ? `Give ${what} a name.` : NAME.test(name) ? "" : `\`${name}\` cannot be a name: begin with a letter, and use only letters, digits and \`_\`.`);

export async function newVariant(studio) {
  studio.channel.ask({ do: "make_ready" }).catch(() => {}); // it starts while a name is chosen
  await studio.loadLibrary();
  const own = studio.files.names.filter((name) => name.endsWith(".rules"));
  const options = studio.library.modules.map((one) => [one.name, `${one.name} — ${one.text}`.slice(0, 90)]);
  ask(
    "New variant of a game",
    [
      { name: "name", label: "Name of the variant and its folder", value: own.length ? "another" : "mine", wrong: misnamed("the variant") },
      { name: "of", label: "Game", options, value: studio.inPage.game ?? studio.board.view?.rules.at(-1) },
    ],
    "Create",
    async ({ name, of }) => {
      const { names } = await studio.channel.ask({ do: "new_variant", name, of });
      studio.files.add(...names);
      show("changes");
      const rules = names.find((one) => one.endsWith(".rules"));
      await studio.open(rules);
      return () => {
        studio.editing.view.focus();
        addChangesToTry(studio, name, rules);
        return studio.setStart(names.find((one) => one.endsWith(".puzzle")));
      };
    },
    "Proving a first puzzle.",
  );
}

// They take seconds: the text is there meanwhile, and may be edited.
async function addChangesToTry(studio, name, file) {
  show("working", made("span", {}, "Playing the game to find changes to try: they come at the end of this text."));
  const added = ({ text }) => rewrite(studio, file, studio.files.get(file).text + text, { save: !studio.files.isDirty(file) });
  await studio.channel.ask({ do: "changes_to_try", name }).then(added).catch(complain);
  show("working");
}

async function rewrite(studio, name, text, { save }) {
  studio.files.type(name, text);
  studio.editing.replace(name, text);
  if (save) await studio.files.save(name);
}

export function newFile(studio) {
  ask("New file", [{ name: "name", label: "File name, such as `mine.rules` or `first.puzzle`", value: "", wrong: (name) => (name ? "" : "Give the file a name.") }], "Create", async ({ name }) => {
    const stem = name.split("/").pop().replace(/\.[a-z]+$/, "");
    const text = name.endsWith(".puzzle") ? `puzzle ${stem}:\n    rules \n    players 1\n` : `module ${stem}:\n    ""\n    extends \n`;
    await studio.create(name, text);
    return () => studio.editing.view.focus();
  });
}

export function newPuzzle(studio) {
  const rules = studio.board.view.rules.join(" + ");
  const folder = studio.course.start.startsWith(":") || !studio.course.start.includes("/") ? "" : studio.course.start.replace(/[^/]*$/, "");
  ask(
    "New puzzle from the position on the board",
    [
      { name: "name", label: "Name", value: "", wrong: misnamed("the puzzle") },
      { name: "rules", label: "Rules", value: rules },
      { name: "ask", label: "Question", value: studio.board.view.question || "maximise score until end" },
      { name: "text", label: "Description", value: "" },
      { name: "answer", label: "Solve it and record the answer", type: "checkbox", value: true },
    ],
    "Create",
    async ({ name, rules: named, ask: question, text, answer }) => {
      const modules = named.split("+").map((one) => one.trim());
      const board = studio.boardNow();
      const made_ = await studio.channel.ask({ do: "write_puzzle", board, name, rules: modules, ask: question, text });
      const file = `${folder}${name}.puzzle`;
      await studio.create(file, made_.text);
      await studio.setStart(file);
      if (answer && question) writeAnswer(studio, file, { save: true });
    },
  );
}

// Solve a puzzle and write the answer into it, as an edit that can be undone.
export async function writeAnswer(studio, name, { save = false } = {}) {
  const found = await studio.solving.solve();
  if (!found?.answer) return;
  const board = { ...studio.boardNow(), start: name, actions: [], steps: [] };
  const asked = studio.channel.ask({ do: "write_answer", board, answer: found.answer });
  await asked.then(({ text }) => rewrite(studio, name, text, { save })).catch(complain);
}
