#!/usr/bin/env python3
"""Compares what the programs say to people with its Chinese, common/program/chinese.cpp.

Without an option: prints what has no Chinese yet, as rows for that file. --check, a test, refuses with status 1: a text of the sources without
a row; a row that no source has any more (those of libraries and of the system come last and are left alone); a row twice; a row whose
Chinese does not insert what its English does, or has a bare word that docs/glossary.zh.md forbids.

A text is found where it is given to one of CALLS, in common/ without the emulated GPU and the books' headers, and in the samples without
their kernels. What is inserted is `{}`: `fmt::format("{} needs {:.1f} GiB", …)` is "{} needs {} GiB", and `"no display: " + why` is
"no display: {}". Texts that reach such a call through a variable are not found, and have rows all the same: those must be literals of a source.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "common" / "program" / "chinese.cpp"
OF_OTHERS = "// ----- what libraries and the system say"
SAMPLES = sorted(main.parent.name for main in ROOT.glob("*/main.cpp"))
NOT_THESE = ("emulator/", "common/book/", "common/program/chinese.cpp")
# Calls whose arguments are shown to people. For a declaration (CommandLine line(…)), the type's name.
CALLS = re.compile(r"\b(?:UsageError|MachineError|OutOfMemory|CommandLine \w+|Progress \w+|note|option|flag|side|that|fail|refuse|require_memory|check_gl"
                   r"|check_spans|add_display_options|heat::program|in_language_of_user)\s*\(")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|#include[^\n]*|R"(\w*)\(.*?\)\1"|(?<![\w])\'(?:[^\'\\\n]|\\.)+\'|(?P<string>"(?:[^"\\\n]|\\.)*")', re.DOTALL)
INSERTED = re.compile(r"\{\d*(?::[^{}]*(?:\{\d*\}[^{}]*)*)?\}")
ROW = re.compile(r'^ *\{("(?:[^"\\\n]|\\.)*"),\s*("(?:[^"\\\n]|\\.)*")\},', re.MULTILINE)
# Words that mean something else without the word before them.
BARE = (re.compile("(?<!线程)(?<!温度)网格"), re.compile("(?<!线程)(?<!分)块"), re.compile("获取|抓取|取样"))


def sources():
    for folder in ("common", *SAMPLES):
        for file in sorted((ROOT / folder).rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            if file.suffix in (".hpp", ".cpp", ".cu", ".cuh") and "/kernels/" not in name and not name.startswith(NOT_THESE):
                yield name, file.read_text()


def without_comments(text):
    """The same with comments, includes, characters and raw strings blank, so that what is left in quotes is text."""
    return TOKEN.sub(lambda m: m[0] if m["string"] else re.sub(r"[^\n]", " ", m[0]), text)


def value(string):
    return re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), string[1:-1])


def pattern(text):
    return INSERTED.sub("{}", text).replace("{{", "{").replace("}}", "}").strip("\n")


def needs_chinese(text):
    """Whether there is a word in it, beside what is inserted, options and other names."""
    return text not in SAMPLES and re.search(r"[a-z]{2}", re.sub(r"\{\}|--[a-z-]+|\b\w*[_:0-9]\w*\b", " ", text)) is not None


def closing(text, begin):
    """The end of what the bracket before `begin` opens."""
    depth, i = 1, begin
    while depth:
        string = STRING.match(text, i)
        if string:
            i = string.end()
            continue
        depth += (text[i] in "([{") - (text[i] in ")]}")
        i += 1
    return i - 1


def split(text, separators):
    """Divides an expression at these characters, outside of brackets and strings."""
    parts, begin, i = [], 0, 0
    while i < len(text):
        string = STRING.match(text, i)
        if string:
            i = string.end()
        elif text[i] in "([{":
            i = closing(text, i + 1) + 1
        elif text[i] in separators and text[i:i + 2] != "::" and text[i - 1:i + 1] != "::":
            parts.append(text[begin:i])
            begin = i = i + 1
        else:
            i += 1
    return [*parts, text[begin:]]


def texts(expression):
    """The patterns of an expression, first its own: None if it is no text."""
    expression = expression.strip()
    if any(c in expression for c in "?") and len(branches := split(expression, "?:")) > 2:
        return [None, *(text for branch in branches[1:] for text in texts(branch))]
    if len(operands := split(expression, "+")) > 1:
        each = [texts(operand) for operand in operands]
        whole = "".join("{}" if of[0] is None else of[0] for of in each) if any(of[0] for of in each) else None
        return [whole, *(text for of in each for text in of[1:])]
    if re.fullmatch(rf"({STRING.pattern}\s*)+(#\w+)?", expression):
        parts = STRING.findall(expression)
        return [pattern("".join(map(value, parts))) + ("{}" if "#" in STRING.sub("", expression) else "")]
    call = re.match(r"(?:fmt::format|std::string|std::string_view)[({]", expression)
    if call and closing(expression, call.end()) == len(expression) - 1:
        first, *more = split(expression[call.end():-1], ",")
        return texts(first) + [text for argument in more for text in texts(argument)]
    return [None]


def said():
    """The texts that are given to CALLS, with the place of each."""
    found = {}
    for name, source in sources():
        source = without_comments(source)
        for call in CALLS.finditer(source):
            if source[:call.start()].endswith("class "):
                continue
            for argument in split(source[call.end():closing(source, call.end())], ","):
                for text in texts(argument):
                    if text:
                        found.setdefault(text, f"{name}:{source.count(chr(10), 0, call.start()) + 1}")
    return found


def literals():
    """Every text of the sources, whether or not it is shown, and those that returned and assigned expressions make of several."""
    found = set()
    for _, source in sources():
        source = without_comments(source)
        for run in re.finditer(rf"{STRING.pattern}(?:\s*{STRING.pattern})*", source):
            found.add(pattern("".join(map(value, STRING.findall(run[0])))))
        for begin in re.finditer(r"(?:\breturn|=)\s+(?=[\w:\"(][^;]*\+\s)", source):
            try:
                found.update(text for text in texts(split(source[begin.end():begin.end() + 2000], ";")[0]) if text)
            except IndexError:  # not the end of the expression
                pass
    return found


def check():
    table = TABLE.read_text()
    of_others = table.index(OF_OTHERS)
    rows = [(value(m[1]), value(m[2]), m.start()) for m in ROW.finditer(table)]
    english = {row[0] for row in rows}
    all_said = said()
    needed = {text: place for text, place in all_said.items() if needs_chinese(text)}
    known = literals() | all_said.keys()
    wrong = [f"{place}: no Chinese in {TABLE.name} for \"{text}\"" for text, place in needed.items() if text not in english]
    for i, (text, chinese, at) in enumerate(rows):
        where = f"{TABLE.name}:{table.count(chr(10), 0, at) + 1}: \"{text}\""
        if at < of_others and text not in known:
            wrong.append(f"{where} is in no source")
        if text in (row[0] for row in rows[:i]):
            wrong.append(f"{where} is there twice")
        inserted = re.findall(r"\{(\d*)\}", chinese)
        if sorted(int(n) if n else i for i, n in enumerate(inserted)) != list(range(text.count("{}"))):
            wrong.append(f"{where} is inserted otherwise in \"{chinese}\"")
        for bare in BARE:
            if bare.search(chinese):
                wrong.append(f"{where}: docs/glossary.zh.md has another word for \"{bare.search(chinese)[0]}\"")
    print("\n".join(wrong) if wrong else f"{len(rows)} rows, {len(needed)} of them found where they are said")
    return not wrong


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if check() else 1)
    have = {value(m[1]) for m in ROW.finditer(TABLE.read_text())} if TABLE.exists() else set()
    for text, place in said().items():
        if text not in have and needs_chinese(text):
            print(f'    // {place}\n    {{"{text}",\n     ""}},')
