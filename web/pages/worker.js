// What the workers of heat.html and texture_unit.html share: they alone call the C++, and answer the page's messages one
// after the other.
//
// A message is {id, ask, ...}; the answer is {id, ...} or {id, error: {kind, detail}}, whose kind names a text of text.js.
"use strict";

class Failure extends Error {
  constructor(kind, detail = "") {
    super(detail);
    this.kind = kind;
  }
}

/** Returns whether the browser knows the instructions of a function that returns a vector of SIMD. */
function knows(...instructions) {
  const body = [0, ...instructions, 0x0b]; // no local variables; end
  return WebAssembly.validate(new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // "\0asm", version 1
    1, 5, 1, 0x60, 0, 1, 0x7b, // types: a function without parameters, which returns a v128
    3, 2, 1, 0, // functions: one of this type
    10, body.length + 2, 1, body.length, ...body])); // code
}

const zeros = [0x41, 0, 0xfd, 0x0f]; // i32.const 0; i8x16.splat
const hasRelaxedSimd = () => knows(...zeros, ...zeros, ...zeros, 0xfd, 0x85, 0x02); // f32x4.relaxed_madd

/** Loads module/BUILD.js, and the program that `make` then makes of module/BUILD.wasm. */
async function load(build, make) {
  try {
    importScripts(`module/${build}.js`);
    return await make()({locateFile: () => `module/${build}.wasm`, printErr: () => {}}); // what it prints it also throws
  } catch (error) {
    throw new Failure("load", error.message || String(error));
  }
}

/** Throws what is missing in this browser. */
function checkBrowser() {
  if (typeof WebAssembly !== "object") throw new Failure("webassembly");
  if (!knows(...zeros)) throw new Failure("simd");
}

/** Throws the error if the C++ has returned one. */
function check(why) {
  if (why) throw new Failure(why === "std::bad_alloc" ? "memory" : "text", why);
}

/** Copies a picture that begins at `from`, its upper row first, into `spare` if it fits. Returns the memory. */
function copied(memory, from, width, height, spare) {
  const row = 4 * width;
  const pixels = spare && spare.byteLength === row * height ? new Uint8Array(spare) : new Uint8Array(row * height);
  for (let y = 0; y < height; ++y) {
    const begin = from + row * (height - 1 - y);
    pixels.set(memory.subarray(begin, begin + row), row * y);
  }
  return pixels.buffer;
}

function kindOf(error) {
  if (error.kind) return error.kind;
  return /memory|OOM/i.test(error.message) ? "memory" : "crash";
}

/** Answers each message by the function with the name in `ask`. */
function answerWith(answers) {
  let last = Promise.resolve();
  const reply = async (data) => {
    try {
      const answer = await answers[data.ask](data);
      postMessage({id: data.id, ...answer}, answer.picture ? [answer.picture] : []);
    } catch (error) {
      postMessage({id: data.id, error: {kind: kindOf(error), detail: error.message || String(error)}});
    }
  };
  onmessage = ({data}) => {
    last = last.then(() => reply(data));
  };
}
