#!/usr/bin/env python3
"""Opens a page of --trace in a headless Chromium, and checks what it shows and what clicks and keys do.

usage: test_page.py TRACE.html [--pictures FOLDER]

Silent if all is well, with exit status 0; else a line for each failure, and 1; 77 without Chromium and chromedriver.
--pictures keeps a picture of each state, and prints how long the page took to open.
"""

import argparse
import base64
import json
import math
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

DATA = re.compile(r'(<script id="trace" type="application/json">)(.*?)(</script>)', re.DOTALL)
KEYS = {"left": "\ue012", "right": "\ue014", "up": "\ue013", "down": "\ue015", "home": "\ue011", "end": "\ue010",
        "escape": "\ue00c", "space": " "}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name that WebDriver gives to elements
PATIENCE = 60  # seconds until a condition that does not come true is a failure


class Browser:
    """Chromium, through chromedriver's WebDriver protocol."""

    def __init__(self, chromedriver, chromium, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen([chromedriver, f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        until(self.is_ready, "chromedriver answers")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,720",
                     f"--user-data-dir={folder}"]
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": chromium, "args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]

    def ask(self, method, path, body=None):
        path = f"/session/{self.session}{path}" if self.session else path
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method,
                                         data=None if method == "GET" else json.dumps(body or {}).encode())
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def is_ready(self):
        try:
            return self.ask("GET", "/status")["ready"]
        except OSError:
            return False

    def close(self):
        try:
            if self.session:
                self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def open(self, page):
        self.ask("POST", "/url", {"url": page.resolve().as_uri()})
        until(lambda: self.run("return Boolean(window.cudabookTrace && cudabookTrace.ready)"), f"{page.name} is ready")

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def element(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.ask("POST", f"/element/{self.element(selector)}/click")

    def click_at(self, selector, x, y):
        """So many pixels from the element's upper left corner."""
        left, top = self.run("const {left, top} = document.querySelector(arguments[0]).getBoundingClientRect(); return [left, top]", selector)
        move = {"type": "pointerMove", "duration": 0, "x": round(left + x), "y": round(top + y)}
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def press(self, *keys):
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def size(self, width, height):
        """Of the page, without the window's own parts."""
        more = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.ask("POST", "/window/rect", {"width": width + more[0], "height": height + more[1]})
        until(lambda: self.run("return [innerWidth, innerHeight]") == [width, height], f"the page is {width} x {height}")

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    def complaints(self):
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {PATIENCE} s: {what}")
        time.sleep(0.02)


# ----- The trace, read without the page's code

def addresses_of(request):
    packed = request[6]
    return [packed[i] + n * packed[i + 1] for i in range(0, len(packed), 3) for n in range(packed[i + 2])]


def lanes_of(request):
    return [lane for lane in range(32) if request[2] >> lane & 1]


def requests_of(launch):
    return [(warp, number, step) for warp, steps in enumerate(launch["warps"]) for number, step in enumerate(steps) if step[0] < 11]


def racing_requests(launch):
    """Those that touch a word of shared memory that another thread touches between the same barriers, one of them writing."""
    if any(step[0] == 14 for steps in launch["warps"] for step in steps):
        return set()  # nothing is known of their order
    shared = [(warp, number, step) for warp, number, step in requests_of(launch) if 3 <= step[0] <= 5]
    grain = min([4] + [step[3] for _, _, step in shared])
    touched = {}
    for warp, number, step in shared:
        before = launch["warps"][warp][:number]
        phase = sum(1 for other in before if other[0] == 12)
        waits = sum(1 for other in before if other[0] in (11, 13))
        for lane, address in zip(lanes_of(step), addresses_of(step)):
            for word in range(address // grain, (address + step[3] - 1) // grain + 1):
                touched.setdefault((phase, word), set()).add((warp, waits, lane, step[0], number))
    racing = set()
    for touches in touched.values():
        if all(kind == 3 for _, _, _, kind, _ in touches) or all(kind == 5 for _, _, _, kind, _ in touches):
            continue
        for a in touches:
            for b in touches:
                if a[:1] + a[2:3] == b[:1] + b[2:3] or a[3] == b[3] != 4 or (a[0] == b[0] and a[1] != b[1]):
                    continue
                racing.add((a[0], a[4]))
                break
    return racing


def sectors_counted(request):
    """Whether the request's parts are sectors that can be drawn."""
    return request[0] in (0, 1, 2, 6, 7, 9, 10)


# ----- The test

class Test:
    def __init__(self, browser, page, pictures):
        self.browser, self.page, self.pictures = browser, page, pictures
        self.trace = json.loads(DATA.search(page.read_text(encoding="utf-8"))[2])
        self.failures = []

    def check(self, condition, message):
        if not condition and len(self.failures) < 50:
            self.failures.append(message)

    def equal(self, what, found, expected):
        self.check(found == expected, f"{what}: {found}, not {expected}")

    def picture(self, name):
        if self.pictures:
            self.browser.picture(self.pictures / f"{name}.png")

    def state(self, pane=0):
        return self.browser.run("return cudabookTrace.state(arguments[0])", pane)

    def at(self, pane=0):
        state = self.state(pane)
        return state["launch"], state["warp"], state["step"]

    def select(self, launch, warp, step, pane=0):
        self.browser.run("cudabookTrace.select(...arguments)", pane, launch, warp, step)

    def launches(self, run=0):
        return self.trace["runs"][run]["launches"]

    def find(self, wanted):
        """The first request of the first pane's run for which wanted(request) holds: launch, warp, step; or None."""
        for number, launch in enumerate(self.launches()):
            for warp, step, request in requests_of(launch):
                if wanted(request):
                    return number, warp, step
        return None

    def everything(self):
        self.browser.open(self.page)
        self.browser.size(1280, 720)
        if self.pictures:
            print(f"ready after {self.browser.run('return cudabookTrace.ready'):.0f} ms")
        self.opening()
        if not any(requests_of(launch) for run in self.trace["runs"] for launch in run["launches"]):
            return self.nothing()
        for part in (self.sums, self.all_requests, self.on_screen, self.steps, self.timeline, self.source, self.following,
                     self.worse, self.races, self.playing, self.launch_buttons, self.second_pane, self.each_kind, self.changed_step):
            try:
                part()
            except (RuntimeError, TimeoutError, IndexError, KeyError) as error:
                self.failures.append(f"{part.__name__}: {error}")
        self.equal("messages of the browser", self.browser.complaints(), [])

    def opening(self):
        self.equal("panes at first", self.browser.run("return cudabookTrace.panes()"), min(2, len(self.trace["runs"])))
        self.picture("opened")
        if len(self.trace["runs"]) > 1:
            self.browser.click("#compare")
        self.equal("panes", self.browser.run("return cudabookTrace.panes()"), 1)
        self.picture("one-pane")
        self.equal("the page scrolls", self.browser.run("return document.documentElement.scrollHeight > innerHeight"), False)

    def nothing(self):
        """A page of launches that asked for nothing."""
        self.check("asks for nothing" in self.browser.run("return document.querySelector('.request .text').textContent"), "it does not say that nothing is asked for")
        self.equal("messages of the browser", self.browser.complaints(), [])

    def sums(self):
        """Of every launch, against the counters."""
        for number, run in enumerate(self.trace["runs"]):
            self.browser.run("const select = document.querySelector('.run'); select.value = arguments[0]; select.dispatchEvent(new Event('change'))", number)
            all_sums = self.browser.run("""return cudabookTrace.trace.runs[arguments[0]].launches.map(({warps}, launch) => {
                cudabookTrace.select(0, launch, 0, 0);
                return [cudabookTrace.sums(0), document.querySelectorAll('.differs').length,
                        [...document.querySelectorAll('.foot td:first-child')].map(cell => cell.textContent)];
            })""", number)
            for launch, (sums, warned, rows) in zip(run["launches"], all_sums):
                name = f"{run['name']}, launch {launch['number']}"
                for key, count in launch["counters"].items():
                    if isinstance(count, int) and key != "launches":
                        self.equal(f"{name}: {key}", sums.get(key, 0), count)
                self.equal(f"{name}: warnings", warned, 0)
                self.equal(f"{name}: rows of the table", len(rows), len(set(rows)))
        self.browser.run("const select = document.querySelector('.run'); select.value = 0; select.dispatchEvent(new Event('change'))")

    def all_requests(self):
        """What would be drawn of each request, against its parts."""
        for number, run in enumerate(self.trace["runs"]):
            figures = self.browser.run("""const run = arguments[0];
                return cudabookTrace.trace.runs[run].launches.map(({warps}, launch) => warps.map((steps, warp) => steps.map((request, step) =>
                    request.length && cudabookTrace.figures(run, launch, warp, step))))""", number)
            for launch, warps in zip(run["launches"], figures):
                for warp, step, request in requests_of(launch):
                    name = f"{run['name']}, launch {launch['number']}, warp {warp}, step {step + 1}"
                    self.compare(name, request, warps[warp][step])

    def compare(self, name, request, shown):
        kind, bytes_, parts, extra = request[0], request[3], request[4], request[5]
        self.equal(f"{name}: lanes", shown["lanes"], len(lanes_of(request)))
        if sectors_counted(request):
            self.equal(f"{name}: sectors", shown["sectors"], parts)
        elif kind == 8:
            self.equal(f"{name}: addresses", shown["addresses"], parts)
        elif 3 <= kind <= 5 and bytes_ <= 4:
            self.equal(f"{name}: words in a bank", shown["worstBank"], parts)
            self.equal(f"{name}: conflicts", extra, parts - 1)
        elif 3 <= kind <= 5:  # served in up to four groups, none with more words in a bank than all together
            self.check(math.ceil(shown["worstBank"] / 4) <= parts <= 4 * shown["worstBank"],
                       f"{name}: {shown['worstBank']} words in a bank, but {parts} wavefronts")

    def on_screen(self):
        """Some requests, drawn: the same numbers."""
        for number, launch in enumerate(self.launches()[:: max(1, len(self.launches()) // 3)]):
            number *= max(1, len(self.launches()) // 3)
            requests = requests_of(launch)
            for warp, step, request in requests[:: max(1, len(requests) // 60)]:
                shown, figures = self.browser.run("const [launch, warp, step] = arguments; cudabookTrace.select(0, launch, warp, step);"
                                                  "return [cudabookTrace.drawn(0), cudabookTrace.figures(0, launch, warp, step)]", number, warp, step)
                if request[0] == 8:
                    figures["words"] = shown["words"]  # drawn lane by lane
                self.equal(f"drawn of launch {number}, warp {warp}, step {step + 1}", shown, figures)

    def first(self):
        """A launch and a warp with steps."""
        return next((number, warp) for number, launch in enumerate(self.launches()) for warp, steps in enumerate(launch["warps"]) if len(steps) > 1)

    def steps(self):
        launch, warp = self.first()
        last = len(self.launches()[launch]["warps"][warp]) - 1
        self.select(launch, warp, 0)
        self.browser.click("#next")
        self.equal("a click on next", self.at(), (launch, warp, 1))
        self.browser.press("left")
        self.equal("the key left", self.at(), (launch, warp, 0))
        self.browser.press("left")
        self.equal("left of the first step", self.at(), (launch, warp, 0))
        self.browser.press("right")
        self.equal("the key right", self.at(), (launch, warp, 1))
        self.browser.press("end")
        self.equal("the key End", self.at(), (launch, warp, last))
        self.browser.press("right")
        self.equal("right of the last step", self.at(), (launch, warp, last))
        self.browser.press("home")
        self.equal("the key Home", self.at(), (launch, warp, 0))
        if warp + 1 < len(self.launches()[launch]["warps"]):
            self.browser.press("down")
            self.equal("the key down", self.at()[1], warp + 1)
            self.browser.click("#up")
            self.equal("a click on up", self.at()[1], warp)
        self.browser.press("?")
        self.check(self.browser.run("return !document.getElementById('help').hidden"), "the key ? shows no help")
        self.picture("help")
        self.browser.press("?")

    def timeline(self):
        launch, warp = self.first()
        self.select(launch, warp, 1)
        column = self.state()["column"]
        self.select(launch, warp, 0)
        scale = self.browser.run("return cudabookTrace.scale(0)")
        self.browser.click_at(".timeline canvas", scale["left"] + (column + 0.5) * scale["cell"], (warp + 0.5) * scale["high"])
        self.equal("a click on the timeline", self.at(), (launch, warp, 1))

    def source(self):
        launch, warp = self.first()
        request = next(step for step in self.launches()[launch]["warps"][warp] if step[0] < 11)
        self.select(launch, warp, self.launches()[launch]["warps"][warp].index(request))
        file, line = self.trace["places"][request[1]][0]
        shown = self.browser.run("const row = document.querySelector('tr.current'); return row && Number(row.dataset.line)")
        self.equal("the marked line", shown, line)
        for other in self.browser.run("return [...document.querySelectorAll('tr.asks')].map(({dataset}) => dataset.line)")[:3]:
            self.browser.click(f'tr[data-line="{other}"] .number')
            place = self.trace["places"][self.state()["request"][1]]
            self.check([file, int(other)] in place, f"a click on line {other} leads to a request of {place}")
            if self.state()["file"] != file:
                self.select(launch, warp, 0)

    def following(self):
        found = self.find(lambda request: request[0] in (0, 1, 3, 4))
        if found is None:
            return
        self.select(*found)
        self.browser.click(".word")
        self.check(self.state()["followed"] is not None, "a click on a word follows nothing")
        self.check(self.state()["touching"] > 0, "no step touches the word followed")
        self.check(self.browser.run("return document.querySelectorAll('.word.followed').length") > 0, "the word followed has no ring")
        self.check("Following byte" in self.browser.run("return document.querySelector('.following').textContent"), "no line says what is followed")
        self.picture("following")
        self.browser.press("f")
        self.check(self.state()["touching"] == 1 or self.at() != found, "the key f stays")
        self.check(self.browser.run("return document.querySelectorAll('.word.followed').length") > 0, "the key f leads to a step that touches something else")
        self.browser.press("escape")
        self.equal("followed after Escape", self.state()["followed"], None)
        self.equal("rings after Escape", self.browser.run("return document.querySelectorAll('.word.followed').length"), 0)

    def worse(self):
        self.select(0, 0, 0)
        most = 4
        found = self.find(lambda request: request[0] != 9 and request[4] > most)
        self.browser.run("document.getElementById('most').value = arguments[0]", most)
        before = self.at()
        self.browser.press("n")
        if found is None:
            self.equal("n with nothing to find", self.at(), before)
        else:
            self.check(self.state()["request"][4] > most, f"n leads to a request of {self.state()['request'][4]} parts")
            if found != (0, 0, 0):
                self.equal("n", self.at(), found)
        self.browser.run("document.getElementById('most').value = ''")
        self.picture("many-parts")

    def races(self):
        """As many as a plain search finds; and the key r leads to one."""
        for number, launch in list(enumerate(self.launches()))[:20]:
            racing = racing_requests(launch)
            self.select(number, 0, 0)
            self.equal(f"races in launch {launch['number']}", self.browser.run("return cudabookTrace.races(0)"), len(racing))
        self.select(0, 0, 0)
        first = next((number for number, launch in enumerate(self.launches()) if racing_requests(launch)), None)
        before = self.at()
        self.browser.press("r")
        shown = self.browser.run("const {hidden, textContent} = document.querySelector('.race'); return hidden ? '' : textContent")
        if first is None:
            self.equal("r where there is no race", self.at(), before)
            self.equal("what is said of races", shown, "")
        else:
            launch, warp, step = self.at()
            self.check((warp, step) in racing_requests(self.launches()[launch]), f"r leads to warp {warp}, step {step + 1}, which does not race")
            self.check(shown.startswith("Race: "), f"of a race it says: {shown}")
            self.picture("race")

    def playing(self):
        launch, warp = self.first()
        self.select(launch, warp, 0)
        self.browser.press("space")
        until(lambda: self.state()["column"] > 0, "it plays")
        self.browser.press("space")
        self.equal("playing", self.state()["playing"], False)

    def launch_buttons(self):
        if len(self.launches()) < 2:
            return
        self.select(0, 0, 0)
        self.browser.press("]")
        self.equal("the key ]", self.at()[0], 1)
        self.browser.click("#launch_back")
        self.equal("a click on the launch before", self.at()[0], 0)
        self.browser.click("#launch_next")
        self.equal("a click on the next launch", self.at()[0], 1)
        self.picture("second-launch")

    def second_pane(self):
        self.select(0, 0, 0)
        self.browser.click("#compare")
        self.equal("panes", self.browser.run("return cudabookTrace.panes()"), 2)
        self.equal("run of the second pane", self.state(1)["run"], min(1, len(self.trace["runs"]) - 1))
        before = self.at(0)
        self.browser.press("right")
        self.equal("the first pane while the second steps", self.at(0), before)
        self.picture("two-panes")
        word = self.browser.run("return document.querySelectorAll('.pane')[0].querySelectorAll('.word').length")
        if word:
            self.browser.click(".pane .word")
            self.equal("both panes follow", self.state(0)["followed"], self.state(1)["followed"])
            self.picture("two-panes-following")
            self.browser.press("escape")
        if self.pictures:
            self.browser.size(1920, 1080)
            self.picture("two-panes-1920")
            self.browser.size(1280, 720)
        self.browser.click("#compare")
        self.equal("panes after all", self.browser.run("return cudabookTrace.panes()"), 1)

    def each_kind(self):
        """A picture of each kind of request and number of bytes."""
        if not self.pictures:
            return
        seen = {}
        for number, launch in enumerate(self.launches()):
            for warp, step, request in requests_of(launch):
                seen.setdefault((request[0], request[3], request[4]), (number, warp, step))
        for (kind, bytes_, parts), where in list(seen.items())[:60]:
            self.select(*where)
            self.picture(f"kind-{kind}-{bytes_}-bytes-{parts}-parts")
        self.browser.size(1920, 1080)
        self.picture("one-pane-1920")
        self.browser.size(1280, 720)

    def changed_step(self):
        """One more part in a step: the sums differ from the counters, and the page says so."""
        text = self.page.read_text(encoding="utf-8")
        changed = json.loads(json.dumps(self.trace))
        launch, warp, step = self.find(lambda request: request[0] != 9)
        changed["runs"][0]["launches"][launch]["warps"][warp][step][4] += 1
        data = json.dumps(changed).replace("<", "\\u003c")
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "changed.html"
            page.write_text(DATA.sub(lambda match: match[1] + data + match[3], text, count=1), encoding="utf-8")
            self.browser.open(page)
            self.select(launch, warp, step)
            self.check(self.browser.run("return document.querySelectorAll('.pane')[0].querySelectorAll('.differs').length") == 1,
                       "a changed step, and no warning that the sums differ")
            self.picture("changed-step")


def main():
    parser = argparse.ArgumentParser(description="Checks a page of --trace in a headless Chromium.")
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    chromium, chromedriver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        print("no chromium, or no chromedriver: not tested")
        return 77
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(chromedriver, chromium, folder)
        try:
            test = Test(browser, options.trace, options.pictures)
            test.everything()
        finally:
            browser.close()
    for failure in test.failures:
        print(failure)
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
