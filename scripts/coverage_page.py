#!/usr/bin/env python3
"""Makes emulator/coverage.md, what the emulated GPU has of CUDA, of tests/emulator/coverage.txt. --check, a test, refuses with status 1 a page that
was not made of it, a test that is not there, and a verdict that is none."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "emulator" / "coverage.txt"
PAGE = ROOT / "emulator" / "coverage.md"
HEAD = """# What the emulated GPU has of CUDA

Each row has the tests that show it; `scripts/test.sh emulator` runs most of them. A test without a link is a line of
[features-h200.txt](../tests/emulator/features-h200.txt): an H200 gave its answer, and the emulated GPU gives the same. What is different from a GPU, in words:
[docs/emulation.md](../docs/emulation.md#what-is-different). Programs of others: `scripts/coverage.sh FOLDER`.

<!-- commands
builds: scripts/test.sh emulator
-->
"""
VERDICT = re.compile(r"(supported|(refused|differs): .+)$")
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.MULTILINE)


def known_tests():
    """The names of all tests, and `feature NAME` for each line that a GPU has answered."""
    tests = {}
    for file in sorted((ROOT / "tests").rglob("*.c*")):
        for suite, name in TEST.findall(file.read_text(encoding="utf-8")):
            tests[f"{suite}.{name}"] = file.relative_to(ROOT).as_posix()
    for line in (ROOT / "tests" / "emulator" / "features-h200.txt").read_text(encoding="utf-8").splitlines():
        tests["feature " + line.partition(": ")[0]] = None
    return tests


def tests_of(words, known):
    """The tests that `words` name; a feature's name may have commas. Errors: ValueError."""
    found = []
    while words:
        name = max((test for test in known if words == test or words.startswith(test + ", ")), key=len, default=None)
        if name is None:
            raise ValueError(f"there is no test '{words}'")
        found.append(name)
        words = words[len(name) + 2:]
    return found


def shown(test, file):
    return f"`{test.removeprefix('feature ')}`" if file is None else f"[{test}](../{file})"


def page():
    """Errors: ValueError, with the line."""
    known, text = known_tests(), [HEAD]
    for number, line in enumerate(LIST.read_text(encoding="utf-8").splitlines(), 1):
        if re.match(r"# [A-Z][^.|]*$", line):
            text.append(f"## {line[2:]}\n\n| feature | verdict | tests |\n|---|---|---|")
        elif line and not line.startswith("#"):
            try:
                feature, verdict, tests = line.split(" | ")
                if not VERDICT.match(verdict):
                    raise ValueError(f"'{verdict}' is no verdict")
                text.append(f"| {feature} | {verdict} | {', '.join(shown(test, known[test]) for test in tests_of(tests, known))} |")
            except ValueError as error:
                raise ValueError(f"{LIST.relative_to(ROOT)}:{number}: {error}") from error
        elif not line and len(text) > 1 and not text[-1].endswith("\n"):
            text[-1] += "\n"
    return "\n".join(text).rstrip("\n") + "\n"


def main():
    try:
        made = page()
    except ValueError as error:
        sys.exit(f"coverage_page.py: {error}")
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != made:
            sys.exit("coverage_page.py: emulator/coverage.md was not made of tests/emulator/coverage.txt: run scripts/coverage_page.py")
    elif sys.argv[1:]:
        print("usage: coverage_page.py [--check]", file=sys.stderr)
        sys.exit(2)
    else:
        PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
