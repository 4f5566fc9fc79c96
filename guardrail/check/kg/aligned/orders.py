"""Comparisons: "longer than", "more beds than", "opened before", "twice as many as", by whatever property both things have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from guardrail.check.kg.aligned.fillers import Named, Sentence
from guardrail.check.kg.aligned.options import Option, asked, wording
from guardrail.check.kg.aligned.words import negations
from guardrail.types import Argument, Embedder, Span, Triplet, Value
from guardrail.values import State
from guardrail.values.dates import moment_of
from guardrail.values.units import unit_of

__all__ = ["Compared", "compared"]

_LEAST, _LEAST_COUNTED, _LEAST_BARE = 0.3, 0.38, 0.45
_NEAR, _FAR = Decimal("0.05"), Decimal("0.15")
_LONG, _MONEY, _DATED = frozenset({"length", "time"}), frozenset({"money"}), frozenset({"date"})
_AGED = _DATED | {"time", "age"}


class _Measure(NamedTuple):
    """What a comparative measures: as the encoder knows it, whether more of it is meant, and the dimensions it has;
    none where any number may be meant.
    """

    name: str
    more: bool
    kinds: frozenset[str] = frozenset()


_ANY = _Measure("", True)
_MEASURES = {
    "longer": _Measure("length", True, _LONG), "shorter": _Measure("length", False, _LONG),
    "larger": _Measure("size", True), "bigger": _Measure("size", True), "smaller": _Measure("size", False),
    "faster": _Measure("speed", True, frozenset({"speed"})), "slower": _Measure("speed", False, frozenset({"speed"})),
    "heavier": _Measure("weight", True, frozenset({"mass"})), "lighter": _Measure("weight", False, frozenset({"mass"})),
    "higher": _Measure("height", True), "taller": _Measure("height", True, _LONG), "lower": _Measure("height", False),
    "wider": _Measure("width", True, _LONG), "narrower": _Measure("width", False, _LONG),
    "deeper": _Measure("depth", True, _LONG), "older": _Measure("age", False, _AGED), "newer": _Measure("year", True, _DATED),
    "younger": _Measure("age", True, _AGED), "cheaper": _Measure("price", False, _MONEY),
    "dearer": _Measure("price", True, _MONEY), "more expensive": _Measure("price", True, _MONEY),
    "warmer": _Measure("temperature", True, frozenset({"temperature"})),
    "colder": _Measure("temperature", False, frozenset({"temperature"})), "earlier": _Measure("date", False, _DATED),
    "later": _Measure("date", True, _DATED), "before": _Measure("date", False, _DATED), "after": _Measure("date", True, _DATED),
    "more": _ANY, "fewer": _Measure("", False), "less": _Measure("", False), "greater": _ANY,
}  # fmt: skip
_WORD = re.compile(rf"\b(?P<word>{'|'.join(sorted(_MEASURES, key=len, reverse=True))})\b", re.IGNORECASE)
_THAN = re.compile(r"\b(?:than|before|after)\b(?!\s+\d)", re.IGNORECASE)
_TIMES = re.compile(
    r"\b(?P<times>half|twice|double|(?:three|four|five|six|ten|\d+)\s+times)\s+as\s+\w+\b(?P<rest>[^.]*?)\bas\b",
    re.IGNORECASE,
)
_FACTORS = {
    "half": Decimal("0.5"),
    "twice": Decimal(2),
    "double": Decimal(2),
    "three": Decimal(3),
    "four": Decimal(4),
}
_FACTORS |= {"five": Decimal(5), "six": Decimal(6), "ten": Decimal(10)}


@dataclass(frozen=True, slots=True)
class Compared:
    """`option`: the property of the first thing that was compared; `triplets`: of both."""

    state: State
    option: Option
    words: Argument
    triplets: tuple[Triplet, ...]


def compared(sentence: Sentence, embedder: Embedder) -> Compared | None:
    """The comparison that the sentence makes of two things that it names; None where it makes none that can be checked."""
    text = sentence.text
    times = _TIMES.search(text)
    than = times or _THAN.search(text)
    if than is None or negations(text) or sentence.values:
        return None
    words = times or next(iter(_WORD.finditer(text)), None)
    after = [one for one in sentence.named if one.span.start >= than.end()]
    before = [one for one in sentence.named if one.span.end <= (times.start() if times else than.start())]
    if words is None or not before or len(after) != 1:
        return None
    measure = _ANY if times else _MEASURES[words[0].casefold()]
    for first in reversed(before):
        found = _shared(first, after[0], sentence, measure, Span(*words.span()), embedder)
        if found is not None:
            factor = _factor(times["times"]) if times else None
            place = Span(*words.span("times" if times else "word"))
            told = Argument(place.of(text), place)
            return _ordered(found, after[0], factor, measure.more, told)
    return None


def _factor(words: str) -> Decimal:
    first = words.split()[0].casefold()
    return Decimal(first) if first.isdigit() else _FACTORS[first]


def _shared(
    first: Named, second: Named, sentence: Sentence, measure: _Measure, place: Span, embedder: Embedder
) -> Option | None:
    """The property of both that the sentence compares."""
    said = wording(sentence, first)
    options = asked(first, said, embedder)
    if measure.name:
        options += asked(
            first, said.measuring(sentence.text[place.start : place.end], measure.name), embedder
        )
    fitting = [
        one for one in options if one.record.id in second.profile.properties and _measured(one, measure)
    ]
    best = max(fitting, key=lambda one: one.likeness, default=None)
    return best if best is not None and not best.narrowed else None


def _measured(option: Option, measure: _Measure) -> bool:
    """Whether the one value of a property is what the words measure; a bare number needs that they are like its name."""
    value = option.statements[0].object
    if (
        len(option.statements) != 1
        or not isinstance(value, Value)
        or value.datatype not in ("quantity", "date")
    ):
        return False
    node = value.unit or option.record.unit
    unit = unit_of(node) if node is not None else None
    kind = "date" if value.datatype == "date" else unit.dimension if unit else ""
    kind = "money" if kind.isupper() else kind
    if kind in measure.kinds or (kind not in ("", "date") and not measure.kinds):
        return option.likeness >= _LEAST
    least = _LEAST_BARE if measure.name else _LEAST_COUNTED
    return not kind and measure.kinds != _DATED and option.likeness >= least


def _ordered(
    option: Option, second: Named, factor: Decimal | None, more: bool, words: Argument
) -> Compared | None:
    theirs = [one for one in second.profile.statements if one.predicate.id == option.record.id]
    if len(theirs) != 1:
        return None
    ours, others = _sizes([option.statements[0], theirs[0]])
    if ours is None or others is None:
        return None
    if factor is not None:
        off = abs(ours - factor * others) / max(abs(ours), abs(factor * others), Decimal(1))
        state: State = "agree" if off <= _NEAR else "conflict" if off > _FAR else "unknown"
    else:
        state = "agree" if (ours > others) == more and ours != others else "conflict"
    return Compared(state, option, words, (option.statements[0], theirs[0]))


def _sizes(statements: Sequence[Triplet]) -> tuple[Decimal | None, Decimal | None]:
    """The two values in one unit; None where they are not comparable."""
    values = [one.object for one in statements if isinstance(one.object, Value)]
    if {one.datatype for one in values} == {"date"}:
        moments = [moment_of(one) for one in values]
        (a, b), (c, d) = (one.interval() if one else (0, 0) for one in moments)
        if None in moments or (a <= d and c <= b):
            return None, None  # the one may lie within the other
        return Decimal(a), Decimal(c)
    units = [unit_of(one.unit) if one.unit is not None else None for one in values]
    if len(values) != 2 or len({unit.dimension if unit else "" for unit in units}) != 1:
        return None, None
    try:
        sizes = [
            Decimal(value.value) * (unit.factor if unit else 1) + (unit.offset if unit else 0)
            for value, unit in zip(values, units, strict=True)
        ]
    except InvalidOperation:
        return None, None
    return sizes[0], sizes[1]
