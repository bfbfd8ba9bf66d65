"""Of scripts/site.sh: what is of a page and not of the site. The language switch leads to the same page in the other language, and a page that
stands in English on the Chinese site says so to the browser."""
import logging

import jieba

jieba.setLogLevel(logging.WARNING)  # jieba cuts Chinese into words for the search


def on_page_content(html, page, config, files):
    return f'<div lang="en">{html}</div>' if page.meta.get("untranslated") else html


def on_page_context(context, page, config, nav):
    languages = config.extra["languages"]
    if len(languages) > 1:
        here = config.theme["language"]
        config.extra["alternate"] = []
        config.extra["scope"] = context["base_url"] + ("/.." if here == "zh" else "")  # one choice of light or dark for both
        for code, name in languages.items():
            # A source file is shown in one site only; the switch leads to the first page of the other site.
            path = "index.html" if page.meta.get("shown") and code != here else page.file.dest_uri
            config.extra["alternate"].append({"name": name, "link": f"/@/{'zh/' if code == 'zh' else ''}{path}", "lang": code})
    return context
