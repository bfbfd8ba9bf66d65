#!/usr/bin/env bash
# scripts/tables.py --check: every table and figure of the pages is from results/, and others are refused with their
# line. Also, no lecture page is too long.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
python3 scripts/tables.py --check
for kernels in */kernels; do
  page=${kernels%/*}/README.md words=$(wc -w <"${kernels%/*}/README.md")
  [ "$words" -le 2500 ] || { echo "$page: $words words; a lecture page has at most 2500, and docs/notebook/ the rest" && exit 1; }
done
PYTHONPATH=scripts python3 - <<'PYTHON'
import pathlib
import re

import prose
import result_files
import tables

steps = prose.value_of("heat", "surface graph 8192", "ms")
right = f"{steps:.3g}"
wrong = f"{float(right) + 0.1:.3g}"
source = "heat[surface graph 8192: ms]"


def refused(page):
    return [f"{line}: {what}" for line, what in prose.refusals(page)]


def sourced(text, *sources):
    return f"# A page\n\n{text}\n\n<!-- figures\n" + "\n".join(sources) + "\n-->\n"


assert refused(sourced(f"It takes {right} ms.", f"{right} ms = {source}")) == []
assert refused(sourced(f"It takes {wrong} ms.", f"{wrong} ms = {source}")) == [f"3: {wrong} ms: {source} is {steps:.5g}"]
no_source = f"{right} has no source in results/"
assert refused(f"# A page\n\nIt takes {right} ms.\n") == [f"3: {no_source}"]
assert refused(sourced("Nothing.", f"{right} ms = {source}")) == [f"6: {right} ms = {source}: it does not stand in the text above"]
# A source is for the paragraphs before it under the same heading, not for paragraphs after it or under another heading.
assert refused(sourced(f"It takes {right} ms.", f"{right} ms = {source}") + f"\nAgain {right} ms.\n") == [f"9: {no_source}"]
assert refused(f"# One\n\n{right} ms\n\n## Two\n\n{right} ms\n\n<!-- figures\n{right} ms = {source}\n-->\n") == [f"3: {no_source}"]
# Invalid sources.
assert refused(sourced("It takes 4.41 ms.", "4.41 ms = 4.41"))[0].endswith("a number is no source")
assert "no value" in refused(sourced("It takes 4.41 ms.", "4.41 ms = heat[surface graph 8191: ms]"))[-1]
assert "2 values" in refused(sourced("It takes 4.41 ms.", "4.41 ms = heat[surface 8192: ms]"))[-1]
assert "results/ has no" in refused(sourced("It takes 4.41 ms.", "4.41 ms = cold[surface: ms]"))[-1]
assert "no calculation" in refused(sourced("It takes 4.41 ms.", "4.41 ms = open('x')"))[-1]
# A number with three digits and a unit or a decimal point needs a source.
for figure in ("123 µs", "4567 GB/s", "1.23 times", "211 TFLOP/s", "134 and 12 %", "a rate of 4.41 or so", "2360 Gcells/s", "10651 frames/s", "3.45 % more"):
    assert len(refused(f"It is {figure}.\n")) == 1, figure
for text in ("12 ms", "100 %", "1024² cells", "CUDA 12.0", "section 10.4.1", "`4.41 ms`", "[a](b-4.41.md)", "```\n4.41 ms\n```", "```\n<!-- figures\n4.41 ms = 4\n-->\n```", "8192 MB"):
    assert refused(f"{text}\n") == [], text
# Tables written by hand, and tables of results/.
by_hand = "| kernel | 8192²: ms |\n|---|--:|\n| `surface` | {} |\n"
assert refused(by_hand.format(right)) == [f"3: {no_source}"]
assert refused(by_hand.format(right) + "\n<!-- figures\nrows of heat\n-->\n") == []
assert refused(by_hand.format("98765.4") + "\n<!-- figures\nrows of heat\n-->\n") == ["3: 98765.4 has no source in results/"]
page = (result_files.ROOT / "heat" / "README.md").read_text()
begin = tables.MARKER.search(page)
assert tables.fill(begin) == begin[0]
assert tables.fill(tables.MARKER.search(re.sub(r"(\| `book` .*\| )\d", r"\g<1>x", begin[0]))) != re.sub(r"(\| `book` .*\| )\d", r"\g<1>x", begin[0])
# A long table is folded, and remains a table.
rows = ["| a |", "|---|"] + [f"| {i} |" for i in range(16)]
assert list(tables.folded(["caption:", "", *rows])) == ["caption:", "", "<details><summary>The table, 16 rows</summary>", "", *rows, "", "</details>"]
assert list(tables.folded(rows[:-1])) == rows[:-1]
PYTHON
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '# A page\n\nIt takes 4.41 ms.\n' >"$folder/page.md"
if said=$(python3 scripts/tables.py --check "$folder/page.md" 2>&1) || [ "$said" != "$folder/page.md:3: 4.41 has no source in results/" ]; then
  echo "FAILED: $said"
  exit 1
fi
echo "passed"
