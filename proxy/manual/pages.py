"""The manual under `/docs`: the Markdown files of docs/ as pages, with navigation and search, without scripts.

The files come with the package; a checkout shows its own. The order of the pages is that of mkdocs.yml.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import yaml
from fastapi import FastAPI, HTTPException, Request, Response

from proxy.manual.markdown import Page, Section, render
from proxy.wire.static import TYPES, File

__all__ = ["ROOT", "Manual", "add_manual"]

ROOT = "/docs"
_PACKAGE = Path(str(resources.files("proxy")))
_ROOTS = (_PACKAGE / "source", _PACKAGE.parent)  # of an installed wheel, of a checkout
_HIDDEN = ("docs/hooks.py",)
_LINK = re.compile(r"\]\(([^)#\s:]+)")
_LONGEST_QUERY = 200  # characters
_MOST_FOUND = 30
_AROUND = 80  # characters of a section's text on each side of the longest word that was asked for
_IN_TITLE = 10  # times as good as in the text


def add_manual(app: FastAPI) -> None:
    """Routes `/docs`, its pages, the files that they link to, and `/docs/search`."""

    @app.get(ROOT + "/search", include_in_schema=False)
    def search(request: Request, q: str = "") -> Response:
        return _manual().found(q[:_LONGEST_QUERY]).response(request)

    @app.get(ROOT, include_in_schema=False)
    @app.get(ROOT + "/{name:path}", include_in_schema=False)
    def page(request: Request, name: str = "") -> Response:
        file = _manual().file(f"{ROOT}/{name}".rstrip("/"))
        if file is None:
            raise HTTPException(404)
        return file.response(request)


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in the navigation. `chapter`: the title above it; empty: it has none. `path`: in the repository."""

    chapter: str
    title: str
    path: str

    @property
    def address(self) -> str:
        return address(self.path)


class Manual:
    """Pages are rendered when somebody first asks for them; thread-safe, as rendering twice gives the same."""

    def __init__(self, entries: Sequence[Entry], files: Mapping[str, Path], texts: Mapping[str, str]) -> None:
        """`entries`: the navigation. `files`: what is served, by its path in the repository; `texts`: those that are Markdown."""
        self._entries, self._files, self._texts = entries, files, texts
        self._paths = {address(path): path for path in files}
        self._pages: dict[str, Page] = {}
        self._served: dict[str, File] = {}

    @classmethod
    def open(cls) -> Manual:
        """Reads the whole manual."""
        entries = [*_entries(yaml.safe_load(_find("mkdocs.yml").read_text("utf-8"))["nav"])]
        files = {path: _find(path) for path in dict.fromkeys((*(one.path for one in entries), *_documents()))}
        linked = _linked(_read(files))
        files |= {path: _find(path) for path in linked if path not in files and _find(path).is_file()}
        return cls(entries, files, _read(files))

    @property
    def addresses(self) -> Sequence[str]:
        """Of all pages and files."""
        return tuple(self._paths)

    def file(self, where: str) -> File | None:
        """What is served at an address."""
        path = self._paths.get(where)
        if path is None:
            return None
        if where not in self._served:
            self._served[where] = (
                _framed(self._entries, path, self._page(path))
                if path in self._texts
                else _file(self._files[path])
            )
        return self._served[where]

    def found(self, query: str) -> File:
        """The sections that have every word of the query, best first, as a page."""
        words = query.casefold().split()
        hits = [
            (score, address(path), page, section)
            for path, page in ((path, self._page(path)) for path in self._texts if words)
            for section in page.sections
            if (score := _score(section, words))
        ]
        best = sorted(hits, key=lambda hit: -hit[0])[:_MOST_FOUND]
        rows = "".join(_hit(where, page, section, words) for _, where, page, section in best)
        listed = f'<ol class="found">{rows}</ol>' if rows else "<p>No page has all of these words.</p>"
        body = f"<h1>Search</h1>\n{listed if words else '<p>Type what you are looking for.</p>'}"
        return _whole(self._entries, "", "Search", body, query=query)

    def _page(self, path: str) -> Page:
        if path not in self._pages:
            self._pages[path] = render(self._texts[path], _linker(path, self._files))
        return self._pages[path]


_manual = cache(Manual.open)


def address(path: str) -> str:
    """Where a file of the repository is served: `docs/policies.md` at `/docs/policies`, others below `/docs/source`."""
    inside = path.removeprefix("docs/") if path.startswith("docs/") else f"source/{path}"
    if inside.endswith(".md"):
        inside = re.sub(r"(?:^|/)(?:index|README)$", "", inside.removesuffix(".md"))
    return f"{ROOT}/{inside}".rstrip("/")


def _find(path: str) -> Path:
    """A file of the repository in the package, or else in the checkout."""
    return next((root / path for root in _ROOTS if (root / path).exists()), _ROOTS[-1] / path)


def _entries(nav: Sequence[Any], chapter: str = "") -> Iterator[Entry]:
    for entry in nav:
        for title, inner in entry.items():
            if isinstance(inner, list):
                yield from _entries(inner, title)
            else:
                path = f"docs/{inner}"
                yield Entry(chapter, title, path if _find(path).is_file() else inner)


def _documents() -> Iterator[str]:
    """What the folder docs/ has besides: pictures, examples."""
    folder = _find("docs")
    for file in sorted(folder.rglob("*")):
        path = f"docs/{file.relative_to(folder).as_posix()}"
        if file.is_file() and path not in _HIDDEN and "__pycache__" not in path:
            yield path


def _read(files: Mapping[str, Path]) -> dict[str, str]:
    """The Markdown among them."""
    return {path: file.read_text("utf-8") for path, file in files.items() if path.endswith(".md")}


def _linked(texts: Mapping[str, str]) -> Iterator[str]:
    """The files outside docs/ that pages link to."""
    for path, text in texts.items():
        for link in _LINK.findall(text):
            target = _target(path, link)
            if not target.startswith((".", "docs/")):
                yield target


def _target(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _linker(path: str, files: Mapping[str, Path]) -> Callable[[str], str]:
    """What a link of a page becomes: the address of the file where it is served, else as it is written."""

    def link(written: str) -> str:
        target, mark, anchor = written.partition("#")
        if not target or ":" in target:
            return written
        found = _target(path, target)
        return address(found) + mark + anchor if found in files else written

    return link


def _file(path: Path) -> File:
    kind = TYPES.get(path.suffix[1:])
    return File(path.read_bytes(), kind if kind and kind.startswith("image/") else "text/plain")


def _score(section: Section, words: Sequence[str]) -> int:
    """0 where a word is missing."""
    title, text = section.title.casefold(), section.text.casefold()
    scores = [_IN_TITLE * title.count(word) + min(text.count(word), _IN_TITLE - 1) for word in words]
    return sum(scores) if all(scores) else 0


def _hit(where: str, page: Page, section: Section, words: Sequence[str]) -> str:
    start = max(0, section.text.casefold().find(max(words, key=len)) - _AROUND)
    shown = section.text[start : start + 2 * _AROUND]
    title = section.title if section.level == 1 else f"{page.title} · {section.title}"
    href = where if section.level == 1 else f"{where}#{section.anchor}"
    around = f"{'… ' if start else ''}{shown} …"
    return f'<li><a href="{escape(href)}">{escape(title)}</a><p>{escape(around)}</p></li>'


@cache
def _template() -> Template:
    return Template(resources.files("proxy.manual").joinpath("page.html").read_text("utf-8"))


def _framed(entries: Sequence[Entry], path: str, page: Page) -> File:
    """A page with the navigation around it and its neighbours below."""
    paths = [entry.path for entry in entries]
    around = ""
    if path in paths:
        at = paths.index(path)
        before = entries[at - 1] if at else None
        after = entries[at + 1] if at + 1 < len(entries) else None
        around = "".join(
            f'<a rel="{rel}" href="{entry.address}">{text} {escape(entry.title)}</a>'
            for rel, text, entry in (("prev", "Previous:", before), ("next", "Next:", after))
            if entry is not None
        )
    body = page.html + (f'<nav class="turn" aria-label="Neighbouring pages">{around}</nav>' if around else "")
    return _whole(entries, path, page.title, body, headings=page.sections)


def _whole(
    entries: Sequence[Entry],
    path: str,
    title: str,
    body: str,
    *,
    query: str = "",
    headings: Sequence[Section] = (),
) -> File:
    text = _template().substitute(
        title=escape(title),
        root=ROOT,
        query=escape(query),
        nav=_navigation(entries, path, [one for one in headings if one.level == 2]),
        body=body,
    )
    return File(text.encode(), "text/html", forms=True)


def _navigation(entries: Sequence[Entry], path: str, headings: Sequence[Section]) -> str:
    """The list of pages; below the one that is shown, its headings."""
    rows: list[str] = []
    chapter = ""
    for entry in entries:
        if entry.chapter != chapter:
            chapter = entry.chapter
            rows += ["</ul>", f"<h2>{escape(chapter)}</h2>" if chapter else "<hr>", "<ul>"]
        current = ' aria-current="page"' if entry.path == path else ""
        inner = _contents(headings) if current else ""
        rows.append(f'<li><a href="{entry.address}"{current}>{escape(entry.title)}</a>{inner}</li>')
    return "<ul>" + "\n".join(rows) + "</ul>"


def _contents(headings: Sequence[Section]) -> str:
    rows = "".join(f'<li><a href="#{one.anchor}">{escape(one.title)}</a></li>' for one in headings)
    return f"<ul>{rows}</ul>" if rows else ""
