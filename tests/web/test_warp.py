#!/usr/bin/env python3
"""Opens warp.html in a headless Chromium, runs programs in it, and checks the pages of --trace that come.

usage: test_warp.py FOLDER [--pictures FOLDER]

FOLDER holds the pages and module/, as a static server would serve them, with matmul-traced at least. Of each other sample
that is there the kernel that is chosen at first runs, too. One line a check; exit status 1 if a check fails, 77 without
Chromium and chromedriver. --pictures keeps pictures of the page.
"""

import json
import pathlib
import re
import sys

import test_pages
from test_page import DATA
from test_pages import ROOT, until

CHECKSUM = "bab29711"  # of matmul --size 64, as every kernel without tensor cores gives it

# Names of programs, options, GPUs and of what CUDA has, which stay as they are in Chinese.
LATIN_IN_CHINESE = test_pages.LATIN_IN_CHINESE | {"Tesla", "NVIDIA", "GeForce", "RTX", "SXM", "GB", "HBM", "fma", "fmas", "tex", "Dfetch", "Hopper", "TF",
                                                  "A", "B", "T"}

# In the place of the modules: a program that never ends, one that stops, one without memory.
STAND_IN = """
var program = async (module) => ({
  callMain: (options) => {
    if (options.includes("--list-kernels")) module.print("one              cuda  global     a test");
    else if (options.includes("--list-devices")) module.print("emulated:h200     NVIDIA H200                             9.0");
    else { WORK }
    return 0;
  },
  FS: {analyzePath: () => ({exists: false})}});
"""


class Test(test_pages.Test):
    def page(self, parameters="", ready=True):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}/warp.html?{parameters}")
        if ready:
            until(lambda: self.browser.run("return kernels.length > 0 && (worker !== null || !document.getElementById('run').disabled)"),
                  f"warp.html?{parameters} is ready")

    def ended(self):
        until(lambda: self.browser.run("return worker === null && document.getElementById('stop').hidden"), "the run ends")

    def run(self):
        self.browser.click("#run")
        self.ended()

    def trace(self):
        """What the page in the iframe holds, from its text."""
        until(lambda: not self.browser.is_hidden("#result"), "a result")
        self.browser.run("window.found = ''; fetch(document.getElementById('page').src).then((one) => one.text()).then((one) => (window.found = one))")
        until(lambda: self.browser.run("return window.found !== ''"), "the page's text")
        return json.loads(DATA.search(self.browser.run("return window.found"))[2])

    def inside(self, script):
        """The value of a script in the iframe."""
        self.browser.ask("POST", "/frame", {"id": {test_pages.test_page.ELEMENT: self.browser.element("#page")}})
        try:
            until(lambda: self.browser.run("return Boolean(window.cudabookTrace && cudabookTrace.ready)"), "the page in the iframe is ready")
            return self.browser.run(script)
        finally:
            self.browser.ask("POST", "/frame", {"id": None})

    def everything(self):
        self.browser.size(1280, 800)
        self.browser.dark(False)
        for part in (self.products, self.samples, self.controls, self.refusals, self.stopping, self.failing, self.languages, self.keyboard, self.phone,
                     self.embedded, self.addresses, self.looks):
            try:
                part()
            except (RuntimeError, TimeoutError, IndexError, KeyError, ValueError, TypeError) as error:
                self.check(part.__name__, False, repr(error))
            finally:
                self.server.stand_in = None

    def products(self):
        for kernel, file in (("naive", "1_naive.cuh"), ("tiled", "4_tiled.cuh")):
            self.page(f"lang=en&sample=matmul&kernel={kernel}&size=64")
            self.equal(f"{kernel}: the command", self.browser.text("#command"), f"matmul --device emulated:h200 --kernel {kernel} --size 64 --trace matmul.html")
            self.run()
            self.equal(f"{kernel}: the line of its result", self.browser.text("#sums"), f"{kernel}: checksum {CHECKSUM}, verified")
            trace = self.trace()
            self.equal(f"{kernel}: the program and the kernel of the trace", [trace["program"], [one["name"] for one in trace["runs"]]], ["matmul", [kernel]])
            launch = trace["runs"][0]["launches"][0]
            self.equal(f"{kernel}: warps", len(launch["warps"]), 8)
            self.check(f"{kernel}: every warp has requests", all(len(steps) > 40 for steps in launch["warps"]), [len(steps) for steps in launch["warps"]])
            seen = json.dumps(trace["files"] if "files" in trace else trace["places"])
            self.check(f"{kernel}: source lines of {file}", file in seen, seen[:300])
            self.equal(f"{kernel}: the iframe is ready, and its sums are the counters", self.inside(
                "return [cudabookTrace.panes(), cudabookTrace.trace.runs[0].name, document.querySelectorAll('.differs').length]"), [1, kernel, 0])
            self.check(f"{kernel}: the iframe shows the line of the source", "for (" in self.inside("return document.querySelector('.source').innerText") )
            self.check(f"{kernel}: the output has the table", f"{CHECKSUM}  yes" in self.browser.run("return document.getElementById('output').textContent"))
            self.equal(f"{kernel}: save", self.browser.run("return document.getElementById('save').download"), "matmul.html")
            frame = self.browser.run("const {width, height} = document.getElementById('page').getBoundingClientRect(); return [width, height, innerWidth, innerHeight]")
            self.check(f"{kernel}: the iframe is about as large as the window", frame[0] > frame[2] - 60 and frame[1] > frame[3] - 100, frame)
            self.picture(kernel)
        tabs = self.browser.ask("GET", "/window/handles")
        self.browser.click("#alone")
        until(lambda: len(self.browser.ask("GET", "/window/handles")) == 2, "a new tab")
        tab = next(one for one in self.browser.ask("GET", "/window/handles") if one not in tabs)
        self.browser.ask("POST", "/window", {"handle": tab})
        self.comes("open alone", lambda: self.browser.run("return Boolean(window.cudabookTrace && cudabookTrace.ready) && cudabookTrace.trace.program === 'matmul'"))
        self.browser.ask("DELETE", "/window")
        self.browser.ask("POST", "/window", {"handle": tabs[0]})
        self.quiet("products")

    def samples(self):
        """Each sample that is there, with what is chosen at first."""
        self.page("lang=en")
        names = self.browser.run("return [...document.getElementById('sample').options].map((one) => one.value)")
        there = [name for name in self.browser.run("return Object.keys(samples)") if (pathlib.Path(self.options.folder) / f"module/{name}-traced.wasm").exists()]
        self.equal("the samples are those whose modules are there", names, there)
        for name in names:
            self.page(f"lang=en&sample={name}&run=1")
            self.ended()
            self.check(f"{name}: verified", "verified" in self.browser.text("#sums"), self.browser.text("#sums") + self.browser.text("#error"))
            self.equal(f"{name}: the program of the trace", self.trace()["program"], name)
            self.check(f"{name}: it asks for something", any(steps for run in self.trace()["runs"] for launch in run["launches"] for steps in launch["warps"]))
            self.picture(f"sample-{name}")
        self.browser.complaints()  # the modules that are not there

    def controls(self):
        self.page("lang=en&sample=matmul&size=32")
        self.browser.choose("#second", "naive")
        self.browser.choose("#warps", "2")
        self.browser.choose("#block", "1, 1")
        self.browser.choose("#gpu", "t4")
        self.equal("the command of all controls", self.browser.text("#command"),
                   "matmul --device emulated:t4 --kernel tiled,naive --size 32 --trace-block 1,1 --trace-warps 2 --trace matmul.html")
        self.run()
        trace = self.trace()
        self.equal("two kernels, a block and warps", [[one["name"] for one in trace["runs"]], trace["block"], {len(one["launches"][0]["warps"]) for one in trace["runs"]}],
                   [["tiled", "naive"], [1, 1, 0], {2}])
        self.equal("two panes", self.inside("return cudabookTrace.panes()"), 2)
        self.equal("two lines of results", self.browser.run("return [...document.querySelectorAll('#sums span')].length"), 2)
        self.picture("two-kernels")
        before = self.browser.run("return location.search")
        self.check("the address has what was chosen", all(word in before for word in ("kernel=tiled,naive", "gpu=t4", "block=1", "warps=2", "run=1")), before)
        self.page(before[1:])
        self.ended()
        self.equal("the address gives the same again", [[one["name"] for one in self.trace()["runs"]], self.trace()["block"]], [["tiled", "naive"], [1, 1, 0]])
        self.quiet("controls")

    def refusals(self):
        self.page("lang=en&sample=matmul&size=64&block=9,9")
        self.run()
        self.equal("a block that is not there: the program's line", self.browser.text("#error"),
                   "matmul: --trace-block 9,9,0: no grid has that block; the grids have 4x4x1 blocks")
        self.check("and no result", self.browser.is_hidden("#result"))
        self.picture("wrong-block")
        self.browser.choose("#block", "one")
        self.run()
        self.check("a block that is none", "'one'" in self.browser.text("#error"), self.browser.text("#error"))
        self.browser.choose("#block", "")
        self.browser.choose("#size", "0")
        self.run()
        self.check("a size that is none", "--size" in self.browser.text("#error"), self.browser.text("#error"))
        self.browser.choose("#size", "16")
        self.run()
        self.check("then a right one", "verified" in self.browser.text("#sums") and self.browser.is_hidden("#error"))
        self.quiet("refusals")

    def stopping(self):
        self.page("lang=en&sample=matmul&size=2048&kernel=naive&run=1")
        self.comes("a long run says so", lambda: re.search(r"Running for [1-9]", self.browser.text("#state")))
        self.picture("running")
        self.check("Run is not there meanwhile", self.browser.is_hidden("#run"))
        self.browser.click("#stop")
        self.equal("Stop ends it", [self.browser.run("return worker === null"), self.browser.text("#state"), self.browser.is_hidden("#run")], [True, "Stopped.", False])
        self.browser.choose("#size", "32")
        self.run()
        self.check("after that another run", "verified" in self.browser.text("#sums"), self.browser.text("#sums"))
        self.quiet("stopping")

    def failing(self):
        for work, words in (("throw new Error('unreachable')", "The program stopped: unreachable"), ("throw new RangeError('Out of memory')", "Not enough memory"),
                            ("module.printErr('matmul: this is a test'); return 3;", "matmul: this is a test"), ("return 1;", "status 1")):
            self.server.stand_in = STAND_IN.replace("WORK", work)
            self.page("lang=en&sample=matmul&run=1")
            self.comes(f"{work}: told", lambda: words in self.browser.text("#error"))
            self.check("and it can be run again", not self.browser.is_hidden("#run"))
        self.server.stand_in = "this is no program"
        self.page("lang=en&sample=matmul", ready=False)
        self.comes("a module that is none is told", lambda: "could not be loaded" in self.browser.text("#error"))
        self.browser.complaints()  # such errors are the browser's too

    def languages(self):
        self.page("lang=zh&sample=matmul&size=0")
        self.run()
        self.check("the program speaks Chinese", re.search("[\u4e00-\u9fff]", self.browser.text("#error")), self.browser.text("#error"))
        self.browser.choose("#size", "64")
        self.browser.choose("#second", "naive")
        self.run()
        self.equal("the result in Chinese", self.browser.run("return document.getElementById('sums').textContent").split(), ["tiled：校验和", f"{CHECKSUM}，已验证", "naive：校验和", f"{CHECKSUM}，已验证"])
        self.inside("return 0")
        self.picture("chinese")
        self.equal("the language of the page", self.browser.run("return document.documentElement.lang"), "zh")
        words = self.browser.run("""return [document.title, ...[...document.querySelectorAll("body *")].flatMap((one) =>
            [["command", "output", "error"].includes(one.id) || one.closest("noscript, script") ? "" : [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(" "),
             one.title, one.ariaLabel, one.placeholder]).filter(Boolean)].join(" ")""")
        names = set(self.browser.run("return [...kernels.map((one) => one.name), ...Object.keys(samples), ...samples.access_patterns.patterns]"))
        english = {word for word in re.findall(r"[A-Za-z]\w*", words)
                   if not re.fullmatch("[a-f0-9]+", word) and word.rstrip("0123456789") not in LATIN_IN_CHINESE}
        self.equal("words that are not Chinese", english - names - {"A100", "H100", "H200", "B200", "T4", "HBM3"}, set())
        untold = self.browser.run("return [kernels.filter((one) => !(one.what in chineseOfKernels)).map((one) => one.what), kernels.filter((one) => !(one.memory in memories.zh)).map((one) => one.memory)]")
        self.equal("kernels that have no Chinese words", untold, [[], []])
        self.browser.click("#language")
        self.comes("the link leads to English, and what was chosen stays", lambda: self.browser.run(
            "return document.documentElement.lang === 'en' && kernels.length > 0 && document.getElementById('second').value === 'naive'"))
        self.ended()
        self.equal("the same in English", self.browser.run("return document.getElementById('sums').textContent").split(), ["tiled:", "checksum", f"{CHECKSUM},", "verified", "naive:", "checksum", f"{CHECKSUM},", "verified"])
        for tag in ("zh", "en"):
            self.browser.devtools("Network.setUserAgentOverride", userAgent="", acceptLanguage="zh-CN" if tag == "en" else "en-US")
            self.page(f"lang={tag}&sample=matmul&size=0")
            self.run()
            self.check(f"{tag}: the address, not the browser, chooses the program's language", (re.search("[\u4e00-\u9fff]", self.browser.text("#error")) is not None) == (tag == "zh"),
                       self.browser.text("#error"))
        self.browser.devtools("Network.setUserAgentOverride", userAgent="", acceptLanguage="en-US")
        self.quiet("languages")

    def keyboard(self):
        self.page("lang=en&sample=matmul&size=32")
        wanted = set(self.browser.run("return [...document.querySelectorAll('button, select, input, a[href]')].filter((one) => one.getClientRects().length)"
                                      ".map((one) => one.id || one.className)"))
        reached, unseen = set(), []
        for _ in range(len(wanted) + 1):
            self.browser.press("\ue004")
            name, seen = self.browser.run("const one = document.activeElement; return [one.id || one.className, getComputedStyle(one).outlineStyle !== 'none']")
            reached.add(name)
            if not seen and name:
                unseen.append(name)
        self.equal("controls that Tab does not reach", wanted - reached, set())
        self.equal("controls whose focus is not seen", unseen, [])
        nameless = self.browser.run("""return [...document.querySelectorAll("select, input, button")].filter((one) =>
            !(one.labels && one.labels.length && one.labels[0].textContent) && !one.textContent.trim() && !one.ariaLabel)
            .filter((one) => one.getClientRects().length).map((one) => one.id)""")
        self.equal("controls without a label", nameless, [])
        for field in ("size", "kernel", "block"):
            self.page("lang=en&sample=matmul&size=32")
            self.browser.run("document.getElementById(arguments[0]).focus()", field)
            self.browser.press("\ue007")
            self.comes(f"Enter in {field} runs", lambda: self.browser.run("return !document.getElementById('result').hidden"))
        self.page("lang=en&sample=matmul&size=2048&kernel=naive")
        self.browser.run("document.getElementById('run').focus()")
        self.browser.press("\ue007")
        self.equal("the focus goes to Stop", self.browser.run("return document.activeElement.id"), "stop")
        self.browser.press("\ue007")
        self.equal("Enter stops, and the focus is on Run", self.browser.run("return [document.activeElement.id, worker]"), ["run", None])
        self.quiet("keyboard")

    def phone(self):
        for width, height in ((390, 844), (320, 568), (844, 390)):
            self.browser.size(width, height, phone=True)
            for language in ("en", "zh"):
                self.page(f"lang={language}&sample=matmul&size=32&kernel=tiled,naive&run=1")
                self.ended()
                self.browser.run("document.getElementById('printed').open = true")
                self.equal(f"{width} x {height}, {language}: it does not scroll sideways", self.browser.run("return [document.documentElement.scrollWidth, innerWidth]"), [width, width])
                self.equal(f"{width} x {height}, {language}: the result is there", self.browser.is_hidden("#page"), False)
                self.picture(f"phone-{width}-{language}")
        self.quiet("phone")
        self.browser.size(1280, 800)

    def embedded(self):
        self.page("lang=en&embed=1&sample=matmul&size=32&run=1")
        self.ended()
        self.equal("?embed=1 hides heading and footer", [self.browser.is_hidden(part) for part in ("header", "h1", "footer", "#page")], [True, True, True, False])
        self.picture("embedded")
        self.quiet("embedded")

    def addresses(self):
        self.page("lang=en&sample=nothing&kernel=none&gpu=z&run=1")
        self.check("an unknown sample is told", "sample=nothing" in self.browser.text("#error"), self.browser.text("#error"))
        self.page("lang=en&sample=matmul&kernel=none&gpu=z&run=1")
        self.check("an unknown kernel and GPU are told", all(word in self.browser.text("#error") for word in ("kernel=none", "gpu=z")), self.browser.text("#error"))
        self.equal("and nothing runs", self.browser.run("return [worker, document.getElementById('result').hidden]"), [None, True])
        hosts = self.browser.run("return performance.getEntriesByType('resource').map((one) => new URL(one.name)).filter((one) => one.protocol !== 'data:').map((one) => one.origin)")
        self.equal("hosts that things come from", set(hosts), {self.server.address})
        self.browser.complaints()  # the modules that are not there

    def looks(self):
        """Pictures only."""
        if not self.pictures:
            return
        for name, dark in (("light", False), ("dark", True)):
            self.browser.dark(dark)
            self.page("lang=en&sample=matmul&size=64&run=1")
            self.ended()
            self.inside("return 0")
            self.picture(name)
            self.browser.page_picture(self.pictures / f"{name}-window.png")
        self.browser.dark(False)
        self.browser.open(f"{self.server.address}/index.html?lang=en")
        self.picture("index")

    def quiet(self, what):
        """But a module that is not there is asked for, and the browser reports so."""
        complaints = [one for one in self.browser.complaints() if not re.search(r"/module/\w+-traced\.wasm .*404", one)]
        self.equal(f"{what}: no error and no warning of the browser", complaints, [])


class Browser(test_pages.Browser):
    def page_picture(self, file):
        """Of what the window shows."""
        test_pages.test_page.Browser.picture(self, file)


if __name__ == "__main__":
    sys.exit(test_pages.run_tests("Checks warp.html in a headless Chromium.", Test, browser_class=Browser))
