#!/usr/bin/env python3
"""Makes the tables of the lecture pages from results/*.json.

Each page says where its table stands: between `<!-- table: ROOM KIND -->` and `<!-- end -->`, where ROOM is a report
of the JSON files and KIND is cuda or cpu. Run it again after a measurement; it writes only what has changed.
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKER = re.compile(r"(<!-- table: (\w+) (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def reports(room, kind):
    """The committed reports of a room on devices of a kind."""
    for path in sorted((ROOT / "results").glob("*.json")):
        report = json.loads(path.read_text()).get(room)
        if report and report["device"]["kind"] == kind:
            yield report


def number(value):
    if value is None:
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def rows(report):
    """One row for each kernel and launch, with the peers of the run, and four figures for each size."""
    measured = {}
    for result in report["results"] + report.get("peers", []):
        key = (result["kernel"], result.get("launch", ""))
        measured.setdefault(key, {})[result["width"]] = result
    return measured


def table(report):
    measured = rows(report)
    sizes = sorted({size for by_size in measured.values() for size in by_size})
    figures = [("ms", "ms"), ("ms_per_frame", "ms a frame"), ("gcells_per_s", "Gcells/s"), ("percent_of_ceiling", "% of copy")]
    head = ["kernel"] + [f"{size}²: {title}" if i == 0 else title for size in sizes for i, (_, title) in enumerate(figures)]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    for (kernel, launch), by_size in measured.items():
        cells = [f"`{kernel}`" + (f", {launch}" if launch else "")]
        cells += [number(by_size.get(size, {}).get(name)) for size in sizes for name, _ in figures]
        lines.append("| " + " | ".join(cells) + " |")
    ceiling = report["ceilings"]["copy_gb_per_s"]
    note = f"{report['device']['name']}, {report['device'].get('threads', '')} threads" if "threads" in report["device"] else report["device"]["name"]
    return f"{note}; a copy in its memory, measured in the same run: {ceiling:.0f} GB/s.\n\n" + "\n".join(lines) + "\n"


def fill(match):
    begin, room, kind, _, end = match.groups()
    return begin + "\n".join(table(report) for report in reports(room, kind)) + end


for page in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("*/README.md")):
    text = page.read_text()
    filled = MARKER.sub(fill, text)
    if filled != text:
        page.write_text(filled)
        print("wrote", page.relative_to(ROOT))
