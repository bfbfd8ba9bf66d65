#!/usr/bin/env python3
"""Opens texture_unit.html in a headless Chromium, and checks its picture, its texts and what keys, mouse and fingers do.

usage: test_texture_unit.py FOLDER [--pictures FOLDER] [--program PROGRAM]

FOLDER holds the pages and module/, as a static server would serve them. One line a check; exit status 1 if a check fails,
77 without Chromium and chromedriver. --pictures keeps pictures of the page. --program names the program texture_unit, whose
pictures must have the bytes of the page's.
"""

import hashlib
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import test_pages
from test_pages import until

# Words that stay as they are in Chinese: names of the program, of modes and of functions of CUDA.
LATIN_IN_CHINESE = test_pages.LATIN_IN_CHINESE | {
    "texture_unit", "texture", "tex2D", "tex2DLod", "mipmap", "point", "linear", "clamp", "border", "wrap", "mirror", "x", "y",
    "B", "F", "G", "I", "L", "M", "N", "S", "T", "X", "Y"}

# How the program's window begins, whose panel covers a part of the picture.
WINDOW_ZOOM = min(0.42 * 1280 / 64, 0.55 * 800 / 64)
WINDOW = {"across": repr(1280 / WINDOW_ZOOM), "centre_x": repr(32 - 0.21 * 1280 / WINDOW_ZOOM), "centre_y": "32"}
SCRIPTS = ([{"what": "point", "at": [700, 380]}],
           [{"what": "wheel", "steps": 11, "at": [820, 560]}, {"what": "key", "key": "T", "shift": False},
            {"what": "key", "key": "X", "shift": True}, {"what": "key", "key": "M", "shift": False},
            {"what": "drag", "from": [300, 300], "to": [340, 280]}, {"what": "point", "at": [901, 420]}],
           [{"what": "point", "at": [640, 400]}] + [{"what": "key", "key": key, "shift": False} for key in "MMMMMLNG+"])


class Browser(test_pages.Browser):
    def pixels(self, points=()):
        """The colours at some points of the picture, in shares; without points, a number for the whole picture and how many colours."""
        return self.run("""const copy = canvas.cloneNode(); // which may be read often
            copy.removeAttribute("id");
            const context = copy.getContext("2d", {willReadFrequently: true});
            context.drawImage(canvas, 0, 0);
            const {data} = context.getImageData(0, 0, copy.width, copy.height);
            const words = new Uint32Array(data.buffer);
            if (arguments[0].length) return arguments[0].map(([x, y]) => words[Math.floor(y * copy.height) * copy.width + Math.floor(x * copy.width)]);
            let sum = 0;
            for (const word of words) sum = (Math.imul(sum, 31) + word) | 0;
            return [sum, new Set(words).size];""", list(points))

    def place(self, x, y):
        """A point of the picture, in shares from the upper left, in pixels of the page."""
        left, top, width, height = self.run("canvas.scrollIntoView({block: 'center'}); const box = canvas.getBoundingClientRect();"
                                            "return [box.left, box.top, box.width, box.height]")
        return round(left + x * width), round(top + y * height)

    def move(self, x, y):
        """Moves the mouse there."""
        x, y = self.place(x, y)
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": x, "y": y}]}]})

    def wheel(self, x, y, delta):
        x, y = self.place(x, y)
        self.ask("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "duration": 0, "x": x, "y": y, "deltaX": 0, "deltaY": delta}]}]})

    def fingers(self, *ways):
        """Each finger's way: its start and its end."""
        actions = []
        for number, (start, end) in enumerate(ways):
            move = [{"type": "pointerMove", "duration": 0, "x": x, "y": y} for x, y in (self.place(*start), self.place(*end))]
            actions.append({"type": "pointer", "id": f"finger{number}", "parameters": {"pointerType": "touch"}, "actions": [
                move[0], {"type": "pointerDown", "button": 0}, move[1], {"type": "pointerUp", "button": 0}]})
        self.ask("POST", "/actions", {"actions": actions})


def png_pixels(file):
    """The RGBA bytes of a PNG of 8 bits a component, without an alpha channel or with one; the upper row first."""
    data = file.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    if depth != 8 or colour not in (2, 6):
        raise ValueError(f"{file.name}: not RGB or RGBA of 8 bits")
    size = 3 if colour == 2 else 4
    raw = zlib.decompress(packed)
    above, pixels = bytes(size * width), bytearray()
    for y in range(height):
        start = y * (1 + size * width)
        row = bytearray(raw[start + 1:start + 1 + size * width])
        for i in range(len(row)):
            a, b, c = (row[i - size] if i >= size else 0), above[i], (above[i - size] if i >= size else 0)
            if raw[start] == 4:
                p = a + b - c
                row[i] = row[i] + min((a, b, c), key=lambda one: abs(p - one)) & 255
            elif raw[start]:
                row[i] = row[i] + (a, b, (a + b) // 2)[raw[start] - 1] & 255
        above = bytes(row)
        if size == 4:
            pixels += row
        else:
            for x in range(width):
                pixels += row[3 * x:3 * x + 3] + b"\xff"
    return bytes(pixels)


class Test(test_pages.Test):
    def page(self, parameters="", ready=True):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}/texture_unit.html?{parameters}")
        if ready:
            until(lambda: self.browser.run("return Boolean(isReady && state.mouse && !isBusy)"), f"texture_unit.html?{parameters} is ready")

    def settled(self):
        until(lambda: self.browser.run("return !isBusy && actions.length === 0 && !mustOpen"), "the worker has answered")

    def look(self):
        self.settled()
        return self.browser.run("return state.look")

    def fetch(self):
        """The coordinates of the fetch, from the text of the page."""
        self.settled()
        return [float(number) for number in re.search(r"\(texture, ([-\d.]+), ([-\d.]+)", self.browser.text("#fetch")).groups()]

    def table(self):
        """The cells of the table of texels, row by row."""
        self.settled()
        return self.browser.run("return [...document.querySelectorAll('#table tr')].map((row) => [...row.children].map((cell) => cell.textContent.replace(/\\s+/g, ' ')))")

    def near(self, what, found, expected, within):
        self.check(what, all(abs(a - b) <= within for a, b in zip(found, expected)), f"{found}, not {expected}")

    def everything(self):
        self.browser.size(1280, 800)
        self.browser.dark(False)
        for part in (self.shows, self.keys, self.controls, self.keyboard_alone, self.mouse, self.touch, self.devices, self.parameters,
                     self.chinese, self.phone, self.embedded, self.looks, self.errors, self.old_browsers, self.same_as_program):
            try:
                part()
            except (RuntimeError, TimeoutError, IndexError, KeyError, ValueError, AttributeError) as error:
                self.check(part.__name__, False, error)
            finally:
                self.server.stand_in = None

    def shows(self):
        self.page("lang=en")
        self.check("the picture has many colours", self.browser.pixels()[1] > 50, self.browser.pixels()[1])
        self.equal("the picture has the canvas's pixels", *self.browser.run("return [[canvas.width, canvas.height], [canvas.clientWidth, canvas.clientHeight]]"))
        self.browser.move(0.3, 0.4)
        rows = self.table()
        self.equal("the columns", rows[0], ["texel", "weight", "red", "green", "blue"])
        self.equal("the last rows", [row[0] for row in rows[-3:]], ["the unit", "exact", "difference"])
        reads = rows[1:-3]
        self.check("the texels are named", reads and all(re.fullmatch(r"\(\d+, \d+\) level 0", row[0]) for row in reads), reads)
        self.equal("the weights add up to 256", sum(int(row[1].removesuffix("/256")) for row in reads), 256)
        blend = sum(int(row[1].removesuffix("/256")) * float(row[2]) for row in reads) / 256
        self.near("the unit's red is the weighted sum", [float(rows[-3][2])], [blend], 1e-4)
        self.check("position and weight are explained", "x in level 0: " in self.browser.text("#positions"), self.browser.text("#positions"))
        before = self.browser.pixels()[0], self.browser.text("#explanation")
        self.browser.move(0.5, 0.55)
        self.settled()
        self.check("another pixel has another explanation", self.browser.text("#explanation") != before[1])
        self.check("its texels are outlined elsewhere", self.browser.pixels()[0] != before[0])
        self.browser.move(1.3, 0.5)
        kept = self.browser.text("#fetch")
        self.check("the explanation stays when the mouse leaves the picture", kept != "", kept)
        selected = self.browser.run("getSelection().selectAllChildren(document.getElementById('explanation')); return String(getSelection())")
        self.check("the explanation is text that can be selected", "the unit" in selected and kept in selected, selected)
        self.equal("no labels on small texels", self.browser.run("return document.querySelectorAll('#labels span').length"), 0)
        self.page("lang=en&across=8&centre_x=20&centre_y=20")
        labels = self.browser.run("return [...document.querySelectorAll('#labels span')].map((one) => one.textContent)")
        self.equal("the weights are written on large texels", labels, [row[1].removesuffix("/256") for row in self.table()[1:-3]])
        self.quiet("shows")

    def keys(self):
        self.page("lang=en&across=20&level=1.5&angle=15&centre_x=60&centre_y=4")
        for key, setting, value in (("l", "filter", "point"), ("l", "filter", "linear"), ("x", "x", "mirror"), ("Shift+X", "x", "wrap"),
                                    ("y", "y", "clamp"), ("Shift+Y", "y", "mirror"), ("m", "level", "1.75"), ("Shift+M", "level", "1.5"),
                                    ("b", "levels", "nearest"), ("b", "levels", "blended"), ("n", "coordinates", "texels"),
                                    ("n", "coordinates", "normalised"), ("g", "edges", "hidden"), ("g", "edges", "shown"),
                                    ("t", "angle", "30"), ("Shift+T", "angle", "15"), ("-", "across", "23.7841"), ("+", "across", "20")):
            self.settled()
            before = self.browser.pixels()[0]
            self.browser.press(key)
            self.equal(f"{key}: {setting}", self.look()[setting], value)
            self.check(f"{key} changes the picture", self.browser.pixels()[0] != before)
        self.browser.press("r")
        self.equal("R: back to the start", self.look(), self.browser.run("return state.first"))
        self.equal("the keys are not shown at first", self.browser.run("return document.getElementById('keys').open"), False)
        self.browser.press("h")
        self.equal("H shows the keys", self.browser.run("return document.getElementById('keys').open"), True)
        self.browser.press("i")
        self.check("I hides the explanation", self.browser.is_hidden("#explanation"))
        self.browser.press("i")
        self.check("I shows the explanation", not self.browser.is_hidden("#explanation"))
        self.browser.run("window.saved = []; HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href.split(':')[0]]); }")
        self.browser.press("s")
        self.comes("S saves a picture", lambda: self.browser.run("return saved") == [["texture_unit.png", "blob"]])
        self.browser.press("f")
        self.comes("F: full screen", lambda: self.browser.run("return document.fullscreenElement?.id === 'work'"))
        self.settled()
        self.picture("full-screen")
        self.check("with the explanation", not self.browser.is_hidden("#explanation"))
        self.browser.press("f")
        self.comes("F: and back", lambda: self.browser.run("return document.fullscreenElement === null"))
        self.quiet("keys")

    def controls(self):
        self.page("lang=en&across=12&centre_x=62")
        for name, value in (("filter", "point"), ("x", "border"), ("y", "wrap"), ("coordinates", "texels"), ("levels", "nearest")):
            self.browser.choose(f"#{name}", value)
            self.equal(f"the list {name}", self.look()[name], value)
        self.browser.press("l", "x", "n")
        self.settled()
        self.equal("the lists follow the keys", [self.browser.value(f"#{name}") for name in ("filter", "x", "coordinates")], ["linear", "wrap", "normalised"])
        self.browser.click("#edges")
        self.equal("the tick for edges", self.look()["edges"], "hidden")
        self.browser.click("#panel")
        self.check("the tick for the explanation hides the text and the labels", self.browser.is_hidden("#explanation") and self.browser.is_hidden("#labels"))
        self.browser.click("#panel")
        for key, setting, value in (("M", "level", "0.25"), ("Shift-M", "level", "0"), ("T", "angle", "15"), ("Shift-T", "angle", "0")):
            self.browser.click(f"[data-key='{key}']")
            self.equal(f"the button for {key}", self.look()[setting], value)
        across = float(self.look()["across"])
        self.browser.click("[data-key='+']")
        self.near("the button for +", [float(self.look()["across"])], [across / 2 ** 0.25], 1e-3)
        self.browser.click("[data-key='-']")
        self.near("the button for -", [float(self.look()["across"])], [across], 1e-3)
        keys = set(re.findall(r"[A-Z]", self.browser.run("return [...document.querySelectorAll('[data-title]')].map((one) => one.title.split(/Keys?: /)[1]).join(' ')").replace("Shift", "")))
        listed = set(self.browser.run("return [...document.querySelectorAll('#keys kbd')].map((one) => one.textContent).filter((one) => /^[A-Z]$/.test(one))"))
        self.equal("keys without a control", listed - keys, {"H"})
        self.quiet("controls")

    def keyboard_alone(self):
        """Tab reaches every control, and each has a name and a visible focus."""
        self.page("lang=en")
        name = "(one.id || one.dataset.key || one.name || one.className || one.tagName)"
        wanted = set(self.browser.run(f"return [...document.querySelectorAll('button, select, input, summary, a, canvas')].filter((one) => one.getClientRects().length).map((one) => {name})"))
        reached, unseen = set(), []
        for _ in range(len(wanted) + 2):
            self.browser.press("\ue004")
            one, seen = self.browser.run(f"const one = document.activeElement; return [{name}, getComputedStyle(one).outlineStyle !== 'none']")
            reached.add(one)
            if not seen and one != "BODY":
                unseen.append(one)
        self.equal("controls that Tab does not reach", wanted - reached, set())
        self.equal("controls whose focus is not seen", unseen, [])
        nameless = self.browser.run("""return [...document.querySelectorAll("select, input, button, canvas")].filter((one) =>
            !(one.labels && one.labels.length && one.labels[0].textContent) && !one.textContent.trim() && !one.ariaLabel).map((one) => one.id)""")
        self.equal("controls without a label", nameless, [])
        self.browser.run("canvas.focus()")
        before = self.browser.run("return state.mouse")
        self.browser.press("\ue014", "\ue014", "\ue013", "Shift+\ue012")  # right, right, up, Shift-left
        self.settled()
        self.equal("arrow keys move the pointer", self.browser.run("return state.mouse"), [before[0] - 8, before[1] + 1])
        self.equal("and a screen reader is told", self.browser.run("return document.getElementById('explanation').getAttribute('aria-live')"), "polite")
        self.quiet("keyboard")

    def mouse(self):
        self.page("lang=en&across=20&centre_x=32&centre_y=32")
        self.browser.move(0.3, 0.3)
        before = self.fetch()
        self.browser.drag("#picture", (0.3, 0.3), (0.6, 0.7))
        self.near("a drag moves the texture with the mouse", self.fetch(), before, 0.002)
        self.near("and the middle of the picture", [float(self.look()[name]) for name in ("centre_x", "centre_y")], [32 - 0.3 * 20, 32 - 0.4 * 20], 0.1)
        self.browser.wheel(0.6, 0.7, -400)
        self.comes("the wheel zooms", lambda: self.look()["across"] == "10")
        self.near("around the mouse", self.fetch(), before, 0.002)
        self.browser.wheel(0.6, 0.7, 400)
        self.comes("and back", lambda: self.look()["across"] == "20")
        self.quiet("mouse")

    def touch(self):
        self.browser.size(390, 844, phone=True)
        self.page("lang=en&across=20&centre_x=32&centre_y=32")
        look, fetch, pixels = self.look(), self.fetch(), self.browser.pixels()[0]
        self.browser.fingers(((0.5, 0.5), (0.2, 0.3)))
        self.check("a finger points", self.fetch() != fetch and self.browser.pixels()[0] != pixels)
        self.near("where it is", self.fetch(), [(32 - 0.3 * 20) / 64, (32 - 0.2 * 20) / 64], 0.005)
        self.equal("the texture stays", self.look(), look)
        self.browser.fingers(((0.4, 0.5), (0.2, 0.5)), ((0.6, 0.5), (0.8, 0.5)))
        self.near("two fingers zoom", [float(self.look()["across"])], [20 / 3], 0.3)
        self.near("around their middle", [float(self.look()["centre_x"])], [32], 0.5)
        self.browser.press("r")
        self.browser.run("document.querySelector('[name=finger][value=move]').click()")
        centre = float(self.look()["centre_x"])
        self.browser.fingers(((0.5, 0.5), (0.25, 0.5)))
        self.near("a finger that moves", [float(self.look()["centre_x"])], [centre + 0.25 * float(self.look()["across"])], 0.5)
        self.quiet("touch")
        self.browser.size(1280, 800)

    def devices(self):
        for parameters in ("lang=en&across=30&level=0.75&angle=30&centre_x=60", "lang=en&across=30&coordinates=texels&filter=point&x=border"):
            self.page(parameters)
            pixels = self.browser.pixels()
            self.browser.press("d")
            self.settled()
            self.equal(f"{parameters}: D takes the emulated GPU", self.browser.value("#device"), "emulated")
            self.equal("which gives the same picture", self.browser.pixels(), pixels)
            self.browser.choose("#filter", "linear" if "point" in parameters else "point")
            self.settled()
            other = self.browser.pixels()
            self.check("another filter, another picture", other != pixels)
            self.browser.choose("#device", "cpu")
            self.settled()
            self.equal("the CPU gives the same picture", self.browser.pixels(), other)
        self.quiet("devices")

    def parameters(self):
        wanted = {"filter": "point", "x": "clamp", "y": "border", "level": "1.25", "levels": "nearest", "edges": "hidden", "across": "24", "angle": "45",
                  "centre_x": "10", "centre_y": "50.5"}
        self.page("lang=en&" + "&".join(f"{name}={value}" for name, value in wanted.items()))
        self.equal("the address's look", {name: self.look()[name] for name in wanted}, wanted)
        self.check("no error", self.browser.is_hidden("#error"), self.browser.text("#error"))
        self.browser.press("l", "t")
        self.comes("the address follows", lambda: "filter" not in self.browser.run("return location.search") and "angle=60" in self.browser.run("return location.search"))
        look = self.look()
        self.browser.open(self.browser.run("return location.href"))
        until(lambda: self.browser.run("return Boolean(isReady && !isBusy)"), "the page again")
        self.equal("and leads to the same look", self.look(), look)
        self.browser.run("document.getElementById('language').click()")
        self.comes("the link leads to Chinese", lambda: self.browser.run("return document.documentElement.lang === 'zh-CN' || document.documentElement.lang === 'zh'"))
        until(lambda: self.browser.run("return Boolean(isReady && !isBusy)"), "the Chinese page")
        self.equal("with the same look", self.look(), look)
        self.page("lang=en&filter=cubic&level=99&across=0&device=abacus&x=clamp")
        error = self.browser.text("#error")
        self.check("what is no setting is told", all(word in error for word in ("filter=cubic", "level=99", "across=0", "device=abacus")) and "x=clamp" not in error, error)
        self.equal("the others are taken", [self.look()["x"], self.look()["filter"]], ["clamp", "linear"])
        self.page("lang=en&device=emulated")
        self.equal("?device", self.browser.value("#device"), "emulated")
        self.page("lang=en&across=40")
        self.browser.size(900, 800)
        self.comes("a smaller page, a smaller picture", lambda: self.browser.run("return !isBusy && canvas.width === canvas.clientWidth && canvas.width < 550"))
        self.equal("of the same texels", self.look()["across"], "40")
        self.browser.size(1280, 800)
        self.quiet("parameters")

    def chinese(self):
        names = LATIN_IN_CHINESE
        for parameters in ("", "&level=1.25&across=10&centre_x=62", "&level=2&levels=nearest", "&coordinates=texels&filter=point",
                           "&x=border&y=border&centre_x=80&filter=point"):
            self.page(f"lang=zh{parameters}")
            self.browser.run("document.getElementById('keys').open = true")
            words = self.browser.run("""return [document.title, document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((one) =>
                [one.title, one.ariaLabel, one.label]).filter(Boolean)].join(" ")""")
            english = set(re.findall(r"[A-Za-z]\w*", words))
            self.equal(f"lang=zh{parameters}: words that are not Chinese", english - names, set())
            self.picture(f"chinese{parameters.replace('&', '-')}")
        self.check("the explanation is Chinese", "纹理单元" in self.browser.text("#table") and "边框" in self.browser.text("#table"), self.browser.text("#table"))
        words = self.browser.run("return Object.entries(texts.zh).filter(([name]) => name.startsWith('unit_')).map((one) => one[1]).join(' ')")
        self.equal("words of text.js that are not Chinese", set(re.findall(r"[A-Za-z]\w*", re.sub(r"{\w+}", "", words))) - LATIN_IN_CHINESE, set())
        self.equal("texts of one language only", self.browser.run(
            "const [en, zh] = [texts.en, texts.zh].map(Object.keys); return [...en.filter((name) => !zh.includes(name)), ...zh.filter((name) => !en.includes(name))]"), [])
        self.quiet("Chinese")

    def phone(self):
        for width, height in ((390, 844), (320, 568), (844, 390)):
            self.browser.size(width, height, phone=True)
            for language in ("en", "zh"):
                self.page(f"lang={language}&across=7&centre_x=20&level=0.25")
                self.browser.run("document.getElementById('keys').open = true")
                size = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
                self.equal(f"{width} x {height}, {language}: it does not scroll sideways", size, [width, width])
                box = self.browser.run("const {width, height} = canvas.getBoundingClientRect(); return [width, height]")
                self.check(f"{width} x {height}, {language}: the picture is square and fits", box[0] == box[1] <= min(width, height), box)
                self.check("the choice of what a finger does is there", not self.browser.is_hidden(".choice.touch"))
                self.picture(f"phone-{width}-{language}")
        self.quiet("phone")
        self.browser.size(1280, 800)

    def embedded(self):
        self.page("lang=en&embed=1")
        self.equal("?embed=1 hides heading and footer", [self.browser.is_hidden(part) for part in ("header", "h1", "footer", "#picture")], [True, True, True, False])
        self.check("no choice for fingers beside a mouse", self.browser.is_hidden(".choice.touch"))
        self.picture("embedded")
        self.browser.open(f"{self.server.address}/index.html?lang=en")
        links = self.browser.run("return [...document.querySelectorAll('.pages a')].map((one) => new URL(one.href).pathname)")
        self.check("index.html lists the page", "/texture_unit.html" in links, links)
        self.browser.run("const frame = document.createElement('iframe'); frame.id = 'inside'; frame.src = 'texture_unit.html?embed=1'; document.body.append(frame)")
        self.comes("it runs in an iframe", lambda: self.browser.run("return Boolean(document.getElementById('inside').contentDocument.getElementById('fetch')?.textContent)"))
        self.quiet("embedded")

    def looks(self):
        """Pictures only."""
        for name, dark in (("light", False), ("dark", True)) if self.pictures else ():
            self.browser.dark(dark)
            for more in ("", "&across=10&centre_x=62&centre_y=20&level=0.5&angle=30"):
                self.page(f"lang=en{more}")
                self.picture(f"{name}{'-close' if more else ''}")
        self.browser.dark(False)

    def errors(self):
        self.server.stand_in = "this is no program"
        self.page("lang=en", ready=False)
        self.comes("a module that is none is told", lambda: "could not be loaded" in self.browser.text("#error"))
        self.picture("error")
        self.server.stand_in = None
        self.browser.press("r")
        self.comes("R loads it again", lambda: self.browser.run("return isReady") and self.browser.is_hidden("#error"))
        for failure, words in (("return 'the texture is too large'", "the texture is too large"), ("return 'std::bad_alloc'", "Not enough memory"),
                               ("throw new Error('unreachable')", "unreachable")):
            self.server.stand_in = f"var texture_unit = async () => ({{HEAPU8: new Uint8Array(9), ccall: (name) => {{ if (name === 'texture_unit_open') {failure}; }}}})"
            self.page("lang=en", ready=False)
            self.comes(f"{words}: told", lambda: words in self.browser.text("#error"))
        self.browser.complaints()  # such errors are the browser's too

    def old_browsers(self):
        self.told_in_old_browsers(self.page)
        self.page("lang=en")
        self.only_from_here()
        self.quiet("old browsers")

    def same_as_program(self):
        """The bytes of the program's window after the same keys and mouse."""
        if self.options.program is None:
            return
        lines = {"point": "mouse {at[0]} {at[1]}", "wheel": "wheel {steps} {at[0]} {at[1]}", "key": "key {key}",
                 "drag": "drag left {from[0]} {from[1]} {to[0]} {to[1]}"}
        with tempfile.TemporaryDirectory() as folder:
            script, png = pathlib.Path(folder, "script"), pathlib.Path(folder, "last.png")
            for number, actions in enumerate(SCRIPTS):
                text = [lines[one["what"]].format_map(one | {"key": ("Shift+" if one.get("shift") else "") + one.get("key", "")}) for one in actions]
                script.write_text("".join(f"1 {line}\n" for line in text), encoding="utf-8")
                subprocess.run([self.options.program.resolve(), "--device", "cpu", "--headless", "--script", script, "--png", png, "--quiet"], check=True)
                expected = hashlib.sha256(png_pixels(png)).hexdigest()
                for emulated in (False, True):
                    self.page("lang=en")
                    found = self.browser.run("""const [emulated, look, list] = arguments;
                        return (async () => {
                          await ask("open", {width: 1280, height: 800, emulated, look});
                          const {picture} = await ask("act", {list});
                          const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", picture));
                          return [...sum].map((one) => one.toString(16).padStart(2, "0")).join("");
                        })();""", emulated, WINDOW, actions)
                    self.equal(f"the program's picture {number}, {'emulated GPU' if emulated else 'CPU'}", found, expected)


if __name__ == "__main__":
    sys.exit(test_pages.run_tests("Checks texture_unit.html in a headless Chromium.", Test, ["--program"], Browser))
