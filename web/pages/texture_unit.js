// The page texture_unit.html: its controls, keys, pointer and texts. It computes nothing of what the unit does; the C++
// does, which texture_unit-worker.js calls.
"use strict";

const part = (id) => document.getElementById(id);
const canvas = part("picture");
const context = canvas.getContext("2d", {alpha: false});
const settings = document.querySelectorAll("[data-setting]");
const looks = ["filter", "x", "y", "coordinates", "level", "levels", "edges", "across", "angle", "centre_x", "centre_y"];

let state = null; // the look and the texts, as the C++ gives them
let isReady = false; // a window is open
let isBroken = false; // it must be loaded anew
let spare = null; // the memory of a picture that is on the screen already

// ----- The worker

const waiting = new Map(); // answers that are awaited, by the number of the message
let worker = null;
let messages = 0;

/** Asks the worker and returns its answer. */
function ask(what, values = {}, transfer = []) {
  return new Promise((resolve, reject) => {
    waiting.set(++messages, {resolve, reject});
    worker.postMessage({id: messages, ask: what, ...values}, transfer);
  });
}

async function load() {
  worker = new Worker("texture_unit-worker.js");
  worker.onmessage = ({data: {id, error, ...answer}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (error) reject(error);
    else resolve(answer);
  };
  worker.onerror = (event) => fail({kind: "load", detail: event.message || "texture_unit-worker.js"});
  await ask("load", {chinese: language === "zh"});
}

function say(error) {
  part("error").textContent = error.kind ? text(`error_${error.kind}`, error) : String(error);
  part("error").hidden = false;
}

function fail(error) {
  say(error);
  isReady = false;
  isBroken = true;
}

// ----- What the user does, in order

let actions = []; // which the worker has not been told
let mustOpen = true; // a window of another size or device
let wantedLook = {}; // of the address, for the first window
const unknown = []; // what the address asks for in vain
let isBusy = true; // until the module is loaded
let pointer = null; // the pixel that the last action points at

/** Does an action of the worker's list. A place that is pointed at replaces the place before. */
function act(action) {
  if (action.what === "point" && actions.at(-1)?.what === "point") actions.pop();
  actions.push(action);
  pointer = action.at || action.to || pointer;
  go();
}

async function go() {
  if (isBusy || isBroken) return;
  isBusy = true;
  try {
    while (mustOpen || actions.length > 0) {
      if (mustOpen) await open();
      else {
        const list = actions;
        const memory = spare;
        actions = [];
        spare = null;
        show(await ask("act", {list, spare: memory}, memory ? [memory] : []));
      }
    }
  } catch (error) {
    fail(error);
  }
  isBusy = false;
}

async function open() {
  mustOpen = false;
  const width = Math.max(1, Math.round(canvas.clientWidth));
  const height = Math.max(1, Math.round(canvas.clientHeight));
  const answer = await ask("open", {width, height, emulated: part("device").value === "emulated", look: wantedLook});
  wantedLook = {};
  show(answer);
  isReady = true;
  unknown.push(...answer.refused);
  if (unknown.length > 0) say({kind: "address", detail: unknown.splice(0).join(", ")});
  if (!state.mouse) actions.push({what: "point", at: [Math.floor(0.85 * width), Math.floor(0.65 * height)]});
  pointer = state.mouse || actions.at(-1).at;
}

// ----- Showing

function show(answer) {
  ({state} = answer);
  if (canvas.width !== answer.width || canvas.height !== answer.height) {
    canvas.width = answer.width;
    canvas.height = answer.height;
  }
  context.putImageData(new ImageData(new Uint8ClampedArray(answer.picture), answer.width, answer.height), 0, 0);
  spare = answer.picture;
  for (const setting of settings) setting.value = state.look[setting.dataset.setting];
  part("edges").checked = state.look.edges === "shown";
  part("level").textContent = state.look.level;
  showLabels();
  explain();
  keepAddress();
}

/** The weights, on the texels that the fetch reads. */
function showLabels() {
  part("labels").replaceChildren(...state.labels.map(({x, y, text}) => {
    const label = document.createElement("span");
    label.textContent = text;
    label.style.left = `${(100 * x) / canvas.width}%`;
    label.style.bottom = `${(100 * y) / canvas.height}%`;
    return label;
  }));
}

/** Returns the elements with these texts. */
const elements = (tag, texts) => texts.map((one) => {
  const element = document.createElement(tag);
  element.textContent = one;
  return element;
});

/** Returns a row of the table. Its first cell names it and shows its colour. */
function row(cells, isDifference) {
  const all = document.createElement("tr");
  const [name] = elements("th", [cells[0].replace(", ", ",\u00a0")]); // a narrow table breaks elsewhere
  name.scope = "row";
  const colour = document.createElement("i");
  if (!isDifference) colour.style.background = `rgb(${cells.slice(2).join(",")})`;
  name.prepend(colour);
  all.append(name, ...elements("td", cells.slice(1)));
  return all;
}

function explain() {
  part("lines").replaceChildren(...elements("span", state.lines));
  const {fetch, positions, table} = state.explained || {fetch: "", positions: [], table: []};
  part("fetch").textContent = fetch;
  part("positions").replaceChildren(...elements("li", positions));
  part("table").hidden = part("legend").hidden = !state.explained;
  if (!state.explained) return;
  const [head, ...rows] = table;
  const first = document.createElement("tr");
  first.append(...elements("th", head));
  for (const cell of first.children) cell.scope = "col";
  part("table").tHead.replaceChildren(first);
  part("table").tBodies[0].replaceChildren(...rows.slice(0, -3).map((one) => row(one, false)));
  part("table").tFoot.replaceChildren(...rows.slice(-3).map((one, i) => row(one, i === 2)));
}

let addressTimer = 0;

/** Writes into the address what differs from the first look, so that a copy of it leads to the same look. */
function keepAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    const parameters = new URLSearchParams(location.search);
    for (const name of looks) parameters.delete(name);
    for (const name of looks) if (state.look[name] !== state.first[name]) parameters.set(name, state.look[name]);
    parameters.delete("device");
    if (part("device").value !== "cpu") parameters.set("device", part("device").value);
    const query = String(parameters);
    history.replaceState(null, "", location.pathname + (query ? `?${query}` : ""));
    other.href = inLanguage("", otherLanguage);
  }, 400);
}

// ----- The pointer

/** Returns the pixel of the picture at a place of the page, from the lower left; outside, the nearest. */
function pixelAt(x, y) {
  const box = canvas.getBoundingClientRect();
  const pixel = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  return [pixel((x - box.left) / box.width, canvas.width), pixel((box.bottom - y) / box.height, canvas.height)];
}

const held = new Map(); // where each finger, or the mouse with its button down, was last: [x, y] in the page

const middle = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const distance = ([a, b]) => Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]));
const fingerPoints = () => document.querySelector("[name=finger]:checked").value === "point";

function point(x, y) {
  canvas.focus({preventScroll: true, focusVisible: false});
  part("explanation").setAttribute("aria-live", "off"); // nothing is read aloud while a pointer moves
  act({what: "point", at: pixelAt(x, y)});
}

canvas.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  canvas.setPointerCapture(event.pointerId);
  held.set(event.pointerId, [event.clientX, event.clientY]);
  if (held.size === 1) point(event.clientX, event.clientY);
});

canvas.addEventListener("pointermove", (event) => {
  const now = [event.clientX, event.clientY];
  const last = held.get(event.pointerId);
  if (!last) {
    if (event.pointerType !== "touch") act({what: "point", at: pixelAt(...now)});
    return;
  }
  const before = [...held.values()];
  held.set(event.pointerId, now);
  if (held.size === 1) {
    if (event.pointerType === "touch" && fingerPoints()) return point(...now);
    return act({what: "drag", from: pixelAt(...last), to: pixelAt(...now)});
  }
  if (held.size > 2) return;
  const after = [...held.values()];
  const at = pixelAt(...middle(after));
  act({what: "drag", from: pixelAt(...middle(before)), to: at});
  act({what: "wheel", steps: 4 * Math.log2(distance(after) / distance(before)), at});
});
for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => held.delete(event.pointerId));

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const ofStep = event.ctrlKey ? 10 : event.deltaMode === 0 ? 100 : 3; // Ctrl: two fingers on a touchpad
  if (event.deltaY !== 0) act({what: "wheel", steps: -event.deltaY / ofStep, at: pixelAt(event.clientX, event.clientY)});
}, {passive: false});

// The arrow keys move the pointer when the picture has the focus.
const arrows = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1]};
canvas.addEventListener("keydown", (event) => {
  const arrow = arrows[event.key];
  if (!arrow || !pointer || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const step = event.shiftKey ? 10 : 1;
  const kept = (place, count) => Math.max(0, Math.min(count - 1, place));
  part("explanation").setAttribute("aria-live", "polite");
  act({what: "point", at: [kept(pointer[0] + step * arrow[0], canvas.width), kept(pointer[1] + step * arrow[1], canvas.height)]});
});

// ----- Controls and keys

function restart() {
  if (isBroken) return location.reload();
  part("error").hidden = true;
  act({what: "key", key: "R", shift: false});
}

function save() {
  canvas.toBlob((picture) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = "texture_unit.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
}

function showPanel(shown) {
  part("panel").checked = shown;
  part("explanation").hidden = part("labels").hidden = !shown;
}

function useDevice(device) {
  part("device").value = device;
  mustOpen = true;
  go();
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else part("work").requestFullscreen().catch(() => {});
}
part("full").hidden = !document.fullscreenEnabled;

const others = {
  R: restart,
  S: save,
  F: fullScreen,
  I: () => showPanel(!part("panel").checked),
  H: () => (part("keys").open = !part("keys").open),
  D: () => useDevice(part("device").value === "cpu" ? "emulated" : "cpu"),
};

/** Presses a key, which is in upper case, and returns whether it means something. */
function press(key, shift) {
  if (others[key]) others[key]();
  else if ("+-LXYNMBTG".includes(key)) act({what: "key", key, shift});
  else return false;
  return true;
}

for (const button of document.querySelectorAll("[data-key]"))
  button.addEventListener("click", () => press(button.dataset.key.replace("Shift-", ""), button.dataset.key.startsWith("Shift-")));
for (const setting of settings)
  setting.addEventListener("change", () => act({what: "set", name: setting.dataset.setting, value: setting.value}));
part("edges").addEventListener("change", () => act({what: "set", name: "edges", value: part("edges").checked ? "shown" : "hidden"}));
part("panel").addEventListener("change", () => showPanel(part("panel").checked));
part("device").addEventListener("change", () => useDevice(part("device").value));

// After a choice with the mouse the keys are the page's again.
let isPointed = false;
addEventListener("pointerdown", () => (isPointed = true), true);
addEventListener("keydown", () => (isPointed = false), true);
for (const list of document.querySelectorAll("select")) list.addEventListener("change", () => isPointed && list.blur());

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.key.length !== 1 || event.target.matches("select")) return;
  const key = event.key === "=" ? "+" : event.key.toUpperCase(); // = is + without Shift
  if (press(key, event.shiftKey)) event.preventDefault();
});

// ----- The course of things

let sizeTimer = 0;
new ResizeObserver(() => {
  if (!isReady || canvas.clientWidth === 0 || (Math.round(canvas.clientWidth) === canvas.width && Math.round(canvas.clientHeight) === canvas.height)) return;
  clearTimeout(sizeTimer);
  sizeTimer = setTimeout(() => {
    mustOpen = true;
    go();
  }, 100);
}).observe(canvas);

async function begin() {
  part("lines").textContent = text("loading");
  const device = address.get("device") || "cpu";
  if (["cpu", "emulated"].includes(device)) part("device").value = device;
  else unknown.push(`device=${device}`);
  for (const name of looks) if (address.has(name)) wantedLook[name] = address.get(name);
  try {
    await load();
  } catch (error) {
    part("lines").textContent = "";
    return fail(error);
  }
  isBusy = false;
  go();
}

begin();
