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
    """One row for each kernel and launch, with the peers of the run, by the width of the grid."""
    measured = {}
    for result in report["results"] + report.get("peers", []):
        key = (result["kernel"], result.get("launch", ""))
        measured.setdefault(key, {})[result["width"]] = result
    return measured


def table(report):
    measured = rows(report)
    sizes = sorted({size for by_size in measured.values() for size in by_size})
    columns = [(None, "occupancy_percent", "occupancy, %"), (None, "registers", "registers")] if report["device"]["kind"] == "cuda" else []
    for size in sizes:
        columns += [(size, "ms", f"{size}²: ms"), (size, "ms_per_frame", "ms a frame"), (size, "gcells_per_s", "Gcells/s"),
                    (size, "percent_of_ceiling", "% of copy")]
    lines = ["| kernel | " + " | ".join(title for _, _, title in columns) + " |", "|---" + "|--:" * len(columns) + "|"]
    for (kernel, launch), by_size in measured.items():
        cells = [f"`{kernel}`" + (f", {launch}" if launch else "")]
        cells += [number(by_size.get(size or sizes[0], {}).get(name)) for size, name, _ in columns]
        lines.append("| " + " | ".join(cells) + " |")
    device = report["device"]
    who = device["name"] + (f", {device['threads']} threads" if "threads" in device else "")
    ceiling = report["ceilings"]["copy_gb_per_s"]
    return f"{who}; a copy in its memory, measured in the same run: {ceiling:.0f} GB/s.\n\n" + "\n".join(lines) + "\n"


def fill(match):
    begin, room, kind, _, end = match.groups()
    return begin + "\n".join(table(report) for report in reports(room, kind)) + end


for page in sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("*/README.md")):
    text = page.read_text()
    filled = MARKER.sub(fill, text)
    if filled != text:
        page.write_text(filled)
        print("wrote", page.relative_to(ROOT))
