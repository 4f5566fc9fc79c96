"""Finds the documents that an application has pasted into a message: tags, JSON, numbered sources, fences.

<document title="…">…</document>   <passage>…</passage>   <source url="…">…</source>   nested <title>, <url>, <content>
[{"title": …, "text": …}, …]   {"results": [...]}   {"documents": [...]}
[1] Title: text    Source 2: text    Document 3 (Title: …): text    Passage #4 …
```text …```

Whoever can put a word into a prompt, as a web page in a tool's result can, writes what is read here. So each notation is
found in one pass, in time linear in the text: no pattern gives anything back (`*+`) where that could be repeated, and none is
looked for in more than a piece of the text at a time.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from guardrail.evidence.request.json_in_text import Literals, Value, values
from guardrail.evidence.request.windows import Windows
from guardrail.types import Span

__all__ = ["MessageDocument", "documents"]


@dataclass(frozen=True, slots=True)
class MessageDocument:
    """A document in a message. `span` is its place there; `text` is what stands there, unescaped where it was JSON."""

    text: str
    span: Span
    title: str = ""
    url: str = ""


_ONE = "document|doc|passage|context|source|reference|search_result|result|excerpt|article|snippet|chunk|page|text_unit"
_TAG = re.compile(rf"<(?P<close>/?)(?P<name>{_ONE})(?P<end>[\s>])", re.IGNORECASE)
_ENDS = re.compile(r"[<>]")
_LONGEST_TAG = 10_000  # characters
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_TITLE = re.compile(r"<(title|name|heading)>", re.IGNORECASE)
_URL = re.compile(r"<(url|link|source|href)>", re.IGNORECASE)
_CONTENT = re.compile(r"<(document_content|document_contents|content|text|body|page_content)>", re.IGNORECASE)
_FENCE = re.compile(r"^[ ]{0,3}(?:`{3}|~{3})", re.MULTILINE)
_FENCES = re.compile(r"`++|~++")
_INFO = re.compile(r"[ ]{0,80}+([\w+.-]{0,40}+)")
_PROSE = frozenset(("", "text", "txt", "md", "markdown", "plaintext", "context", "document", "quote", "html"))
_NUMBERED = re.compile(
    r"^[ \t]{0,80}+(?:\[(?:doc(?:ument)?+\s{0,8}+)?+(?P<a>\d{1,3})\]|\((?P<b>\d{1,3})\)|"
    r"(?:source|document|doc|passage|reference|context|result|excerpt|chunk)\s{0,8}+#?+(?P<c>\d{1,3})\b)"
    r"[ \t]{0,80}+(?:\((?:title:)?[ \t]{0,80}+(?P<title>[^)\n]{0,400}+)\))?+[ \t]{0,80}+[:.\-–—]?+[ \t]{0,80}+",
    re.MULTILINE | re.IGNORECASE,
)
_HEADED = re.compile(r"(?P<title>[^\n]{1,120}?)[ \t]{0,80}(?:\n|:[ \t]++)")
_LEAD = re.compile(r"[ \t]*+title[ \t]*+:[ \t]*+(?P<title>[^\n]*+)\n", re.IGNORECASE)
_URL_LINE = re.compile(r"[ \t]*+(?:url|link|source)[ \t]*+:[ \t]*+(?P<url>\S++)[ \t]*+\n", re.IGNORECASE)

_TEXT_KEYS = (
    "text",
    "content",
    "page_content",
    "passage",
    "snippet",
    "body",
    "document",
    "chunk",
    "abstract",
    "extract",
)
_TITLE_KEYS = ("title", "name", "heading")
_URL_KEYS = ("url", "link", "source", "href", "uri")
_LIST_KEYS = (
    "documents",
    "results",
    "passages",
    "references",
    "sources",
    "chunks",
    "hits",
    "items",
    "data",
    "context",
    "organic",
)


def documents(text: str, *, fenced: bool = True, until: float = math.inf) -> list[MessageDocument]:
    """The documents in `text`, disjoint, in order; the first notation that finds any is the one in use.

    `fenced`: whether a fenced block without a programming language is a document. `until`: when it is too late
    (`time.monotonic()`, seconds). Raises TimeoutError then, and for JSON that is too long to be decoded.
    """
    windows = Windows(text, until)
    for notation in (_tagged, _json, _numbered, *((_fenced,) if fenced else ())):
        found = [document for document in notation(windows) if document.text.strip()]
        if found:
            return found
    return []


# ── tags ──────────────────────────────────────────────────────────────────────────────────────────────


def _tagged(windows: Windows) -> Iterator[MessageDocument]:
    """Innermost documents: `<documents>` holds documents and is none itself."""
    text, opened = windows.text, None
    for tag in windows.matches(_TAG):
        if not tag["close"]:
            # Whatever was open holds a further document, or the beginning of one.
            opened = _opened(text, tag)
        elif opened and tag["end"] == ">" and tag["name"].lower() == opened.name:
            yield _document(windows, opened, tag.start())
            opened = None


@dataclass(frozen=True, slots=True)
class _Opened:
    """A tag that was opened; `start`: behind it."""

    name: str
    attributes: Mapping[str, str]
    start: int


def _opened(text: str, tag: re.Match[str]) -> _Opened | None:
    """None where the tag has no end."""
    name, at = tag["name"].lower(), tag.end()
    if tag["end"] == ">":
        return _Opened(name, {}, at)
    end = _ENDS.search(text, at, at + _LONGEST_TAG)
    if end is None or end[0] == "<":
        return None
    given = _ATTRIBUTE.findall(text, at, end.start())
    return _Opened(name, {key.lower(): a or b for key, a, b in given}, end.end())


def _document(windows: Windows, opened: _Opened, end: int) -> MessageDocument:
    text, start, attributes = windows.text, opened.start, opened.attributes
    title = next((attributes[key] for key in _TITLE_KEYS if attributes.get(key)), "")
    url = next((attributes[key] for key in _URL_KEYS if attributes.get(key)), "")
    named, linked = _element(windows, _TITLE, start, end), _element(windows, _URL, start, end)
    if named:
        title = title or named.inner.of(text)
    if linked:
        url = url or linked.inner.of(text)
    inner = Span(max((one.end for one in (named, linked) if one), default=start), end)
    if content := _element(windows, _CONTENT, start, end):
        inner = content.inner
    return _trimmed(inner.of(text), inner.start, title=title, url=url)


@dataclass(frozen=True, slots=True)
class _Element:
    """`<name>inner</name>`; `end`: behind all of it."""

    inner: Span
    end: int


def _element(windows: Windows, opening: re.Pattern[str], start: int, end: int) -> _Element | None:
    """The first element that is closed, within a document."""
    unclosed: set[str] = set()  # what one was looked for in vain is not closed for a later one either
    for tag in windows.matches(opening, start, end):
        name = tag[1].lower()
        if name in unclosed:
            continue
        if closed := windows.first(re.compile(f"</{name}>", re.IGNORECASE), tag.end(), end):
            return _Element(Span(tag.end(), closed.start()), closed.end())
        unclosed.add(name)
    return None


def _trimmed(body: str, start: int, *, title: str = "", url: str = "") -> MessageDocument:
    inner = body.strip()
    begin = start + len(body) - len(body.lstrip())
    return MessageDocument(inner, Span(begin, begin + len(inner)), title.strip(), url.strip())


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────


def _json(windows: Windows) -> Iterator[MessageDocument]:
    """The passages of the first JSON value in the text that has any."""
    for value in values(windows):
        found = list(_passages(value, windows.text))
        if found:
            yield from found
            return


def _passages(value: Value, text: str) -> Iterator[MessageDocument]:
    literals = Literals(text, value.strings)
    for item in _listed(value.value):
        body = item if isinstance(item, str) else _first(item, _TEXT_KEYS)
        if not body:
            continue
        title, url = (
            ("", "") if isinstance(item, str) else (_first(item, _TITLE_KEYS), _first(item, _URL_KEYS))
        )
        yield MessageDocument(body, literals.find(body) or value.span, title, url)


def _listed(value: object) -> list[str | Mapping[str, object]]:
    """The items of a list of passages; an object that holds such a list, or that is one passage, counts as it."""
    if isinstance(value, Mapping):
        return _held(value)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    items = [item for item in value if isinstance(item, Mapping) and _first(item, _TEXT_KEYS)]
    if items:
        return list(items)
    texts = [item for item in value if isinstance(item, str)]
    return list(texts) if len(texts) == len(value) and any(" " in item for item in texts) else []


def _held(value: Mapping[str, object]) -> list[str | Mapping[str, object]]:
    for key in _LIST_KEYS:
        inner = value.get(key)
        if isinstance(inner, Sequence) and not isinstance(inner, str) and (items := _listed(inner)):
            return items
    return [value] if _first(value, _TEXT_KEYS) else []


def _first(item: Mapping[str, object], keys: Sequence[str]) -> str:
    return next((value for key in keys if isinstance(value := item.get(key), str) and value.strip()), "")


# ── numbered sources and fences ───────────────────────────────────────────────────────────────────────


def _numbered(windows: Windows) -> Iterator[MessageDocument]:
    """Sources numbered one after another from 0 or 1, each from its number to the next; two of them at least."""
    heads: list[tuple[int, re.Match[str]]] = []
    for match in windows.matches(_NUMBERED):
        number = int(next(filter(None, match.group("a", "b", "c"))))
        if number == len(heads) + 1 or (number == len(heads) and (not heads or heads[0][0] == 0)):
            heads.append((number, match))
    if len(heads) < 2:
        return
    # What follows the last source after an empty line is no longer part of it.
    last = heads[-1][1].end()
    ends = [match.start() for _, match in heads[1:]]
    ends.append(last + len(windows.text[last:].partition("\n\n")[0]))
    for (_, match), end in zip(heads, ends, strict=True):
        yield _headed(windows.text[match.end() : end], match.end(), match["title"] or "")


def _headed(body: str, start: int, title: str) -> MessageDocument:
    url = ""
    start, body = start + len(body) - len(body.lstrip()), body.lstrip()
    if lead := _LEAD.match(body):
        title, start, body = title or lead["title"], start + lead.end(), body[lead.end() :]
    if not title and (head := _HEADED.match(body)) and len(body) - head.end() > len(head["title"]):
        title, start, body = head["title"], start + head.end(), body[head.end() :]
    if line := _URL_LINE.match(body):
        url, start, body = line["url"], start + line.end(), body[line.end() :]
    return _trimmed(body, start, title=title, url=url)


class _Fence(NamedTuple):
    """A line that begins with a fence: `marks` of it, `rest` behind them. `start` of the line, `end` without its break."""

    marks: str
    rest: str
    start: int
    end: int

    @property
    def closes(self) -> bool:
        return not self.rest.strip(" ")

    def info(self, length: int) -> str:
        """What stands behind a fence of `length` marks, in lower case."""
        found = _INFO.match(self.rest) if length == len(self.marks) else None
        return found[1].lower() if found else ""


_Closing = dict[
    tuple[str, int], list[int]
]  # by mark and length: the numbers of the fences that close such a one


def _fenced(windows: Windows) -> Iterator[MessageDocument]:
    """A fence is closed by the next one of its length; of one that is not, a shorter beginning may be closed."""
    fences = [_fence(windows.text, match) for match in windows.matches(_FENCE)]
    closing: _Closing = defaultdict(list)
    for number, fence in enumerate(fences):
        if fence.closes:
            closing[fence.marks[0], len(fence.marks)].append(number)
    at = 0
    while at < len(fences):
        fence = fences[at]
        length, closed = _closed(fence, closing, after=at)
        if closed is None or fence.end == len(windows.text):
            at += 1
            continue
        if fence.info(length) in _PROSE:
            start = fence.end + 1
            yield _trimmed(windows.text[start : fences[closed].start], start)
        at = closed + 1


def _fence(text: str, match: re.Match[str]) -> _Fence:
    marks = _FENCES.match(text, match.end() - 3)
    begin = marks.end() if marks else match.end()
    end = text.find("\n", begin)
    end = len(text) if end < 0 else end
    return _Fence(text[match.end() - 3 : begin], text[begin:end], match.start(), end)


def _closed(fence: _Fence, closing: _Closing, *, after: int) -> tuple[int, int | None]:
    """How many of its marks count, and the number of the fence that closes it."""
    for length in range(len(fence.marks), 2, -1):
        places = closing.get((fence.marks[0], length), [])
        place = bisect_left(places, after + 1)
        if place < len(places):
            return length, places[place]
    return 0, None
