"""Finds the documents that an application has pasted into a message: tags, JSON, numbered sources, fences.

<document title="…">…</document>   <passage>…</passage>   <source url="…">…</source>   nested <title>, <url>, <content>
[{"title": …, "text": …}, …]   {"results": [...]}   {"documents": [...]}
[1] Title: text    Source 2: text    Document 3 (Title: …): text    Passage #4 …
```text …```
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from guardrail.types import Span

__all__ = ["Found", "documents"]


@dataclass(frozen=True, slots=True)
class Found:
    """A document in a message. `span` is its place there; `text` is what stands there, unescaped where it was JSON."""

    text: str
    span: Span
    title: str = ""
    url: str = ""


_ONE = "document|doc|passage|context|source|reference|search_result|result|excerpt|article|snippet|chunk|page|text_unit"
_TAG = re.compile(
    rf"<(?P<tag>{_ONE})(?P<attributes>(?:\s[^<>]*)?)>(?P<body>(?:(?!<(?:{_ONE})[\s>]).)*?)</(?P=tag)>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TITLE = re.compile(r"<(title|name|heading)>\s*(.*?)\s*</\1>", re.DOTALL | re.IGNORECASE)
_URL = re.compile(r"<(url|link|source|href)>\s*(.*?)\s*</\1>", re.DOTALL | re.IGNORECASE)
_CONTENT = re.compile(
    r"<(document_content|document_contents|content|text|body|page_content)>(.*?)</\1>",
    re.DOTALL | re.IGNORECASE,
)
_FENCE = re.compile(
    r"^[ ]{0,3}(?P<fence>`{3,}|~{3,})[ ]*(?P<info>[\w+.-]*)[^\n]*\n(?P<body>.*?)\n?^[ ]{0,3}(?P=fence)[ ]*$",
    re.DOTALL | re.MULTILINE,
)
_PROSE = frozenset(("", "text", "txt", "md", "markdown", "plaintext", "context", "document", "quote", "html"))
_NUMBERED = re.compile(
    r"^[ \t]*(?:\[(?:doc(?:ument)?\s*)?(?P<a>\d{1,3})\]|\((?P<b>\d{1,3})\)|"
    r"(?:source|document|doc|passage|reference|context|result|excerpt|chunk)\s*#?(?P<c>\d{1,3})\b)"
    r"[ \t]*(?:\((?:title:)?[ \t]*(?P<title>[^)\n]*)\))?[ \t]*[:.\-–—]?[ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_HEADED = re.compile(r"(?P<title>[^\n]{1,120}?)[ \t]*(?:\n|:[ \t]+)", re.IGNORECASE)
_LEAD = re.compile(r"^[ \t]*title[ \t]*:[ \t]*(?P<title>[^\n]*)\n", re.IGNORECASE)
_URL_LINE = re.compile(r"^[ \t]*(?:url|link|source)[ \t]*:[ \t]*(?P<url>\S+)[ \t]*\n", re.IGNORECASE)

_OPENING = re.compile(r"(?:(?<=[\n:`>])|\A)[ \t]*(?=[\[{])")
_ATTEMPTS = 50  # places where JSON may begin that are tried: keeps the work linear

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


def documents(text: str, *, fenced: bool = True) -> list[Found]:
    """The documents in `text`, disjoint, in order; the first notation that finds any is the one in use.

    `fenced`: whether a fenced block without a programming language is a document.
    """
    for notation in (_tagged, _json, _numbered, _fenced if fenced else None):
        if notation is None:
            continue
        found = [document for document in notation(text) if document.text.strip()]
        if found:
            return found
    return []


# ── tags ──────────────────────────────────────────────────────────────────────────────────────────────


def _tagged(text: str) -> Iterator[Found]:
    """Innermost documents: `<documents>` holds documents and is none itself."""
    for match in _TAG.finditer(text):
        attributes = {name.lower(): a or b for name, a, b in _ATTRIBUTE.findall(match["attributes"] or "")}
        body, start = match["body"], match.start("body")
        title = next((attributes[key] for key in _TITLE_KEYS if attributes.get(key)), "")
        url = next((attributes[key] for key in _URL_KEYS if attributes.get(key)), "")
        if named := _TITLE.search(body):
            title = title or named[2]
        if linked := _URL.search(body):
            url = url or linked[2]
        if content := _CONTENT.search(body):
            start, body = start + content.start(2), content[2]
        elif named or linked:
            end = max(m.end() for m in (named, linked) if m)
            start, body = start + end, body[end:]
        yield _trimmed(body, start, title=title, url=url)


def _trimmed(body: str, start: int, *, title: str = "", url: str = "") -> Found:
    inner = body.strip()
    begin = start + len(body) - len(body.lstrip())
    return Found(inner, Span(begin, begin + len(inner)), title.strip(), url.strip())


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────


def _json(text: str) -> Iterator[Found]:
    """The passages of the first JSON value in the text that has any."""
    decoder = json.JSONDecoder()
    for opening in islice(_OPENING.finditer(text), _ATTEMPTS):
        try:
            value, end = decoder.raw_decode(text, opening.end())
        except (ValueError, RecursionError):
            continue
        found = list(_passages(value, text, opening.end(), end))
        if found:
            yield from found
            return


def _passages(value: object, text: str, start: int, end: int) -> Iterator[Found]:
    at = start
    for item in _listed(value):
        body = item if isinstance(item, str) else _first(item, _TEXT_KEYS)
        if not body:
            continue
        span = _literal(text, body, at, end)
        if span is not None:
            at = span.end
        title, url = (
            ("", "") if isinstance(item, str) else (_first(item, _TITLE_KEYS), _first(item, _URL_KEYS))
        )
        yield Found(body, span or Span(start, end), title, url)


def _listed(value: object) -> list[str | Mapping[str, object]]:
    """The items of a list of passages; an object that holds such a list, or that is one passage, counts as it."""
    if isinstance(value, Mapping):
        for key in _LIST_KEYS:
            inner = value.get(key)
            if isinstance(inner, Sequence) and not isinstance(inner, str) and (items := _listed(inner)):
                return items
        return [value] if _first(value, _TEXT_KEYS) else []
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    items = [item for item in value if isinstance(item, Mapping) and _first(item, _TEXT_KEYS)]
    if items:
        return list(items)
    texts = [item for item in value if isinstance(item, str)]
    return list(texts) if len(texts) == len(value) and any(" " in item for item in texts) else []


def _first(item: Mapping[str, object], keys: Sequence[str]) -> str:
    return next((value for key in keys if isinstance(value := item.get(key), str) and value.strip()), "")


def _literal(text: str, body: str, start: int, end: int) -> Span | None:
    """Where the string stands in the text: as it is, or escaped as JSON writers do."""
    for written in (json.dumps(body, ensure_ascii=False)[1:-1], json.dumps(body)[1:-1]):
        place = text.find(written, start, end)
        if place >= 0:
            return Span(place, place + len(written))
    return None


# ── numbered sources and fences ───────────────────────────────────────────────────────────────────────


def _numbered(text: str) -> Iterator[Found]:
    """Sources numbered one after another from 0 or 1, each from its number to the next; two of them at least."""
    heads: list[tuple[int, re.Match[str]]] = []
    for match in _NUMBERED.finditer(text):
        number = int(match["a"] or match["b"] or match["c"])
        if number == len(heads) + 1 or (number == len(heads) and (not heads or heads[0][0] == 0)):
            heads.append((number, match))
    if len(heads) < 2:
        return
    for place, (_, match) in enumerate(heads):
        last = place + 1 == len(heads)
        end = len(text) if last else heads[place + 1][1].start()
        body = text[match.end() : end]
        if last:  # what follows the last source after an empty line is no longer part of it
            body = body.split("\n\n")[0] if len(body) > len(body.split("\n\n")[0]) else body
        yield _headed(body, match.end(), match["title"] or "")


def _headed(body: str, start: int, title: str) -> Found:
    url = ""
    start, body = start + len(body) - len(body.lstrip()), body.lstrip()
    if lead := _LEAD.match(body):
        title, start, body = title or lead["title"], start + lead.end(), body[lead.end() :]
    if not title and (head := _HEADED.match(body)) and len(body) - head.end() > len(head["title"]):
        title, start, body = head["title"], start + head.end(), body[head.end() :]
    if line := _URL_LINE.match(body):
        url, start, body = line["url"], start + line.end(), body[line.end() :]
    return _trimmed(body, start, title=title, url=url)


def _fenced(text: str) -> Iterator[Found]:
    for match in _FENCE.finditer(text):
        if match["info"].lower() in _PROSE:
            yield _trimmed(match["body"], match.start("body"))
