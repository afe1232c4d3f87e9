// Answers packed searches, one a line: the status, the value and the moves of the plan; from the state after a line of play, if
// the first argument is one. With a second one, the solution of a problem.
import { createInterface } from "node:readline";
import { unpacked } from "../../web/js/memory.js";
import { Search } from "../../web/js/search.js";

for await (const text of createInterface({ input: process.stdin })) {
  try {
    const search = await Search.of(await unpacked(text));
    if (process.argv[3]) {
      console.log(JSON.stringify(await search.solution(() => {}, JSON.parse(process.argv[2]))));
      continue;
    }
    const { status, value, plan, states } = await search.answer(() => {}, JSON.parse(process.argv[2] ?? "[]"));
    console.log(JSON.stringify({ status, value, plan, states }));
  } catch (error) {
    console.log(JSON.stringify({ status: "failed", value: error.message, plan: [], states: 0 }));
  }
}
