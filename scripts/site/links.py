#!/usr/bin/env python3
"""Looks at a built site without asking any other host: links.py SITE.

- Each link inside of the site leads to a file, and to an anchor of it.
- Nothing that a page loads comes from another host: no script, picture, style or font.
- What the search finds is there, and it finds something in each language.

Links to other hosts are listed. Exit status 1: something is wrong; each finding is a line on stderr. CUDABOOK_SITE_URL is where the site will be.
"""
import html.parser
import json
import os
import pathlib
import re
import sys
import urllib.parse

LOADED = {"script", "img", "source", "iframe", "video", "audio", "embed"}
RELATIONS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = {""}, []  # of links: address, and whether the browser loads it with the page
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        for name in ("id", "name") if tag == "a" else ("id",):
            if name in values:
                self.anchors.add(values[name])
        loaded = tag in LOADED or (tag == "link" and bool(RELATIONS & set(values.get("rel", "").split())))
        for name in ("href", "src", "poster"):
            if name in values:
                self.links.append((values[name], loaded))
        for candidate in values.get("srcset", "").split(","):
            if candidate.strip():
                self.links.append((candidate.split()[0], True))

    handle_startendtag = handle_starttag


def target_of(site, file, path, base):
    """The file that a path in a page leads to."""
    path = urllib.parse.unquote(path)
    if path.startswith("/"):
        if not path.startswith(base):
            return None
        target = site / path[len(base) :]
    else:
        target = file.parent / path
    target = pathlib.Path(os.path.normpath(target))
    return target / "index.html" if target.is_dir() else target


def look(site):
    base = urllib.parse.urlsplit(os.environ.get("CUDABOOK_SITE_URL", "")).path.rstrip("/") + "/"
    own = os.environ.get("CUDABOOK_SITE_URL", "").rstrip("/")
    problems, external = [], {}
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    count = 0
    for file, page in pages.items():
        name = file.relative_to(site).as_posix()
        for link, loaded in page.links:
            if own and (link == own or link.startswith(own + "/")):
                link = base + link[len(own) + 1 :]
            address = urllib.parse.urlsplit(link)
            if address.scheme in ("data", "mailto", "javascript", "blob"):
                continue
            if address.scheme or address.netloc:
                if loaded:
                    problems.append(f"{name}: {link}: loaded from another host")
                external.setdefault(link, set()).add(name)
                continue
            count += 1
            if address.path.startswith("/") and name not in ("404.html", "zh/404.html") and not own:
                problems.append(f"{name}: {link}: not relative, so it leads nowhere below another folder")
                continue
            target = target_of(site, file, address.path, base) if address.path else file
            if target is None or not target.is_file() or not target.is_relative_to(site):
                problems.append(f"{name}: {link}: no such file in the site")
            elif target in pages and not address.fragment.startswith(("/", ":~:")):  # unless it is a slide's number or a text
                if urllib.parse.unquote(address.fragment) not in pages[target].anchors:
                    problems.append(f"{name}: {link}: no such anchor there")
    for file in sorted(site.rglob("*.css")):
        name = file.relative_to(site).as_posix()
        for link in re.findall(r"url\(\s*[\"']?([^\"')]+)", file.read_text(encoding="utf-8")):
            if re.match(r"(https?:)?//", link):
                problems.append(f"{name}: {link}: loaded from another host")
            elif not link.startswith(("data:", "#")) and not target_of(site, file, link.split("?")[0].split("#")[0], base).is_file():
                problems.append(f"{name}: {link}: no such file in the site")
    for folder in [site, *(path for path in [site / "zh"] if path.is_dir())]:
        index = folder / "search" / "search_index.json"
        entries = json.loads(index.read_text(encoding="utf-8"))["docs"] if index.is_file() else []
        if not entries:
            problems.append(f"{index.relative_to(site)}: the search finds nothing")
        for entry in entries:
            path, _, anchor = entry["location"].partition("#")
            target = target_of(site, folder / "index.html", path or "index.html", "/")
            if target not in pages or urllib.parse.unquote(anchor) not in pages[target].anchors:
                problems.append(f"{index.relative_to(site)}: {entry['location']}: no such place")
    return len(pages), count, problems, external


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        print("usage: links.py SITE", file=sys.stderr)
        return 2
    pages, count, problems, external = look(pathlib.Path(sys.argv[1]).resolve())
    repository = os.environ.get("CUDABOOK_REPOSITORY", "").rstrip("/")
    for link in sorted(external):
        if not repository or not link.startswith(repository):
            print(f"to another host, from {len(external[link])} pages: {link}")
    for problem in problems:
        print(f"links.py: {problem}", file=sys.stderr)
    print(f"{pages} pages, {count} links inside of the site, {len(problems)} wrong; {len(external)} addresses of other hosts, none of them asked")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
