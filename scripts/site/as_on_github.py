#!/usr/bin/env python3
"""Whether the pages of a site say what their sources say on GitHub: as_on_github.py SITE.

MkDocs reads Markdown by other rules than GitHub. So each source is rendered by GitHub's, and the text and the number of items, cells, code
blocks, links and pictures are compared. Exit status 1: they differ; a line on stderr says where.
"""
import collections
import html.parser
import pathlib
import re
import sys

import markdown_it

import pages

COUNTED = {"h1", "h2", "h3", "h4", "li", "ol", "ul", "table", "tr", "th", "td", "pre", "img", "a", "details", "em", "strong", "code", "blockquote"}


class Content(html.parser.HTMLParser):
    """The text and the elements of a page's article, or of all. The element that shows a page of run/ is left out: the site alone has it."""

    def __init__(self, text, article):
        super().__init__()
        self.article, self.inside, self.permalink, self.run_here = article, not article, False, False
        self.words, self.elements = [], collections.Counter()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if self.article and tag == "article":
            self.inside = True
        if tag == "div" and values.get("class") == "run-here":
            self.run_here = True
        if self.run_here:
            return
        if tag == "a" and "headerlink" in (values.get("class") or ""):
            self.permalink = True
        elif self.inside and tag in COUNTED and (tag != "a" or not (values.get("href") or "#__codelineno").startswith("#__codelineno")):
            self.elements[tag] += 1

    def handle_endtag(self, tag):
        if tag == "div":
            self.run_here = False  # it has no element of this kind inside
        if tag == "a":
            self.permalink = False
        if self.article and tag == "article":
            self.inside = False

    def handle_data(self, data):
        if self.inside and not self.permalink and not self.run_here:
            self.words.append(data)

    def text(self):
        return re.sub(r"\s+", "", "".join(self.words))


def compare(source, built):
    """What differs, or nothing."""
    rendered = markdown_it.MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(pages.SWITCH.sub(r"\1", source.read_text(encoding="utf-8")))
    expected, found = Content(rendered, False), Content(built.read_text(encoding="utf-8"), True)
    one, other = expected.text(), found.text()
    if one != other:
        at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
        start = max(at - 20, 0)
        return f"“{one[start : at + 30]}” is on GitHub, “{other[start : at + 30]}” in the site"
    if expected.elements != found.elements:
        names = sorted(name for name in COUNTED if expected.elements[name] != found.elements[name])
        return ", ".join(f"<{name}>: {expected.elements[name]} on GitHub, {found.elements[name]} in the site" for name in names)
    return ""


def main():
    site = pathlib.Path(sys.argv[1])
    english, chinese = pages.page_files()
    sources = [(page, site / pages.Site.html(page)) for page in english]
    sources += [(page.removesuffix(".md") + ".zh.md", site / "zh" / pages.Site.html(page)) for page in sorted(chinese)]
    differ = 0
    for source, built in sources:
        difference = compare(pages.ROOT / source, built)
        if difference:
            print(f"as_on_github.py: {source}: {difference}", file=sys.stderr)
            differ = 1
    return differ


if __name__ == "__main__":
    sys.exit(main())
