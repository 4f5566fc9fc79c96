"""Whether what came through the proxy is what was sent: requests and answers beside those that went directly.

Compared byte for byte: a request's first line and body; an answer's body where the proxy does not read it; in a stream under
`observe`, each event of the server. Compared by what they say: JSON answers that the proxy reads and writes anew (order of
fields, strings, exact numbers; not blanks, escapes and ways to write a number), and streams that it holds back (joined text,
log probabilities, and in order all else that events tell). Header fields are compared in order, with all repetitions, names
without case (RFC 9110, 5.1), except those of the tables below.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from typing import Any

from eval.conformance.exchanges import Reads
from eval.conformance.raw import Fields, Message

Json = Any
# What speaks of one connection (RFC 9110, 7.6.1), and whom it leads to.
OF_THE_CONNECTION = frozenset((b"connection", b"keep-alive", b"transfer-encoding"))
SET_IN_REQUESTS = OF_THE_CONNECTION | {b"host", b"content-length"}
# A server is asked for codings that can be read, and what was read is written anew.
SET_WHERE_READ = frozenset((b"accept-encoding", b"content-encoding", b"content-length"))
# A body of the same bytes may come with its length or in chunks.
FRAMING = frozenset((b"content-length",))
# What docs/wire.md says is added to answers.
ADDED = frozenset(("guardrail", "guardrail_blocks", "annotations"))
_REPORTING = re.compile(
    r"response\.(content_part\.done|output_item\.done|completed|incomplete)|message_delta"
)
_EVENT = re.compile(rb".+?(?:(?:\r\n|\n|\r){2}|\Z)", re.DOTALL)
_EXACT = Context(prec=200)
_OURS = b"x-guardrail-"


def of_requests(direct: Message, through: Message, *, host: bytes, read: bool) -> Iterator[str]:
    """What differs in a request as it arrived. `host`: the server that is to be asked."""
    if direct.start != through.start:
        yield f"first line {through.start!r}, not {direct.start!r}"
    if through.values(b"host") != [host]:
        yield f"host {through.values(b'host')}, not {host!r}"
    passed = SET_IN_REQUESTS | (SET_WHERE_READ if read else frozenset())
    yield from _fields(_without(direct.fields, passed), _without(through.fields, passed))
    if direct.body != through.body:
        yield f"body {_near(direct.body, through.body)}"


def of_answers(direct: Message, through: Message, reads: Reads, policy: str, *, read: bool) -> Iterator[str]:
    """What differs in an answer. `read`: its path is guarded; `reads`: what of it the proxy reads."""
    if not through.complete:
        yield "the answer breaks off"
    if through.status != direct.status:
        yield f"status {through.status}, not {direct.status}"
    if (through.rest, through.trailers) != (direct.rest, direct.trailers):
        yield f"bytes behind the body: {(through.trailers + through.rest)[:80]!r}"
    yield from _own_fields(direct, through)
    framed = through.values(b"content-length") and direct.values(b"content-length")
    passed = OF_THE_CONNECTION | (SET_WHERE_READ if read else frozenset() if framed else FRAMING)
    theirs, kept = (
        tuple(pair for pair in _without(one.fields, passed) if not pair[0].startswith(_OURS))
        for one in (direct, through)
    )
    yield from _fields(theirs, kept)
    yield from _bodies(direct, through.body, reads, policy, read=read)


def _own_fields(direct: Message, through: Message) -> Iterator[str]:
    own = [name for name, _ in through.fields if name.startswith(_OURS)]
    if not own or len(set(own)) != len(own):
        yield f"header fields of our own: {own}"
    # A server has no say in what the proxy's own fields tell.
    if forged := [pair for pair in direct.fields if pair[0].startswith(_OURS) and pair in through.fields]:
        yield f"header fields of ours from the server: {forged}"


def _bodies(direct: Message, ours: bytes, reads: Reads, policy: str, *, read: bool) -> Iterator[str]:
    body = direct.body
    if read and direct.values(b"content-encoding") == [b"gzip"]:
        body = gzip.decompress(body)
    if reads is Reads.EVENTS:
        yield from (_observed if policy == "annotate" else _held)(split(body), split(ours))
    elif reads is Reads.WHOLE:
        yield from _whole(body, ours)
    elif body != ours:
        yield f"body {_near(body, ours)}"


def _without(fields: Fields, names: frozenset[bytes]) -> Fields:
    return tuple(pair for pair in fields if pair[0] not in names)


def _fields(direct: Fields, through: Fields) -> Iterator[str]:
    if direct != through:
        missing = [pair for pair in direct if pair not in through]
        more = [pair for pair in through if pair not in direct]
        yield (
            f"header fields: missing {missing}, more {more}"
            if missing or more
            else "header fields in another order"
        )


def _near(direct: bytes, through: bytes) -> str:
    """Where two bodies part."""
    pairs = enumerate(zip(direct, through, strict=False))
    at = next((place for place, (one, other) in pairs if one != other), min(len(direct), len(through)))
    return f"at {at}: {through[at : at + 40]!r}, not {direct[at : at + 40]!r}"


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────


def said(text: bytes) -> Json:
    """JSON with exact numbers. Raises ValueError."""
    return json.loads(text, parse_int=_exact, parse_float=_exact)


def _exact(literal: str) -> tuple[str, str]:
    kind = "integer" if literal.lstrip("-").isdigit() else "number"
    return kind, str(Decimal(literal).normalize(_EXACT))


def difference(theirs: Json, ours: Json, at: str = "$") -> str:
    """The first place where `ours` says something else than `theirs`, additions aside; empty where there is none."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return _of_objects(theirs, ours, at)
    if isinstance(theirs, list) and isinstance(ours, list):
        return _of_arrays(theirs, ours, at)
    same = type(theirs) is type(ours) and theirs == ours
    return "" if same else f"{at} is {ours!r:.80}, not {theirs!r:.80}"


def _of_objects(theirs: dict[str, Json], ours: dict[str, Json], at: str) -> str:
    kept = [name for name in ours if name in theirs or name not in ADDED]
    if kept != list(theirs):
        return f"{at} has the fields {kept}, not {list(theirs)}"
    return next(filter(None, (difference(theirs[name], ours[name], f"{at}.{name}") for name in kept)), "")


def _of_arrays(theirs: list[Json], ours: list[Json], at: str) -> str:
    if at.endswith(".annotations"):
        ours = ours[: len(theirs)]  # our citations stand behind those of the server
    if len(theirs) != len(ours):
        return f"{at} has {len(ours)} members, not {len(theirs)}"
    pairs = enumerate(zip(theirs, ours, strict=True))
    return next(filter(None, (difference(one, other, f"{at}[{place}]") for place, (one, other) in pairs)), "")


def _whole(theirs: bytes, ours: bytes) -> Iterator[str]:
    try:
        body = said(ours)
    except ValueError:
        yield f"no JSON: {ours[:80]!r}"
        return
    if told := difference(said(theirs), body):
        yield told
    elif not isinstance(body.get("guardrail"), dict):
        yield "no report"


# ── events ────────────────────────────────────────────────────────────────────────────────────────────


def split(body: bytes) -> list[bytes]:
    """The events of a stream, each with its end."""
    return _EVENT.findall(body)


def _data(event: bytes) -> Json:
    """What an event's data say; bytes where they are no JSON; None where it has none."""
    lines = [line.partition(b":")[2] for line in event.splitlines() if line.startswith(b"data:")]
    joined = b"\n".join(line.removeprefix(b" ") for line in lines)
    try:
        return said(joined) if lines else None
    except ValueError:
        return joined


def _added(event: bytes) -> bool:
    return added(_data(event))


def added(chunk: Json) -> bool:
    """Whether an event's data are our own: a chunk with a report and without a word."""
    if not (isinstance(chunk, dict) and isinstance(chunk.get("guardrail"), dict)):
        return False
    choices = chunk.get("choices")
    return isinstance(choices, list) and all(
        not (choice.get("delta", {}).keys() - ADDED or choice.get("text") or choice.get("finish_reason"))
        for choice in choices
    )


def _observed(theirs: Sequence[bytes], ours: Sequence[bytes]) -> Iterator[str]:
    """Each event once, in order and byte for byte, ours between them; a report within an event only where that is said."""
    left = list(ours)
    if theirs and theirs[-1:] != left[-1:] and _data(theirs[-1]) == b"[DONE]":
        yield f"the last event is {left[-1:]}"
        return
    for event in theirs:
        _skip_added(left, event)
        if not left:
            yield f"an event is missing: {event!r:.160}"
            return
        if left[0] != event and not _reports(event, left[0]):
            yield f"event {left[0]!r:.160}, not {event!r:.160}"
            return
        left.pop(0)
    if left:
        yield f"more events: {left[0]!r:.160}"
    elif b'"outcome":' not in b"".join(ours):
        yield "no report"


def _skip_added(left: list[bytes], event: bytes) -> None:
    """Takes our own events off that stand before this one."""
    while left and left[0] != event and _added(left[0]):
        left.pop(0)


def _reports(event: bytes, ours: bytes) -> bool:
    """The same event, with a report in it where docs/wire.md says that one may stand."""
    chunk, mine = _data(event), _data(ours)
    kind = chunk.get("type", "") if isinstance(chunk, dict) else ""
    named = event.partition(b"\ndata:")[0] == ours.partition(b"\ndata:")[0]
    return bool(
        named and _REPORTING.fullmatch(kind) and not difference(chunk, mine) and b'"guardrail"' in ours
    )


def _held(theirs: Sequence[bytes], ours: Sequence[bytes]) -> Iterator[str]:
    """What a stream says that is let go by sentence or at its end."""
    direct, through = _Told(theirs), _Told([event for event in ours if not _added(event)])
    for name in ("texts", "logprobs", "names"):
        if getattr(direct, name) != getattr(through, name):
            yield f"{name} {getattr(through, name)!r:.160}, not {getattr(direct, name)!r:.160}"
            return
    if told := difference(direct.rest, through.rest, "events"):
        yield told
    if through.numbers != sorted(set(through.numbers)):
        yield f"the sequence numbers do not rise: {through.numbers}"
    if b'"outcome":' not in b"".join(ours):
        yield "no report"


class _Told:
    """What events tell: texts and log probabilities by their place, and the rest in order. `names`: of the events with text."""

    def __init__(self, events: Sequence[bytes]) -> None:
        self.texts: dict[Json, str] = {}
        self.logprobs: dict[Json, list[Json]] = {}
        self.names: set[bytes] = set()
        self.numbers: list[int] = []
        self.rest: list[Json] = []
        for event in events:
            chunk = _data(event)
            if isinstance(chunk, dict):
                self._chunk(chunk, b"".join(re.findall(rb"^event: ?(.*)$", event, re.MULTILINE)))
            elif chunk is not None or event != b": checking\n\n":
                self.rest.append(repr(event if chunk is None else chunk))

    def _chunk(self, chunk: dict[str, Json], name: bytes) -> None:
        if number := chunk.pop("sequence_number", None):
            self.numbers.append(int(number[1]))
        delta, choices = chunk.get("delta"), chunk.get("choices")
        if chunk.get("type") == "response.output_text.delta":
            self._words((chunk["output_index"], chunk["content_index"]), delta, chunk.get("logprobs"))
        elif isinstance(delta, dict) and delta.get("type") == "text_delta":
            self._words(chunk["index"], delta["text"], None)
        elif not choices or self._tell_more(choices) or chunk.get("usage"):
            self.rest.append({"event": name, **chunk})
            return
        self.names.add(name)

    def _words(self, place: Json, text: Json, logprobs: Json) -> None:
        if text:
            joined = self.texts.get(place, "") + text
            # Halves of a character that came in two pieces are one.
            self.texts[place] = joined.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        self.logprobs.setdefault(place, []).extend(logprobs or ())

    def _tell_more(self, choices: list[dict[str, Json]]) -> bool:
        """Takes the words out of all choices; whether anything is left in one."""
        left = False
        for choice in choices:
            delta, logprobs = choice.get("delta", {}), choice.pop("logprobs", None) or {}
            text = choice.pop("text", None) or (delta.pop("content") if delta.get("content") else "")
            self._words(choice["index"], text, logprobs.get("content"))
            left = left or bool(delta or choice.get("finish_reason"))
        return left
