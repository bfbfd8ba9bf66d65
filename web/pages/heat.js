// The page heat.html: its controls, keys and picture. It computes nothing of the simulation; heat-worker.js does.
"use strict";

// CRC-32 of the untouched room's temperatures, by "size/frames": those of results/checksums.csv.
const knownChecksums = {"1024/1": "f7cb8b0a", "1024/10": "4d6dc8ed", "256/1": "d022ef76", "128/1": "6dd9cfeb"};

const part = (id) => document.getElementById(id);
const canvas = part("room");
const context = canvas.getContext("2d", {alpha: false});
const sizes = [...part("size").options].map((option) => Number(option.value));

let kernels = [];
let kernel = 0; // its number in the list
let size = 512;
let sizeIsChosen = false; // by the user or the address
let steps = 90;
let running = address.get("paused") !== "1";
let stopAfter = 0; // frames until the checksum, or 0

let isReady = false; // a room is there
let restarts = 0; // an answer that was asked for before a restart is not shown
let frameSince = null; // when the frame under way began
let spare = null; // the memory of a picture that is on the screen already
let lastFrames = []; // {at, ms} of about the last second

// ----- The worker

let worker = null;
let mustRenew = true;
let waiting = new Map(); // answers that are awaited, by the number of the message
let messages = 0;

/** Asks the worker and returns its answer. An answer of a worker that was ended never comes. */
function ask(what, values = {}, transfer = []) {
  return new Promise((resolve, reject) => {
    waiting.set(++messages, {resolve, reject});
    worker.postMessage({id: messages, ask: what, ...values}, transfer);
  });
}

/** Starts a worker in the place of the last one. */
async function renew() {
  if (worker) worker.terminate();
  waiting = new Map();
  isPainting = false; // what the ended worker was asked is never answered
  worker = new Worker("heat-worker.js");
  worker.onmessage = ({data: {id, error, ...answer}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (error) reject(error);
    else resolve(answer);
  };
  worker.onerror = (event) => fail({kind: "load", detail: event.message || "heat-worker.js"});
  ({kernels} = await ask("load"));
  mustRenew = false;
}

function say(error) {
  part("error").textContent = error.kind ? text(`error_${error.kind}`, error) : String(error);
  part("error").hidden = false;
}

/** Says why there is no room any more. */
function fail(error) {
  say(error);
  isReady = false;
  mustRenew = true;
  frameSince = null;
  stopAfter = 0;
  pause(true);
}

// ----- The room

/** Begins the room anew. A frame that takes long is not waited for. */
async function restart() {
  if (kernels.length === 0) return location.reload(); // the program could not be loaded
  const takesLong = frameSince !== null && performance.now() - frameSince > 1000;
  isReady = false;
  stopAfter = 0;
  lastFrames = [];
  spare = null;
  strokes.length = 0;
  part("error").hidden = true;
  part("sum").textContent = "";
  part("size").value = size;
  const mine = ++restarts;
  try {
    if (mustRenew || takesLong) {
      mustRenew = true;
      frameSince = null;
      await renew();
    }
    const answer = await ask("start", {grid: size, kernel, speed: Number(part("speed").value), steps});
    if (mine !== restarts) return;
    show(answer);
    isReady = true;
  } catch (error) {
    if (mine === restarts) fail(error);
  }
}

function show(answer) {
  if (canvas.width !== answer.size) canvas.width = canvas.height = answer.size;
  context.putImageData(new ImageData(new Uint8ClampedArray(answer.picture), answer.size, answer.size), 0, 0);
  spare = answer.picture;
  if (answer.frames !== undefined) part("frames").textContent = answer.frames;
}

async function frame() {
  if (!isReady || frameSince !== null) return;
  const mine = restarts;
  frameSince = performance.now();
  const memory = spare;
  spare = null;
  try {
    const answer = await ask("frame", {spare: memory}, memory ? [memory] : []);
    frameSince = null;
    if (mine !== restarts) return;
    show(answer);
    const at = performance.now();
    lastFrames = lastFrames.filter((one) => one.at > at - 1000 || one === lastFrames.at(-1));
    lastFrames.push({at, ms: answer.ms});
    if (stopAfter && answer.frames >= stopAfter) {
      stopAfter = 0;
      pause(true);
      await sum();
    } else if (running && answer.ms > 16 && !document.hidden) {
      frame(); // a quick one waits for the screen, see tick()
    }
  } catch (error) {
    frameSince = null;
    if (mine === restarts) fail(error);
  }
}

function pause(wanted) {
  running = !wanted;
  lastFrames = [];
  part("pause").textContent = text(running ? "pause" : "go_on");
  part("pause").title = text("pause_key");
}

function oneFrame() {
  pause(true);
  frame();
}

/** Takes the kernel with this number. The temperatures stay, unless the grid's size is another for this device. */
async function use(number) {
  const before = kernel;
  kernel = number;
  const wanted = defaultSize();
  if (wanted !== size && !sizeIsChosen) {
    size = wanted;
    describe();
    return restart();
  }
  describe();
  if (!isReady) return restart();
  const mine = restarts;
  try {
    lastFrames = [];
    await ask("use", {kernel});
    part("error").hidden = true;
  } catch (error) {
    if (mine !== restarts) return;
    if (error.kind !== "text") return fail(error);
    kernel = before;
    describe();
    say(error);
  }
}

/** The size for this kernel where the user has chosen none. An emulated GPU is slow. */
const defaultSize = () => (kernels[kernel].device === "cpu" ? 512 : 128);

/** Shows which kernel it is, and what it does. */
function describe() {
  const {device, memory, what} = kernels[kernel];
  const sentence = kernelText(what);
  const end = language === "zh" ? "。" : ".";
  part("kernel").value = kernel;
  part("what").textContent = [sentence[0].toUpperCase() + sentence.slice(1) + end, text("memory", {memory: memoryText(memory)}),
    device === "cpu" ? "" : text("emulated_note")].join(language === "zh" ? "" : " ");
}

/** Goes so many kernels on, among those of the device. */
function nextKernel(by) {
  const same = [...kernels.keys()].filter((number) => kernels[number].device === kernels[kernel].device);
  use(same[(same.indexOf(kernel) + by + same.length) % same.length]);
}

/** Goes to the other device. */
function nextDevice() {
  const number = defaultKernel(kernels[kernel].device === "cpu" ? "emulated" : "cpu");
  if (number >= 0) use(number);
}

/** Returns the number of the first kernel to show, or -1 if the device has none. */
function defaultKernel(device) {
  const blocked = kernels.findIndex((one) => one.name === "blocked" && one.device === device);
  return blocked >= 0 ? blocked : kernels.findIndex((one) => one.device === device);
}

async function changeSteps(by) {
  if (!isReady) return;
  lastFrames = [];
  try {
    ({steps} = await ask("steps", {by, now: steps}));
    part("steps").textContent = steps;
  } catch (error) {
    fail(error);
  }
}

// ----- Checksums

async function sum() {
  if (!isReady) return;
  try {
    const answer = await ask("checksum");
    const expected = answer.untouched ? knownChecksums[`${answer.size}/${answer.frames}`] : undefined;
    const count = text(answer.frames === 1 ? "one" : "many", {frames: answer.frames});
    const digits = document.createElement("code");
    digits.textContent = answer.checksum;
    const verdict = document.createElement("span");
    verdict.textContent = expected === undefined ? text("sum_unknown")
      : expected === answer.checksum ? text("sum_same") : text("sum_differs", {expected});
    verdict.className = expected === undefined ? "unknown" : expected === answer.checksum ? "same" : "differs";
    part("sum").replaceChildren(text("sum", {count}), digits, verdict);
  } catch (error) {
    fail(error);
  }
}

async function tenFrames() {
  size = 1024;
  sizeIsChosen = true;
  steps = 90;
  part("steps").textContent = steps;
  setSpeed("0.25");
  pause(true);
  await restart();
  if (!isReady) return;
  stopAfter = 10;
  pause(false);
}

function setSpeed(speed) {
  part("speed").value = speed;
  part("speed_value").textContent = Number(part("speed").value).toFixed(2);
}

// ----- Painting

const strokes = []; // {brush, points} that the worker has not been told
let strokeOf = new Map(); // the brush and the last point, by pointer
let isPainting = false;

/** Returns the cell under the pointer, from the lower left. */
function cellAt(event) {
  const box = canvas.getBoundingClientRect();
  const cell = (share) => Math.max(0, Math.min(canvas.width - 1, Math.floor(share * canvas.width)));
  return [cell((event.clientX - box.left) / box.width), cell((box.bottom - event.clientY) / box.height)];
}

function brushOf(event) {
  if (event.shiftKey) return 2;
  return event.button === 2 ? 1 : Number(document.querySelector("[name=brush]:checked").value);
}

async function paint() {
  if (isPainting || !isReady || strokes.length === 0) return;
  const mine = restarts;
  isPainting = true;
  try {
    const answer = await ask("paint", strokes.shift());
    if (mine === restarts) show(answer);
  } catch (error) {
    if (mine === restarts) fail(error);
  }
  isPainting = false;
  paint();
}

canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 && event.button !== 2) return;
  canvas.setPointerCapture(event.pointerId);
  const cell = cellAt(event);
  const brush = brushOf(event);
  strokeOf.set(event.pointerId, {brush, cell});
  strokes.push({brush, points: [cell]});
  paint();
});
canvas.addEventListener("pointermove", (event) => {
  const stroke = strokeOf.get(event.pointerId);
  if (!stroke) return;
  const cell = cellAt(event);
  const last = strokes.at(-1);
  if (last && last.pointer === event.pointerId) last.points.push(cell);
  else strokes.push({pointer: event.pointerId, brush: stroke.brush, points: [stroke.cell, cell]});
  stroke.cell = cell;
  paint();
});
for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => strokeOf.delete(event.pointerId));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());

// ----- Controls and keys

part("pause").addEventListener("click", () => pause(running));
part("one").addEventListener("click", oneFrame);
part("restart").addEventListener("click", restart);
part("fewer").addEventListener("click", () => changeSteps(-1));
part("more").addEventListener("click", () => changeSteps(1));
part("checksum").addEventListener("click", sum);
part("ten").addEventListener("click", tenFrames);
part("kernel").addEventListener("change", () => use(Number(part("kernel").value)));
part("size").addEventListener("change", () => {
  size = Number(part("size").value);
  sizeIsChosen = true;
  restart();
});
part("speed").addEventListener("input", () => setSpeed(part("speed").value));
part("speed").addEventListener("change", restart);

// After a choice with the mouse the keys are the page's again.
let isPointed = false;
addEventListener("pointerdown", () => (isPointed = true), true);
addEventListener("keydown", () => (isPointed = false), true);
for (const list of ["kernel", "size"]) part(list).addEventListener("change", () => isPointed && part(list).blur());

const keys = {
  " ": () => pause(running),
  ".": oneFrame,
  k: () => nextKernel(1),
  K: () => nextKernel(-1),
  d: nextDevice,
  r: restart,
  "+": () => changeSteps(1),
  "=": () => changeSteps(1), // + without Shift
  "-": () => changeSteps(-1),
  h: () => (part("keys").open = !part("keys").open),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
  if (event.key === " " && event.target.matches("button, a, summary, input")) return; // it is theirs
  const name = /^[a-zA-Z]$/.test(event.key) ? (event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()) : event.key;
  const action = keys[name] || keys[name.toLowerCase()];
  if (!action || kernels.length === 0) return;
  event.preventDefault();
  action();
});

// ----- The course of things

/** Shows how fast it is: of the frames of the last second. */
function showSpeed() {
  const first = lastFrames[0];
  const last = lastFrames.at(-1);
  const seconds = first ? (last.at - first.at) / 1000 : 0;
  const ms = first ? lastFrames.reduce((all, one) => all + one.ms, 0) / lastFrames.length : 0;
  part("rate").textContent = running && seconds > 0 ? ((lastFrames.length - 1) / seconds).toPrecision(3) : "–";
  if (first) part("time").textContent = ms < 100 ? ms.toPrecision(3) : ms.toFixed(0);
  const long = frameSince === null ? 0 : Math.floor((performance.now() - frameSince) / 1000);
  part("waiting").hidden = long < 2;
  part("waiting").textContent = text("waiting", {seconds: long});
}

function tick() {
  requestAnimationFrame(tick);
  paint();
  if (running) frame();
}

function listKernels() {
  for (const device of new Set(kernels.map((one) => one.device))) {
    const group = document.createElement("optgroup");
    group.label = texts[language][device] || device;
    kernels.forEach((one, number) => {
      if (one.device === device) group.append(new Option(one.name, number));
    });
    part("kernel").append(group);
  }
  part("key_device").hidden = part("kernel").children.length < 2;
}

async function begin() {
  pause(!running);
  part("what").textContent = text("loading");
  try {
    await renew();
  } catch (error) {
    part("what").textContent = "";
    return fail(error);
  }
  listKernels();
  const unknown = [];
  const wantedKernel = address.get("kernel");
  kernel = wantedKernel === null ? -1 : kernels.findIndex((one) => one.name === wantedKernel);
  if (wantedKernel !== null && kernel < 0) unknown.push(`kernel=${wantedKernel}`);
  if (kernel < 0) kernel = Math.max(0, defaultKernel("cpu"));
  const wantedSize = address.get("size");
  sizeIsChosen = sizes.includes(Number(wantedSize));
  if (wantedSize !== null && !sizeIsChosen) unknown.push(`size=${wantedSize}`);
  size = sizeIsChosen ? Number(wantedSize) : defaultSize();
  describe();
  await restart();
  if (isReady && unknown.length > 0) say({kind: "address", detail: unknown.join(", ")});
  setInterval(showSpeed, 250);
  tick();
}

begin();
