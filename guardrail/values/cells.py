"""What the cell of a table is as a whole: a number, money, a measure, a range of them, a date, a time of day, yes or no.

    read_cell("£2.80 per hour")   → quantity, 2.80 pounds
    read_cell("3 h 30 min")       → quantity, 210 minutes
    read_cell("2–8 °C")           → quantity, from 2 to 8 degrees Celsius
    read_cell("12 March 1999")    → date, to the day
    read_cell("14:00-20:00")      → time of day
    read_cell("Ann Lee")          → None: a name, or any other text

Text around a value ("open at 9") makes it text: what is read here is stored as a fact, not searched for. The label of a
value is what the cell says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from guardrail.types import Node, Value
from guardrail.values.dates import Moment, is_day, value_of
from guardrail.values.find_dates import find_dates
from guardrail.values.numbers import DIGITS, MAGNITUDES, SHORT_MAGNITUDES, plain, read_number
from guardrail.values.units import Unit, currency_code_pattern, currency_sign_pattern, unit_named, unit_of
from guardrail.values.written_days import doubt

__all__ = ["LONGEST_CELL", "Cell", "Family", "read_cell", "says_none", "year_of"]

Family = Literal["quantity", "date", "time", "yes or no"]
LONGEST_CELL = 80
"""Characters; what is longer is no single value."""
_YES = frozenset("yes y true ✓ ✔".split())
_NO = frozenset("no n false ✗ ✘".split())
_NONE = frozenset(
    {
        "none",
        "no",
        "nil",
        "nothing",
        "n/a",
        "na",
        "not applicable",
        "not available",
        "not offered",
        "-",
        "–",
        "—",
    }
)
_MAGNITUDE = rf"(?:\s?(?:{'|'.join(MAGNITUDES)})|(?:(?<=\d){'|'.join(SHORT_MAGNITUDES)}))(?!\w)"
_MONEY = rf"(?:{currency_sign_pattern()}|(?:{currency_code_pattern()})(?=[\s\d]))"
_COMMA = r"\d{1,3}(?:\.\d{3})*,\d{1,2}(?!\d)"  # 1.250,50: a comma before one or two digits is none between thousands
_NUMBER = rf"(?:{_COMMA}|{DIGITS})"
_QUANTITY = re.compile(
    rf"(?:about|approx\.?|around|ca?\.|[~≈])?\s?(?P<sign>[-−+])?(?P<currency>{_MONEY})?\s?(?P<number>{_NUMBER})(?P<size>{_MAGNITUDE})?"
    rf"(?:\s?(?:[-–—]|to)\s?(?:{_MONEY})?(?P<upper>{_NUMBER})(?P<size2>{_MAGNITUDE})?)?(?P<rest>(?:\s|(?=\D)).*)?\Z"
)
_MORE = re.compile(rf"(?P<unit>[^\d,]+?)[\s,]+(?:and\s)?(?P<number>{DIGITS})\s?(?P<more>\D+)\Z")
_RATE = re.compile(
    r"(?P<unit>[^/]*?)(?:(?:\s|\A)(?:per|an?|each|every|before|after|from|of|in|for)\b|\s?/\s?(?=[a-z])).*\Z"
)
_EACH = re.compile(r"(?:(?:per|an?|each|every)\b|/\s?[a-z]).*\Z")
_COUNTED = re.compile(r"[a-z][a-z-]+(?: [a-z-]+)?\Z")
_CLOCK = r"(?:[01]?\d|2[0-4])(?:[:.][0-5]\d(?::[0-5]\d)?)?"
_TIME = re.compile(
    rf"(?P<a>{_CLOCK})\s?(?P<am>[ap]\.?m\.?)?(?:\s?(?:[-–—]|to)\s?(?P<b>{_CLOCK})\s?(?P<pm>[ap]\.?m\.?)?)?(?:\s?(?:h|hrs|o'clock))?\Z",
    re.IGNORECASE,
)
_ISO_DAY = re.compile(r"([+-]?\d{4})-(\d\d)(?:-(\d\d))?(?:[T ]\d\d:\d\d.*)?\Z")
_ENDINGS = frozenset("st nd rd th er de do".split())  # 3rd, 14th: a place in an order
_YEAR = re.compile(r"1\d{3}|20\d{2}")


@dataclass(frozen=True, slots=True)
class Cell:
    """What was read. `dimension`: what may stand in one column with it: "length", "EUR", "date"; "" for a bare number."""

    family: Family
    value: Value
    dimension: str = ""


@lru_cache(maxsize=65_536)
def says_none(text: str) -> bool:
    """Whether a cell says that there is nothing: "none" is no kind of motor."""
    return text.strip().casefold() in _NONE


def read_cell(text: str) -> Cell | None:
    """What the text is as a whole; None where it is a name or any other text."""
    text = text.strip()
    folded = text.casefold()
    if folded in _YES or folded in _NO:
        return Cell("yes or no", Value(text, "yes" if folded in _YES else "no", "string"), "yes or no")
    if len(text) > LONGEST_CELL or not any(c.isdigit() for c in text):
        return None
    return _date(text) or _time(text) or _quantity(text)


def year_of(value: Value) -> Value | None:
    """The year that a bare number is, where it may be one."""
    if value.datatype != "quantity" or value.unit is not None or not _YEAR.fullmatch(value.value):
        return None
    return value_of(Moment(int(value.value)), value.label)


def _date(text: str) -> Cell | None:
    iso = _ISO_DAY.fullmatch(text)
    if iso:
        year, month, day = int(iso[1]), int(iso[2]), int(iso[3] or 0)
        if not is_day(year, month, day or 1):
            return None
        found: Value | None = value_of(Moment(year, month, day, 11 if day else 10), text)
    elif text[0].isdigit() or text[0].isalpha():
        found = _written_date(text)
    else:
        found = None
    return Cell("date", found, "date") if found is not None else None


def _written_date(text: str) -> Value | None:
    """A date in words or with dots and strokes: "12 March 1999", "31.12.1999"; a bare year is a number."""
    if _YEAR.fullmatch(text) or not _YEAR.search(text) or doubt(text):
        return None
    whole = [f.argument for f in find_dates(text, None) if (f.start, f.end) == (0, len(text))]
    if len(whole) != 1 or whole[0] is None or whole[0].modifier or whole[0].value is None:
        return None
    return whole[0].value


def _time(text: str) -> Cell | None:
    found = _TIME.fullmatch(text)
    if found is None or not (":" in text or found["am"] or found["pm"]):
        return None
    first = _clock(found["a"], found["am"] or (found["pm"] if found["b"] else None))
    last = _clock(found["b"], found["pm"]) if found["b"] else ""
    return Cell("time", Value(text, f"{first}-{last}" if last else first, "string"), "time")


def _clock(text: str, half: str | None) -> str:
    hour, _, minute = text.replace(".", ":").partition(":")
    number = int(hour)
    if half:
        number = number % 12 + (12 if half.casefold().startswith("p") else 0)
    return f"{number:02}:{minute[:2] or '00'}"


def _quantity(text: str) -> Cell | None:
    found = _QUANTITY.fullmatch(text)
    if found is None or _is_code(found["number"]):
        return None
    ends, rest = _ends(found)
    if ends is None:
        return None
    number, upper = ends
    if not found["currency"] and upper is None and (more := _compound(number, rest)):
        return Cell("quantity", replace(more[0], label=text), more[1].dimension)
    unit = _unit(found["currency"], rest)
    if unit is None:
        return None
    node, dimension = unit
    low, high = (plain(number), plain(upper)) if upper is not None else (None, None)
    value = Value(text, plain(number), "quantity", unit=node, lower=low, upper=high)
    return Cell("quantity", value, dimension)


def _is_code(digits: str) -> bool:
    """007 is a number by which something is called."""
    return digits.startswith("0") and digits[1:2].isdigit()


def _ends(found: re.Match[str]) -> tuple[tuple[Decimal, Decimal | None] | None, str]:
    """The number, or both ends of a range, and what stands behind; no numbers where a range is none."""
    first, size, rest = _magnitudes(found)
    number = _number(found["number"], first or size)  # both ends of "2-3 million" are millions
    upper = _number(found["upper"], size) if found["upper"] else None
    if number is None or (upper is not None and (upper <= number or _are_years(found, rest))):
        return None, rest
    return (-number if found["sign"] in ("-", "−") else number, upper), rest


def _magnitudes(found: re.Match[str]) -> tuple[str | None, str | None, str]:
    """The magnitude of the first number and of the last one, and what stands behind."""
    first, last, rest = found["size"], found["size2"], (found["rest"] or "").strip()
    if not found["currency"] and (last or first) in SHORT_MAGNITUDES:
        return None, None, f"{last or first} {rest}".strip()  # 400m are metres
    return first, last if found["upper"] else first, rest


def _number(digits: str, size: str | None) -> Decimal | None:
    if re.fullmatch(_COMMA, digits):
        digits = digits.replace(".", "").replace(",", ".")
    return read_number(f"{digits} {(size or '').strip()}".strip())


def _are_years(found: re.Match[str], rest: str) -> bool:
    """1998-2003 is a time and no amount."""
    return not rest and all(_YEAR.fullmatch(found[end]) for end in ("number", "upper"))


def _unit(currency: str | None, rest: str) -> tuple[Node | None, str] | None:
    """The unit with its dimension; None where what stands behind the number is no unit."""
    if currency:
        return _money(currency.strip(), rest)
    if not rest or _EACH.fullmatch(rest):
        return None, ""  # "40 per day"
    rate = None if unit_named(rest) else _RATE.fullmatch(rest)
    words = rate["unit"].strip() if rate else rest
    known = unit_named(words)
    if known is not None:
        return known.node, known.dimension
    return (Node(words, words), words) if _COUNTED.fullmatch(words) and words not in _ENDINGS else None


def _money(currency: str, rest: str) -> tuple[Node | None, str] | None:
    if rest and not _RATE.fullmatch(rest) and not _COUNTED.fullmatch(rest):
        return None
    money = unit_named(currency)
    return (money.node, money.dimension) if money else (Node(currency, currency), currency)


def _compound(number: Decimal, rest: str) -> tuple[Value, Unit] | None:
    """3 h 30 min, 6 ft 2 in: all of it in the smaller unit."""
    found = _MORE.fullmatch(rest)
    if found is None:
        return None
    big, small, more = unit_named(found["unit"]), unit_named(found["more"]), read_number(found["number"])
    if big is None or small is None or more is None:
        return None
    if big.dimension != small.dimension or small.factor >= big.factor or more * small.factor >= big.factor:
        return None
    total = number * (big.factor / small.factor) + more
    node = small.node if unit_of(small.node) else None
    return Value("", plain(total), "quantity", unit=node), small
