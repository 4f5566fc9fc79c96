"""Whether words of a sentence may be a value of a property, and whether they are the one that is known."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal

from guardrail import ontology
from guardrail.check.kg.aligned.fillers import Filler, weekdays
from guardrail.check.kg.aligned.words import akin, content, words_of
from guardrail.check.kg.compare.names import like_words
from guardrail.types import Node, Property, Span, Triplet, Value
from guardrail.values import compare
from guardrail.values.clock import opening
from guardrail.values.units import ORDINAL, Unit, unit_named, unit_of

__all__ = ["Match", "affirmed", "family", "match", "said", "spoken_as"]

Match = Literal["same", "other", "unknown", "unfit"]
"""`unfit`: it cannot be a value of this property, so it says nothing about it."""

_ISO = re.compile(r"[12]\d{3}(-\d\d)?(-\d\d)?")
_YEAR = re.compile(r"[12]\d{3}")
_IN_UNIT = re.compile(r"\bin ([a-z]+(?: ?metres| ?meters)?)$", re.IGNORECASE)
_CODE = re.compile(r"\d+(?:\.\d+)*")
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
_CALENDAR = (ontology.classes("units of months"), ontology.classes("units of days"))
_ABLE = re.compile(
    r"\b(?:can|may|could|able|allow\w*|permit\w*|max\w*|hold\w*|seat\w*|carr(?:y|ies)|accommodat\w*|room|space|capacity)\b",
    re.IGNORECASE,
)
_NEAR = 40
"""Characters before a value in which the words stand that say what it is."""
_MONTHS_VARY = Decimal("0.05")
_END = re.compile(
    r"\b(?:(?P<closing>until|till|to|and|clos\w*|ends?|finish\w*|last)|opens|from|between|starts?|begins?)\b",
    re.IGNORECASE,
)


def affirmed(known: Node | Value) -> bool | None:
    """The yes or no that a property holds, or whether a count is more than none; None for any other value."""
    if known.label.casefold() in _YES_NO:
        return _YES_NO[known.label.casefold()]
    if isinstance(known, Value):
        if known.datatype == "string" and known.value.casefold() in _YES_NO:
            return _YES_NO[known.value.casefold()]
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
    if isinstance(object_, Node):
        return _days(filler, object_) if filler.days else _name(filler, object_, record)
    if object_.datatype == "string":
        return _text(filler, object_, record, text)
    if value is None:
        return "unfit"
    if object_.datatype == "date":
        return _compared(_dated(value), object_, filler)
    if object_.datatype == "quantity" and value.datatype == "quantity":
        return _most(filler, _quantity(filler, value, object_, record), object_, record, text)
    return "unfit"


def _text(filler: Filler, known: Value, record: Property, text: str) -> Match:
    """`filler` beside a text of the graph, which may be days, a version, opening hours, a date or words."""
    if filler.days:
        return _days(filler, known)
    if filler.code and _CODE.fullmatch(known.value):
        return "same" if filler.code == known.value else "other"
    if (hours := opening(known.value)) is not None:
        return _clock(filler, hours, text)
    value, dated = filler.argument.value, _as_date(known)
    if value is not None and value.datatype == "date" and dated is not None:
        return _compared(value, dated, filler)
    return _name(filler, known, record) if affirmed(known) is None else "unfit"


def _as_date(known: Value) -> Value | None:
    """A text that is a date, as one."""
    iso = _ISO.fullmatch(known.value)
    if iso is None:
        return None
    return replace(known, datatype="date", precision=11 if iso[2] else 10 if iso[1] else 9)


def _most(filler: Filler, found: Match, known: Value, record: Property, text: str) -> Match:
    """What "up to" makes of it: what a thing can hold "up to" is its most; of what takes "up to" a week, less leaves it open."""
    value = filler.argument.value
    if found != "same" or filler.argument.modifier != "at most" or value is None:
        return found
    exact = _quantity(replace(filler, argument=replace(filler.argument, modifier="")), value, known, record)
    able = _ABLE.search(text, max(0, filler.span.start - _NEAR), filler.span.end) is not None
    if exact == "same" or able:
        return exact
    before = text[max(0, filler.span.start - _NEAR) : filler.span.end].casefold()
    return "unknown" if "up to" in before else found


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


def _days(filler: Filler, known: Value | Node) -> Match:
    """Days of the week beside those of a known text."""
    days = weekdays(known.label)
    if not days:
        return "unfit"
    return "same" if days == filler.days else "other" if days.isdisjoint(filler.days) else "unknown"


def _clock(filler: Filler, hours: tuple[int, int | None], text: str) -> Match:
    """A time of day beside one, or beside opening hours, of which the words around tell the end that is meant."""
    if filler.clock is None:
        return "unfit"
    first, last = hours
    if last is None:
        wanted = [first]
    else:
        told = list(_END.finditer(text, max(0, filler.span.start - _NEAR), filler.span.start))
        if not told:
            return "unknown"
        wanted = [last if told[-1]["closing"] else first]
    return "same" if {one % 1440 for one in wanted} & set(filler.clock.minutes) else "other"


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


def _quantity(filler: Filler, value: Value, known: Value, record: Property) -> Match:
    known = _with_unit(known, record)
    ours, theirs = _unit(value), _unit(known)
    if not _one_dimension(ours, theirs):
        return "unfit"
    if theirs is None and ours is not None and _scaled(ours):
        # a sum beside a bare number: the same figure may be meant, another one may be in another unit
        return "same" if _number(value) == _number(known) is not None else "unfit"
    if ours is None:
        value, known = replace(value, unit=None), replace(known, unit=None)  # counted in whatever they are
    if value.unit == ORDINAL:
        value = replace(value, unit=None)
    return "unknown" if _may_be_as_long(value, ours, known, theirs) else _compared(value, known, filler)


def _with_unit(known: Value, record: Property) -> Value:
    """A known figure with its unit, which the property may give, or its name: "height in metres"."""
    return replace(known, unit=known.unit or record.unit or _unit_in(record.label))


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


def _may_be_as_long(value: Value, ours: Unit | None, known: Value, theirs: Unit | None) -> bool:
    """Whether two durations may be the same: three months are 90 days for one, 92 for another."""
    if ours is None or theirs is None or not _months(ours.node.id, theirs.node.id):
        return False
    lengths = [(_number(one) or Decimal(0)) * unit.factor for one, unit in ((value, ours), (known, theirs))]
    return abs(lengths[0] - lengths[1]) <= _MONTHS_VARY * max(map(abs, lengths))


@lru_cache(maxsize=4096)
def _unit_in(name: str) -> Node | None:
    """The unit that a property's name tells: "height in metres"."""
    found = _IN_UNIT.search(name)
    unit = unit_named(found[1].replace(" ", "")) if found else None
    return unit.node if unit else None


def _months(one: str, other: str) -> bool:
    """Whether one unit is as long as the month it falls in and the other is not."""
    return any(one in a and other in b for a, b in (_CALENDAR, _CALENDAR[::-1]))


def _number(value: Value) -> Decimal | None:
    try:
        return Decimal(value.value)
    except InvalidOperation:
        return None
