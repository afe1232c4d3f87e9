// A game as a link: rules and position, compressed, in the fragment of the address, which no browser sends to a server.

const VERSION = "1";
const LONGEST = 12000; // characters of a link: longer ones are cut by mail and chat programs
const MOST = 1 << 20; // characters of what a link holds
const MOST_FILES = 64;
const NAME = /^(?:[A-Za-z0-9_-]{1,60}\/){0,8}[A-Za-z0-9_-]{1,60}\.(?:rules|puzzle)$/;
const INCLUDED = /^:(?:rules|puzzles)\/(?:[A-Za-z0-9_-]{1,60}\/){0,8}[A-Za-z0-9_-]{1,60}\.(?:rules|puzzle)$/;

// {files: text by name, start, actions, players, seed, steps} as a link to this page; "" if that would be too long.
export async function linkOf(shared) {
  const text = JSON.stringify(shared);
  const packed = base64(new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer()));
  const link = `${location.href.split("#")[0]}#share=${VERSION}.${await digestOf(text)}.${packed}`;
  return link.length > LONGEST ? "" : link;
}

// What a link holds; null if the fragment is none. Throws where it is damaged, or asks for more than a page gives.
export async function linked(fragment) {
  const found = /^#share=([^.]*)\.([^.]*)\.(.*)$/s.exec(fragment);
  if (!found) return null;
  const [, version, digest, packed] = found;
  if (version !== VERSION) throw new Error(`This link is of version ${version.slice(0, 12)}: this page reads version ${VERSION}. Open it in a newer studio.`);
  const text = await unpacked(packed);
  if ((await digestOf(text)) !== digest) throw new Error("This link is damaged: its text does not agree with its digest. Copy it again as a whole.");
  return { ...checked(JSON.parse(text)), digest };
}

// The same from a file that was saved in place of a link.
export async function sharedIn(text) {
  if (text.length > MOST) throw new Error(`This file has more than ${MOST} characters.`);
  return { ...checked(JSON.parse(text)), digest: await digestOf(text) };
}

function checked(shared) {
  const { files, start, actions = [], players = 0, seed = 0, steps = [] } = shared ?? {};
  const isText = (one) => typeof one === "string" && one.length < MOST;
  const isWhole = (one) => Number.isInteger(one) && one >= 0 && one < 2 ** 31;
  const names = Object.keys(Object(files));
  const isRight =
    names.length <= MOST_FILES && names.every((name) => NAME.test(name) && isText(files[name])) && isText(start) && (names.includes(start) || INCLUDED.test(start)) &&
    Array.isArray(actions) && actions.every(isText) && isWhole(players) && isWhole(seed) &&
    Array.isArray(steps) && steps.every((step) => Array.isArray(step) && step.length === 2 && step.every(isText));
  if (!isRight) throw new Error("This link holds no game: it was not made by a studio.");
  return { files: Object.fromEntries(names.map((name) => [name, files[name]])), start, actions, players, seed, steps };
}

// Unpacked piece by piece, so that a small link cannot fill the memory.
async function unpacked(packed) {
  let bytes = null;
  try {
    bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  } catch {
    throw new Error("This link is damaged: copy it again as a whole.");
  }
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error("This link is damaged: copy it again as a whole.");
    });
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST) {
      await reader.cancel();
      throw new Error(`This link holds more than ${MOST} characters, which is too much for a page.`);
    }
  }
}

async function digestOf(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return base64(bytes.slice(0, 16));
}

const base64 = (bytes) => btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
