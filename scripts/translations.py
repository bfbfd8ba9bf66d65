#!/usr/bin/env python3
"""Says how the Chinese pages stand beside the English ones: X.zh.md beside X.md.

Without an option: a line for each page, whether its translation is up to date, older than the English text, or missing. A page in Chinese
begins with a link to the English one and a stamp, `<!-- translation of X.md, CHECKSUM -->`: the CRC-32 of the English text that was
translated, without the generated tables and the comments, which no translator writes. --stamp FILE... renews it, once the Chinese text says
again what the English one does; --link FILE... turns links to English pages into links to their translations.

--check refuses, with status 1: a page without its stamp, or whose English page does not link to it; a figure (a number of three or more
significant digits) or a command that is not on the English page; a command that it lacks, unless it is older; a link, an anchor or an image that does not exist; a line break between Chinese
characters, which a browser shows as a space; and generated tables that are not those of the English page (scripts/tables.py makes both). A page
that is merely older passes, and is named, as is one that --link would change. Pages may be named.
"""
import argparse
import collections
import pathlib
import re
import sys
import urllib.parse
import zlib

import commands
import prose
import result_files
import tables

ROOT = result_files.ROOT
SAMPLES = ("heat_notexture", "heat", "tex1dfetch_big", "tex1dfetch_int2float", "matmul", "texture_unit", "access_patterns", "occupancy")
STAMP = re.compile(r"<!-- translation of (\S+), ([0-9a-f]{8}|CHECKSUM) -->")
COMMENT = re.compile(r"\n\n *<!-- commands\n.*?-->|<!--.*?-->", re.DOTALL)
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)|\b(?:src|href)=\"([^\"]+)\"")
MARKDOWN_LINK = re.compile(r"(\]\()([^)#\s]+\.md)(?=[)#])")
CHINESE = "[\u2e80-\u9fff\u3000-\u303f\uff00-\uffef]"
BROKEN = re.compile(rf"^(?![#|<]).*{CHINESE}\n(?={CHINESE})", re.MULTILINE)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")


def wanted():
    """The English pages that are to have a translation."""
    return [ROOT / "README.md", *(ROOT / sample / "README.md" for sample in SAMPLES), ROOT / "docs" / "options.md", ROOT / "docs" / "glossary.md",
            *(page for page in sorted((ROOT / "docs" / "course").glob("*.md")) if not tables.is_chinese(page))]


def translated():
    return [page for pattern in ("*.zh.md", "*/*.zh.md", "docs/*/*.zh.md") for page in sorted(ROOT.glob(pattern))]


def name_of(page):
    return page.relative_to(ROOT) if page.is_relative_to(ROOT) else page


def english_of(page):
    return page.with_name(page.name.removesuffix(".zh.md") + ".md")


def chinese_of(page):
    return page.with_name(page.name.removesuffix(".md") + ".zh.md")


def read(page):
    return page.read_text(encoding="utf-8")


def checksum(english):
    """Of the text that a translator reads."""
    text = COMMENT.sub("", tables.MARKER.sub(r"\1\5", english))
    return f"{zlib.crc32(text.encode()):08x}"


def is_older(page):
    stamp = STAMP.search(read(page))
    return bool(stamp) and stamp[2] != checksum(read(english_of(page)))


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def anchors(page):
    """What a link to a page may end in: its explicit anchors, and those that GitHub makes of its headings."""
    text = read(page)
    found = set(ANCHOR.findall(text))
    for heading in re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"<[^>]*>", "", heading))
        slug = base = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        number = 0
        while slug in found:
            number += 1
            slug = f"{base}-{number}"
        found.add(slug)
    return found


def wrong_links(page, text):
    """(position, what is wrong) of a page's links and images."""
    for match in LINK.finditer(CODE.sub(blank, text)):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = urllib.parse.unquote(target).partition("#")
        file = page.parent / path if path else page
        if not file.exists():
            yield match.start(), f"{target} does not exist"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield match.start(), f"{target}: the page has no such anchor"


def wrong_tables(page, english):
    """(position, what is wrong) of a page's generated tables, whose words are Chinese and whose numbers are the English page's."""
    def numbers(table):
        return collections.Counter(NUMBER.findall(table[4]))

    here, there = ({table[1].strip(): table for table in tables.MARKER.finditer(text)} for text in (page, english))
    for marker, table in here.items():
        if marker not in there:
            yield table.start(), "the English page has no such table"
        elif numbers(table) != numbers(there[marker]):
            yield table.start(), "the table is not the English page's: run scripts/tables.py"
    for marker in there:
        if marker not in here:
            yield 0, f"it lacks the English page's table {marker}"


def wrong_commands(page):
    """(line, what is wrong) of a page's commands: they are the English page's, all of them unless the page is older."""
    here, there = (commands.read(one)[0] for one in (page, english_of(page)))
    known = {command.text for command in there}
    for command in here:
        if command.text not in known:
            yield command.line, f"the English page has no command {command.text}"
    if not is_older(page):
        for text in known - {command.text for command in here}:
            yield 1, f"it lacks the English page's command {text}"


def check(page):
    """(line, what is wrong) of a page in Chinese."""
    english = english_of(page)
    if not english.exists():
        return [(1, f"there is no {english.name}")]
    text, english_text = read(page), read(english)
    refused = []
    first = text.partition("\n")[0]
    stamp = STAMP.search(first)
    if not stamp or stamp[1] != english.name or stamp[2] == "CHECKSUM" or f"]({english.name})" not in first:
        refused.append((0, f"the first line is not [English]({english.name}) <!-- translation of {english.name}, CHECKSUM -->: "
                           "write it, then run scripts/translations.py --stamp"))
    if f"]({page.name})" not in english_text:
        refused.append((0, f"{english.name} has no link to it"))
    known = set(NUMBER.findall(COMMENT.sub("", english_text)))
    for match in NUMBER.finditer(COMMENT.sub(blank, text)):
        if match[0] not in known and prose.significant(match[0]) >= 3:
            refused.append((match.start(), f"{match[0]} does not stand on {english.name}"))
    refused += [(match.end() - 1, "a line break between Chinese characters is shown as a space: write a paragraph on one line")
                for match in BROKEN.finditer(CODE.sub(blank, text))]
    refused += [*wrong_links(page, text), *wrong_tables(text, english_text)]
    return sorted([*((text.count("\n", 0, position) + 1, what) for position, what in refused), *wrong_commands(page)])


def stamp_page(page):
    """Renews the stamp; writes the first line where there is none."""
    english, text = english_of(page), read(page)
    first, _, rest = text.partition("\n")
    line = f"<!-- translation of {english.name}, {checksum(read(english))} -->"
    if STAMP.search(first):
        first = STAMP.sub(line, first)
    else:
        first, rest = f"[English]({english.name}) {line}", "\n" + text
    if f"{first}\n{rest}" != text:
        page.write_text(f"{first}\n{rest}", encoding="utf-8")
        print("stamped", name_of(page))


def linked_text(page):
    """The page with links to pages in Chinese where there are such; the first line goes on to name the English page."""
    def linked(match):
        target = page.parent / match[2]
        is_english = not tables.is_chinese(target) and chinese_of(target).exists()
        return match[1] + match[2].removesuffix(".md") + ".zh.md" if is_english else match[0]

    first, _, rest = read(page).partition("\n")
    return f"{first}\n{MARKDOWN_LINK.sub(linked, rest)}"


def link_page(page):
    text = linked_text(page)
    if text != read(page):
        page.write_text(text, encoding="utf-8")
        print("linked", name_of(page))


def state(page):
    """A word about an English page."""
    if not chinese_of(page).exists():
        return "none"
    return "no stamp" if not STAMP.search(read(chinese_of(page))) else "older" if is_older(chinese_of(page)) else "up to date"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="refuse what is wrong on a page in Chinese")
    what.add_argument("--stamp", action="store_true", help="write into the named pages that they say what the English ones do")
    what.add_argument("--link", action="store_true", help="link the pages in Chinese to each other")
    parser.add_argument("page", nargs="*", type=pathlib.Path, help="X.zh.md; default: all, --stamp needs their names")
    arguments = parser.parse_args()
    pages = [page.absolute() for page in arguments.page]
    if arguments.stamp and not pages:
        parser.error("--stamp needs the names of pages")
    for page in pages:
        if not tables.is_chinese(page) or not page.exists():
            parser.error(f"{page} is no page in Chinese")
    pages = pages or translated()
    if arguments.stamp or arguments.link:
        for page in pages:
            (stamp_page if arguments.stamp else link_page)(page)
        return 0
    if arguments.check:
        refused = [(page, line, what) for page in pages for line, what in check(page)]
        for page, line, what in refused:
            print(f"{name_of(page)}:{line}: {what}", file=sys.stderr)
        for page in pages:
            if english_of(page).exists() and is_older(page):
                print(f"{name_of(page)} is older than {english_of(page).name}")
            if linked_text(page) != read(page):
                print(f"{name_of(page)} links to English pages that have a translation: run scripts/translations.py --link")
        return 1 if refused else 0
    for page in [english_of(page) for page in pages] if arguments.page else dict.fromkeys([*wanted(), *map(english_of, pages)]):
        print(f"{state(page) if page.exists() else 'no English page':<16}{name_of(chinese_of(page))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
