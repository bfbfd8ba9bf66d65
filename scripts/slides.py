#!/usr/bin/env python3
"""Reads the decks of docs/course/slides/ and writes each as one page of Markdown for pandoc, see slides.sh.

A deck is NAME.md, NAME a sample. Each heading begins a slide: `# NAME`, the title, then `## …`. Comments stand for what is elsewhere:

    <!-- kernel: heat/kernels/3_fused.cuh fused_kernel
    from: const float4 cell
    to: right = tex1Dfetch
    -->

is a function or a structure of that file as it is there, or of its lines those from one that has the first text to the next that has the second;

    <!-- part: heat_notexture cuda 1
    rows: book graph; fused graph
    columns: kernel; 1024²: ms; % of ceiling
    -->

is part of the first table that tables.py makes by that name: the rows that begin with these words and the columns with these titles (`#2` behind one:
the second of that title), with the line of the device and its ceilings. And

    <!-- beside -->

puts the slide's figure on its left and the rest on its right. A figure FILE.svg#viewBox=X,Y,WIDTH,HEIGHT is that part of a drawing. What is not there any more, or does not fit on a slide, is refused with its line; so is a
deck that lacks one of the parts that each has: a kernel, a slide "Predict …" and behind it one "Measured …", "What it teaches" and "Exercises".
Figures in the text have their sources as on the pages (prose.py, which tables.py --check runs).
"""
import argparse
import pathlib
import re
import sys

import result_files
import tables

ROOT = result_files.ROOT
SLIDES = ROOT / "docs" / "course" / "slides"
LINES_AT_MOST, COLUMNS_AT_MOST = 21, 110  # of code: what fits at 20 pixels on 1280 × 720
ROWS_AT_MOST = 10
DECK = (10, 18)  # slides
HEADING = re.compile(r"^(#{1,2}) (.+)$", re.MULTILINE)
COMMENT = re.compile(r"<!-- (kernel|part): (.*?) ?\n?-->|<!-- (beside) -->|<!--.*?-->\n?", re.DOTALL)
CODE = re.compile(r"^```\w*\n(.*?)\n```", re.DOTALL | re.MULTILINE)
FIGURE = re.compile(r"^!\[(?P<alt>[^]]*)\]\((?P<file>[^)]+)\)$", re.MULTILINE)


class Wrong(Exception):
    """What is wrong with a line of a deck."""


def samples():
    return sorted(folder.parent.name for folder in ROOT.glob("*/kernels"))


def function_lines(lines, name):
    """(first, last) of the lines of a function or structure, from 0: from its template's or its own line to its closing brace."""
    text = "\n".join(lines)
    for match in re.finditer(rf"^struct {re.escape(name)} (?=\{{)", text, re.MULTILINE):
        return text.count("\n", 0, match.start()), text.count("\n", 0, closing(text, match.end(), "{}"))
    for match in re.finditer(rf"(?<![\w.>:]){re.escape(name)}\(", text):
        if "//" in text[text.rfind("\n", 0, match.start()) + 1:match.start()]:
            continue
        place = closing(text, match.end() - 1, "()")
        body = re.compile(r"\s*(?:const\s*)?\{").match(text, place)
        if not body:
            continue
        first = text.count("\n", 0, match.start())
        while first > 0 and lines[first - 1].strip() and not re.search(r"[;{}:]\s*(?://.*)?$|^\s*(?://|#)", lines[first - 1]):
            first -= 1
        return first, text.count("\n", 0, closing(text, body.end() - 1, "{}"))
    raise Wrong(f"no function {name}")


def closing(text, place, pair):
    """Where the bracket that opens at `place` is closed, and one on."""
    depth = 0
    for place in range(place, len(text)):
        depth += (text[place] == pair[0]) - (text[place] == pair[1])
        if depth == 0:
            return place + 1
    raise Wrong(f"a {pair[0]} that is not closed")


def options_of(text, *names):
    """The first line's words, and the values of the options in the others."""
    first, *others = text.strip().split("\n")
    options = {}
    for line in others:
        name, colon, value = line.partition(": ")
        if not colon or name not in names:
            raise Wrong(f"{line}: use one of {', '.join(names)}")
        options[name] = value.strip()
    return first.split(), options


def kernel(text):
    words, options = options_of(text, "from", "to")
    if len(words) != 2:
        raise Wrong("write kernel: FILE FUNCTION")
    file, name = words
    if not (ROOT / file).is_file():
        raise Wrong(f"no file {file}")
    lines = (ROOT / file).read_text(encoding="utf-8").split("\n")
    try:
        first, last = function_lines(lines, name)
        for option in ("from", "to"):
            if option in options:
                found = [i for i in range(first, last + 1) if options[option] in lines[i]]
                if not found:
                    raise Wrong(f"{name} has no line with {options[option]}")
                first, last = (found[0], last) if option == "from" else (first, found[0])
    except Wrong as error:
        raise Wrong(f"{file}: {error}") from error
    # A pragma is at the beginning of its line, whatever the indentation of the others.
    indent = min(len(line) - len(line.lstrip()) for line in lines[first:last + 1] if line.strip() and not line.startswith("#"))
    code = "\n".join(line if line.startswith("#") else line[indent:] for line in lines[first:last + 1])
    shown = code.split("\n")
    if len(shown) > LINES_AT_MOST:
        raise Wrong(f"{name}: {len(shown)} lines, {LINES_AT_MOST} fit; choose some by from: and to:")
    if max(map(len, shown)) > COLUMNS_AT_MOST:
        raise Wrong(f"{name}: a line of {max(map(len, shown))} columns, {COLUMNS_AT_MOST} fit")
    where = f"line {first + 1}" if first == last else f"lines {first + 1} to {last + 1}"
    return f"```cpp\n{code}\n```\n\n::: caption\n{file}, {where}\n:::"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def part(text):
    words, options = options_of(text, "rows", "columns")
    if len(words) != 3 or words[0] not in tables.LINES or words[1] not in tables.DEVICE or not words[2].isdigit() or set(options) != {"rows", "columns"}:
        raise Wrong("write part: TABLE cuda|cpu NUMBER, and rows and columns")
    name, kind, number = words
    report = tables.report_of(result_files.RESULTS / tables.DEVICE[kind], tables.REPORT.get(name, name))
    made = tables.table(name, report)
    device = made.partition("\n")[0].rstrip(".")
    found = list(re.finditer(r"(?:^([^|\n<][^\n]*)\n\n)?(?:<details>[^\n]*\n\n)?((?:^\|[^\n]*\n)+)", made, re.MULTILINE))
    if not 0 < int(number) <= len(found):
        raise Wrong(f"{name} has {len(found)} tables")
    title, lines = found[int(number) - 1].groups()
    head, _, *rows = map(cells_of, lines.strip().split("\n"))

    columns = []
    for column in filter(None, (word.strip() for word in options["columns"].split(";"))):
        wanted, _, which = column.partition("#")
        places = [place for place, of in enumerate(head) if of.replace("`", "") == wanted]
        if len(places) < int(which or 1):
            raise Wrong(f"{name} has no column {column}; it has {'; '.join(head)}")
        columns.append(places[int(which or 1) - 1])
    chosen = []
    for row in filter(None, (word.strip() for word in options["rows"].split(";"))):
        fitting = [cells for cells in rows if " ".join(cells).replace("`", "").startswith(row + " ")]
        if len(fitting) != 1:
            raise Wrong(f"{name} has {len(fitting) or 'no'} row{'s' if fitting else ''} {row}")
        chosen.append(fitting[0])
    if len(chosen) > ROWS_AT_MOST:
        raise Wrong(f"{len(chosen)} rows, {ROWS_AT_MOST} fit")
    is_number = [all(re.fullmatch(r"[\d.]*( \w+)?", cells[place]) for cells in chosen) for place in columns]
    written = ["| " + " | ".join(head[place] for place in columns) + " |", "|" + "|".join("--:" if is_number[i] else "---" for i in range(len(columns))) + "|"]
    written += ["| " + " | ".join(cells[place] for place in columns) + " |" for cells in chosen]
    caption = (title.rstrip(":").rstrip(".") + ". " if title and title.rstrip(".") != device else "") + device + "."
    return "\n".join(written) + f"\n\n::: caption\n{caption}\n:::"


def code_size(filled):
    """How large a slide's code can be, in pixels: 20 to 26, by its columns, its lines and the lines of text beside it."""
    code = "\n".join(match[1] for match in CODE.finditer(filled)).split("\n")
    beside = sum(1 + len(line) // 80 for line in CODE.sub("", filled).split("\n") if line and not line.startswith(":::"))
    height = 24.8 * LINES_AT_MOST - 48 * beside
    return max(20, min(26, int(1190 / (0.542 * max(map(len, code)) + 1e-9)), int(height / 1.24 / len(code))))


def slides_of(text):
    """(line, level, title, body) of each slide; a heading inside a block of code is none."""
    code = [match.span() for match in re.finditer(r"^```.*?^```", text, re.DOTALL | re.MULTILINE)]
    headings = [match for match in HEADING.finditer(text) if not any(begin < match.start() < end for begin, end in code)]
    for match, end in zip(headings, [match.start() for match in headings[1:]] + [len(text)]):
        yield text.count("\n", 0, match.start()) + 1, len(match[1]), match[2], text[match.end():end]


def cropped(file, box, out):
    """A part of a drawing, as a file of its own in the folder `out`, or nowhere if there is none."""
    head = re.match(r'<svg xmlns="[^"]*" viewBox="0 0 (\d+) (\d+)" width="\d+" height="\d+"', file.read_text(encoding="utf-8"))
    x, y, width, height = box
    if not head or x + width > int(head[1]) or y + height > int(head[2]):
        raise Wrong(f"{file.name} has no part {','.join(map(str, box))}")
    if not out:
        return file
    part_of = out / f"{file.stem}-{x}-{y}-{width}-{height}.svg"
    text = file.read_text(encoding="utf-8")
    part_of.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" width="{width}" height="{height}"' + text[head.end():], encoding="utf-8")
    return part_of


def slide(deck, out, line, level, title, body, refuse):
    """A slide as pandoc wants it."""
    beside, kinds = False, set()

    def put(match):
        nonlocal beside
        kind, words, is_beside = match.groups()
        if is_beside:
            beside = True
        if not kind:
            return ""
        kinds.add(kind)
        try:
            return (kernel if kind == "kernel" else part)(words)
        except Wrong as error:
            refuse(line + body.count("\n", 0, match.start()), str(error))
            return ""

    def figure(match):
        kinds.add("figure")
        name, _, box = match["file"].partition("#viewBox=")
        file = (deck.parent / name).resolve()
        try:
            if not file.is_file():
                raise Wrong(f"no file {name}")
            if box:
                file = cropped(file, [int(number) for number in box.split(",")], out)
        except (Wrong, ValueError) as error:
            refuse(line + body.count("\n", 0, match.start()), str(error))
        if not match["alt"]:
            refuse(line + body.count("\n", 0, match.start()), "a figure without a text in its place")
        return f"::: figure\n![{match['alt']}]({file})\n:::"

    # A comment may become code with brackets of its own, so figures come first.
    filled = COMMENT.sub(put, FIGURE.sub(figure, body)).strip()
    if not filled and not kinds:
        refuse(line, "an empty slide")
    if beside:
        first = re.search(r"::: figure\n.*?\n:::", filled, re.DOTALL)
        if first:
            filled = f"{first[0]}\n\n::::: rest\n{(filled[:first.start()] + filled[first.end():]).strip()}\n:::::"
        else:
            refuse(line, "nothing to put beside the rest: it has no figure")
    size = code_size(filled)
    classes = ["slide", f"size{size}"] + [name for name in ("predict", "measured") if title.lower().startswith(f"{name}:")]
    classes += (["title"] if level == 1 else ["beside"] if beside else [] if kinds or "```" in filled or "\n|" in filled else ["plain"])
    return f":::::::: {{{' '.join('.' + name for name in classes)}}}\n{'#' * level} {title}\n\n{filled}\n::::::::\n", kinds


def deck_of(file, out=None):
    """(Markdown, refusals) of a deck; refusals are (line, what is wrong)."""
    refused, written, kinds = [], [], []
    text = file.read_text(encoding="utf-8")

    def refuse(line, what):
        refused.append((line, what))

    slides = list(slides_of(text))
    for line, level, title, body in slides:
        if (level == 1) != (not written):
            refuse(line, "a deck begins with its title, the only # heading")
        markdown, of_slide = slide(file, out, line, level, title, body, refuse)
        written.append(markdown)
        kinds.append(of_slide)
    if not DECK[0] <= len(slides) <= DECK[1]:
        refuse(1, f"{len(slides)} slides; there must be {DECK[0]} to {DECK[1]}")
    if not any("kernel" in of_slide for of_slide in kinds):
        refuse(1, "no kernel")
    names = [title.partition(":")[0] for _, _, title, _ in slides]
    for name in ("What it teaches", "Exercises"):
        if name not in names:
            refuse(1, f"no slide {name}")
    predicted = [i for i, name in enumerate(names) if name == "Predict"]
    if not predicted:
        refuse(1, "no slide Predict")
    for i in predicted:
        if "Measured" not in names[i + 1:i + 4]:
            refuse(slides[i][0], "no slide Measured behind this one")
    for i, name in enumerate(names):
        if name == "Measured" and not kinds[i] & {"part", "figure"} and "\n|" not in slides[i][3]:
            refuse(slides[i][0], "measured, and neither a table nor a figure")
    return "\n".join(written), sorted(refused)


def decks():
    return [SLIDES / f"{name}.md" for name in samples()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; refuse what is wrong")
    parser.add_argument("--out", type=pathlib.Path, help="the folder for the Markdown")
    parser.add_argument("deck", nargs="*", type=pathlib.Path, help="a deck; without, one for each sample")
    arguments = parser.parse_args()
    failed = False
    for file in arguments.deck or decks():
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        if not file.is_file():
            print(f"{name}: no such deck", file=sys.stderr)
            failed = True
            continue
        markdown, refused = deck_of(file.resolve(), arguments.out)
        for line, what in refused:
            print(f"{name}:{line}: {what}", file=sys.stderr)
        failed = failed or bool(refused)
        if arguments.out and not refused:
            (arguments.out / file.name).write_text(markdown, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
