#!/usr/bin/env python3
"""Puts together what MkDocs builds the site from: pages.py FOLDER, of scripts/site.sh.

A page is the Markdown file of the repository, as it reads on GitHub. Here it gets what MkDocs wants otherwise:

- links: to a page, to its page; to a picture or a measurement, to a copy; to a source file or a folder, to a page that shows it
- lists: what belongs to an item is indented by four columns; as_on_github.py looks whether each page says the same
- tables that fold: Markdown inside of <details>

If scripts/web.sh has made the pages that run in a browser, the site has them in run/, and a sample that has such a page shows it.

X.zh.md is the Chinese page of X.md. The Chinese site has every page, the English one where there is no Chinese. What is not a page
stands in the English site alone. A link that leaves its site begins with /@/, the folder of both; finish() makes it relative.

FOLDER gets en/ and zh/, the pages, and en.yml and zh.yml, the configurations.
"""
import json
import os
import pathlib
import posixpath
import re
import shutil
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "scripts" / "site"
LANGUAGES = {"en": "English", "zh": "中文"}
DECKS = "docs/course/slides/"  # scripts/slides.sh makes the slides from them, in build/course/
RUNNING = ROOT / "build" / "web" / "site"  # pages that run in a browser, of scripts/web.sh; in the site they are run/
WARPS = ("tex1dfetch_int2float", "matmul", "access_patterns", "occupancy")
# What is shown on a page: the page that runs, its module, and what its address says.
RUN_HERE = {
    "heat/README.md": ("heat", "heat", ""),
    "heat_notexture/README.md": ("heat", "heat", ""),
    "texture_unit/README.md": ("texture_unit", "texture_unit", ""),
    "docs/watch-a-warp.md": ("warp", "heat_notexture-traced", "&amp;sample=heat_notexture"),
}
RUN_HERE |= {f"{sample}/README.md": ("warp", f"{sample}-traced", f"&amp;sample={sample}") for sample in WARPS}
COPIED = {".csv", ".gif", ".jpg", ".json", ".npz", ".pdf", ".png", ".svg", ".webp"}
LEXERS = {
    ".cu": "cuda", ".cuh": "cuda", ".cpp": "cpp", ".hpp": "cpp", ".h": "cpp", ".inl": "cpp", ".py": "python", ".sh": "bash",
    ".md": "markdown", ".yml": "yaml", ".cmake": "cmake", ".html": "html", ".js": "javascript", ".css": "css",
}  # fmt: skip
WORDS = {
    "zh": {
        "Home": "首页", "Samples": "示例程序", "Exercises": "练习", "The course": "课程", "Slides": "幻灯片", "Documents": "文档", "Glossary": "术语表",
        "Changelog": "更新记录", "Contributing": "参与开发", "Run it here": "在这里运行",
    }
}  # fmt: skip
RUN_HERE_TEXTS = {
    "en": ("Run it here", ", below or on a page of its own: in your browser, with nothing to install.", "{name}, in this browser"),
    "zh": ("在这里运行", "：就在下面，或者在单独的页面上。它在您的浏览器里运行，不用安装任何东西。", "{name}，在这个浏览器里运行"),
}
NOT_TRANSLATED = '<p lang="zh">本页尚无中文版，以下为英文原文。</p>'


def page_files():
    """The pages, as paths of the repository without .zh, and those of them that have a Chinese version."""
    found = sorted(
        [*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("*/README.zh.md"), ROOT / "emulator" / "coverage.md", *(ROOT / "docs").glob("**/*.md")],
        key=lambda path: path.as_posix(),
    )
    names = [path.relative_to(ROOT).as_posix() for path in found if path.relative_to(ROOT).parts[0] != "build"]
    names = [name for name in names if not name.startswith(DECKS)]
    chinese = {name.removesuffix(".zh.md") + ".md" for name in names if name.endswith(".zh.md")}
    english = [name for name in names if not name.endswith(".zh.md")]
    missing = chinese - set(english)
    if missing:
        raise SystemExit(f"pages.py: {', '.join(sorted(missing))}: there is a Chinese page and no English one")
    return english, chinese


FENCE = re.compile(r"\s*(?:[-*]\s+|\d+\.\s+)?(`{3,}|~{3,})")


def outside_code(text, change):
    """The text with every stretch between fenced code and `code` replaced by change(stretch)."""
    lines, plain, fence = [], [], None

    def flush():
        stretch = "".join(plain)
        plain.clear()
        # In a code span a backslash is literal, and the span may go on in the next line of the paragraph.
        pieces = re.split(r"((?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\2(?!`)|<!--.*?-->)", stretch, flags=re.S)
        for i, piece in enumerate(pieces):
            if i % 3 == 0:
                lines.append(change(piece))
            elif i % 3 == 1:
                lines.append(piece)

    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if fence is None and mark:
            flush()
            fence = mark[1]
            lines.append(line)
        elif fence is not None:
            lines.append(line)
            if mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = None
        else:
            plain.append(line)
    flush()
    return "".join(lines)


ITEM = re.compile(r"( *)([-*+]|\d+[.)])( +)(?=\S)")


def as_python_markdown_wants(text):
    """Lists and tables as GitHub reads them: what belongs to an item begins where the item's text does (Python-Markdown: four columns for each
    level), a list may follow a line of text, but not with any number, and in a table `a\\|b` is a|b."""
    result, items, fence, blank = [], [], None, True
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            result.append("")
            blank = True
            continue
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence is not None:
            if mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = None
        else:
            item = ITEM.match(line)
            if item and not blank and not re.fullmatch(r"[-*+]|1[.)]", item[2]) and not (items and indent < items[-1]):
                line, item = line.replace(item[2], item[2][:-1] + "\\" + item[2][-1], 1), None  # a line of text that begins with a number
            if item or blank or line.lstrip().startswith(("```", "~~~", "#", "<")):
                popped = False
                while items and indent < items[-1]:
                    items.pop()
                    popped = True
            if item and indent < (items[-1] if items else 0) + 4:
                if not blank and not popped:
                    result.append("")
                depth, before = len(items), items[-1] if items else 0
                items.append(item.end())
                result.append(" " * (4 * depth + indent - before) + item[0].lstrip(" ") + line[item.end() :])
                mark = re.match(r"`{3,}|~{3,}", line[item.end() :])
                fence = mark[0] if mark else None
                blank = False
                continue
            if line.lstrip().startswith("|"):
                line = re.sub(r"`[^`]+`", lambda code: code[0].replace("\\|", "|"), line)
            fence = mark[1] if mark else None
        result.append(" " * (4 * len(items) + max(indent - (items[-1] if items else 0), 0)) + line.lstrip(" "))
        blank = False
    return "\n".join(result) + "\n"


MARKDOWN_LINK = re.compile(r"(\]\(<?)([^)\s>]+)(>?(?:\s+\"[^\"]*\")?\))|(^\[[^\]\n]+\]:\s*)(\S+)", re.M)
HTML_LINK = re.compile(r"(<(?:a|img|source|video)\b[^>]*?\b(?:href|src|srcset)=[\"'])([^\"']+)([\"'])")


# The link to the page in the other language, a line of its own at the top: the site has a switch.
SWITCH = re.compile(r"\A((?:# .*\n|\s*\n)*)\[(?:English|中文)\]\([^()\s]+\.md\) *(?:<!--.*?-->)? *\n")


def behind_first_paragraph(text):
    """Where the first paragraph of a page ends, with the list that goes on with it."""
    begun, at = False, 0
    for block in re.finditer(r"(?:[^\n]+\n)+", text):
        is_list = re.match(r" {4}|[-*+] |\d+[.)] ", block[0]) is not None
        if begun and not is_list:
            break
        begun = begun or not (is_list or block[0].startswith(("#", "<", "!")))
        at = block.end()
    return at


class Site:
    """One language's pages."""

    def __init__(self, language, folder, english, chinese, repository):
        self.language, self.folder, self.english, self.chinese = language, folder / language, english, chinese
        self.repository = repository
        self.wanted = set()  # files that are no pages and must be in the English site
        self.problems = []

    def source(self, page):
        """The file that has this page's text, and whether that is in the site's language."""
        if self.language == "zh" and page in self.chinese:
            return ROOT / (page.removesuffix(".md") + ".zh.md"), True
        return ROOT / page, self.language == "en"

    def target(self, page, own, link):
        """Where a link of a page leads in the site."""
        address = urllib.parse.urlsplit(link)
        if address.scheme or address.netloc or not address.path or address.path.startswith("/"):
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(address.path)))
        fragment = f"#{address.fragment}" if address.fragment else ""
        if path.startswith(".."):
            self.problems.append(f"{page}: {link}: outside of the repository")
            return link
        if path.endswith("/README") or (ROOT / path / "README.md").exists():
            path = posixpath.normpath(posixpath.join(path, "README.md"))
        if path.endswith(".zh.md") and path.removesuffix(".zh.md") + ".md" in self.chinese:
            path = path.removesuffix(".zh.md") + ".md"
            return self.relative(page, path) + fragment if self.language == "zh" else f"/@/zh/{self.html(path)}{fragment}"
        if path in self.english:
            # A Chinese page that names the English one means it; an English one may mean a heading that the Chinese one lacks.
            if self.language == "zh" and path in self.chinese and (own or not self.has_anchor(path, address.fragment)):
                return f"/@/{self.html(path)}{fragment}"
            return self.relative(page, path) + fragment
        if path.startswith(DECKS) and (ROOT / "build" / "course" / posixpath.basename(path)).with_suffix(".html").is_file():
            return f"/@/slides/{urllib.parse.quote(posixpath.basename(path).removesuffix('.md'))}.html"
        if not (ROOT / path).exists():
            self.problems.append(f"{page}: {link}: there is no {path}")
            return link
        self.wanted.add(path)
        line = re.fullmatch(r"#L(\d+)(?:-L\d+)?", fragment)
        if line:
            fragment = f"#__codelineno-0-{line[1]}"
        if self.language == "zh":
            return "/@/" + (path if copied(path) else shown_as(path).removesuffix(".md") + ".html") + fragment
        return self.relative(page, path if copied(path) else shown_as(path)) + fragment

    def has_anchor(self, page, anchor):
        return not anchor or f'id="{anchor}"' in self.source(page)[0].read_text(encoding="utf-8")

    @staticmethod
    def relative(page, path):
        return urllib.parse.quote(posixpath.relpath(path, posixpath.dirname(page) or "."))

    @staticmethod
    def html(page):
        return (page.removesuffix("README.md") + "index.html") if posixpath.basename(page) == "README.md" else page.removesuffix(".md") + ".html"

    def write(self, page):
        source, own = self.source(page)
        text = SWITCH.sub(r"\1", source.read_text(encoding="utf-8"))

        def links(stretch):
            stretch = MARKDOWN_LINK.sub(
                lambda link: (
                    link[1] + self.target(page, own, link[2]) + link[3] if link[1] else link[4] + self.target(page, own, link[5])
                ),
                stretch,
            )
            stretch = HTML_LINK.sub(lambda link: link[1] + self.from_html(page, own, link[2]) + link[3], stretch)
            return re.sub(r"<details(?![^>]*\bmarkdown=)", '<details markdown="1"', stretch)

        text = as_python_markdown_wants(outside_code(text, links))
        text = re.sub(r"^((?:<a id=\"[^\"]+\"></a>\s*\n)+)(#+ )", lambda found: found[2] + re.sub(r"\s*\n", "", found[1]), text, flags=re.M)
        if page in RUN_HERE and (RUNNING / "module" / f"{RUN_HERE[page][1]}.wasm").is_file():
            at = behind_first_paragraph(text)
            text = text[:at] + self.run_here(*RUN_HERE[page]) + text[at:]
        if not own:
            text = "---\nuntranslated: true\n---\n\n" + re.sub(r"\A(# .*\n)", rf"\1\n{NOT_TRANSLATED}\n", text)
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_here(self, name, _module, query):
        """What shows the page run/NAME.html within another."""
        link, rest, title = RUN_HERE_TEXTS[self.language]
        address = f"/@/run/{name}.html?lang={self.language}{query}"
        return (
            f'\n<div class="run-here" lang="{self.language}">\n<p><a href="{address}">{link}</a>{rest}</p>\n'
            f'<iframe src="{address}&amp;embed=1" title="{title.format(name=name)}" loading="lazy"></iframe>\n</div>\n'
        )

    def from_html(self, page, own, link):
        """Of a tag in the Markdown, which MkDocs leaves as it is."""
        target = self.target(page, own, link)
        if target == link and (urllib.parse.urlsplit(link).scheme or link.startswith(("#", "/"))):
            return link
        if target.startswith("/@/"):
            return target
        address = urllib.parse.urlsplit(target)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), address.path))
        path = self.html(path) if path.endswith(".md") else path
        return f"/@/{'zh/' if self.language == 'zh' else ''}{path}" + (f"#{address.fragment}" if address.fragment else "")

    def title(self, page):
        heading = re.search(r"^# (.*)", self.source(page)[0].read_text(encoding="utf-8"), re.M)
        return re.split(r"[:：] ?", heading[1])[0].strip("` ") if heading else posixpath.basename(page)

    def terms(self):
        """A file of the glossary's words, which the search in Chinese does not cut."""
        glossary = self.source("docs/glossary.md")[0].read_text(encoding="utf-8")
        words = sorted(set(re.findall(r"[\u4e00-\u9fff]+(?=（)", "\n".join(re.findall(r"^#+ .*$", glossary, re.M)))))
        path = self.folder.parent / "terms.txt"
        path.write_text("".join(f"{word} 10000 n\n" for word in words), encoding="utf-8")
        return path

    def word(self, english):
        return WORDS.get(self.language, {}).get(english, english)

    def navigation(self, slides):
        pages = set(self.english)
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        samples = list(dict.fromkeys(page for page in re.findall(r"^\| \[\w+\]\((\w+/README\.md)\)", readme, re.M) if page in pages))
        course = sorted((page for page in pages if page.startswith("docs/course/")), key=lambda page: (not page.endswith("README.md"), page))
        documents = sorted(page for page in pages if re.fullmatch(r"docs/[^/]+\.md", page) and page != "docs/glossary.md")
        others = sorted(page for page in pages if page.startswith(("docs/", "emulator/")) and page not in course and page not in documents and page != "docs/glossary.md")
        nav = [
            {self.word("Home"): "README.md"},
            {self.word("Run it here"): f"/@/run/index.html?lang={self.language}" if (RUNNING / "index.html").is_file() else ""},
            {self.word("Samples"): [{posixpath.dirname(page): page} for page in samples]},
            {self.word("Exercises"): "exercises/README.md"},
            {self.word("The course"): [{self.title(page): page} for page in course] + ([{self.word("Slides"): "slides/README.md"}] if slides else [])},
            {self.word("Documents"): [{self.title(page): page} for page in documents + others]},
            {self.word("Glossary"): "docs/glossary.md"},
            {self.word("Changelog"): "CHANGELOG.md"},
            {self.word("Contributing"): "CONTRIBUTING.md"},
        ]
        return [entry for entry in nav if (value := next(iter(entry.values()))) and (isinstance(value, list) or value.startswith("/@/") or value in pages)]

    def configuration(self, languages, nav, out, url):
        palette = [
            ("(prefers-color-scheme: light)", "default", "material/weather-night", {"en": "Dark", "zh": "深色"}),
            ("(prefers-color-scheme: dark)", "slate", "material/weather-sunny", {"en": "Light", "zh": "浅色"}),
        ]
        return {
            "INHERIT": str(HERE / "mkdocs.yml"),
            "docs_dir": str(self.folder),
            "site_dir": str(out / "zh" if self.language == "zh" else out),
            "site_url": url and url.rstrip("/") + ("/zh/" if self.language == "zh" else "/"),
            **({"repo_url": self.repository, "repo_name": "source"} if self.repository else {}),
            "nav": nav,
            "hooks": [str(HERE / "hooks.py")],
            "extra": {"languages": {code: LANGUAGES[code] for code in languages}},
            "plugins": {
                "search": {
                    "lang": ["en", "zh"] if self.language == "zh" else ["en"],
                    "separator": r"[\s\u200b\-,:!=\[\]()\"/`，。、：；！？（）]+|\.(?!\d)",
                    **({"jieba_dict_user": str(self.terms())} if self.language == "zh" else {}),
                }
            },
            "theme": {
                "language": self.language,
                "palette": [
                    {"media": media, "scheme": scheme, "primary": "custom", "accent": "custom", "toggle": {"icon": icon, "name": names[self.language]}} for media, scheme, icon, names in palette
                ],
            },
        }


def copied(path):
    """Whether a file goes into the site as it is; others are shown in a page."""
    return (ROOT / path).is_file() and pathlib.PurePosixPath(path).suffix in COPIED


def shown_as(path):
    """The page that shows a source file or lists a folder."""
    return f"{path}/folder.md" if (ROOT / path).is_dir() else f"{path}.md"


def files_in(path):
    found = [file.relative_to(ROOT).as_posix() for file in sorted((ROOT / path).rglob("*")) if file.is_file()]
    return [file for file in found if not any(part in ("build", "__pycache__", ".done") for part in pathlib.PurePosixPath(file).parts)]


def show(path, folder, pages, repository):
    """Writes the copy of a file, the page that shows it or the list of a folder; returns what that needs in turn."""
    head = "---\nshown: true\nsearch:\n  exclude: true\n---\n\n"
    web = f"\n[In the repository]({repository}/{'tree' if (ROOT / path).is_dir() else 'blob'}/HEAD/{path})\n" if repository else ""
    if copied(path):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
        return []
    page = folder / shown_as(path)
    page.parent.mkdir(parents=True, exist_ok=True)
    if (ROOT / path).is_dir():
        files = files_in(path)
        links = "".join(
            f"- [{posixpath.relpath(file, path)}]({urllib.parse.quote(posixpath.relpath(file if copied(file) or file in pages else shown_as(file), path))})\n"
            for file in files
            if not file.endswith(".zh.md")
        )
        page.write_text(f"{head}# {path}/\n{web}\n{links}", encoding="utf-8")
        return [file for file in files if file not in pages and not file.endswith(".zh.md")]
    text = (ROOT / path).read_text(encoding="utf-8")
    fence = "`" * max([3, *(len(mark) + 1 for mark in re.findall(r"`{3,}", text))])
    first = text.split("\n", 1)[0]
    name = "bash" if first.startswith("#!") and "sh" in first else "cmake" if path.endswith("CMakeLists.txt") else "text"
    lexer = LEXERS.get(pathlib.PurePosixPath(path).suffix, name)
    page.write_text(f'{head}# {path}\n{web}\n{fence} {{.{lexer} linenums="1"}}\n{text.rstrip()}\n{fence}\n', encoding="utf-8")
    return []


def slides_page(slides, language):
    """The list of the slide decks; their files are copied beside it."""
    titles = {}
    for file in sorted(slides):
        html = file.read_text(encoding="utf-8", errors="replace") if file.suffix == ".html" else ""
        title = re.search(r"<title>(.*?)</title>", html, re.S)
        titles.setdefault(file.stem, [file.stem, []])[1].append(file.name)
        if title and title[1].strip():
            titles[file.stem][0] = title[1].strip()
    lines = [f"- {title}: " + ", ".join(f"[{name.rpartition('.')[2].upper()}](/@/slides/{urllib.parse.quote(name)})" for name in names) for title, names in titles.values()]
    return f"# {WORDS.get(language, {}).get('Slides', 'Slides')}\n\n" + "\n".join(lines) + "\n"


def stage(folder, out):
    english, chinese = page_files()
    repository = os.environ.get("CUDABOOK_REPOSITORY", "").rstrip("/")
    decks = ROOT / "build" / "course"
    slides = [file for file in decks.glob("*") if file.suffix in (".html", ".pdf")] if decks.is_dir() else []
    languages = ["en", "zh"] if chinese else ["en"]
    sites = [Site(language, folder, english, chinese, repository) for language in languages]
    for site in sites:
        for page in english:
            site.write(page)
        if slides:
            (site.folder / "slides").mkdir(parents=True)
            (site.folder / "slides" / "README.md").write_text(slides_page(slides, site.language), encoding="utf-8")
            site.english = [*english, "slides/README.md"]
        (site.folder / "stylesheets").mkdir(parents=True)
        shutil.copyfile(HERE / "site.css", site.folder / "stylesheets" / "site.css")
        settings = site.configuration(languages, site.navigation(slides), out, os.environ.get("CUDABOOK_SITE_URL", ""))
        (folder / f"{site.language}.yml").write_text(json.dumps(settings, indent=1, ensure_ascii=False), encoding="utf-8")
    to_show, shown = set().union(*(site.wanted for site in sites)), set()
    while to_show:
        path = to_show.pop()
        shown.add(path)
        to_show |= set(show(path, folder / "en", set(english), repository)) - shown
    if slides:
        shutil.copytree(decks, folder / "en" / "slides", dirs_exist_ok=True)
    if (RUNNING / "index.html").is_file():
        shutil.copytree(RUNNING, folder / "en" / "run")
    problems = [problem for site in sites for problem in site.problems]
    for problem in problems:
        print(f"pages.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


def finish(out):
    """Makes the links that begin with /@/ relative, in the pages of a built site."""
    for file in out.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        up = "../" * (len(file.relative_to(out).parts) - 1)
        text = re.sub(r"<link rel=\"?alternate\"?[^>]*>\s*", "", text)  # beside each of them the theme would look for another site
        changed = re.sub(r"((?:href|src|srcset)=[\"']?)/@/", rf"\g<1>{up or './'}", text)
        file.write_text(changed, encoding="utf-8")
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "finish":
        sys.exit(finish(pathlib.Path(sys.argv[2])))
    if len(sys.argv) != 3:
        sys.exit("usage: pages.py FOLDER SITE | pages.py finish SITE")
    sys.exit(stage(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
