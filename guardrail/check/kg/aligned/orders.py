"""Comparisons: "longer than", "more beds than", "opened before", "twice as many as", by whatever property both things have.

The two values are brought to one unit. "£18 cheaper than" needs that difference between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from math import inf

from guardrail.check.kg.aligned.comparatives import (
    ABOVE,
    CLOCK,
    Measure,
    Relation,
    kind_of,
    opposite,
    relation_of,
)
from guardrail.check.kg.aligned.fillers import ClaimSentence, Named
from guardrail.check.kg.aligned.options import Option, asked, wording
from guardrail.check.kg.aligned.words import akin, content, negations, words_of
from guardrail.check.kg.compare.timeline import current
from guardrail.rules import rule
from guardrail.types import Argument, Embedder, Object, Span, Triplet, Value
from guardrail.values import State, compare
from guardrail.values.clock import opening
from guardrail.values.dates import moment_of
from guardrail.values.numbers import plain
from guardrail.values.units import unit_of

__all__ = ["Compared", "compared"]

_LEAST, _LEAST_BARE = 0.38, 0.45
_BEHIND = 0.3
_WAS = re.compile(r"\b(?:was|were|had|used to|did)\b", re.IGNORECASE)
_DAILY = re.compile(
    r"\b(?:opens?|closes?|shuts?|starts?|begins?|ends?|finishes|leaves?|arrives?|departs?)\b", re.IGNORECASE
)
_CLOSING = re.compile(r"\b(?:clos\w+|shuts?|ends?|ended|finish\w*|over|until|leaves?)\b", re.IGNORECASE)
_DAY, _NOON, _SMALL_HOURS = 24 * 60, 12 * 60, 5 * 60
_NEAR, _FAR = Decimal("0.05"), Decimal("0.15")


@dataclass(frozen=True, slots=True)
class Compared:
    """`option`: the property of the first thing that was compared; `triplets`: of both. `instead`: what may stand in the place of
    the words where they are wrong.
    """

    state: State
    option: Option
    words: Argument
    triplets: tuple[Triplet, ...]
    instead: tuple[Object, ...] = ()


def compared(sentence: ClaimSentence, embedder: Embedder, today: date) -> Compared | None:
    """The comparison that the sentence makes of two things that it names, or of two properties of one; None where it makes none
    that can be checked.
    """
    said = relation_of(sentence)
    if said is None or negations(sentence.text):
        return None
    relation, than = said
    found = _of_two_things(sentence, relation, than, embedder, today)
    return found or _of_one_thing(sentence, relation, than.start, embedder)


@rule("comparison-of-two-things")
def _of_two_things(
    sentence: ClaimSentence, relation: Relation, than: Span, embedder: Embedder, today: date
) -> Compared | None:
    """A property of what is named last before "than", beside that of the one thing that is named after it."""
    after = [one for one in sentence.named if one.span.start >= than.end]
    before = [one for one in sentence.named if one.span.end <= than.start]
    for first in reversed(before) if len(after) == 1 else ():
        meant = _shared(first, after[0], sentence, relation, embedder, today)
        if meant:
            found = [_beside(one, after[0], sentence, relation, today) for one in meant]
            return found[0] if len({one and one.state for one in found}) == 1 else None
    return None


def _beside(
    option: Option, second: Named, sentence: ClaimSentence, relation: Relation, today: date
) -> Compared | None:
    """The property of the first thing beside that of the second."""
    theirs = [one for one in second.profile.statements if one.predicate.id == option.record.id]
    return _judged(option, _standing(theirs, sentence, today), relation, sentence.text)


def _shared(
    first: Named, second: Named, sentence: ClaimSentence, relation: Relation, embedder: Embedder, today: date
) -> Sequence[Option]:
    """The property of both that the sentence compares; where it names none, the others that it may as well compare: "costs more"."""
    asked_of = _asked(first, sentence, relation, embedder)
    options = [replace(one, statements=tuple(_standing(one.statements, sentence, today))) for one in asked_of]
    shared = [one for one in options if one.record.id in second.profile.properties]
    fitting = [one for one in shared if _measured(one, relation, sentence.text)]
    best = max(fitting, key=lambda one: one.likeness, default=None)
    if best is None or best.narrowed:
        return ()
    # what is much likelier is meant, and is not what the words measure
    if best.likeness < max(one.likeness for one in shared) - _BEHIND:
        return ()
    if best.place is not None:
        return (best,)
    return (best, *(one for one in fitting if one.likeness >= best.likeness - _BEHIND))


def _standing(statements: Sequence[Triplet], sentence: ClaimSentence, today: date) -> Sequence[Triplet]:
    """The statements that hold now; all of them where the sentence tells of another time."""
    dated = any(
        value is not None and value.datatype == "date"
        for value in (one.argument.value for one in sentence.values)
    )
    return statements if dated or _WAS.search(sentence.text) else current(statements, today)


def _asked(
    subject: Named, sentence: ClaimSentence, relation: Relation, embedder: Embedder
) -> Sequence[Option]:
    said = wording(sentence, subject)
    word = relation.words.of(sentence.text)
    options = asked(subject, said, embedder)
    for name in relation.measure.names if relation.factor is None else ():
        options += asked(subject, said.measuring(word, name), embedder)
    return options


@rule("comparison-of-two-properties")
def _of_one_thing(
    sentence: ClaimSentence, relation: Relation, than: int, embedder: Embedder
) -> Compared | None:
    """Two properties of one thing, whose names differ by a word on either side: "a cat costs £4 less than a dog"."""
    ours, theirs = content(sentence.text[:than]), content(sentence.text[than:])
    for subject in sentence.named:
        options = {
            one.record.id: one
            for one in asked(subject, wording(sentence, subject), embedder)
            if _measured(one, relation, sentence.text)
        }
        for first in options.values():
            for second in options.values():
                left, right = content(first.record.label), content(second.record.label)
                if (
                    left & right
                    and _on_one_side(left - right, ours, theirs)
                    and _on_one_side(right - left, theirs, ours)
                ):
                    return _judged(first, second.statements, relation, sentence.text)
    return None


def _on_one_side(words: frozenset[str], here: frozenset[str], there: frozenset[str]) -> bool:
    return bool(words) and words <= here and words.isdisjoint(there)


def _measured(option: Option, relation: Relation, text: str) -> bool:
    """Whether the one value of a property is what the words measure; a bare number needs that they are like its name."""
    if not _counts(option, relation.counted):
        return False
    measure = relation.measure
    value = option.statements[0].object if len(option.statements) == 1 else None
    if not isinstance(value, Value):
        return False
    if value.datatype not in ("quantity", "date") and kind_of(value) != CLOCK:
        return False
    kind = kind_of(value) or kind_of(replace(value, unit=option.record.unit))
    if not _at_such_times(kind, option, measure, text):
        return False
    named = any(content(option.record.label) & content(name) for name in measure.names)
    return option.likeness >= _least(kind, measure, named=named)


def _counts(option: Option, noun: str) -> bool:
    """Whether a property counts what there are so many more of: "4,000 more words" are no pages."""
    return not content(noun) or any(akin(noun, word.key) for word in words_of(option.record.label))


def _at_such_times(kind: str, option: Option, measure: Measure, text: str) -> bool:
    """Whether the words may be of a date or a time of day: when something opens is not when it opened."""
    daily = _DAILY.search(text) is not None
    if kind == "date":
        return not daily or CLOCK not in measure.kinds
    return kind != CLOCK or daily or option.whole


def _least(kind: str, measure: Measure, *, named: bool) -> float:
    """How likely a property with values of this kind must be; `named`: it has a word of what is measured."""
    if kind in measure.kinds:
        return _LEAST
    if kind == "date" or (measure.kinds and (kind or not named)):
        return inf
    return _LEAST_BARE if measure.names else _LEAST


def _judged(option: Option, theirs: Sequence[Triplet], relation: Relation, text: str) -> Compared | None:
    if len(theirs) != 1:
        return None
    pair = (option.statements[0], theirs[0])
    ours, others = _times_of_day(pair, text) or _sizes(pair)
    if ours is None or others is None:
        return None
    if relation.factor is not None:
        times = _multiple(ours, relation.factor * others, relation.bound)
        return Compared(times, option, _argument(relation.words, text), pair)
    if (ours > others) != relation.measure.more or ours == others:
        instead = opposite(text, relation.words)
        return Compared("conflict", option, _argument(relation.words, text), pair, instead)
    return _by_how_much(relation, abs(ours - others), option, pair, text)


def _by_how_much(
    relation: Relation, size: Decimal, option: Option, pair: tuple[Triplet, ...], text: str
) -> Compared:
    """What is more, as it is said to be, beside by how much."""
    said = relation.difference
    if said is None:
        return Compared("agree", option, _argument(relation.words, text), pair)
    found = _difference(size, said, pair[0].object)
    state = compare(said.value, found, modifier=said.modifier) if found and said.value else "unknown"
    if state == "conflict" and found is not None:
        return Compared(state, option, said, pair, (found,))
    before = said.span is not None and said.span.end <= relation.words.start
    words = Span(said.span.start, relation.words.end) if said.span is not None and before else said.span
    return Compared(state, option, _argument(words, text) if words is not None else said, pair)


def _argument(words: Span, text: str) -> Argument:
    return Argument(words.of(text), words)


def _multiple(ours: Decimal, wanted: Decimal, bound: str) -> State:
    if bound:
        above = ours > wanted if bound != "at least" else ours >= wanted
        return "agree" if above == (bound in ABOVE) else "conflict"
    off = abs(ours - wanted) / max(abs(ours), abs(wanted), Decimal(1))
    return "agree" if off <= _NEAR else "conflict" if off > _FAR else "unknown"


def _difference(size: Decimal, said: Argument, known: Object) -> Value | None:
    """The difference of two values, which is in the base unit of their dimension, in the unit that is said; None where they are not
    comparable. A difference of 5 °C is one of 9 °F, not of 41.
    """
    claimed = said.value
    if claimed is None or not isinstance(known, Value) or known.datatype == "date":
        return None
    if (claimed.unit is None) != (known.unit is None) and kind_of(known) != CLOCK:
        return None
    unit = unit_of(claimed.unit) if claimed.unit is not None else None
    number = plain(size / (unit.factor if unit is not None else 1))
    label = f"{number} {unit.label(number)}" if unit is not None else number
    return replace(claimed, label=label, value=number, lower=None, upper=None)


def _times_of_day(statements: Sequence[Triplet], text: str) -> tuple[Decimal, Decimal] | None:
    """Two times of day in seconds, of opening hours the end that the words mean; None where they are none."""
    found = [opening(one.object.value) for one in statements if isinstance(one.object, Value)]
    times = [(one[1] or one[0]) if _CLOSING.search(text) else one[0] for one in found if one is not None]
    if len(times) != 2:
        return None
    late = max(times) >= _NOON  # what ends at two at night ends later than what ends at eleven
    first, second = (Decimal(60 * (one + _DAY * (late and one < _SMALL_HOURS))) for one in times)
    return first, second


def _sizes(statements: Sequence[Triplet]) -> tuple[Decimal | None, Decimal | None]:
    """The two values in one unit; None where they are not comparable."""
    values = [one.object for one in statements if isinstance(one.object, Value)]
    if len(values) != 2:
        return None, None
    if {one.datatype for one in values} == {"date"}:
        return _days(values)
    units = [unit_of(one.unit) if one.unit is not None else None for one in values]
    if len({unit.dimension if unit else "" for unit in units}) != 1:
        return None, None
    try:
        sizes = [
            Decimal(value.value) * (unit.factor if unit else 1) + (unit.offset if unit else 0)
            for value, unit in zip(values, units, strict=True)
        ]
    except InvalidOperation:
        return None, None
    return sizes[0], sizes[1]


def _days(dates: Sequence[Value]) -> tuple[Decimal, Decimal] | tuple[None, None]:
    """The first days of two dates as running numbers; None where the one may lie within the other."""
    moments = [moment_of(one) for one in dates]
    (a, b), (c, d) = (one.interval() if one else (0, 0) for one in moments)
    if None in moments or (a <= d and c <= b):
        return None, None
    return Decimal(a), Decimal(c)
