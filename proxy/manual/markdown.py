"""A page of the manual from its Markdown: HTML whose headings have anchors, and its text by section for the search."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["Page", "Section", "render"]

_DEEPEST = 3  # the level of headings that begin a section
_PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclass(frozen=True, slots=True)
class Section:
    """`level`: of its heading; 1 for the page itself. `text`: its words without markup."""

    level: int
    anchor: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    html: str
    sections: tuple[Section, ...]


def render(text: str, link: Callable[[str], str]) -> Page:
    """`text` as a page. `link` gives the address of a link or a picture from what is written in the Markdown."""
    tokens = _PARSER.parse(text)
    _anchor(tokens)
    for token in tokens:
        for inner in token.children or ():
            for name in ("href", "src"):
                if name in inner.attrs:
                    inner.attrs[name] = link(str(inner.attrs[name]))
    sections = tuple(_sections(tokens))
    html = _PARSER.renderer.render([*_framed(tokens)], _PARSER.options, {})
    return Page(sections[0].title if sections else "", html, sections)


def slug(title: str) -> str:
    """The anchor of a heading, as Python-Markdown makes it."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())


def _anchor(tokens: Sequence[Token]) -> None:
    """Gives each heading an `id`; the second of a name gets `_1`, the third `_2`."""
    taken: dict[str, int] = {}
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open":
            name = slug(_words(inline))
            taken[name] = taken.get(name, -1) + 1
            heading.attrs["id"] = f"{name}_{taken[name]}" if taken[name] else name


def _sections(tokens: Sequence[Token]) -> Iterator[Section]:
    found: tuple[int, str, str] | None = None
    words: list[str] = []
    for place, token in enumerate(tokens):
        if _titles(token):
            if found is not None:
                yield Section(*found, " ".join(words))
            found, words = (int(token.tag[1]), str(token.attrs["id"]), _words(tokens[place + 1])), []
        elif token.type == "inline" and not _titles(tokens[place - 1]):
            words.append(_words(token))
        elif token.type == "fence":
            words.append(token.content)
    if found is not None:
        yield Section(*found, " ".join(words))


def _titles(token: Token) -> bool:
    """Whether a token begins the title of a section."""
    return token.type == "heading_open" and int(token.tag[1]) <= _DEEPEST


def _words(inline: Token) -> str:
    """The text of a token without its markup."""
    breaks = ("softbreak", "hardbreak")
    return "".join(
        " " if one.type in breaks else one.content
        for one in inline.children or ()
        if one.type != "html_inline"
    )


def _framed(tokens: Sequence[Token]) -> Iterator[Token]:
    """Wide tables and code scroll by themselves, with the keyboard, too; pictures are loaded when they are seen."""
    for place, token in enumerate(tokens):
        if token.type == "th_open" and not tokens[place + 1].content:
            token.tag = tokens[place + 2].tag = "td"  # an empty cell is the header of nothing
        if token.type == "table_open":
            yield _html('<div class="scroll" tabindex="0" role="group" aria-label="Table">')
        if token.type == "fence":
            yield _html(f'<pre tabindex="0"><code>{escape(token.content)}</code></pre>\n')
            continue
        for inner in token.children or ():
            if inner.type == "image":
                inner.attrs["loading"] = "lazy"
        yield token
        if token.type == "table_close":
            yield _html("</div>\n")


def _html(text: str) -> Token:
    return Token("html_block", "", 0, content=text)
