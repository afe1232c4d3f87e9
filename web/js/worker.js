// The search beside the page: answers questions about a line of play, one at a time; the page ends it to stop. What was compiled
// for one is given to the next, with what the browser has optimised in the meantime.

import { unpacked } from "./memory.js";
import { Search } from "./search.js";

const BETWEEN_NEWS = 100;

onmessage = async ({ data: { text, compiled, path, replies, solution } }) => {
  try {
    const packed = { ...await unpacked(text), compiled }, search = await Search.of(packed), began = performance.now();
    if (!compiled) postMessage({ compiled: packed.compiled });
    let told = 0;
    const tell = news => {
      const now = performance.now();
      if (now < told + BETWEEN_NEWS) return;
      told = now;
      postMessage({ news });
    };
    if (replies) postMessage({ reply: await search.best(path) });
    else if (solution) postMessage({ solution: await search.solution(tell, path) });
    else {
      const answer = await search.answer(tell, path);
      postMessage({ answer, seconds: (performance.now() - began) / 1000 });
    }
  } catch (error) {
    postMessage({ failed: error instanceof RangeError ? "this device lends the page too little memory" : error.message });
  }
};
