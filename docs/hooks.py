"""What the site needs beyond the pages: files of the repository that they link to, and lists and tables as GitHub reads them.

`on_files` adds each file outside docs/ that a page links to (`../deploy/alerts.yaml`), the changelog as a page.
`on_page_markdown` points the links there, and puts the empty line before lists and tables that Python's Markdown wants.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)")
_PAGES = {"CHANGELOG.md": "CHANGELOG.md"}
_FENCE = re.compile(r"^\s*(```|~~~)")
_ITEM = re.compile(r"^(?:[-*] |\d+\. )")


def _outside(page: str, link: str) -> str | None:
    """The path in the repository that a page's link leads to, where it is outside docs/."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link))
    return None if path.startswith(("docs/", "..")) or not (ROOT / path).is_file() else path


def _place(path: str) -> str:
    """Where such a file is on the site; Markdown stays a file to be read as it is."""
    return _PAGES.get(path) or f"source/{path}" + (".txt" if path.endswith((".md", ".py")) else "")


def on_files(files: Files, *, config: Any) -> Files:
    wanted = {"CHANGELOG.md"}
    for page in files.documentation_pages():
        found = (_outside(page.src_uri, link) for link in _LINK.findall(page.content_string))
        wanted |= {path for path in found if path}
    for path in sorted(wanted):
        files.append(File.generated(config, _place(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    where = page.file.src_uri

    def pointed(match: re.Match[str]) -> str:
        path = _outside(where, match[1])
        return (
            match[0]
            if path is None
            else "](" + posixpath.relpath(_place(path), posixpath.dirname(where) or ".")
        )

    if where == "CHANGELOG.md":  # it stands one folder higher in the repository
        markdown = markdown.replace("](docs/", "](").replace("](../", "](")
    return "\n".join(_spaced(_LINK.sub(pointed, markdown).split("\n")))


def _spaced(lines: list[str]) -> list[str]:
    out: list[str] = []
    fenced = False
    for line in lines:
        before = out[-1] if out else ""
        if _FENCE.match(line):
            if not fenced and before.strip():
                out.append("")
            fenced = not fenced
        elif not fenced and before.strip() and not before.startswith("  "):
            list_begins = _ITEM.match(line) and not _ITEM.match(before)
            table_begins = line.startswith("|") and not before.startswith("|")
            if list_begins or table_begins:
                out.append("")
        out.append(line)
    return out
