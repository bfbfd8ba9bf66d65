// The worker of texture_unit.html, which calls web/texture_unit.cpp.
"use strict";

importScripts("worker.js");

let program;
let size; // of the picture: [width, height]

/** Calls the C++ for `result`: "number", "string" or null. Numbers and texts are passed as they are. */
const call = (result, name, ...values) =>
  program.ccall(`texture_unit_${name}`, result, values.map((one) => (typeof one === "string" ? "string" : "number")), values);

/** Calls the C++ for something that may fail. */
const work = (name, ...values) => check(call("string", name, ...values));

/** Paints and returns the picture, its upper row first, in `spare` if it fits, and the texts. */
function shown(spare) {
  const begin = performance.now();
  work("paint");
  const ms = performance.now() - begin;
  const [width, height] = size;
  const picture = copied(program.HEAPU8, call("number", "picture"), width, height, spare);
  return {ms, width, height, picture, state: JSON.parse(call("string", "state"))};
}

// What the user does. Places are pixels of the picture from the lower left.
const actions = {
  key: ({key, shift}) => call(null, "key", key.charCodeAt(0), Number(shift)),
  drag: ({from, to}) => call(null, "drag", ...from, ...to),
  wheel: ({steps, at}) => call(null, "wheel", steps, ...at),
  point: ({at}) => call(null, "point", ...at),
  set: ({name, value}) => work("set", name, value),
};

const answers = {
  async load({chinese}) {
    checkBrowser();
    program = await load("texture_unit", () => texture_unit);
    call(null, "language", Number(chinese));
    return {};
  },

  /** Opens a window; `look` has settings by their names. Returns those that it refuses, too. */
  open({width, height, emulated, look}) {
    work("open", width, height, Number(emulated));
    size = [width, height];
    const refused = Object.entries(look).filter(([name, value]) => call("string", "set", name, value)).map((one) => one.join("="));
    return {refused, ...shown()};
  },

  act({list, spare}) {
    for (const action of list) actions[action.what](action);
    return shown(spare);
  },
};

answerWith(answers);
