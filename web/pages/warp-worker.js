// The worker of warp.html. It runs the program of a sample, compiled to WebAssembly, whose main() can be called once in
// each instance.
//
// The page's message is {sample, module, language, runs}: each of `runs` is a command line. The answer is {results},
// each {status, lines, errors} and, of a command line with --trace, {page, report}; or {error: {kind, detail}}, whose
// kind names a text of text.js.
"use strict";

const page = "/trace.html"; // files in the program's memory
const report = "/report.json";

/** Runs the program once, with the page and the report in files if `files`. */
async function run(sample, module, {options, files}) {
  const lines = [];
  const errors = [];
  const instance = await new Promise((resolve, reject) => {
    const instantiateWasm = (imports, done) => {
      WebAssembly.instantiate(module, imports).then((one) => done(one, module), reject);
      return {};
    };
    program({
      thisProgram: sample, print: (line) => lines.push(line), printErr: (line) => errors.push(line), instantiateWasm,
    }).then(resolve, reject);
  });
  const status = instance.callMain(files ? [...options, "--trace", page, "--json", report] : options);
  const read = (file) => (files && instance.FS.analyzePath(file).exists ? instance.FS.readFile(file, {encoding: "utf8"}) : "");
  return {status, lines, errors, page: read(page), report: read(report)};
}

onmessage = async ({data: {sample, module, language, runs}}) => {
  try {
    // The program takes its language from LANG, to which Emscripten gives the browser's.
    for (const [name, value] of [["language", language], ["languages", [language]]]) Object.defineProperty(navigator, name, {value});
    importScripts(`module/${sample}-traced.js`);
  } catch (error) {
    return postMessage({error: {kind: "load", detail: error.message || String(error)}});
  }
  try {
    const results = [];
    for (const one of runs) results.push(await run(sample, module, one));
    postMessage({results});
  } catch (error) {
    const detail = (error && error.message) || String(error);
    postMessage({error: {kind: /memory|OOM|bad_alloc/i.test(detail) ? "memory" : "warp_crash", detail}});
  }
};
