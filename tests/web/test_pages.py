#!/usr/bin/env python3
"""Opens the pages of web/pages in a headless Chromium, and checks what they show and what keys, mouse and fingers do.

usage: test_pages.py FOLDER [--pictures FOLDER]

FOLDER holds the pages and module/, as a static server would serve them. One line a check; exit status 1 if a check fails,
77 without Chromium and chromedriver. --pictures keeps pictures of the pages.
"""

import argparse
import base64
import csv
import functools
import http.server
import pathlib
import re
import shutil
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/emulator/trace_page"))
import test_page  # noqa: E402
from test_page import until  # noqa: E402

LATIN_IN_CHINESE = {"cudabook", "heat", "C", "WebAssembly", "English", "CPU", "GPU", "SIMD", "CUDA", "H", "K", "R", "D", "Shift"}

# In the place of the module: kernels of two devices, and room for wrong answers.
STAND_IN = """
var heat = async () => {
  let size = 0, frames = 0, steps = 0, kernel = 0, painted = 0;
  const memory = new Uint8Array(4 << 20);
  const kernels = [{name: "book", device: "emulated", memory: "texture1d", what: "two launches a step, a thread for each cell, as in the text"},
                   {name: "surface", device: "emulated", memory: "surface", what: "as texture2d, on CUDA arrays, which are written through surfaces"},
                   {name: "reference", device: "cpu", memory: "host", what: "plain serial loops, with which blocked is compared"},
                   {name: "blocked", device: "cpu", memory: "host", what: "all cores, SIMD, several steps in one sweep"}];
  const calls = {
    heat_kernels: () => JSON.stringify(kernels),
    heat_start: (width, height, number, speed, all) => { size = width; frames = 0; steps = all; kernel = number; return START_ERROR; },
    heat_use: (number) => (kernels[number].name === "surface" ? "no surface: this is a test" : ""),
    heat_frame: () => { FRAME; ++frames; return ""; },
    heat_picture: () => 0,
    heat_steps: (by) => (steps = Math.max(1, steps + by)),
    heat_paint: () => "",
    heat_checksum: () => "01234567"};
  return {HEAPU8: memory, ccall: (name, result, types, values) => calls[name](...values)};
};
"""


class Server(http.server.ThreadingHTTPServer):
    """Serves the folder. Where `stand_in` is a text, it is the module."""
    stand_in = None

    class Handler(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

        def do_GET(self):
            if self.server.stand_in is None or not re.match(r"/module/.*\.js$", self.path):
                return super().do_GET()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript")
            self.end_headers()
            self.wfile.write(self.server.stand_in.encode())

        def end_headers(self):
            self.send_header("Cache-Control", "no-store")
            super().end_headers()

        def log_message(self, *_):
            pass

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), functools.partial(self.Handler, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Browser(test_page.Browser):
    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def devtools(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, phone=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=phone)

    def dark(self, dark):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def value(self, selector):
        return self.run("return document.querySelector(arguments[0]).value", selector)

    def choose(self, selector, value):
        self.run("const [selector, value] = arguments; const list = document.querySelector(selector); list.value = value;"
                 "list.dispatchEvent(new Event('input')); list.dispatchEvent(new Event('change'))", selector, value)

    def is_hidden(self, selector):
        return self.run("return document.querySelector(arguments[0]).getClientRects().length === 0", selector)

    def press(self, *keys):
        """Each key, of which "Shift+K" is one."""
        for key in keys:
            shift = [{"type": kind, "value": "\ue008"} for kind in ("keyDown", "keyUp")] if key.startswith("Shift+") else []
            key = test_page.KEYS.get(key.removeprefix("Shift+"), key.removeprefix("Shift+"))
            press = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
            self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": shift[:1] + press + shift[1:]}]})

    def drag(self, selector, start, end, pointer="mouse", button=0, shift=False):
        """From one point of an element to another, in shares of its width and height from the upper left."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        left, top, width, height = self.run(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top, box.width, box.height]", selector)
        move = [{"type": "pointerMove", "duration": 0, "x": round(left + x * width), "y": round(top + y * height)} for x, y in (start, end)]
        actions = [move[0], {"type": "pointerDown", "button": button}, move[1], {"type": "pointerUp", "button": button}]
        held = [{"type": "keyDown", "value": "\ue008"}] + [{"type": "pause"}] * 4 + [{"type": "keyUp", "value": "\ue008"}]
        both = [{"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}, "actions": [{"type": "pause"}] + actions}]
        self.ask("POST", "/actions", {"actions": ([{"type": "key", "id": "keyboard", "actions": held}] if shift else []) + both})

    def picture(self, file):
        """Of the whole page."""
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(shot["data"]))

    def pixels(self, points=()):
        """The colours at some points of the room, in shares; without points, a number for the whole picture and how many colours."""
        return self.run("""const canvas = document.getElementById("room").cloneNode(); // a copy, which may be read often
            const context = canvas.getContext("2d", {willReadFrequently: true});
            context.drawImage(document.getElementById("room"), 0, 0);
            const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
            const words = new Uint32Array(data.buffer);
            if (arguments[0].length) return arguments[0].map(([x, y]) => words[Math.floor(y * canvas.height) * canvas.width + Math.floor(x * canvas.width)]);
            let sum = 0;
            for (const word of words) sum = (Math.imul(sum, 31) + word) | 0;
            return [sum, new Set(words).size];""", list(points))


class Test:
    def __init__(self, browser, server, options):
        self.browser, self.server, self.options, self.pictures = browser, server, options, options.pictures
        self.failed = 0

    def check(self, what, condition, detail=""):
        print(f"{'ok' if condition else 'WRONG'}: {what}{'' if condition or detail == '' else f': {detail}'}", flush=True)
        self.failed += not condition

    def equal(self, what, found, expected):
        self.check(what, found == expected, f"{found!r}, not {expected!r}")

    def comes(self, what, condition):
        """That the condition comes true."""
        try:
            until(condition, what)
            self.check(what, True)
        except TimeoutError as error:
            self.check(what, False, error)

    def picture(self, name):
        if self.pictures:
            self.browser.picture(self.pictures / f"{name}.png")

    def quiet(self, what):
        self.equal(f"{what}: no error and no warning of the browser", self.browser.complaints(), [])

    def heat(self, parameters="", ready=True):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}/heat.html?{parameters}")
        if ready:
            until(lambda: self.browser.text("#what") and self.browser.run("return isReady"), f"heat.html?{parameters} is ready")

    def frames(self):
        return int(self.browser.text("#frames"))

    def sum(self):
        """Asks for the checksum and returns its digits and the verdict's class."""
        self.browser.run("document.getElementById('sum').textContent = ''")
        self.browser.click("#checksum")
        return self.digits()

    def digits(self):
        until(lambda: self.browser.run("return document.querySelector('#sum code') !== null"), "a checksum comes")
        return self.browser.text("#sum code"), self.browser.run("return document.querySelector('#sum span').className")

    def settled(self):
        """Waits until the worker has answered all."""
        until(lambda: self.browser.run("return waiting.size === 0 && strokes.length === 0 && !isPainting"), "the worker has answered")

    def everything(self):
        self.browser.size(1280, 800)
        self.browser.dark(False)
        for part in (self.running, self.keys, self.keyboard_alone, self.mouse, self.touch, self.checksums, self.table, self.chinese, self.phone,
                     self.embedded, self.parameters, self.looks, self.index, self.emulated, self.errors, self.long_frame, self.old_browsers):
            try:
                part()
            except (RuntimeError, TimeoutError, IndexError, KeyError, ValueError) as error:
                self.check(part.__name__, False, error)
            finally:
                self.server.stand_in = None

    def running(self):
        self.heat("lang=en")
        self.comes("frames go on by themselves", lambda: self.frames() >= 3)
        self.check("the picture has many colours", self.browser.pixels()[1] > 20, self.browser.pixels()[1])
        self.comes("frames a second are shown", lambda: float(self.browser.text("#rate").replace("–", "0")) > 0)
        self.comes("ms a frame are shown", lambda: float(self.browser.text("#time").replace("–", "0")) > 0)
        self.equal("the kernel at first", self.browser.run("return kernels[kernel].name"), "blocked")
        self.equal("the grid at first", self.browser.value("#size"), "512")
        self.equal("every kernel is listed", self.browser.run("return document.querySelectorAll('#kernel option').length"),
                   self.browser.run("return kernels.length"))
        self.quiet("running")

    def keys(self):
        self.heat("lang=en&paused=1&size=128")
        self.equal("?paused=1: no frame", self.frames(), 0)
        self.browser.press(".")
        self.comes("the key . does a frame", lambda: self.frames() == 1)
        self.settled()
        self.equal("the key . does one frame", self.frames(), 1)
        self.browser.press("space")
        self.comes("space goes on", lambda: self.frames() > 3)
        self.equal("the button says Pause", self.browser.text("#pause"), "Pause")
        self.browser.press("space")
        self.settled()
        frames = self.frames()
        self.equal("space pauses", self.browser.text("#pause"), "Go on")
        self.browser.press(".")
        self.comes("a frame after the pause", lambda: self.frames() == frames + 1)
        device = self.browser.run("return kernels.filter((one) => one.device === kernels[kernel].device).map((one) => one.name)")
        at = device.index("blocked")
        self.browser.press("k")
        self.settled()
        self.equal("K: the next kernel of the device", self.browser.run("return kernels[kernel].name"), device[(at + 1) % len(device)])
        self.equal("K: the frames go on", self.frames(), frames + 1)
        self.browser.press("Shift+K")
        self.settled()
        self.equal("Shift-K: the kernel before", self.browser.run("return kernels[kernel].name"), "blocked")
        self.browser.press("+")
        self.comes("+: more steps", lambda: self.browser.text("#steps") == "180")
        self.browser.press("-", "-")
        self.comes("-: fewer steps", lambda: self.browser.text("#steps") == "45")
        self.browser.press("r")
        self.comes("R: back to the start", lambda: self.frames() == 0)
        self.equal("R: the steps stay", self.browser.text("#steps"), "45")
        self.equal("the keys are not shown at first", self.browser.run("return document.getElementById('keys').open"), False)
        self.browser.press("h")
        self.equal("H shows the keys", self.browser.run("return document.getElementById('keys').open"), True)
        self.browser.press("h")
        self.equal("H hides the keys", self.browser.run("return document.getElementById('keys').open"), False)
        self.browser.choose("#speed", "0.1")
        self.comes("a new speed is shown", lambda: self.browser.text("#speed_value") == "0.10")
        self.settled()
        self.browser.press(".")
        self.comes("a frame at another speed", lambda: self.frames() == 1)
        self.equal("another speed: a checksum that is not listed", self.sum()[1], "unknown")
        self.quiet("keys")

    def keyboard_alone(self):
        """Tab reaches every control, and each has a name and a visible focus."""
        self.heat("lang=en&paused=1&size=128")
        wanted = set(self.browser.run("return [...document.querySelectorAll('button, select, input, summary, a')]"
                                      ".filter((one) => one.type !== 'radio' || one.checked).map((one) => one.id || one.name || one.className || one.tagName)"))
        reached, unseen = set(), []
        for _ in range(len(wanted) + 2):
            self.browser.press("\ue004")
            name, seen = self.browser.run("""const one = document.activeElement;
                const drawn = one.type === "radio" ? one.nextElementSibling : one;
                return [one.id || one.name || one.className || one.tagName, getComputedStyle(drawn).outlineStyle !== "none"]""")
            reached.add(name)
            if not seen and name != "BODY":
                unseen.append(name)
        self.equal("controls that Tab does not reach", wanted - reached, set())
        self.equal("controls whose focus is not seen", unseen, [])
        nameless = self.browser.run("""return [...document.querySelectorAll("select, input, button")].filter((one) =>
            !(one.labels && one.labels.length && one.labels[0].textContent) && !one.textContent.trim() && !one.ariaLabel).map((one) => one.id)""")
        self.equal("controls without a label", nameless, [])
        self.browser.run("document.getElementById('one').focus()")
        self.browser.press("space")
        self.comes("space on a button presses the button", lambda: self.frames() == 1)
        self.settled()
        self.equal("and no more", (self.frames(), self.browser.text("#pause")), (1, "Go on"))
        self.quiet("keyboard")

    def paint(self, name, where, **how):
        """Paints across the room, and returns the colours along the line before and after."""
        points = [(x / 20, where) for x in range(4, 17)]
        before, picture, checksum = self.browser.pixels(points), self.browser.pixels()[0], self.sum()[0]
        self.browser.drag("#room", (0.15, where), (0.85, where), **how)
        self.settled()
        frames = self.frames()
        self.browser.press(".")
        until(lambda: self.frames() == frames + 1, "a frame after painting")
        self.check(f"{name} changes the picture", self.browser.pixels()[0] != picture)
        after = self.sum()
        self.check(f"{name} changes the checksum", after[0] != checksum)
        self.equal(f"{name}: a checksum that is not listed", after[1], "unknown")
        return before, self.browser.pixels(points)

    def brightness(self, colours):
        return sum((colour & 255) + (colour >> 8 & 255) + (colour >> 16 & 255) for colour in colours)

    def mouse(self):
        self.heat("lang=en&paused=1&size=256")
        before, after = self.paint("a left drag", 0.1)
        self.check("a left drag paints heat where the mouse is", self.brightness(after) > self.brightness(before) and len(set(after)) == 1, after)
        hot = after[0]
        before, after = self.paint("a right drag", 0.1, button=2)
        self.check("a right drag paints cold where the mouse is", self.brightness(after) < self.brightness(before) and len(set(after)) == 1, after)
        cold = after[0]
        before, after = self.paint("a Shift-drag", 0.1, shift=True)
        self.check("a Shift-drag removes the source", after[0] not in (hot, cold), after)
        self.picture("painted")
        self.browser.run("document.querySelector('[name=brush][value=\"1\"]').click()")
        before, after = self.paint("a left drag with the brush for cold", 0.3)
        self.equal("the brush for cold paints cold", set(after), {cold})
        self.quiet("mouse")

    def touch(self):
        self.browser.size(390, 844, phone=True)
        self.heat("lang=en&paused=1&size=256")
        before, after = self.paint("a finger", 0.1, pointer="touch")
        self.check("a finger paints heat", self.brightness(after) > self.brightness(before), after)
        self.browser.run("document.querySelector('[name=brush][value=\"2\"]').click()")
        before, after = self.paint("a finger that removes", 0.1, pointer="touch")
        self.check("a finger removes", after != before)
        self.equal("a finger scrolls beside the room, not in it",
                   self.browser.run("return ['room', 'sum'].map((id) => getComputedStyle(document.getElementById(id)).touchAction)"), ["none", "auto"])
        self.quiet("touch")
        self.browser.size(1280, 800)

    def known(self):
        """The checksums of heat in results/checksums.csv, by "size/frames"."""
        found = {}
        with open(ROOT / "results/checksums.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                options = dict(re.findall(r"--(width|height|frames) (\d+)", row["options"]))
                if row["program"] == "heat" and options.get("width") == options.get("height"):
                    found[f"{options.get('width', 1024)}/{options['frames']}"] = row["checksum"]
        return found

    def checksums(self):
        known = self.known()
        self.heat("lang=en&paused=1&size=1024&kernel=blocked")
        self.equal("a checksum that is not listed", self.sum()[1], "unknown")
        self.browser.click("#one")
        self.comes("a frame of 1024 x 1024", lambda: self.frames() == 1)
        self.equal("the checksum after 1 frame", self.sum(), (known["1024/1"], "same"))
        self.check("it is said in words", "The same as everywhere" in self.browser.text("#sum"), self.browser.text("#sum"))
        for size in (128, 256):
            self.heat(f"lang=en&paused=1&size={size}")
            self.browser.click("#one")
            until(lambda: self.frames() == 1, "a frame")
            self.equal(f"the checksum after 1 frame of {size} x {size}", self.sum(), (known[f"{size}/1"], "same"))
        self.browser.press("+")
        self.browser.choose("#speed", "0.1")
        self.settled()
        self.browser.click("#ten")
        self.comes("the button for 10 frames ends in a checksum", lambda: self.browser.run("return document.querySelector('#sum code') !== null"))
        self.equal("the checksum after 10 frames", self.digits(), (known["1024/10"], "same"))
        self.equal("they were 10", self.frames(), 10)
        self.equal("it pauses then", self.browser.text("#pause"), "Go on")
        self.picture("ten-frames")
        self.browser.run("knownChecksums['1024/10'] = '00000000'")
        self.equal("a wrong checksum is a warning", self.sum()[1], "differs")
        self.picture("wrong-checksum")
        self.quiet("checksums")

    def table(self):
        self.heat("lang=en&paused=1&size=128")
        self.equal("the page's checksums are those of results/checksums.csv", self.browser.run("return knownChecksums"), self.known())

    def chinese(self):
        for page in ("index.html", "heat.html"):
            self.browser.open(f"{self.server.address}/{page}?lang=zh&paused=1&size=128")
            if page == "heat.html":
                until(lambda: self.browser.run("return isReady"), "the Chinese page is ready")
                self.browser.press(".", "h")
                until(lambda: self.frames() == 1, "a frame")
                self.sum()
                self.picture("chinese")
            self.equal(f"{page}: language", self.browser.run("return document.documentElement.lang"), "zh")
            words = self.browser.run("""return [document.title, document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((one) =>
                [one.title, one.ariaLabel, one.label]).filter(Boolean)].join(" ")""")
            names = set(self.browser.run("return typeof kernels === 'undefined' ? [] : kernels.map((one) => one.name)"))
            for name in sorted(names, key=len, reverse=True):
                words = re.sub(rf"\b{name}\b", " ", words)
            english = {word for word in re.findall(r"[A-Za-z]+", words) if not re.fullmatch("[a-f]+", word)}
            self.equal(f"{page}: words that are not Chinese", english - LATIN_IN_CHINESE, set())
        words = self.browser.run("return [...Object.entries(texts.zh).filter(([name]) => !name.startsWith('unit_')).map((one) => one[1]),"
                                 "...Object.values(memories.zh)].join(' ')")
        english = {word for word in re.findall("[A-Za-z]+", re.sub(r"{\w+}", "", words))}
        self.equal("words of text.js that are not Chinese", english - LATIN_IN_CHINESE, set())
        untold = self.browser.run("""return [kernels.map((one) => one.what).filter((what) => !(what in chineseOfKernels)),
            kernels.map((one) => one.memory).filter((memory) => !(memory in memories.zh) || !(memory in memories.en))]""")
        self.equal("kernels that have no Chinese words", untold, [[], []])
        self.equal("texts of one language only", self.browser.run(
            "const [en, zh] = [texts.en, texts.zh].map(Object.keys); return [...en.filter((name) => !zh.includes(name)), ...zh.filter((name) => !en.includes(name))]"), [])
        self.browser.click("#language")
        self.comes("the link leads to English", lambda: self.browser.run("return document.documentElement.lang === 'en' && isReady"))
        self.check("and keeps the parameters", self.browser.run("return location.search").count("size=128") == 1)
        self.quiet("Chinese")

    def phone(self):
        for width, height in ((390, 844), (320, 568), (844, 390)):
            self.browser.size(width, height, phone=True)
            for language in ("en", "zh"):
                self.heat(f"lang={language}&size=128")
                self.browser.run("document.getElementById('keys').open = true")
                until(lambda: self.frames() > 0, "a frame")
                self.browser.press("space")
                self.sum()
                size = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
                self.equal(f"{width} x {height}, {language}: it does not scroll sideways", size, [width, width])
                box = self.browser.run("const {width, height} = document.getElementById('room').getBoundingClientRect(); return [width, height]")
                self.check(f"{width} x {height}, {language}: the room is square and fits", box[0] == box[1] <= min(width, height), box)
                self.picture(f"phone-{width}-{language}")
        self.quiet("phone")
        self.browser.size(1280, 800)

    def embedded(self):
        self.heat("lang=en&embed=1&paused=1&size=128")
        self.equal("?embed=1 hides heading and footer", [self.browser.is_hidden(part) for part in ("header", "h1", "footer", "#room")], [True, True, True, False])
        self.picture("embedded")
        self.browser.open(f"{self.server.address}/index.html")
        self.browser.run("""const frame = document.createElement("iframe"); frame.id = "inside"; frame.src = "heat.html?embed=1&size=128";
            document.body.append(frame)""")
        self.comes("it runs in an iframe", lambda: self.browser.run("const frames = document.getElementById('inside').contentDocument.getElementById('frames');"
                                                                    "return Boolean(frames) && Number(frames.textContent) > 2"))
        self.quiet("embedded")

    def parameters(self):
        self.heat("lang=en&kernel=reference&size=256&paused=1")
        self.equal("?kernel and ?size", self.browser.run("return [kernels[kernel].name, size, document.getElementById('room').width]"), ["reference", 256, 256])
        self.heat("lang=en&kernel=nothing&size=7&paused=1")
        self.check("an unknown kernel and size are told", all(word in self.browser.text("#error") for word in ("kernel=nothing", "size=7")), self.browser.text("#error"))
        self.heat("lang=en&paused=1")
        self.browser.choose("#size", "128")
        self.comes("a size chosen", lambda: self.browser.run("return isReady && document.getElementById('room').width === 128"))
        self.quiet("parameters")

    def looks(self):
        """Pictures only."""
        if not self.pictures:
            return
        for name, dark in (("light", False), ("dark", True)):
            self.browser.dark(dark)
            self.heat("lang=en&size=256")
            until(lambda: self.frames() >= 10, "frames")
            self.browser.press("space")
            self.sum()
            self.picture(name)
        self.browser.dark(False)

    def index(self):
        for language, heading in (("en", "In a browser"), ("zh", "在浏览器中运行")):
            self.browser.open(f"{self.server.address}/index.html?lang={language}")
            self.equal(f"index.html, {language}", self.browser.text("h1"), heading)
            self.picture(f"index-{language}")
        for accepted, language in (("zh-CN", "zh"), ("fr-FR", "en")):
            self.browser.devtools("Network.setUserAgentOverride", userAgent="", acceptLanguage=accepted)
            self.browser.open(f"{self.server.address}/index.html")
            self.equal(f"the language of a browser for {accepted}", self.browser.run("return document.documentElement.lang"), language)
        self.browser.open(f"{self.server.address}/index.html?lang=zh")
        links = self.browser.run("return [...document.querySelectorAll('.pages a')].map((one) => one.href)")
        for link in links:
            self.browser.open(link)
            self.check(f"the link to {link.rpartition('/')[2]} leads to a Chinese page", self.browser.run("return document.documentElement.lang") == "zh")
        self.quiet("index")

    def stand_in(self, start_error="''", frame=""):
        self.server.stand_in = STAND_IN.replace("START_ERROR", start_error).replace("FRAME", frame)

    def emulated(self):
        """With a stand-in for the module, which has kernels of two devices."""
        self.stand_in()
        self.heat("lang=en&paused=1")
        self.equal("groups of kernels", self.browser.run("return [...document.querySelectorAll('#kernel optgroup')].map((one) => one.label)"), ["emulated GPU", "CPU"])
        self.equal("the kernel at first is the CPU's", self.browser.run("return [kernels[kernel].name, size]"), ["blocked", 512])
        self.browser.choose("#kernel", "0")
        self.comes("an emulated kernel: a smaller grid", lambda: self.browser.run("return isReady && document.getElementById('room').width === 128"))
        self.check("it is said that its speed is its own", "not its speed" in self.browser.text("#what"), self.browser.text("#what"))
        self.browser.press("k")
        self.comes("a kernel that fails is told", lambda: "this is a test" in self.browser.text("#error"))
        self.equal("and the kernel before stays", self.browser.run("return [kernels[kernel].name, document.getElementById('kernel').value]"), ["book", "0"])
        self.browser.press("d")
        self.comes("D: the CPU, and its grid", lambda: self.browser.run("return isReady && kernels[kernel].name === 'blocked' && size === 512"))
        self.browser.choose("#size", "256")
        self.settled()
        self.browser.choose("#kernel", "0")
        self.settled()
        self.equal("a size chosen stays", self.browser.run("return [kernels[kernel].name, size, isReady]"), ["book", 256, True])
        self.heat("lang=zh&kernel=surface&paused=1")
        self.equal("a group in Chinese", self.browser.run("return document.querySelector('#kernel optgroup').label"), "仿真 GPU")
        self.equal("?kernel of the emulated GPU: its grid", self.browser.run("return size"), 128)
        self.picture("emulated-chinese")
        self.quiet("emulated")

    def errors(self):
        for name, arguments, words in (("an error of C++", {"start_error": "'the grid is too large'"}, "the grid is too large"),
                                       ("no memory", {"start_error": "'std::bad_alloc'"}, "Not enough memory"),
                                       ("no memory in a frame", {"frame": "throw new RangeError('Out of memory')"}, "Not enough memory"),
                                       ("a crash", {"frame": "throw new Error('unreachable')"}, "unreachable")):
            self.stand_in(**arguments)
            self.heat("lang=en", ready=False)
            self.comes(f"{name} is told", lambda: words in self.browser.text("#error"))
        self.picture("error")
        self.stand_in()
        self.browser.click("#restart")
        self.comes("Restart begins again with a new worker", lambda: self.browser.run("return isReady") and self.browser.is_hidden("#error"))
        self.server.stand_in = "this is no program"
        self.heat("lang=en", ready=False)
        self.comes("a module that is none is told", lambda: "could not be loaded" in self.browser.text("#error"))
        self.stand_in()
        self.browser.click("#restart")
        self.comes("Restart loads it again", lambda: self.browser.run("return kernels.length > 0 && isReady"))
        self.browser.complaints()  # such errors are the browser's too

    def long_frame(self):
        """A frame that never ends."""
        self.stand_in(frame="for (;;) {}")
        self.heat("lang=en&size=128")
        self.comes("a long frame is told", lambda: not self.browser.is_hidden("#waiting"))
        self.picture("long-frame")
        self.stand_in()
        self.browser.click("#restart")
        self.comes("Restart ends it", lambda: self.frames() > 2)
        self.quiet("a long frame")

    def old_browsers(self):
        self.told_in_old_browsers(self.heat)
        self.heat("lang=en&size=128&paused=1")
        self.only_from_here()
        self.quiet("old browsers")

    def told_in_old_browsers(self, page):
        """In browsers that lack something, by a worker that takes it away, `page` says so."""
        for taken, words in (("delete self.WebAssembly", "no WebAssembly"), ("WebAssembly.validate = () => false", "no SIMD")):
            script = self.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=f"""
                const Real = Worker;
                Worker = function (file) {{
                  const text = `{taken}; {{ // a blob has no folder
                    const ofWorker = importScripts;
                    importScripts = (one) => ofWorker(new URL(one, "${{location.href}}").href);
                  }} importScripts("${{file}}")`;
                  return new Real(URL.createObjectURL(new Blob([text])));
                }};""")["identifier"]
            page("lang=en", ready=False)
            self.comes(f"{taken}: told", lambda: words in self.browser.text("#error"))
            self.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def only_from_here(self):
        hosts = self.browser.run("return performance.getEntriesByType('resource').map((one) => new URL(one.name)).filter((one) => one.protocol !== 'data:').map((one) => one.origin)")
        self.equal("hosts that things come from", set(hosts), {self.server.address})


def run_tests(description, test_of, arguments=(), browser_class=Browser):
    """Runs everything() of test_of(browser, server, options) in a headless Chromium. `arguments` are more of the command
    line than FOLDER and --pictures. Returns the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    for name in arguments:
        parser.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    chromium, chromedriver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        print("no chromium, or no chromedriver: not tested")
        return 77
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    server = Server(options.folder)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = browser_class(chromedriver, chromium, profile)
        try:
            test = test_of(browser, server, options)
            test.everything()
        finally:
            browser.close()
            server.shutdown()
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(run_tests("Checks heat.html in a headless Chromium.", Test))
