"""What stands in brackets behind a name: "(1867–1934)", "(b. 1945)", "(1997)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrail.claims.arguments import Arguments
from guardrail.claims.clauses import Clause
from guardrail.types import Argument, Fact

__all__ = ["bracketed"]

_DASH = re.compile(
    r"\s*[–—-]+\s*(?:c(?:irca|a)?\.?\s*)?\Z|.*[\s,;][–—-]+\s*\Z|\s+(?:to|until)\s+\Z", re.DOTALL
)
_BORN = re.compile(r"\b(?:b\.|born|né|née)\s*(?:c(?:irca|a)?\.?\s*)?\Z", re.IGNORECASE)
_DIED = re.compile(r"\b(?:d\.|died)\s*(?:c(?:irca|a)?\.?\s*)?\Z", re.IGNORECASE)
_SPANS = {
    "person": (("P569",), ("P570",)),
    "event": (("P580",), ("P582",)),
    "org": (("P571",), ("P576",)),
    "place": (("P571",), ("P576",)),
}
_WORDS = {
    "P569": "born",
    "P570": "died",
    "P580": "began",
    "P582": "ended",
    "P571": "founded",
    "P576": "dissolved",
    "P577": "from",
}


def bracketed(clause: Clause, arguments: Arguments) -> Iterator[Fact]:
    """The facts of the dates in a bracket without a verb; none where it is not clear what they say."""
    if clause.antecedent is None or clause.vg is not None or clause.role != "aside":
        return
    reading = arguments.reading
    text, offset = reading.sentence.text, reading.sentence.span.start
    start = reading.tokens[clause.start].start
    if text[start] not in "([":
        return
    end = text.find(")" if text[start] == "(" else "]", start)
    end = end if end > 0 else len(text)
    dates = [
        v
        for v in reading.values
        if v.span is not None
        and start <= v.span.start - offset < end
        and v.value is not None
        and v.value.datatype == "date"
    ]
    if not dates:
        return
    who = arguments.of(clause.antecedent)
    kinds = arguments.kinds_of(who)
    kind = next(
        (one for one in _SPANS if one in kinds),
        "person" if not kinds and arguments.discourse.like_person(who.text) else "",
    )
    behind = start + 1
    for at, date in enumerate(dates[:2]):
        assert date.span is not None
        before, after = text[behind : date.span.start - offset], text[date.span.end - offset : end]
        behind = date.span.end - offset
        relations = _relations(before, at, len(dates), kind, after)
        if not relations and len(dates) == 1 and "work" in kinds:
            relations = ("P577",)
        if relations:
            yield _fact(who, date, relations, arguments)


def _relations(before: str, at: int, count: int, kind: str, after: str) -> tuple[str, ...]:
    if _BORN.search(before):
        return ("P569",)
    if _DIED.search(before):
        return ("P570",)
    if not kind or count < 2:
        return ()
    if at:
        return _SPANS[kind][1] if _DASH.match(before) else ()
    return _SPANS[kind][0] if re.search(r"[–—-]|\b(?:to|until)\b", after) else ()


def _fact(who: Argument, date: Argument, relations: tuple[str, ...], arguments: Arguments) -> Fact:
    return Fact(
        who,
        _WORDS[relations[0]],
        date,
        relations=relations,
        object_type=arguments.type_of(date),
        tense="past",
    )
