"""Tables of where an answer may contain words, and how text is read from the shapes in which it comes.

One definition for the streamed and the whole form. Names are known for what they hold; a name that is not known is harmless
as long as it holds no words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from guardrail.errors import UpstreamBroken
from proxy.wire.foreign import KEPT

__all__ = [
    "BODY",
    "CALLS",
    "CHOICE",
    "MESSAGE",
    "REASONING",
    "THINKING",
    "TOOL_CALLS",
    "Content",
    "cannot_read",
    "content_of",
    "holds_words",
    "joined",
    "no_prose",
    "unfinished",
    "without_words",
    "words_in",
]

Json = dict[str, object]

REASONING = "reasoning"
TOOL_CALLS = "tool calls"

# Reasoning is not the answer: it passes, and the report names it.
THINKING = frozenset(("reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks"))
CALLS = frozenset(("tool_calls", "function_call"))
# Of a chat message or delta. What else is in one is seen by clients as a part of the answer: no words may stand there.
MESSAGE = frozenset(("role", "content", "refusal", "annotations", "audio")) | THINKING | CALLS
# Of a choice and of a whole body: an unknown name may hold identifiers, addresses and numbers, but no prose.
CHOICE = frozenset(
    (
        "content_filter_results",
        "delta",
        "finish_reason",
        "index",
        "logprobs",
        "matched_stop",
        "message",
        "native_finish_reason",
        "stop_reason",
        "text",
    )
)
BODY = frozenset(
    (
        "choices",
        "citations",  # Perplexity: addresses
        "created",
        "error",
        "id",
        "model",
        "object",
        "obfuscation",  # random letters that hide the length of a token
        "prompt_filter_results",  # Azure
        "provider",
        "search_results",  # Perplexity: titles and addresses of what was searched
        "service_tier",
        "system_fingerprint",
        "timings",  # llama.cpp
        "usage",
        "x_groq",
    )
)

_TEXT_PARTS = {"text": "text", "output_text": "text", "refusal": "refusal"}  # by type, what holds its words
_THOUGHT_PARTS = frozenset(("thinking", "reasoning", "reasoning_text", "redacted_thinking"))
_TAIL = 40  # characters from which the end of a sentence is told
_MARKS = (".", "!", "?", "…", "。", "！", "？")
_SHORT = re.compile(
    r"(?:^|[^\w])(?:\w|\d+|Dr|Mrs?|Ms|St|Prof|vs|cf|al|etc|ca|[Nn]o|Inc|Ltd|Co|Jr|Sr|Mt|Gen|Sen)\.$"
)
_NO_PROSE = re.compile(r"[!-~]*")  # an identifier, an address, a date: printable and without a blank


class Content(NamedTuple):
    """What a `content` says. `strange`: the kind of something in it that cannot be read; empty: all was."""

    text: str = ""
    thoughts: str = ""
    strange: str = ""


def cannot_read(what: str) -> UpstreamBroken:
    """The error that ends an answer which holds something that is not understood."""
    return UpstreamBroken(f"the model server sent {what}, which this server cannot read", begun=True)


def content_of(content: object) -> Content:
    """A `content` as a string, as a list of strings and parts, or absent."""
    if content is None or isinstance(content, str):
        return Content(content or "")
    if not isinstance(content, list):
        return Content(strange=f"content that is {_kind(content)}")
    texts, thoughts, strange = [], [], ""
    for part in content:
        kind, held = _opened(part)
        if (text := _text_of(part)) is not None:
            texts.append(text)
        elif kind in _THOUGHT_PARTS:
            thoughts += words_in(held)
        elif holds_words(held):
            strange = f"a content part of type {kind[:40]!r}"
    return Content("".join(texts), "".join(thoughts), strange)


def _opened(part: object) -> tuple[str, object]:
    """The type of a part, and what else it holds."""
    if not isinstance(part, dict):
        return "text", part
    return str(part.get("type", "text")), _less(part, ["type"])


def _text_of(part: object) -> str | None:
    """The words of a part that is text; None for any other."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or not isinstance(kind := part.get("type", "text"), str):
        return None
    text = part.get(_TEXT_PARTS.get(kind, ""))
    if isinstance(text, dict):  # as in Assistants
        text = text.get("value")
    return text if isinstance(text, str) else None


def unfinished(text: str) -> bool:
    """Whether a sentence goes on behind `text`, so that what follows it is a part of what it says."""
    said = text[-_TAIL:].rstrip(" \t")
    if not said.strip() or said.endswith(("\n\n", "\r\n\r\n")):
        return False
    said = said.rstrip().rstrip("\"'*_)]}»”’」』")
    return not said.endswith(_MARKS) or bool(_SHORT.search(said))


def joined(told: Sequence[object], says: Callable[[object], str | None]) -> list[list[Any]]:
    """Parts in groups over each of which one sentence goes. `says`: the words of a part that is text, else None."""
    groups: list[list[Any]] = []
    goes_on = False
    for part in told:
        text = says(part)
        if goes_on and text is not None:
            groups[-1].append(part)
            goes_on = unfinished(text) if text.strip() else goes_on
        else:
            groups.append([part])
            goes_on = text is not None and unfinished(text)
    return groups


def words_in(value: object) -> list[str]:
    """All strings in a JSON value, in its order, names of fields left out."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
    return found


def holds_words(value: object, *, prose: bool = False) -> bool:
    """Whether any string stands in a JSON value; with `prose`, one that is more than an identifier or an address."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if one and not (prose and no_prose(one)):
                return True
        elif isinstance(one, dict):
            waiting.extend(one.values())
            waiting.extend(one.keys() if prose else ())
        elif isinstance(one, list):
            waiting.extend(one)
    return False


def no_prose(text: str) -> bool:
    """Whether it is at most an identifier, an address or a date."""
    return _NO_PROSE.fullmatch(text) is not None


def without_words(told: Json, known: frozenset[str], *, prose: bool = False) -> tuple[Json, list[str]]:
    """`told` without the names that are not known and hold words (or prose), and those names."""
    strange = [name for name in sorted(told.keys() - known - KEPT) if holds_words(told[name], prose=prose)]
    return (told if not strange else _less(told, strange)), strange


def _less(told: Mapping[str, object], names: list[str]) -> Json:
    left_out = frozenset(names)
    return {name: value for name, value in told.items() if name not in left_out}


def _kind(value: object) -> str:
    if isinstance(value, bool | int | float):
        return "a number or a truth value"
    return "an object"
