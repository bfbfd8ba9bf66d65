#!/usr/bin/env python3
"""Makes docs/platforms.md, what ran where, from the reports of results/platforms/, which scripts/test.sh --report FILE writes. --check, a test,
refuses with status 1 a page that was not made from them, and a report that lacks something."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORTS = ROOT / "results" / "platforms"
PAGE = ROOT / "docs" / "platforms.md"
HEAD = """# Where cudabook was tested

Each row is one run of the tests, built by one compiler. `scripts/test.sh --report FILE` writes what ran; a report in
[results/platforms](../results/platforms) becomes rows by [platforms.py](../scripts/platforms.py). A system without a row has not been
reported. A test is skipped if it needs something that is not there, such as a GPU or a display; the report says what was not run.

<!-- commands
builds: scripts/test.sh --report FILE
-->

| system | processor | compiler | device | commit | date | what ran | passed | failed | skipped | command |
|---|---|---|---|---|---|---|---|---|---|---|
"""
OF_REPORT = ("system", "architecture", "processor", "device", "commit", "date", "command", "checks", "not_run")
OF_CHECK = ("name", "result", "compiler", "passed", "failed", "skipped")


def compiler(version):
    """'c++ (Debian 12.2.0-14) 12.2.0', which is g++ by its other name, is g++ 12.2.0; 'Debian clang version 14.0.6' is clang 14.0.6."""
    if found := re.search(r"clang version ([\d.]+)", version):
        return f"clang {found[1]}"
    return re.sub(r"^c\+\+", "g++", re.sub(r" *\([^)]*\)", "", version))


def rows(report):
    """Errors: KeyError, ValueError."""
    system, architecture, processor, device, commit, date, command, checks, _ = (report[key] for key in OF_REPORT)
    tests = [check for check in checks if "compiler" in check]
    if not tests:
        raise ValueError("no test ran")
    for check in tests:
        name, result, by, *counts = (check[key] for key in OF_CHECK)
        what = name if result == "passed" else f"{name}: FAILED"
        cells = (system, f"{processor} ({architecture})", compiler(by), device, commit, date, what, *counts, f"`{command}`")
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def page():
    """Errors: ValueError, with the report's name."""
    text = [HEAD.rstrip("\n")]
    for file in sorted(REPORTS.glob("*.json")):
        try:
            text += rows(json.loads(file.read_text(encoding="utf-8")))
        except KeyError as missing:
            raise ValueError(f"{file.name}: it lacks {missing}") from missing
        except (TypeError, ValueError) as error:
            raise ValueError(f"{file.name}: {error}") from error
    return "\n".join(text) + "\n"


def main():
    try:
        made = page()
    except ValueError as error:
        sys.exit(f"platforms.py: {error}")
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != made:
            sys.exit("platforms.py: docs/platforms.md was not made of results/platforms: run scripts/platforms.py")
    elif sys.argv[1:]:
        print("usage: platforms.py [--check]", file=sys.stderr)
        sys.exit(2)
    else:
        PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
