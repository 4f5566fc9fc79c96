"""Writes a known value in the surface form of the claimed words, so that a revision reads like its sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from guardrail.types import Object, Value
from guardrail.values.cells import read_cell
from guardrail.values.dates import MONTHS, Moment, moment_of
from guardrail.values.find import find_values
from guardrail.values.numbers import (
    DIGITS,
    MAGNITUDES,
    ORDINAL_WORDS,
    WORDS,
    as_decimal,
    decimals,
    write_number,
)
from guardrail.values.units import Unit, unit_named, unit_named_otherwise, unit_of

__all__ = ["as_sentence", "render", "shown"]

_NUMBER = re.compile(
    rf"(?:{DIGITS}(?:\s*-?\s*(?:{'|'.join(MAGNITUDES)}|bn|mn)(?!\w)|(?<=\d)[mk](?!\w))?|\b(?:{WORDS})\b)",
    re.IGNORECASE,
)

_YEAR = re.compile(r"1\d{3}|20\d{2}")


def render(value: Value, like: str) -> str:
    """`value` as words in the manner of `like`; at its own precision where that is coarser; its label as a last resort."""
    if value.datatype == "date":
        moment = moment_of(value)
        return _date(moment, like) if moment else value.label
    if value.datatype == "string" and _YEAR.fullmatch(value.value) and _dated(like):
        return value.value
    if value.datatype == "quantity" or (value.datatype == "string" and value.value.isdecimal()):
        return _quantity(value, like)
    return value.label


# ── dates ─────────────────────────────────────────────────────────────────────────────────────────────


_ISO = re.compile(r"\s*\d{4}-\d{2}(-\d{2})?\s*")
_NUMERIC = re.compile(r"\s*(\d{1,2})([/.])(\d{1,2})[/.]\d{4}\s*")


def _date(moment: Moment, like: str) -> str:
    precision = min(moment.precision, _precision(like))
    if precision <= 8:
        article = "the " if like[:4].casefold() == "the " else ""
        return article + (_century(moment, like) if precision <= 7 else f"{moment.year // 10 * 10}s")
    year = _year(moment, like)
    if precision == 9:
        return year
    if _ISO.fullmatch(like):
        return f"{moment.year:04d}-{moment.month:02d}" + (f"-{moment.day:02d}" if precision >= 11 else "")
    if precision == 10:
        return f"{_month(moment, like)} {year}"
    if numeric := _NUMERIC.fullmatch(like):
        return _in_digits(moment, numeric, year)
    return _in_words(moment, like, year)


def _in_digits(moment: Moment, like: re.Match[str], year: str) -> str:
    """13/12/1989 or, where the second number can be no month, 12/13/1989."""
    a, b = (moment.month, moment.day) if int(like[3]) > 12 else (moment.day, moment.month)
    width = 2 if len(like[1]) == 2 else 1
    return f"{a:0{width}d}{like[2]}{b:0{width}d}{like[2]}{year}"


def _in_words(moment: Moment, like: str, year: str) -> str:
    """13 December 1989, the 13th of December 1989, December 13, 1989."""
    month, comma = _month(moment, like), "," if "," in like else ""
    suffix = _suffix(moment.day) if re.search(r"\d(st|nd|rd|th)\b", like) else ""
    if re.match(r"\s*(the\s+)?\d", like):
        joint = " of " if " of " in like else " "
        return f"{moment.day}{suffix}{joint}{month}{comma} {year}"
    return f"{month} {moment.day}{suffix}{comma if suffix else ','} {year}"


def _precision(like: str) -> int:
    for argument in find_values(like):
        if argument.value is not None and argument.value.datatype == "date":
            return argument.value.precision or 9
    return 9


def _dated(like: str) -> bool:
    """Whether the words are a date as a whole."""
    return any(
        argument.value is not None and argument.value.datatype == "date" for argument in find_values(like)
    )


def _year(moment: Moment, like: str) -> str:
    if moment.year < 0:
        return f"{-moment.year} {'BCE' if 'BCE' in like else 'BC'}"
    return str(moment.year)


def _month(moment: Moment, like: str) -> str:
    name = MONTHS[moment.month - 1]
    short = re.search(rf"\b({'|'.join(m[:3] for m in MONTHS if m != 'May')}|Sept)\b(\.?)", like)
    return name[:3] + short[2] if short and name != "May" else name


def _century(moment: Moment, like: str) -> str:
    size, word = (1000, "millennium") if "millenni" in like.casefold() else (100, "century")
    bc = moment.year < 0
    number = (-moment.year - 1) // size + 1 if bc else (moment.year - 1) // size + 1
    spelled = next((w for w, i in ORDINAL_WORDS.items() if i == number), "")
    as_word = bool(spelled) and not re.search(r"\d", like)
    joint = "-" if re.search(r"\w-(century|millennium)", like) else " "
    return f"{spelled if as_word else f'{number}{_suffix(number)}'}{joint}{word}{' BC' if bc else ''}"


def _suffix(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


# ── quantities ────────────────────────────────────────────────────────────────────────────────────────


def _quantity(value: Value, like: str) -> str:
    number = as_decimal(value.value)
    if number is None:
        return value.label
    if (place := _place(number, like)) is not None:
        return place
    numbers = list(_NUMBER.finditer(like))
    if not numbers:
        return value.label
    head, tail = _around(like, numbers)
    claimed = _unit_in(head, tail)
    known = unit_of(value.unit)
    own = number
    unit = _meant(claimed, known)
    if unit and known and unit.dimension == known.dimension:
        number = (number * known.factor + known.offset - unit.offset) / unit.factor
        tail = tail if not re.search(r"\d", tail) else f" {claimed}"
    elif known and not _said_alike(unit, known):
        return value.label
    exact = decimals(number) * (number == own)  # converted it is no more exact than it was
    written = write_number(number, like=numbers[0][0], least=exact)
    return head + _cased(written, numbers[0][0]) + tail


def _meant(words: str, known: Unit | None) -> Unit | None:
    """The unit that words name, the known value's if they name two."""
    other = unit_named_otherwise(words)
    return other if other and known and other.dimension == known.dimension else unit_named(words)


def _place(number: Decimal, like: str) -> str | None:
    """The number as a place in an order, where `like` is one."""
    digits = re.fullmatch(r"\s*(\d[\d,]*)(?:st|nd|rd|th)\s*", like)
    if not digits and like.strip().casefold() not in ORDINAL_WORDS:
        return None
    word = next((w for w, i in ORDINAL_WORDS.items() if i == number), "")
    return word if word and not digits else f"{int(number):,}{_suffix(int(number))}"


def _around(like: str, numbers: Sequence[re.Match[str]]) -> tuple[str, str]:
    """What stands before the numbers, and behind the last one of a range, or behind the first of "6 ft 2 in"."""
    first, last = numbers[0], numbers[-1]
    compound = last.start() > first.start() and bool(_unit_in("", like[first.end() : last.start()]))
    head = re.sub(r"(?i)between\s+$", "", like[: first.start()])
    return head, like[first.end() :] if compound else like[last.end() :]


def _said_alike(unit: Unit | None, known: Unit) -> bool:
    """Whether a known value may be written with another unit, as an age in years, or without one, as a place in an order."""
    if unit:
        return {unit.dimension, known.dimension} == {"age", "time"}
    return known.dimension in ("order", "age")


def _cased(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _unit_in(before: str, after: str) -> str:
    """The words of `before` or `after` the number that name its unit."""
    if unit_named(before.strip()):
        return before.strip()
    words = re.split(r"[\s-]+", after.strip(" -\u00a0"))
    for size in range(len(words), 0, -1):
        for joint in (" ", "-"):
            candidate = joint.join(words[:size])
            if candidate and unit_named(candidate):
                return candidate
    return ""


def as_sentence(sentence: str) -> str:
    """With a full stop, unless its last word brings one along: "It opens at 8 a.m."."""
    return sentence if sentence.endswith(".") else f"{sentence}."


def shown(item: Object) -> str:
    """An entity by its label; a quantity with its unit, where its label does not name one."""
    unit = item.unit.label if isinstance(item, Value) and item.unit is not None else ""
    if not unit or unit in item.label:
        return item.label
    cell = read_cell(item.label)
    return item.label if cell is not None and cell.value.unit is not None else f"{item.label} {unit}"
