"""Values of two sentences that stand in each other's place: of one kind, measuring or counting the same, among like words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from guardrail.check.text.compare.items import Item
from guardrail.check.text.compare.phrases import EMPTY, PERSONAL_PRONOUNS
from guardrail.check.text.compare.stems import in_some_form
from guardrail.language.stems import light_stem
from guardrail.rules import rule
from guardrail.types import Value
from guardrail.values import compare
from guardrail.values.compare import rounds
from guardrail.values.units import ORDINAL, unit_named, unit_of

__all__ = [
    "DATE",
    "DENIERS",
    "JOINTS",
    "Text",
    "allowed",
    "beside",
    "in_title",
    "is_value",
    "named",
    "replaced",
    "stands",
]

Text = tuple[Item, ...]
_OF_TIME = frozenset("from at until till by before after between since".split())
_CLOSE = ("", "-")  # what may stand between two words that belong together
_NEAR = 3  # words behind a number that may say what it counts
_UPPER = frozenset({"at most", "less than", "no more than", "under"})
_LOWER = frozenset({"at least", "more than", "no less than", "over"})
_UNTIL = frozenset("before by until till".split())
_FROM = frozenset("after from since".split())
DENIERS = frozenset("not never no neither nor without".split())
"""Words that deny what comes next."""
JOINTS = frozenset("& or but while whereas".split())
"""Words at which what belongs to one value ends."""
DATE, TIME = "date", "time"
"""What the places of a date and of a time of day are called."""


def is_value(item: Item) -> bool:
    return item.value is not None or any(c.isdigit() for c in item.key)


@lru_cache(maxsize=4096)
def _numbers(text: Text) -> tuple[int, ...]:
    return tuple(at for at, item in enumerate(text) if is_value(item))


@rule("replaced-values")
def replaced(ours: Text, theirs: Text) -> Iterator[tuple[int, int]]:
    """Values that stand in each other's place."""
    for at in _numbers(ours):
        there = _in_place_of(ours, at, theirs)
        if there is not None:
            yield at, there


def _in_place_of(ours: Text, at: int, theirs: Text) -> int | None:
    """The value that the sentence has in a value's place; None where it has the value itself, or nobody can tell which it is."""
    rivals = _rivals(ours, at, theirs)
    if not rivals:
        return None
    like = {there: _alike(ours, at, theirs, there, rivals) for there in rivals}
    equal = [there for there in rivals if _equal(ours, at, theirs, there)]
    best = max(rivals, key=lambda there: (like[there], there in equal))
    if equal:
        swapped = best not in equal and _swapped(ours, at, theirs, best, equal, rivals)
        return best if swapped else None
    alone = sum(like[there] == like[best] for there in rivals) == 1
    claimed = any(_equal(ours, other, theirs, best) for other in _numbers(ours))
    return best if alone and not claimed else None


def _rivals(ours: Text, at: int, theirs: Text) -> list[int]:
    """The values of the sentence that may stand in a value's place; none where the value itself stands in another."""
    found = [there for there in _numbers(theirs) if _comparable(ours, at, theirs, there)]
    if _compared(
        ours, at
    ):  # "is smaller than 400" has many values; a limit has one: "items smaller than 400"
        found = [there for there in found if _same_limit(ours, at, theirs, there)]
    others = [there for there in _numbers(theirs) if there not in found]
    return [] if any(_may_be(ours, at, theirs, there) for there in others) else found


def _may_be(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether a value may be the claimed one: also its number alone, whose unit stands behind another ("S has 4 GB and M 15"), and the
    number of a name ("Priority 2" and "priority 2").
    """
    if ours[at].text == theirs[there].text:
        return True
    one, other = _value(ours[at]), _value(theirs[there])
    bare = other is not None and other.unit is None and not _counted(theirs, there)
    same_number = one is not None and other is not None and one.value == other.value
    return (bare and same_number) or _equal(ours, at, theirs, there)


def _compared(text: Text, at: int) -> bool:
    return at > 1 and text[at - 1].key == "than"


@rule("same-limit", silent=False)
def _same_limit(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether both set a limit by the same comparison, right behind what is limited: "parcels heavier than"."""
    if not (_compared(theirs, there) and ours[at - 2].key == theirs[there - 2].key):
        return False
    return all(
        place > 2 and text[place - 3].key not in EMPTY for text, place in ((ours, at), (theirs, there))
    )


def _comparable(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether two values are of a kind and measure the same: days and weeks, euros, versions, members."""
    if ours[at].times or theirs[there].times:
        return _is_day(ours[at]) == _is_day(theirs[there]) is not None
    one, other = _value(ours[at]), _value(theirs[there])
    if one is None or other is None:
        return one is other and bool(beside(ours, at) & beside(theirs, there))
    if one.datatype != other.datatype:
        return False
    if one.datatype == "date":
        return True
    if _in_two_currencies(one, other):
        return one.value == other.value  # no rate of exchange is known, but it is not one to one
    mine, known = _measure(ours, at), _measure(theirs, there)
    return bool(mine & known)


def _in_two_currencies(one: Value, other: Value) -> bool:
    units = [unit_of(value.unit) for value in (one, other) if value.unit is not None]
    dimensions = {unit.dimension for unit in units if unit is not None and unit.money}
    return len(dimensions) > 1


def _measure(text: Text, at: int) -> frozenset[str]:
    """What a number measures or counts."""
    value = _value(text[at])
    unit = unit_of(value.unit) if value is not None and value.unit is not None else None
    if unit is not None:
        return frozenset({f"={unit.dimension}"})
    counted = _counted(text, at)
    units = {f"={found.dimension}" for word in counted if (found := unit_named(word)) is not None}
    return frozenset(units or counted or beside(text, at) | _preposition(text, at))


def _preposition(text: Text, at: int) -> frozenset[str]:
    """The word before a bare number, which times of day and ranges go by: "from 9.00 to 11.30"."""
    return frozenset({text[at - 1].key} & _OF_TIME if at else ())


def _counted(text: Text, at: int) -> tuple[str, ...]:
    """The stems of the words behind a number, up to the first that belongs to something else."""
    found: list[str] = []
    for item in text[at + 1 : at + 1 + _NEAR]:
        if item.key in EMPTY or is_value(item) or (item.span.start and text[at].after not in _CLOSE):
            break
        found.append(light_stem(item.key))
        if item.after:
            break
    return tuple(found)


def beside(text: Text, at: int) -> frozenset[str]:
    """The stems of the words right before and behind, also those that a hyphen joins."""
    near = [text[at - 1]] if at and text[at - 1].after in _CLOSE else []
    near += [text[at + 1]] if at + 1 < len(text) and text[at].after in _CLOSE else []
    return frozenset(light_stem(item.key) for item in near if item.key not in EMPTY)


def _equal(ours: Text, at: int, theirs: Text, there: int) -> bool:
    return _same(ours[at], theirs[there]) and not _bounded_otherwise(ours, at, theirs, there)


def _same(one: Item, other: Item) -> bool:
    if one.times or other.times:
        return _same_time(one, other)
    if one.key == other.key:
        return True
    left, right = _value(one), _value(other)
    if left is None or right is None:
        return False
    if right.upper and not left.upper and left.datatype == "quantity":
        return left.value in (right.lower, right.upper)
    return _agree(left, right, one.value.modifier if one.value else "")


def _is_day(item: Item) -> bool | None:
    """Whether an item is a day, with or without a year, or a time of day; None of what is no time."""
    value = _value(item)
    if value is not None:
        return True if value.datatype == "date" else None
    return any(one.startswith("-") for one in item.times) if item.times else None


def _same_time(one: Item, other: Item) -> bool:
    """Whether two times may be the same: a day without a year is that day of any year."""
    left, right = (_value(item) for item in (one, other))
    if left is None and right is None:
        return bool(one.times & other.times)
    date, times = (left, other.times) if left is not None else (right, one.times)
    return date is not None and date.datatype == "date" and any(date.value.endswith(day[1:]) for day in times)


def _agree(claimed: Value, told: Value, modifier: str) -> bool:
    """A passage may be told in other words: what may only be rounded is no other value there."""
    return compare(claimed, told, modifier=modifier) == "agree" or rounds(claimed, told)


def allowed(mine: Item, other: Item) -> bool:
    """Whether a bound or a range that the sentence sets allows the claimed value."""
    one, bound = mine.value, other.value
    if one is None or bound is None or one.value is None or bound.value is None:
        return False
    ranged = bound.value.upper is not None and one.value.datatype == "quantity"
    open_ = (bool(bound.modifier) or ranged) and not one.modifier
    return open_ and compare(bound.value, one.value, modifier=bound.modifier) == "agree"


def _bounded_otherwise(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether one is "at least" and the other "at most", or one "until" a time and the other "from" it on."""
    mine, other = (item.value.modifier if item.value else "" for item in (ours[at], theirs[there]))
    if _on_two_sides(mine, other, _UPPER, _LOWER):
        return True
    either_way = any(item.key in DENIERS for item in (*ours, *theirs))  # "not before May" is from May on
    return not either_way and _on_two_sides(
        _limit_in_time(ours, at), _limit_in_time(theirs, there), _UNTIL, _FROM
    )


def _on_two_sides(one: str, other: str, upper: frozenset[str], lower: frozenset[str]) -> bool:
    return (one in upper and other in lower) or (one in lower and other in upper)


def _limit_in_time(text: Text, at: int) -> str:
    """The word before a time, which says on what side of it something is; "" before what is no time."""
    return text[at - 1].key if at and _is_day(text[at]) is not None else ""


def _alike(ours: Text, at: int, theirs: Text, there: int, rivals: Sequence[int]) -> int:
    """How many words the surroundings of two values share."""
    mine = _around(ours, at, [one for one in _numbers(ours) if _comparable(ours, at, ours, one)])
    return len(mine & _around(theirs, there, rivals))


@rule("values-exchanged", silent=False)
def _swapped(
    ours: Text, at: int, theirs: Text, best: int, equal: Sequence[int], rivals: Sequence[int]
) -> bool:
    """Whether the claimed value stands elsewhere in the sentence, with nothing around it that the claim has there.

    A pronoun around it may stand for what the claim has: "in 2019 the fleet had two trams, in 2024 it had five".
    """
    if any(item.key in PERSONAL_PRONOUNS for one in equal for item in _stretch(theirs, one, rivals)):
        return False
    mine = _around(ours, at, [one for one in _numbers(ours) if _comparable(ours, at, ours, one)])
    there = _around(theirs, best, rivals)
    held = frozenset(word for one in equal for word in _around(theirs, one, rivals))
    return bool(mine & (there - held)) and not any(in_some_form(word, held - there) for word in mine)


def _around(text: Text, at: int, rivals: Sequence[int]) -> frozenset[str]:
    """The stems of the words that belong to a value, without it."""
    return frozenset(
        light_stem(item.key)
        for item in _stretch(text, at, rivals)
        if item is not text[at] and item.key not in EMPTY
    )


def _stretch(text: Text, at: int, rivals: Sequence[int]) -> Text:
    """What belongs to a value rather than to another of its kind: up to the joint between the two."""
    before = max((one for one in rivals if one < at), default=-1)
    behind = min((one for one in rivals if one > at), default=len(text))
    start = _joint(text, before, at) if before >= 0 else 0
    end = _joint(text, at, behind) if behind < len(text) else len(text)
    return text[start:end]


def _joint(text: Text, left: int, right: int) -> int:
    """Where what belongs to the left one ends."""
    for place in range(right - 1, left, -1):
        if text[place].key in JOINTS or text[place - 1].after[:1] in (",", ";"):
            return place
    return left + 1


def stands(ours: Text, at: int, theirs: Text) -> bool:
    """Whether a value stands in a text; of what counts nothing ("the other parts for two") the number alone must, of a range both ends.
    A number that is a name ("version 22.1") is looked for as it is written, also as the end of a range.
    """
    if any(_equal(ours, at, theirs, there) for there in _numbers(theirs)):
        return True
    value = _value(ours[at])
    written = {number for there in _numbers(theirs) for number in _written(theirs[there])}
    if value is None:
        return ours[at].text in written
    if value.lower is not None and value.upper is not None:
        return {value.lower, value.upper} <= written
    return value.unit is None and not _counted(ours, at) and value.value in written


def _written(item: Item) -> frozenset[str]:
    """A number as it is written, and the ends of a range."""
    value = _value(item)
    if value is None:
        return frozenset({item.text})
    return frozenset({value.value, value.lower or value.value, value.upper or value.value})


def in_title(ours: Text, at: int, heads: Text) -> bool:
    """Whether a number belongs to a name that the title has."""
    like = [there for there in _numbers(heads) if heads[there].key == ours[at].key]
    return any(beside(ours, at) & beside(heads, there) for there in like)


def named(text: Text, at: int) -> str:
    """What a place is called: what is measured or counted there, "date", "time" or "value".

    Of "5 working days" it is the days, of "11 new members" the members, of "second" in "the second time" a value.
    """
    if (is_day := _is_day(text[at])) is not None:
        return DATE if is_day else TIME
    value = _value(text[at])
    if value is not None and value.unit is not None and value.unit != ORDINAL:
        return value.unit.label
    counted = _counted(text, at) if value is not None else ()
    units = (stemmed for stemmed in counted if unit_named(stemmed) is not None)
    several = (stemmed for stemmed, item in zip(counted, text[at + 1 :], strict=False) if stemmed != item.key)
    return next(units, "") or next(several, "value")


def _value(item: Item) -> Value | None:
    return item.value.value if item.value is not None else None
