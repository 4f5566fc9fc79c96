"""What a comparison says: "longer than", "£18 cheaper than", "more than twice as many as".

English is read here; orders.py finds the property that is compared and decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from guardrail.check.kg.aligned.fillers import ClaimSentence, Filler
from guardrail.check.kg.aligned.words import akin
from guardrail.check.kg.compare.names import fold
from guardrail.language.lists import pairs
from guardrail.rules import rule
from guardrail.types import Argument, Span, Value
from guardrail.values.clock import opening
from guardrail.values.units import unit_named, unit_of

__all__ = ["ABOVE", "CLOCK", "Measure", "Relation", "kind_of", "opposite", "relation_of"]

CLOCK = "clock"
"""The kind of a time of day, and of opening hours."""
_LONG, _MONEY, _DATED = frozenset({"length", "time"}), frozenset({"money"}), frozenset({"date"})
_WHEN = _DATED | {CLOCK}
_AGED = _DATED | {"time", "age"}


class Measure(NamedTuple):
    """What a comparative measures: the names that it has for the encoder, whether more of it is meant, and the dimensions
    it has; none where any number may be meant.
    """

    names: tuple[str, ...]
    more: bool
    kinds: frozenset[str] = frozenset()


def _measure(name: str, more: bool, kinds: frozenset[str] = frozenset()) -> Measure:
    return Measure(tuple(name.split(" | ")), more, kinds)


_SIZE, _EXTENT = "size | area | capacity", "length | duration | number of pages"
_ANY = Measure((), True)
_MEASURES = {
    "longer": _measure(_EXTENT, True, _LONG), "shorter": _measure(_EXTENT, False, _LONG),
    "larger": _measure(_SIZE, True), "bigger": _measure(_SIZE, True), "smaller": _measure(_SIZE, False),
    "faster": _measure("speed", True, frozenset({"speed"})), "slower": _measure("speed", False, frozenset({"speed"})),
    "heavier": _measure("weight", True, frozenset({"mass"})), "lighter": _measure("weight", False, frozenset({"mass"})),
    "higher": _measure("height", True), "taller": _measure("height", True, _LONG), "lower": _measure("height", False),
    "wider": _measure("width", True, _LONG), "narrower": _measure("width", False, _LONG),
    "deeper": _measure("depth", True, _LONG), "older": _measure("age", False, _AGED), "newer": _measure("year", True, _DATED),
    "younger": _measure("age", True, _AGED), "cheaper": _measure("price", False, _MONEY),
    "dearer": _measure("price", True, _MONEY), "more expensive": _measure("price", True, _MONEY),
    "warmer": _measure("temperature", True, frozenset({"temperature"})),
    "colder": _measure("temperature", False, frozenset({"temperature"})), "earlier": _measure("date", False, _WHEN),
    "later": _measure("date", True, _WHEN), "before": _measure("date", False, _WHEN), "after": _measure("date", True, _WHEN),
    "more": _ANY, "fewer": Measure((), False), "less": Measure((), False), "greater": _ANY, "above": _ANY, "below": Measure((), False),
}  # fmt: skip
_WORD = re.compile(rf"\b(?P<word>{'|'.join(sorted(_MEASURES, key=len, reverse=True))})\b", re.IGNORECASE)
_THAN = re.compile(r"\b(?:than|before|after|above|below)\b(?!\s+\d)", re.IGNORECASE)
_NUMBERS = dict(zip("three four five six seven eight nine ten".split(), range(3, 11), strict=True))
_FACTORS = {"half": Decimal("0.5"), "twice": Decimal(2), "double": Decimal(2)}
_FACTORS |= {word: Decimal(number) for word, number in _NUMBERS.items()}
_TIMES = re.compile(
    r"\b(?:(?P<bound>more than|over|at least|less than|under)\s+)?"
    rf"(?P<times>half|twice|double|(?:{'|'.join(_NUMBERS)}|\d+)\s+times)\s+as\s+(?P<word>\w+)\b(?P<rest>[^.]*?)\bas\b",
    re.IGNORECASE,
)
ABOVE = frozenset({"more than", "over", "at least"})
# "£4 a month less than": what a sum is for may stand between it and the comparative.
_PLACES = frozenset({"above", "below"})
"""Comparatives only behind a difference: "£4 above"."""
_EACH = re.compile(r"\s*(?:(?:an?|per|each|every)\s+\w+)?\s*(?:the\s+)?", re.IGNORECASE)
_SOME = re.compile(r"\b(?P<some>an?|several|some|many|(?:a )?few)\s+(?P<unit>\w+)\s+\Z", re.IGNORECASE)
"""Before a comparative, a difference without a number: "an hour earlier", "a few days later"."""


_NOUN = re.compile(r"\s+([^\W\d_]+)")
_CONTRARY = {other: one for one, other in reversed(pairs("comparative"))}
_CONTRARY |= dict(reversed(pairs("comparative")))


@dataclass(frozen=True, slots=True)
class Relation:
    """What is said of the first value beside the second: so many times as much (`bound`: at least or at most that), or more
    or less of it, by a `difference`. `counted`: of what there are so many more.
    """

    measure: Measure
    words: Span
    factor: Decimal | None = None
    bound: str = ""
    difference: Argument | None = None
    counted: str = ""


def relation_of(sentence: ClaimSentence) -> tuple[Relation, Span] | None:
    """What the sentence says of two values, with the words between the first and the second; None where it compares nothing, or has
    a value that is no part of the comparison.
    """
    times = _TIMES.search(sentence.text)
    if times is not None:
        return _multiple(sentence, times)
    than, word = _THAN.search(sentence.text), _WORD.search(sentence.text)
    if than is None or word is None:
        return None
    found = _more(sentence, Span(*word.span("word")), _MEASURES[word["word"].casefold()])
    return None if found is None else (found, Span(*than.span()))


@rule("multiples")
def _multiple(sentence: ClaimSentence, times: re.Match[str]) -> tuple[Relation, Span] | None:
    """A multiple: "more than twice as long as"."""
    within = Span(*times.span())
    if not all(within.contains(one.span) for one in sentence.values):
        return None
    measure = _MEASURES.get(f"{times['word'].casefold().removesuffix('e')}er", _ANY)
    measure = measure._replace(kinds=measure.kinds - _WHEN)  # no date is twice another
    bound = (times["bound"] or "").casefold()
    return Relation(measure, Span(*times.span("times")), _factor(times["times"]), bound), within


def _more(sentence: ClaimSentence, word: Span, measure: Measure) -> Relation | None:
    """More or less: "longer than", "4 m longer than"."""
    if sentence.values:
        value = sentence.values[0]
        apart = len(sentence.values) == 1 and _tells_difference(value, word, sentence.text)
        return _by(value.argument, word, measure, value.counted) if apart else None
    some = _SOME.search(sentence.text, 0, word.start)
    unit = unit_named(some["unit"]) if some is not None else None
    if some is None or unit is None:
        return None if word.of(sentence.text).casefold() in _PLACES else Relation(measure, word)
    one = Value(some[0].strip(), "1", "quantity", unit=unit.node)
    return _by(Argument(one.label, value=one), word, measure) if some["some"][0] in "aA" else None


def _by(difference: Argument, word: Span, measure: Measure, counted: str = "") -> Relation | None:
    """More or less by so much: by hours of times of day, "two years before" of dates is left open."""
    kind = kind_of(difference.value)
    if kind == "time" and CLOCK in measure.kinds:
        kind = CLOCK
    if counted:
        return Relation(Measure((), measure.more), word, difference=difference, counted=fold(counted))
    if measure.kinds and kind not in measure.kinds:
        return None
    kinds = frozenset({kind}) if kind else frozenset()
    return Relation(measure._replace(kinds=kinds), word, difference=difference)


@rule("differences", silent=False)
def _tells_difference(value: Filler, word: Span, text: str) -> bool:
    """Whether a value tells by how much: "33 metres higher than", "66 pages fewer than", "more than … by £4"."""
    span = value.span
    if span.end <= word.start:
        between = text[span.end : word.start]
        return _EACH.fullmatch(between) is not None or between.strip() == value.counted
    return text[: span.start].casefold().endswith(" by ")


def _factor(words: str) -> Decimal:
    first = words.split()[0].casefold()
    return Decimal(first) if first.isdigit() else _FACTORS[first]


def kind_of(value: Value | None) -> str:
    """What a value measures: the dimension of its unit, "money" for all currencies, "date", `CLOCK`; "" for a bare number."""
    if value is None or value.datatype == "date":
        return "date" if value is not None else ""
    if value.datatype == "string":
        return CLOCK if opening(value.value) is not None else ""
    unit = unit_of(value.unit) if value.unit is not None else None
    return "" if unit is None else "money" if unit.dimension.isupper() else unit.dimension


def opposite(text: str, word: Span) -> tuple[Value, ...]:
    """The comparative that says the contrary of the one at a place, if there is one: "fewer" for "more pages", "less" for "costs more"."""
    said = word.of(text).casefold()
    noun = _NOUN.match(text, word.end)
    if said == "more":
        found = "fewer" if noun is not None and _several(noun[1].casefold()) else "less"
    else:
        found = _CONTRARY.get(said, "")
    return (Value(found, found, "string"),) if found else ()


def _several(noun: str) -> bool:
    return (noun.endswith("s") and not noun.endswith("ss")) or akin(noun, "person") or akin(noun, "child")
