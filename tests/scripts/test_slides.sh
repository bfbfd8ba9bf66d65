#!/usr/bin/env bash
# test_slides.sh [made]: the decks of docs/course/slides/ are complete, and scripts/slides.py refuses incomplete decks.
# With `made`, scripts/slides.sh makes the decks; without PyPI or Chromium, the test then ends with status 77, as
# skipped.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PYTHONDONTWRITEBYTECODE=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [ "${1:-}" = made ]; then
  status=0
  scripts/slides.sh "$folder/decks" >"$folder/said" 2>&1 || status=$?
  cat "$folder/said"
  if [ $status = 3 ]; then
    echo "skipped: $(tail -n 1 "$folder/said")"
    exit 77
  fi
  [ $status = 0 ] || { echo "FAILED: slides.sh ended with status $status" && exit 1; }
  for deck in docs/course/slides/*.md; do
    name=$(basename "$deck" .md)
    page=$folder/decks/$name.html
    [ -s "$folder/decks/$name.pdf" ] || { echo "FAILED: no $name.pdf" && exit 1; }
    # Self-contained: nothing is loaded from elsewhere, and no mark of the sources is left.
    if grep -qE '(src|href)="(https?:|file:|/|\.\.)' "$page"; then echo "FAILED: $name.html loads a file" && exit 1; fi
    if grep -qE '<!-- (kernel|part|beside)|^:::' "$page"; then echo "FAILED: $name.html has marks of its source" && exit 1; fi
  done
  echo "passed"
  exit
fi

python3 scripts/slides.py --check
samples=$(for kernels in */kernels; do dirname "$kernels"; done | sort | xargs)
decks=$(for deck in docs/course/slides/*.md; do basename "$deck" .md; done | sort | xargs)
[ "$samples" = "$decks" ] || { echo "FAILED: decks of $decks for the samples $samples" && exit 1; }
PYTHONPATH=scripts DECK=$folder/deck.md python3 - <<'PYTHON'
import os
import pathlib

import slides
import tables

file = pathlib.Path(os.environ["DECK"])
whole = (slides.SLIDES / "heat_notexture.md").read_text(encoding="utf-8").replace("](../../", f"]({slides.ROOT}/docs/").replace(f"{slides.ROOT}/docs/../", f"{slides.ROOT}/")


def refused(text):
    file.write_text(text, encoding="utf-8")
    return [what for _, what in slides.deck_of(file)[1]]


def refused_after(old, new):
    assert old in whole, old
    return refused(whole.replace(old, new, 1))


assert refused(whole) == [], refused(whole)
# References to files, functions, rows, columns and tables that do not exist.
assert refused_after("2_blend.cuh blend_kernel", "2_blend.cuh blond_kernel") == ["heat_notexture/kernels/2_blend.cuh: no function blond_kernel"]
assert refused_after("2_blend.cuh blend_kernel", "2_bland.cuh blend_kernel") == ["no file heat_notexture/kernels/2_bland.cuh"]
assert refused_after("from: const size_t offset", "from: const size_t offsets") == ["heat_notexture/kernels/3_fused.cuh: fused_kernel has no line with const size_t offsets"]
assert refused_after("heat-stencil.svg", "heat-pencil.svg")[0].startswith("no file ")
assert refused_after("rows: book as in the text;", "rows: book of the text;") == ["heat_notexture has no row book of the text"]
assert refused_after("rows: book as in the text;", "rows: book;") == ["heat_notexture has 2 rows book"]
assert refused_after("columns: kernel; launch; 1024²: ms;", "columns: kernel; launch; 1025²: ms;")[0].startswith("heat_notexture has no column 1025²: ms")
assert refused_after("part: heat_notexture cuda 1", "part: heat_notexture cuda 9") == ["heat_notexture has 3 tables"]
assert refused_after("rows: book as in the text", "lines: book as in the text")[0].startswith("lines: book as in the text; book graph: use one of ")
assert refused_after("![A cell and its four neighbours, numbered in the order of the additions: top, bottom, left, right]", "![]") == ["a figure without a text in its place"]
assert refused_after("heat-stencil.svg", "heat-stencil.svg#viewBox=0,0,1280,9999") == ["heat-stencil.svg has no part 0,0,1280,9999"]
# Incomplete decks.
assert refused_after("## Exercises", "## More") == ["no slide Exercises"]
assert refused_after("## What it teaches", "## The end") == ["no slide What it teaches"]
assert refused(whole.replace("## Predict:", "## Guess:")) == ["no slide Predict"]
assert "no slide Measured behind this one" in refused(whole.replace("## Measured:", "## Counted:"))
assert refused("# A\n\nText.\n\n## B\n")[-1] == "an empty slide"
assert any("there must be 10 to 18" in what for what in refused("# A\n\nText.\n"))
# A function that does not fit on a slide.
assert refused_after("4_tiled.cuh tiled_kernel\nfrom: for (int ty = threadIdx.y\nto: const float sum\n", "4_tiled.cuh tiled_kernel ")[0].startswith("tiled_kernel: 26 lines")

# The text of a function on a slide is the complete text in its file.
for source in slides.ROOT.glob("*/kernels/*.cuh"):
    lines = source.read_text(encoding="utf-8").split("\n")
    for name in slides.re.findall(r"(\w+_kernel)\(", "\n".join(line for line in lines if not line.lstrip().startswith("//"))):
        first, last = slides.function_lines(lines, name)
        text = "\n".join(lines[first:last + 1])
        assert text.startswith(("template <", "__global__ ")) and text.endswith("\n}") and text.count("{") == text.count("}"), (source, name, text)
code = slides.kernel("heat/kernels/3_fused.cuh fused_kernel\nfrom: float left = __shfl\nto: if (threadIdx.x == 0)")
at = (slides.ROOT / "heat/kernels/3_fused.cuh").read_text(encoding="utf-8").split("\n").index("    float left = __shfl_up_sync(lanes, cell.w, 1);") + 1
assert code.startswith("```cpp\nfloat left = __shfl_up_sync(lanes, cell.w, 1);\nif (threadIdx.x == 0) left") and code.endswith(f"heat/kernels/3_fused.cuh, lines {at} to {at + 1}\n:::"), code

# The course's page counts the slides, and a deck names all exercises of its sample.
course = (slides.ROOT / "docs/course/README.md").read_text(encoding="utf-8")
exercises = (slides.ROOT / "exercises/README.md").read_text(encoding="utf-8")
for name in slides.samples():
    deck = (slides.SLIDES / f"{name}.md").read_text(encoding="utf-8")
    count = len(list(slides.slides_of(deck)))
    assert f"[{count} slides](slides/{name}.md)" in course, f"docs/course/README.md does not say that {name} has {count} slides"
    for number in slides.re.findall(rf"^\| \[0*(\d+)_.*\[{name}\]", exercises, slides.re.MULTILINE):
        assert f"`{number}`" in deck or f"exercise.sh {number}`" in deck, f"the deck of {name} does not name exercise {number}"

# A number on a slide without a source is refused, by the check of the pages.
assert all(slides.SLIDES / f"{name}.md" in tables.pages() for name in slides.samples())
PYTHON
printf '# A deck\n\n## A slide\n\nIt takes 4.41 ms.\n' >"$folder/deck.md"
if said=$(python3 scripts/tables.py --check "$folder/deck.md" 2>&1) || [ "$said" != "$folder/deck.md:5: 4.41 has no source in results/" ]; then
  echo "FAILED: $said"
  exit 1
fi
if said=$(python3 scripts/slides.py --check "$folder/none.md" 2>&1) || [ "$said" != "$folder/none.md: no such deck" ]; then
  echo "FAILED: $said"
  exit 1
fi
echo "passed"
