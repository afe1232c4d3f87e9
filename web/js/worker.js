// The search beside the page: answers questions about a line of play, one at a time; the page ends it to stop.

import { unpacked } from "./memory.js";
import { Search } from "./search.js";

const BETWEEN_NEWS = 100;

onmessage = async ({ data: { text, path, replies } }) => {
  try {
    const search = await Search.of(await unpacked(text)), began = performance.now();
    let told = 0;
    const tell = news => {
      const now = performance.now();
      if (now < told + BETWEEN_NEWS) return;
      told = now;
      postMessage({ news });
    };
    if (replies) postMessage({ reply: await search.best(path) });
    else {
      const answer = await search.answer(tell, path);
      postMessage({ answer, seconds: (performance.now() - began) / 1000 });
    }
  } catch (error) {
    postMessage({ failed: error instanceof RangeError ? "this device lends the page too little memory" : error.message });
  }
};
