// The page warp.html: its controls, and the page of --trace that it shows. warp-worker.js runs the sample's program.
"use strict";

// The samples: the kernel at first, the options that are always there, and the option for the size ("" if it is no
// option but an argument) with sizes that suit a trace. `unit` names the size's text; `kernels` are those that have a
// size, by how their names begin. `patterns` are values of --pattern.
const heat = {
  kernel: "tiled", options: ["--headless", "--frames", "1", "--steps-per-frame", "2"],
  size: {options: ["--width", "--height"], value: 64, values: [32, 50, 64, 128], unit: "warp_cells"},
};
const samples = {
  matmul: {kernel: "tiled", size: {options: ["--size"], value: 64, values: [16, 40, 64, 128], unit: "warp_rows"}},
  heat_notexture: heat,
  heat: {...heat, kernel: "texture2d"},
  tex1dfetch_int2float: {kernel: "texture"},
  texture_unit: {kernel: "linear", size: {options: ["--size"], value: 64, values: [32, 64, 128, 256], unit: "warp_pixels"}},
  access_patterns: {
    kernel: "global", size: {options: ["--size"], value: 16, values: [16, 32, 64], unit: "warp_kilobytes"},
    patterns: ["columns", "rows", "tile_8x8", "tile_32x8", "stride_2", "stride_4", "stride_8", "stride_16", "stride_32", "stride_64", "morton",
      "rotated", "random", "random_in_tile", "all"],
  },
  occupancy: {kernel: "vector_add1", size: {options: ["--blocks"], value: 4, values: [1, 4, 16, 64], unit: "warp_blocks", kernels: "vector_add"}},
};

const part = (id) => document.getElementById(id);
for (const element of document.querySelectorAll("[data-placeholder]")) element.placeholder = text(element.dataset.placeholder);

class Failure extends Error {
  constructor(kind, detail = "") {
    super(detail);
    this.kind = kind;
    this.detail = detail;
  }
}

// ----- The program

let sample = ""; // the one chosen
let kernels = []; // its kernels for an emulated GPU: {name, memory, what}
const known = {}; // by sample: the promise of {module, kernels, gpus}

let worker = null; // while the program runs
let since = 0; // when it began

/** Runs the program of a sample once with each command line, in a worker of its own. */
function work(name, module, runs, use = () => {}) {
  const one = new Worker("warp-worker.js");
  use(one);
  return new Promise((resolve, reject) => {
    one.onmessage = ({data: {results, error}}) => (error ? reject(new Failure(error.kind, error.detail)) : resolve(results));
    one.onerror = (event) => reject(new Failure("load", event.message || "warp-worker.js"));
    one.postMessage({sample: name, module, language: language === "zh" ? "zh-CN" : "en-US", runs});
  }).finally(() => one.terminate());
}

/** Compiles the program of a sample, and asks it for its kernels and GPUs. */
async function load(name) {
  if (typeof WebAssembly !== "object") throw new Failure("webassembly");
  let module;
  try {
    const answer = await fetch(`module/${name}-traced.wasm`);
    if (!answer.ok) throw new Error(`${name}-traced.wasm: ${answer.status}`);
    module = await WebAssembly.compile(await answer.arrayBuffer());
  } catch (error) {
    throw new Failure("load", error.message);
  }
  const [list, devices] = await work(name, module, [{options: ["--device", "emulated", "--list-kernels"]}, {options: ["--list-devices"]}]);
  const found = list.lines.map((line) => line.match(/^(\S+) +cuda +(\S+) +(.+)$/)).filter(Boolean);
  const gpus = devices.lines.map((line) => line.match(/^emulated:(\S+) +(.+?)  /)).filter(Boolean);
  if (found.length === 0 || gpus.length === 0) throw new Failure("load", [...list.errors, ...devices.errors].join(" ") || name);
  return {module, kernels: found.map(([, one, memory, what]) => ({name: one, memory, what})), gpus: gpus.map(([, one, product]) => ({name: one, product}))};
}

function knownOf(name) {
  known[name] ||= load(name).catch((error) => {
    delete known[name]; // the next try asks again
    throw error;
  });
  return known[name];
}

// ----- The command line

/** Whether the size can be chosen. */
function hasSize() {
  const {size} = samples[sample];
  return Boolean(size) && (!size.kernels || chosenKernels().every((one) => one.startsWith(size.kernels)));
}

const chosenKernels = () => [part("kernel").value, part("second").value].filter(Boolean);

/** Returns the options that the controls say. */
function options() {
  const {options: always = [], size, patterns} = samples[sample];
  const all = ["--device", `emulated:${part("gpu").value}`, "--kernel", chosenKernels().join(",")];
  if (hasSize() && part("size").value) for (const option of size.options) all.push(...(option ? [option] : []), part("size").value);
  if (patterns) all.push("--pattern", part("pattern").value);
  all.push(...always);
  if (part("block").value.trim()) all.push("--trace-block", part("block").value.replace(/\s+/g, ""));
  if (part("warps").value) all.push("--trace-warps", part("warps").value);
  return all;
}

/** Shows what the controls have chosen. */
function describe() {
  const chosen = chosenKernels().map((name) => kernels.find((one) => one.name === name)).filter(Boolean);
  const end = language === "zh" ? "。" : ".";
  part("what").textContent = chosen.map(({name, memory, what}) => {
    const sentence = kernelText(what);
    const isTold = language !== "zh" || sentence !== what;
    return (chosen.length > 1 ? `${name}${language === "zh" ? "：" : ": "}` : "") +
      [isTold ? (chosen.length > 1 ? sentence : sentence[0].toUpperCase() + sentence.slice(1)) + end : "", text("memory", {memory: memoryText(memory)})]
        .filter(Boolean).join(language === "zh" ? "" : " ");
  }).join(language === "zh" ? "" : " ");
  part("size_field").hidden = !hasSize();
  part("command").textContent = chosen.length > 0 ? [sample, ...options(), "--trace", `${sample}.html`].map(quoted).join(" ") : "";
}

/** Returns the word as a shell takes it. */
const quoted = (word) => (/^[\w.,:=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// ----- Controls

function say(error) {
  part("error").textContent = error.kind ? text(`error_${error.kind}`, error) : String(error);
  part("error").hidden = false;
}

function setState(words) {
  part("state").textContent = words;
}

const fill = (list, entries) => list.replaceChildren(...entries.map(([value, words]) => new Option(words, value)));

/** Chooses a sample. What the address asks of it and it does not have goes into `unknown`. */
async function use(name, wanted = new URLSearchParams(), unknown = []) {
  sample = name;
  kernels = [];
  const {kernel, size, patterns} = samples[name];
  part("sample").value = name;
  part("error").hidden = true;
  part("run").disabled = true;
  setState(text("loading"));
  let about;
  try {
    about = await knownOf(name);
  } catch (error) {
    if (sample !== name) return;
    fill(part("kernel"), []);
    fill(part("second"), []);
    describe();
    setState("");
    return say(error);
  }
  if (sample !== name) return; // another was chosen meanwhile
  ({kernels} = about);
  const entries = kernels.map((one) => [one.name, one.name]);
  fill(part("kernel"), entries);
  fill(part("second"), [["", text("warp_none")], ...entries]);
  const has = (one) => kernels.some((other) => other.name === one);
  const [first, second = ""] = (wanted.get("kernel") || "").split(",");
  for (const one of [first, second]) if (one && !has(one)) unknown.push(`kernel=${one}`);
  part("kernel").value = has(first) ? first : has(kernel) ? kernel : kernels[0].name;
  part("second").value = has(second) ? second : "";

  const gpu = wanted.get("gpu") || part("gpu").value || "h200";
  fill(part("gpu"), about.gpus.map((one) => [one.name, one.product]));
  part("gpu").value = gpu;
  if (part("gpu").value !== gpu) {
    unknown.push(`gpu=${gpu}`);
    part("gpu").value = "h200";
  }
  if (size) {
    part("size_label").textContent = text(size.unit);
    part("sizes").replaceChildren(...size.values.map((value) => new Option(value, value)));
    part("size").value = wanted.get("size") || size.value;
  }
  part("pattern_field").hidden = !patterns;
  if (patterns) {
    fill(part("pattern"), patterns.map((one) => [one, one]));
    const pattern = wanted.get("pattern") || patterns[0];
    if (patterns.includes(pattern)) part("pattern").value = pattern;
    else unknown.push(`pattern=${pattern}`);
  }
  part("run").disabled = false;
  if (!worker) setState("");
  describe();
}

/** Puts what is chosen into the address, so that it can be passed on. */
function remember() {
  const parameters = new URLSearchParams(location.search);
  const chosen = {
    sample, kernel: chosenKernels().join(","), size: hasSize() ? part("size").value : "", pattern: samples[sample].patterns ? part("pattern").value : "",
    block: part("block").value.trim(), warps: part("warps").value, gpu: part("gpu").value, run: "1",
  };
  for (const [name, value] of Object.entries(chosen)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  history.replaceState(null, "", `?${parameters.toString().replaceAll("%2C", ",")}`);
  other.href = inLanguage("", otherLanguage);
}

// ----- A run

async function run() {
  if (worker || part("run").disabled) return;
  const name = sample;
  remember();
  part("error").hidden = true;
  showRunning(true);
  try {
    const {module} = await knownOf(name);
    const [result] = await work(name, module, [{options: options(), files: true}], (one) => (worker = one));
    show(name, result);
  } catch (error) {
    hideResult();
    say(error);
  }
  worker = null;
  showRunning(false);
  setState("");
}

/** Ends the run. Its answer never comes. */
function stop() {
  if (!worker) return;
  worker.terminate();
  worker = null;
  showRunning(false);
  setState(text("warp_stopped"));
}

function showRunning(isRunning) {
  const hadFocus = document.activeElement === part(isRunning ? "run" : "stop");
  if (isRunning) hideResult();
  since = performance.now();
  part("run").hidden = isRunning;
  part("run").disabled = kernels.length === 0; // while another sample is being loaded
  part("stop").hidden = !isRunning;
  if (hadFocus) part(isRunning ? "stop" : "run").focus();
  if (isRunning) setState(text("warp_running", {seconds: 0}));
}

function hideResult() {
  part("result").hidden = part("printed").hidden = true;
  part("page").removeAttribute("src");
  if (part("alone").href) URL.revokeObjectURL(part("alone").href);
  part("alone").removeAttribute("href");
}

function show(name, {status, lines, errors, page, report}) {
  part("output").textContent = [...lines, ...errors].join("\n");
  part("printed").hidden = part("output").textContent === "";
  if (!page) {
    hideResult();
    return say(errors.length > 0 ? new Failure("warp_line", errors.join(" ")) : new Failure("warp_status", status));
  }
  const place = URL.createObjectURL(new Blob([page], {type: "text/html"}));
  part("alone").href = part("save").href = place;
  part("save").download = `${name}.html`;
  part("sums").replaceChildren(...sums(JSON.parse(report).results));
  part("result").hidden = false;
  scrollTo({top: part("result").getBoundingClientRect().top + scrollY});
  part("page").src = place; // only now does the frame have its size, by which the page scrolls
}

/** Returns a line about each kernel's results: its checksum, if it has one result, and whether all are right. */
function sums(results) {
  return [...new Set(results.map((one) => one.kernel))].map((kernel) => {
    const own = results.filter((one) => one.kernel === kernel);
    const line = document.createElement("span");
    const digits = document.createElement("code");
    digits.textContent = own[0].checksum;
    const verdict = document.createElement("b");
    const isWrong = own.some((one) => one.verified === false);
    verdict.className = isWrong ? "differs" : own.every((one) => one.verified) ? "same" : "unknown";
    verdict.textContent = text({same: "warp_right", differs: "warp_wrong", unknown: "warp_not_compared"}[verdict.className]);
    line.append(`${kernel}${language === "zh" ? "：" : ": "}`,
      ...(own.length === 1 && own[0].checksum ? [`${text("checksum").toLowerCase()} `, digits] : [text(own.length === 1 ? "warp_result_one" : "warp_results", {count: own.length})]),
      language === "zh" ? "，" : ", ", verdict, " ");
    return line;
  });
}

part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
part("stop").addEventListener("click", stop);
part("sample").addEventListener("change", () => use(part("sample").value));
for (const control of part("form").querySelectorAll("select:not(#sample), input")) control.addEventListener("input", describe);
part("form").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("select")) run(); // in a field of text the form does so
});
setInterval(() => worker && setState(text("warp_running", {seconds: Math.floor((performance.now() - since) / 1000)})), 1000);

async function begin() {
  setState(text("loading"));
  const there = await Promise.all(Object.keys(samples).map(async (name) =>
    ((await fetch(`module/${name}-traced.wasm`, {method: "HEAD"}).catch(() => ({}))).ok ? [name] : [])));
  const names = there.flat();
  if (names.length === 0) {
    setState("");
    return say(new Failure("load", "module/"));
  }
  fill(part("sample"), names.map((name) => [name, name]));
  const unknown = [];
  const wanted = address.get("sample") || names[0];
  if (!names.includes(wanted)) unknown.push(`sample=${wanted}`);
  for (const field of ["block", "warps"]) part(field).value = address.get(field) || "";
  await use(names.includes(wanted) ? wanted : names[0], names.includes(wanted) ? address : undefined, unknown);
  if (unknown.length > 0) return say(new Failure("address", unknown.join(", ")));
  if (address.get("run") === "1") run();
}

begin();
