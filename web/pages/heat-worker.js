// The worker of heat.html, which calls web/heat.cpp.
"use strict";

importScripts("worker.js");

let program;
let size;
let frames;
let untouched; // the book's room, its speed and its steps a frame, since the start

/** Calls the C++ for a number. */
const call = (name, ...values) => program.ccall(name, "number", values.map(() => "number"), values);

/** Calls the C++ for a text. */
const textOf = (name, ...values) => program.ccall(name, "string", values.map(() => "number"), values);

/** Calls the C++ for something that may fail. */
const work = (name, ...values) => check(textOf(name, ...values));

/** Returns the picture, its upper row first, in `spare` if it fits. */
const picture = (spare) => copied(program.HEAPU8, call("heat_picture"), size, size, spare);

const answers = {
  async load() {
    checkBrowser();
    const build = hasRelaxedSimd() ? "heat-relaxed" : "heat";
    program = await load(build, () => heat);
    return {build, kernels: JSON.parse(textOf("heat_kernels"))};
  },

  start({grid, kernel, speed, steps}) {
    size = grid;
    frames = 0;
    untouched = speed === 0.25 && steps === 90;
    work("heat_start", size, size, kernel, speed, steps);
    return {frames, size, picture: picture()};
  },

  use({kernel}) {
    work("heat_use", kernel);
    return {};
  },

  frame({spare}) {
    const begin = performance.now();
    work("heat_frame");
    const ms = performance.now() - begin;
    ++frames;
    return {frames, ms, size, picture: picture(spare)};
  },

  steps({by, now}) {
    const steps = call("heat_steps", by);
    if (steps !== now) untouched = false;
    return {steps};
  },

  paint({brush, points}) {
    untouched = false;
    points.forEach(([x, y], i) => {
      const [fromX, fromY] = points[Math.max(0, i - 1)];
      if (i > 0 || points.length === 1) work("heat_paint", brush, fromX, fromY, x, y);
    });
    return {size, picture: picture()};
  },

  checksum() {
    const checksum = textOf("heat_checksum");
    if (!/^[0-9a-f]{8}$/.test(checksum)) throw new Failure("text", checksum);
    return {checksum, frames, size, untouched};
  },
};

answerWith(answers);
