"""Says which figures in the prose of a page do not come from results/.

A page names the sources of its figures in comments, which no reader sees, below the paragraph, table or section that they are in:

    <!-- figures
    48.7 ms = heat[surface graph 8192: ms]
    1.05 times = heat[surface graph 8192: ms] / heat[texture2d graph 8192: ms]
    rows of heat-on-the-way-nvidia-h200
    -->

To the left stands the figure as it is in the text between the comment, or the heading, before and this one; to the right where it
comes from: numbers, + - * / ** ( ) min max, and figures of a file, FILE[WORDS: FIELD]. FILE is a report of the H200 (heat), of
another device (amd-epyc/heat) or a file of results/ (matmul-alone-nvidia-h200). The words choose its row: each is the value of
one of the row's fields, or says of which, width=8192; the first is the kernel, where there is one; #2 at the end is the second of
those that remain. `ceilings` is the row of a report's ceilings. The figure must be the value, rounded to the figure's last digit.
`rows of FILE` says that the figures of a table written by hand are all in that file.

A number of three or more significant digits must have a source if it has a unit or a decimal point. In a table written by hand, the
unit is in the title of the column. A version (CUDA 12.0) is no figure, and what is in backticks is a quotation.
"""
import ast
import csv
import functools
import json
import operator
import re
import shlex

import result_files

UNIT = (r"(?:ms|µs|ns|s|seconds|times|%|cycles|frames/s|frames a second|[kMGT]?B/s|[GT]? ?FLOP/s|[GT] ?(?:cells|texels|words|elements|pixels|fetches)?(?:/s| a second)"
        r"|[GT] ?cells|T)(?![\w/])")
NUMBER = r"(?<![\w.,^−-])\d+(?:\.\d+)?(?![\w²³⁰-⁹^]|\.\d)"
DECIMAL = NUMBER.replace(r"(?:\.\d+)?", r"\.\d+")
FIGURE = re.compile(rf"{NUMBER}(?=(?:(?:,| to| and| or| instead of| in place of| against) {NUMBER})* ?{UNIT})|{DECIMAL}")
TITLE_UNIT = re.compile(rf"(?<!\w){UNIT}")
SOURCES = re.compile(r"<!-- figures\n(.*?)-->", re.DOTALL)
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
UNREAD = re.compile(r"<!-- table: .*?<!-- end -->|<!--.*?-->|^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)", re.DOTALL | re.MULTILINE)
VERSION = re.compile(r"(?:CUDA|NCCL|Ubuntu|section|clang\+\+|version) $")
HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
FROM_FILE = re.compile(r"([\w./-]+)\[([^\]:]*): ([^\]]+)\]")
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow}


class Wrong(Exception):
    """What is wrong with a source."""


def significant(text):
    """The significant digits of a number as it is written; zeros at the end of a whole number may be none."""
    digits = text.replace(".", "").lstrip("0")
    return len(digits if "." in text else digits.rstrip("0"))


def rounds_to(value, text):
    """Whether a value, rounded to the last digit of a number as it is written, is that number."""
    if "." in text:
        step = 10.0 ** -len(text.partition(".")[2])
    else:
        step = 10.0 ** (len(text) - len(text.rstrip("0"))) if text.strip("0") else 1
    return abs(value - float(text)) <= step / 2 * (1 + 1e-9)


@functools.lru_cache(None)
def rows_of(name):
    """The rows of a file of results/: of a report all its lists and groups, of a CSV its lines."""
    for path in (result_files.RESULTS / f"{name}.csv", result_files.RESULTS / "clusters" / f"{name}.csv"):
        if path.exists():
            with open(path, encoding="utf-8") as file:
                return list(csv.DictReader(file))
    folder, _, program = name.rpartition("/")
    folder = result_files.RESULTS / (folder or "nvidia-h200")
    rows = []

    def collect(value, words):
        if isinstance(value, dict):
            rows.append({**words, **{key: of for key, of in value.items() if not isinstance(of, (dict, list))}})
        for key, of in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(of, (dict, list)):
                collect(of, words | ({"row": key} if isinstance(key, str) and key != "results" else {}))

    for file in result_files.files_of(folder, program):
        collect(json.loads(file.read_text()), {})
    if not rows:
        raise Wrong(f"results/ has no {name}")
    return rows


def value_of(name, words, field):
    """The value of a field in the row that some words choose."""
    def chosen(row):
        for place, word in enumerate(words):
            key, equals, value = word.partition("=")
            if place == 0 and "kernel" in row and not equals:
                key, equals, value = "kernel", "=", word
            if str(row.get(key)) != value if equals else word not in map(str, row.values()):
                return False
        return True

    words, which = shlex.split(words), None
    if words and re.fullmatch(r"#\d+", words[-1]):
        which = int(words.pop()[1:])
    values = [row[field] for row in rows_of(name) if row.get(field) not in (None, "") and chosen(row)]
    values = values[which - 1:which] if which else sorted(set(values))
    if len(values) != 1:
        raise Wrong(f"{name}[{' '.join(words)}: {field}] has {len(values) or 'no'} value{'s' if values else ''}")
    return float(values[0])


def calculated(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](calculated(node.left), calculated(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        return (min if node.func.id == "min" else max)(calculated(argument) for argument in node.args)
    raise Wrong("it is no calculation")


def value_from(source):
    """What a source says; a number alone is none."""
    try:
        tree = ast.parse(FROM_FILE.sub(lambda match: repr(value_of(*match.groups())), source.strip()), mode="eval").body
    except SyntaxError as error:
        raise Wrong("it is no calculation") from error
    if isinstance(tree, ast.Constant) and not FROM_FILE.search(source):
        raise Wrong("a number is no source")
    return calculated(tree)


def numbers_of(name):
    """All numbers of a file."""
    numbers = set()
    for row in rows_of(name):
        for value in row.values():
            try:
                numbers.add(float(value))
            except (TypeError, ValueError):
                pass
    return numbers


def table_cells(text):
    """(begin, number) of the numbers of a table by hand that stand in a column whose title has a unit."""
    titles = []
    for line in re.finditer(r"^\|(.*)\|$", text, re.MULTILINE):
        begin = line.start(1)
        cells = line[1].split("|")
        if text[:line.start()].rstrip(" ").endswith("\n\n") or line.start() == 0:
            titles = cells
        for column, cell in enumerate(cells):
            if cells is not titles and column < len(titles) and TITLE_UNIT.search(titles[column]):
                yield from ((begin + match.start(), match[0]) for match in re.finditer(NUMBER, cell))
            begin += len(cell) + 1


def is_version(text, begin, number):
    return VERSION.search(text[:begin]) or re.match(" or (later|newer)", text[begin + len(number):])


def figures_of(text):
    """(begin, number) of all that need a source."""
    found = {match.start(): match[0] for match in FIGURE.finditer(text)} | dict(table_cells(text))
    return [(begin, number) for begin, number in sorted(found.items()) if significant(number) >= 3 and not is_version(text, begin, number)]


def refusals(page):
    """(line, what is wrong) of a page's figures."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    text, outside_code = UNREAD.sub(blank, page), CODE.sub(blank, page)
    refused = []

    def refuse(position, what):
        refused.append((page.count("\n", 0, position) + 1, what))

    def check(begin, end, sources):
        part, covered, files = text[begin:end], set(), []
        for line in re.finditer(r"^(.+)$", sources[1], re.MULTILINE) if sources else ():
            at = sources.start(1) + line.start()
            try:
                if line[1].startswith("rows of "):
                    files.append(numbers_of(line[1].removeprefix("rows of ").strip()))
                    continue
                figure, equals, source = (side.strip() for side in line[1].partition(" = "))
                number = re.search(r"\d+(?:\.\d+)?", figure)
                if not equals or not number:
                    raise Wrong("write FIGURE = SOURCE, or rows of FILE")
                pattern = r"\s+".join(re.escape(word) for word in figure.split())
                places = [match.start() for match in re.finditer(rf"(?<![\d.]){pattern}(?!\d|\.\d|[²³])", part)]
                if not places:
                    raise Wrong("it does not stand in the text above")
                covered.update(place + number.start() for place in places)
                value = value_from(source)
                if not rounds_to(value, number[0]):
                    refuse(begin + places[0], f"{figure}: {source} is {value:.5g}")
            except (Wrong, ArithmeticError) as error:
                refuse(at, f"{line[1].strip()}: {error}")
        for place, number in figures_of(part):
            if place not in covered and not (part[part.rfind("\n", 0, place) + 1] == "|" and any(rounds_to(value, number) for values in files for value in values)):
                refuse(begin + place, f"{number} has no source in results/")

    begin = 0
    for match in sorted([*SOURCES.finditer(outside_code), *HEADING.finditer(text)], key=lambda match: match.start()):
        check(begin, match.start(), match if match.re is SOURCES else None)
        begin = match.end()
    check(begin, len(page), None)
    return sorted(refused)
