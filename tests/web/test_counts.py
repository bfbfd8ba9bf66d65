#!/usr/bin/env python3
"""Compares the counters of warp.html's programs with the counters of the programs for this machine.

usage: test_counts.py FOLDER PROGRAMS

FOLDER holds the pages and module/, as a static server would serve them. PROGRAMS is the folder of the programs that count
(build/.../lib/cudabook/counted). Each sample runs with every kernel that the page offers. One line a sample; exit status 1
if other kernels' counters differ than DIFFERENT names, 77 without Chromium and chromedriver.
"""
import json
import subprocess
import sys

import test_pages
from test_pages import until

# Kernels whose counters differ. The source of write_sources_kernel reads a source twice, and a compiler once. The kernels
# on tensor cores store structures, which kernels.py counts as a whole. coherency_kernel reads until another block has
# written, as often as the order of the threads makes it.
DIFFERENT = {
    "heat": ["fused", "fused_global", "texture2d", "tiled_global", "surface"],
    "heat_notexture": ["fused", "tiled"],
    "matmul": ["tf32_mma", "tf32x3_mma", "tf32", "tf32x3", "f16x3"],
    "texture_unit": ["coherency"],
}

RUN = """
window.found = null;
known[sample].then(({module}) => work(sample, module, arguments[0].map((options) => ({options, files: true}))))
  .then((results) => (window.found = JSON.stringify(results.map((one) => one.report || one.errors.join(" ")))), (error) => (window.found = "error " + error.message));
"""
OPTIONS = """return kernels.map((one) => {
  document.getElementById("kernel").value = one.name;
  return [one.name, options()];
});"""


def counters_of(report):
    """The counters of each kernel that a report has, or the text that stands in its place."""
    try:
        found = json.loads(report)["results"]
        return json.loads(json.dumps([one.get("counters") for one in found]).replace("> >", ">>"))  # in names, as another library writes them
    except (ValueError, KeyError):
        return report


class Test(test_pages.Test):
    def everything(self):
        for module in sorted(self.options.folder.glob("module/*-traced.wasm")):
            name = module.name.removesuffix("-traced.wasm")
            try:
                self.sample(name, self.options.programs)
            except (RuntimeError, TimeoutError, ValueError) as error:
                self.check(name, False, repr(error))

    def sample(self, name, programs):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}/warp.html?lang=en&sample={name}")
        until(lambda: self.browser.run("return kernels.length > 0"), f"{name} is ready")
        offered = [(kernel, [*options, "--counters"]) for kernel, options in self.browser.run(OPTIONS)]
        different = []
        for kernel, options in offered:
            self.browser.run(RUN, [options])
            until(lambda: self.browser.run("return window.found !== null"), f"{name} has run")
            (report,) = json.loads(self.browser.run("return window.found"))
            native = subprocess.run([programs / name, *options, "--json", "-"], capture_output=True, text=True, check=False)
            if counters_of(report) != counters_of(native.stdout):
                different.append(kernel)
        self.equal(f"{name}: kernels whose counters differ, of {len(offered)}", different, DIFFERENT.get(name, []))


if __name__ == "__main__":
    sys.exit(test_pages.run_tests("Compares the counters of warp.html's programs with native programs' counters.", Test, ["programs"]))
