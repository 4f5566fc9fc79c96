"""Whether words of a sentence may be a value of a property, and whether they are the one that is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Literal

from guardrail.check.kg.aligned.fillers import Filler
from guardrail.check.kg.aligned.words import akin, content, negations, words_of
from guardrail.check.kg.compare.names import fold, like_words
from guardrail.rules import rule
from guardrail.types import Node, Object, Property, Span, Triplet, Value
from guardrail.values import compare
from guardrail.values.clock import opening
from guardrail.values.codes import is_code, same_form
from guardrail.values.comparisons import bound_of, is_limit
from guardrail.values.units import ORDINAL, Unit, unit_of
from guardrail.values.weekdays import weekdays
from guardrail.values.written_days import doubt

__all__ = [
    "YES_NO",
    "Match",
    "affirmed",
    "counts",
    "family",
    "match",
    "match_days",
    "said",
    "scheduled",
    "spoken_as",
]

Match = Literal["same", "other", "unknown", "unfit"]
"""`unfit`: it cannot be a value of this property, so it says nothing about it."""

_ISO = re.compile(r"[12]\d{3}(-\d\d)?(-\d\d)?")
_YEAR = re.compile(r"[12]\d{3}")
_VERSION = re.compile(r"\d+(?:\.\d+)*")
YES_NO = {"yes": True, "true": True, "no": False, "false": False}
_ABLE = re.compile(
    r"\b(?:can|may|could|able|allow\w*|permit\w*|max\w*|hold\w*|seat\w*|carr(?:y|ies)|accommodat\w*|room|space|capacity)\b",
    re.IGNORECASE,
)
_RANK = re.compile(
    r"\b(?:rank|place|position|order|floor|storey|edition|season|round|number|no)\b(?! of)", re.IGNORECASE
)
_BEGINS = re.compile(r"\b(?:open\w*|start\w*|begin\w*|from)\b", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:clos\w+|end\w*|finish\w*|until|till)\b", re.IGNORECASE)
_IS_OPEN = re.compile(
    r"\b(?:is|are|be|was|were|stays?|remains?|keeps?)(?: \w+)? (?:open|closed|shut)\b", re.IGNORECASE
)
_BOUNDING = frozenset({"until", "till", "from", "to", "between", "and"})
_EXCEPTING = re.compile(r"\b(?:except|excluding|but|apart|other than|not|no|closed|shut)\b", re.IGNORECASE)
_LIMIT_SAID = re.compile(
    r"\b(?:max\w*|limit\w*|up to|at most|no more|not more|only|most|all)\b", re.IGNORECASE
)
_STARTING = re.compile(r"\b(?:from|starting at)\s(?:the age of\s)?$", re.IGNORECASE)
_ENDING = re.compile(r"\b(?:up to|until)\s(?:the age of\s)?$", re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|shut|clos(?:ing|ure) days?)\b", re.IGNORECASE)
_NEAR = 40
"""Characters before a value in which the words stand that say what it is."""
_END = re.compile(
    r"\b(?:(?P<closing>until|till|to|and|clos\w*|ends?|finish\w*|last)|opens|from|between|starts?|begins?)\b",
    re.IGNORECASE,
)


def affirmed(known: Node | Value) -> bool | None:
    """The yes or no that a property holds, or whether a count is more than none; None for any other value."""
    if known.label.casefold() in YES_NO:
        return YES_NO[known.label.casefold()]
    if isinstance(known, Value):
        if known.datatype == "string" and known.value.casefold() in YES_NO:
            return YES_NO[known.value.casefold()]
        if known.datatype == "quantity" and known.unit is None:
            return known.value != "0"
    return None


def family(filler: Filler) -> str:
    """What kind of value it is: the dimension of its unit, "date", "clock", "name", or "count" for a bare number."""
    value = filler.argument.value
    if filler.named:
        return "name"
    if filler.days or filler.code:
        return "days" if filler.days else "code"
    if value is None:
        return "clock"
    if value.datatype == "date":
        return "date"
    unit = unit_of(value.unit) if value.unit is not None else None
    return unit.dimension if unit and value.unit != ORDINAL else "count"


def match(filler: Filler, known: Triplet, record: Property, text: str) -> Match:
    """`filler` beside the value of a statement; `text` is the sentence, for "open until"."""
    object_, value = known.object, filler.argument.value
    if filler.code:
        return _code(filler.code, object_.label)
    if isinstance(object_, Node):
        return _name(filler, object_, record)
    if object_.datatype == "string":
        return _text(filler, object_, record, text)
    if value is None:
        return "unfit"
    if object_.datatype == "date":
        return _compared(_dated(value), object_, filler)
    if filler.free:
        return _free(object_, record)
    if object_.datatype == "quantity" and value.datatype == "quantity":
        return _most(filler, _quantity(filler, value, object_, record), object_, record, text)
    return "unfit"


def _text(filler: Filler, known: Value, record: Property, text: str) -> Match:
    """`filler` beside a text of the graph, which may be days, opening hours, a date or words."""
    if (hours := opening(known.value)) is not None:
        return _clock(filler, hours, record, text)
    value, dated = filler.argument.value, _as_date(known)
    if value is not None and value.datatype == "date" and dated is not None:
        return _compared(value, dated, filler)
    return _name(filler, known, record) if affirmed(known) is None else "unfit"


def _code(said: str, known: str) -> Match:
    """A version or another code beside a value, which is another one only where it is of the same form."""
    if said == known:
        return "same"
    versions = _VERSION.fullmatch(said) and _VERSION.fullmatch(known)
    return "other" if versions or (is_code(known) and same_form(known, said)) else "unfit"


@rule("text-as-date")
def _as_date(known: Value) -> Value | None:
    """A text that is a date, as one."""
    iso = _ISO.fullmatch(known.value)
    if iso is None or doubt(known.value):
        return None
    return replace(known, datatype="date", precision=11 if iso[2] else 10 if iso[1] else 9)


def _most(filler: Filler, found: Match, known: Value, record: Property, text: str) -> Match:
    """What "up to" makes of it: what a thing can hold "up to" is its most; of what takes "up to" a week, less leaves it open."""
    value = filler.argument.value
    if value is None or _leaves_open(found, filler, value, known, record, text):
        return "unknown"
    if found != "same" or filler.argument.modifier != "at most":
        return found
    exact = _quantity(replace(filler, argument=replace(filler.argument, modifier="")), value, known, record)
    able = _ABLE.search(text, max(0, filler.span.start - _NEAR), filler.span.end) is not None
    if exact == "same" or able or is_limit(record.label):
        return exact
    before = text[max(0, filler.span.start - _NEAR) : filler.span.end].casefold()
    return "unknown" if "up to" in before else found


@rule("bounds-told-otherwise", silent=False)
def _bounds_otherwise(filler: Filler, value: Value, known: Value, record: Property, text: str) -> bool:
    """Whether a bound is said that is another one than the known: "up to 14" of the minimum age, "from 6" of the ages 0 to 17."""
    said = filler.argument.modifier
    said = "at least" if _STARTING.search(text, 0, filler.span.start) else said
    said = "at most" if _ENDING.search(text, 0, filler.span.start) else said
    if said not in ("at least", "at most"):
        return False
    end = known.lower if said == "at least" else known.upper
    if end is not None:
        return _number(value) != _number(replace(known, value=end))
    return bound_of(record.label) not in ("", said)


def _leaves_open(
    found: Match, filler: Filler, value: Value, known: Value, record: Property, text: str
) -> bool:
    """Whether a limit does not tell: three bikes are within one of five."""
    if found == "same":
        return _bounds_otherwise(filler, value, known, record, text)
    if not is_limit(record.label):
        return False
    ours, theirs = _number(value), _number(known)
    called = bool(filler.argument.modifier) or _LIMIT_SAID.search(text) is not None
    return not called and ours is not None and theirs is not None and ours < theirs


def said(known: Node | Value, text: str) -> Span | None:
    """Where the sentence has the words of a known name or text, in any number: "batteries" of "battery"."""
    return spoken_as(known.label if isinstance(known, Node) else known.value, text)


def spoken_as(words: str, text: str) -> Span | None:
    """Likewise of any words; one word alone must carry meaning."""
    wanted = words_of(words)
    if not wanted or (len(wanted) == 1 and not content(words)):
        return None
    spoken = words_of(text)
    size = len(wanted)
    for at in range(len(spoken) - size + 1):
        stretch = spoken[at : at + size]
        if all(akin(one.key, other.key) for one, other in zip(stretch, wanted, strict=True)):
            return Span(stretch[0].span.start, stretch[-1].span.end)
    return None


def _name(filler: Filler, known: Node | Value, record: Property) -> Match:
    if filler.phrase:
        return "same" if filler.phrase == known.label else "other" if record.id in filler.of else "unfit"
    if filler.named is None:
        return "unfit"
    if isinstance(known, Node) and filler.named.profile.entity.id == known.id:
        return "same"
    names = (filler.named.text, *filler.named.profile.names)
    likeness = {like_words(name, known.label) for name in names}
    return "same" if "same" in likeness else "unknown" if "near" in likeness else "other"


def match_days(
    days: frozenset[int], known: Sequence[Triplet], record: Property, text: str
) -> list[tuple[Match, Triplet]]:
    """Days of the week beside all that are known, be they in one text or in a list: each of them is one, or none is."""
    held = frozenset(day for one in known for day in scheduled(one.object))
    denied = (negations(text) + len(_CLOSED.findall(text)) + len(_CLOSED.findall(record.label))) % 2 == 1
    if days <= held:
        found: Match = "other" if denied else "same"
    elif days.isdisjoint(held):
        found = "same" if denied else "other"
    else:
        found = "unknown"
    return [(found if scheduled(one.object) else "unfit", one) for one in known]


def counts(filler: Filler, record: Property) -> bool:
    """Whether a number is of what the property counts: "eight people" of "max people"."""
    return bool(filler.counted) and any(akin(fold(filler.counted), one.key) for one in words_of(record.label))


def scheduled(known: Object) -> frozenset[int]:
    """The days of the week that a value is: those of hours of opening tell when, and not on which days alone."""
    told = opening(known.label) is None and _EXCEPTING.search(known.label) is None
    return weekdays(known.label) if told else frozenset()


def _clock(filler: Filler, hours: tuple[int, int | None], record: Property, text: str) -> Match:
    """A time of day beside one, or beside opening hours, of which the words before it tell the end that is meant."""
    *_, end = (None, *_END.finditer(text, max(0, filler.span.start - _NEAR), filler.span.start))
    closing = end is not None and end["closing"] is not None
    first, last = hours
    if filler.clock is None or (
        last is None and _bounds(end) and _is_other_end(record.label, closing=closing)
    ):
        return "unfit"
    if not _means_one_time(end, text, alone=last is None):
        return "unknown"
    wanted = last if last is not None and closing else first
    return "same" if wanted % 1440 in filler.clock.minutes else "other"


def _bounds(end: re.Match[str] | None) -> bool:
    return end is not None and end[0].casefold() in _BOUNDING


def _means_one_time(end: re.Match[str] | None, text: str, *, alone: bool) -> bool:
    """Not so "is open at noon", which tells neither end of the hours."""
    return _bounds(end) if _IS_OPEN.search(text) else alone or end is not None


def _is_other_end(label: str, *, closing: bool) -> bool:
    """Whether a property of one time is of the other end: "until" tells no time at which a thing opens."""
    return (_BEGINS if closing else _ENDS).search(label) is not None


def _dated(value: Value) -> Value:
    """A bare number that may be a year, as a year."""
    if value.datatype == "quantity" and value.unit is None and _YEAR.fullmatch(value.value):
        return replace(value, datatype="date", precision=9)
    return value


def _compared(value: Value, known: Value, filler: Filler) -> Match:
    if value.datatype != known.datatype:
        return "unfit"
    modifier = filler.argument.modifier
    state = compare(value, known, modifier="" if modifier in ("since", "from", "until", "to") else modifier)
    return {"agree": "same", "conflict": "other", "unknown": "unknown"}[state]  # type: ignore[return-value]


def _free(known: Value, record: Property) -> Match:
    """That nothing is to be paid, beside a sum of money."""
    unit = _unit(_with_unit(known, record))
    if unit is None or not unit.dimension.isupper():  # a currency
        return "unfit"
    return "same" if _number(known) == 0 else "other"


def _quantity(filler: Filler, value: Value, known: Value, record: Property) -> Match:
    known = _with_unit(known, record)
    value = filler.in_unit_of(known, value)
    ours, theirs = _unit(value), _unit(known)
    if not _one_dimension(ours, theirs):
        return "unfit"
    if theirs is None and ours is not None and _scaled(ours):
        # a sum beside a bare number: the same figure may be meant, another one may be in another unit
        return "same" if _number(value) == _number(known) is not None else "unfit"
    if ours is None:
        value, known = replace(value, unit=None), replace(known, unit=None)  # counted in whatever they are
    if value.unit == ORDINAL:
        if not _RANK.search(record.label):
            return "unfit"
        value = replace(value, unit=None)
    return _compared(value, known, filler)


def _with_unit(known: Value, record: Property) -> Value:
    """A known figure with its unit, which the property may give."""
    return replace(known, unit=known.unit or record.unit)


def _unit(value: Value) -> Unit | None:
    return unit_of(value.unit) if value.unit is not None else None


def _one_dimension(ours: Unit | None, theirs: Unit | None) -> bool:
    """Whether figures in these units can be compared; without a unit only what needs none: a share, a rank, an age."""
    if theirs is None:
        return True
    if ours is None:
        return theirs.dimension in ("ratio", "order", "age")
    return ours.dimension == theirs.dimension


def _scaled(unit: Unit) -> bool:
    """Whether a figure depends on the unit that it is given in."""
    return unit.node != ORDINAL and unit.dimension not in ("ratio", "age")


def _number(value: Value) -> Decimal | None:
    try:
        return Decimal(value.value)
    except InvalidOperation:
        return None
