"""References in the request: the documents that a chat request brings along, wherever the application put them.

    tool and function results                     whole, or as the passages of a JSON answer
    system, developer and user messages           documents that show as such: XML-like tags, numbered sources, JSON arrays
                                                  of passages, fenced blocks (fences not in user messages: there they are code)
    content parts                                 `grounding_source`, `tool_result` (and `query`, which is the question)
    the body field `guardrail`                    `{"references": [...], "question": …}`

Each passage keeps the index of its message and its place in that message's text (the text parts joined), so that a
verdict can point into the prompt. RefChecker's settings are how many there are: zero (none), noisy (several, of which
some may be beside the point), accurate (the one document that the answer is about); a policy may force one.

Reading takes time linear in the request and has a limit. What it does not come to is named in `References.unread`: a verdict
over the rest may not be "confirmed".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from guardrail.evidence.request.documents_in_text import MessageDocument, documents
from guardrail.given import given_references, given_setting
from guardrail.types import Passage, Setting, Source, Span

__all__ = ["References", "message_text", "read"]

Json = Mapping[str, object]

_RESULTS = frozenset(("tool", "function"))
_DEEPEST = 8  # content within content: no dialect has more
_INSTRUCTIONS = ("system", "instructions")  # beside the messages, in the Messages and the Responses API


@dataclass(frozen=True, slots=True)
class References:
    """What a request says beside its question. `unread`: the messages whose documents were not found in time."""

    passages: tuple[Passage, ...] = ()
    question: str = ""
    setting: Setting = Setting.ZERO
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class _Gathered:
    until: float
    passages: list[Passage] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    query: str = ""
    asked: str = ""

    def add(
        self, text: str, message: int | None, span: Span | None, *, title: str = "", url: str = ""
    ) -> None:
        if text.strip():
            place = "body" if message is None else f"m{message}"
            self.passages.append(
                Passage(
                    f"{place}-{len(self.passages)}",
                    text,
                    Source.REQUEST,
                    title=title,
                    url=url or None,
                    message=message,
                    span=span,
                )
            )


def read(body: Json, *, setting: Setting | None = None, until: float = math.inf) -> References:
    """The references and the question of a chat request. `setting` forces one; None takes the one that the request names
    (`guardrail.setting`), else the one that the number of references shows. `until`: when no further message is read
    (`time.monotonic()`, seconds).

    Reads what it knows and ignores the rest; only the explicit field is an error when it is malformed (ValueError).
    """
    gathered = _Gathered(until)
    given = body.get("guardrail")
    explicit: tuple[Passage, ...] = ()
    if isinstance(given, Mapping):
        explicit = _explicit(given)
        gathered.query = _plain(given.get("question"))
        setting = setting or given_setting(given.get("setting"))
    for name in _INSTRUCTIONS:
        if text := message_text(body.get(name)):
            _text(gathered, None, "system", text, 0)
    _messages(gathered, body.get("messages", body.get("input")))
    passages = _once((*explicit, *gathered.passages))
    taken = setting or Setting.of(len(passages))
    if taken is Setting.ZERO or not passages:
        passages, taken = (), Setting.ZERO
    return References(passages, gathered.query or gathered.asked, taken, tuple(gathered.unread))


def _explicit(given: Json) -> tuple[Passage, ...]:
    listed = given.get("references") or ()
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        raise ValueError("references must be a list")
    return given_references(listed)


def _messages(gathered: _Gathered, messages: object) -> None:
    if isinstance(messages, Sequence) and not isinstance(messages, str):
        for index, message in enumerate(messages):
            if isinstance(message, Mapping):
                _message(gathered, index, message)


def message_text(content: object, *, depth: int = 0) -> str:
    """The text of a message's content: itself, or its text parts joined. Spans of passages point into this."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and depth < _DEEPEST:
        return "".join(_part_text(part, depth + 1) for part in content)
    return ""


def _parts(message: Json) -> tuple[str, Sequence[object]]:
    """The role that speaks, and the parts of what it says."""
    role, content = _plain(message.get("role")), message.get("content")
    if message.get("type") == "function_call_output":
        role, content = "tool", message.get("output")
    parts = [content] if isinstance(content, str) else content
    return role, parts if isinstance(parts, Sequence) else ()


def _message(gathered: _Gathered, index: int, message: Json) -> None:
    role, parts = _parts(message)
    plain: list[tuple[str, str, int]] = []
    at = 0
    for part in parts:
        text = _part_text(part)
        if _is(part, "grounding_source"):
            title, url = _heading(part)
            gathered.add(text, index, Span(at, at + len(text)), title=title, url=url)
        elif _is(part, "query"):
            gathered.query = gathered.query or text
        elif text:
            plain.append(("tool" if _is(part, "tool_result") else role, text, at))
        at += len(text)
    for spoken_as, text, start in plain:
        _text(gathered, index, spoken_as, text, start)
    asked = [text for spoken_as, text, _ in plain if spoken_as == "user"]
    if asked:
        gathered.asked = "\n".join(asked)


def _text(gathered: _Gathered, index: int | None, role: str, text: str, start: int) -> None:
    try:
        found = documents(text, fenced=role != "user", until=gathered.until) if role != "assistant" else []
    except TimeoutError as error:
        gathered.unread.append(f"{'the instructions' if index is None else f'message {index}'}: {error}")
        return
    if not found and role in _RESULTS:
        found = [MessageDocument(text.strip(), _inner(text))]
    for document in found:
        gathered.add(document.text, index, document.span.shift(start), title=document.title, url=document.url)


def _inner(text: str) -> Span:
    start = len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))


def _once(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The same text given twice (a tool result repeated in a later message) is one passage: the first."""
    first: dict[str, Passage] = {}
    for passage in passages:
        first.setdefault(passage.text, passage)
    return tuple(first.values())


def _part_text(part: object, depth: int = 0) -> str:
    """The text of a content part in any of its dialects: `text`, `{grounding_source: {text}}`, `{guardContent: {text: {text}}}`."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or depth > _DEEPEST:
        return ""
    for name in ("text", "grounding_source", "query", "guardContent", "guard_content", "content"):
        inner = part.get(name)
        if isinstance(inner, str):
            return inner
        if isinstance(inner, Mapping) and (text := _part_text(inner, depth + 1)):
            return text
        if name == "content" and isinstance(inner, Sequence):
            return message_text(inner, depth=depth)
    return ""


def _is(part: object, name: str, depth: int = 0) -> bool:
    if not isinstance(part, Mapping) or depth > _DEEPEST:
        return False
    qualifiers = part.get("qualifiers")
    if isinstance(qualifiers, Sequence) and name in qualifiers:
        return True
    if part.get("type") == name or name in part:
        return True
    return any(_is(part.get(inner), name, depth + 1) for inner in ("text", "guardContent", "guard_content"))


def _heading(part: object, depth: int = 0) -> tuple[str, str]:
    if not isinstance(part, Mapping) or depth > _DEEPEST:
        return "", ""
    title, url = _heading(part.get("grounding_source"), depth + 1)
    return _plain(part.get("title")) or title, _plain(part.get("url")) or url


def _plain(value: object) -> str:
    """A string or a number as text: writing out anything else that stands in their place is no use, and work."""
    return str(value) if value and isinstance(value, (str, int, float)) else ""
