"""Literals of RDF, of KGTK files and of plain tables as typed values."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from guardrail.types import Node, Value
from guardrail.values.cells import Cell, Family, read_cell
from guardrail.values.dates import is_day
from guardrail.values.numbers import plain
from guardrail.values.units import Unit, unit_named, unit_of
from guardrail.values.written_days import doubt

XSD = "http://www.w3.org/2001/XMLSchema#"
_SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
_OF_SCHEMA_ORG = {
    "Date": "date", "DateTime": "dateTime", "Time": "time", "Number": "decimal", "Integer": "integer", "Float": "double",
    "Boolean": "boolean", "Duration": "duration",
}  # fmt: skip
_NUMBERS = frozenset(
    "decimal integer int long short byte double float nonNegativeInteger positiveInteger nonPositiveInteger"
    " negativeInteger unsignedInt unsignedLong unsignedShort unsignedByte".split()
)
_WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
_POINT = re.compile(r"(?:<[^>]*> *)?Point\(\s*([-+\d.eE]+)[ ,]+([-+\d.eE]+)", re.IGNORECASE)
_DATE = re.compile(r"([+-]?)(\d{1,16})(?:-(\d\d))?(?:-(\d\d))?(?:T([\d:.]+))?(Z|[+-]\d\d:\d\d)?\Z")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_KGTK_DATE = re.compile(r"\^([^/]+)(?:/(\d+))?\Z")
_KGTK_QUANTITY = re.compile(
    r"([+-]?[\d.]+(?:[eE][+-]?\d+)?)(?:\[([+-]?[\d.eE+-]+),([+-]?[\d.eE+-]+)\])?(Q\d+)?\Z"
)
_KGTK_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'@([\w-]+)\Z", re.DOTALL)
_KGTK_POINT = re.compile(r"@([-+\d.]+)/([-+\d.]+)\Z")
_MONTHS = "January February March April May June July August September October November December".split()

_DURATION = re.compile(
    r"P(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_PERIOD = re.compile(r"PT(?:\d+H)?(?:\d+M)?(?:\d+S)?(?<!T)")
"""A duration that came as text; the rest of ISO 8601's are too much like codes."""
_PARTS: Final[dict[str, Unit]] = {
    f"{unit.node.label}s": unit
    for unit in map(unit_named, ("year", "month", "week", "day", "hour", "minute", "second"))
    if unit is not None
}

Kind = Literal["entity", "date", "quantity", "string", "coordinate", "auto", "kgtk"]


@lru_cache(maxsize=100_000)
def rdf_value(text: str, datatype: str, language: str) -> Value:
    """An RDF literal. Raises ValueError where the text is none of its datatype."""
    if language:
        return Value(text, text, "string", language=language)
    if datatype.startswith(_SCHEMA_ORG):
        datatype = XSD + _OF_SCHEMA_ORG.get(datatype.rpartition("/")[2], "string")
    if datatype.startswith(XSD):
        kind = datatype[len(XSD) :]
        if kind in ("dateTime", "date", "gYear", "gYearMonth"):
            return date_value(text)
        if kind in _NUMBERS:
            return quantity_value(text)
        if told := _told(text, kind):
            return told
    elif datatype == _WKT:
        found = _POINT.match(text)
        if found:
            return coordinate_value(found.group(2), found.group(1))
    return Value(text, text, "string")


def _told(text: str, kind: str) -> Value | None:
    """Truth, times of day, durations, and texts that are wholly a measure, a sum of money or a date: "20 °C", "€13".

    Bare numbers that came as text stay text: versions, telephone numbers and codes are written so.
    """
    if kind == "boolean":
        truth = "yes" if text.strip() in ("true", "1") else "no"
        return Value(truth, truth, "string")
    if kind in ("duration", "dayTimeDuration", "yearMonthDuration") or _PERIOD.fullmatch(text):
        return _duration(text)
    if kind not in ("string", "time", "normalizedString", "token"):
        return None
    cell = read_cell(text.removesuffix("Z") if kind == "time" else text)
    return None if cell is None or _bare(cell) else labelled(cell.value)


def _bare(cell: Cell) -> bool:
    """Whether it is a bare number, or counts what no table of units knows; or yes or no."""
    return cell.family == "yes or no" or (cell.family == "quantity" and unit_of(cell.value.unit) is None)


def _duration(text: str) -> Value | None:
    """P3Y is three years, P1Y6M eighteen months: all of it in its smallest unit."""
    found = _DURATION.fullmatch(text.strip())
    parts = [(found[name], name) for name in _PARTS if found[name]] if found else []
    if not parts:
        return None
    smallest = _PARTS[parts[-1][1]]
    total = (
        sum((Decimal(number) * _PARTS[name].factor for number, name in parts), Decimal(0)) / smallest.factor
    )
    if {"years", "months"} == {name for _, name in parts}:
        total = Decimal(parts[0][0]) * 12 + Decimal(parts[1][0])
    number = plain(total)
    return Value(f"{number} {smallest.label(number)}", number, "quantity", unit=smallest.node)


def date_value(text: str, precision: int | None = None) -> Value:
    """A date from ISO 8601 or Wikidata's "+1952-03-11T00:00:00Z".

    Without `precision` it follows from what is written; a first of January at midnight is a year: that is how
    Wikidata's RDF writes one. Raises ValueError.
    """
    found = _DATE.match(text)
    if not found:
        raise ValueError(f"not a date: {text[:40]!r}")
    sign, digits, month, day, time, _ = found.groups("00")  # which stands for what is not known
    if not _in_calendar(int(digits), int(month), int(day), julian=precision is not None):
        raise ValueError(f"not a date: {text[:40]!r}")
    if precision is None:
        precision = _written_precision(month, day, time)
    era = "-" if sign == "-" and int(digits) else ""
    iso = _iso(f"{era}{_first_year(int(digits), precision):04}", month, day, precision)
    if precision > 8:
        precision = min(precision, {4: 9, 7: 10}.get(len(iso.lstrip("-")), 11))
    return Value(date_label(iso, precision), iso, "date", precision)


def _in_calendar(year: int, month: int, day: int, *, julian: bool) -> bool:
    """Whether there is such a day, or month, 0 for none. `julian`: Wikidata, which gives the precision, has such days to this day."""
    if julian or not (month and day):
        return month <= 12 and day <= 31
    return is_day(year, month, day)


def _iso(year: str, month: str, day: str, precision: int) -> str:
    """As finely as the precision asks and the date is known."""
    if precision < 10 or month == "00":
        return year
    return f"{year}-{month}" if precision < 11 or day == "00" else f"{year}-{month}-{day}"


def _written_precision(month: str, day: str, time: str) -> int:
    """Day, month or year, by what is written."""
    if month == "00" or (time.startswith("00:00") and (month, day) == ("01", "01")):
        return 9
    return 10 if day == "00" else 11


def date_label(iso: str, precision: int) -> str:
    """How a date is shown: "11 March 1952", "March 1952", "1952", "1950s", "20th century", "44 BC"."""
    before = iso.startswith("-")
    year, *rest = iso.lstrip("-").split("-")
    number = int(year)
    if precision == 8:
        shown = f"{number}s"
    elif precision == 7:
        shown = f"{_ordinal((number + 99) // 100)} century"
    elif precision == 6:
        shown = f"{_ordinal((number + 999) // 1000)} millennium"
    else:
        month = [_MONTHS[int(rest[0]) - 1]] if rest else []
        shown = " ".join([*(str(int(day)) for day in rest[1:]), *month, str(number)])
    return f"{shown} BC" if before else shown


def _first_year(year: int, precision: int) -> int:
    """The 1990s begin in 1990, the 20th century in 1901."""
    size = {8: 10, 7: 100, 6: 1000}.get(precision, 1)
    if size == 10:
        return year // 10 * 10
    return (max(year, 1) - 1) // size * size + 1 if size > 1 else year


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def quantity_value(amount: str, unit: str = "", lower: str = "", upper: str = "") -> Value:
    """A quantity; `unit` is the id of its unit. Raises ValueError."""
    if not _NUMBER.match(amount):
        raise ValueError(f"not a number: {amount[:40]!r}")
    plain = amount.removeprefix("+")
    label = f"{plain} {unit}" if unit else plain
    bounds = (lower.removeprefix("+") or None, upper.removeprefix("+") or None)
    return Value(
        label, plain, "quantity", unit=Node(unit, "") if unit else None, lower=bounds[0], upper=bounds[1]
    )


def coordinate_value(latitude: str, longitude: str) -> Value:
    """A place on Earth. Raises ValueError."""
    place = f"{float(latitude):g},{float(longitude):g}"
    return Value(place, place, "coordinate")


def kgtk_value(text: str) -> Value | None:
    """A literal as KGTK writes it: ^date/precision, +42[lower,upper]Q11573, "text", 'text'@en, @lat/lon.

    None for what is no literal there: an id. Raises ValueError for a broken one.
    """
    if text.startswith("^"):
        found = _whole(_KGTK_DATE, text, "date")
        return date_value(found[1], int(found[2]) if found[2] else None)
    if text.startswith("'"):
        found = _whole(_KGTK_TEXT, text, "text")
        plain = re.sub(r"\\(.)", r"\1", found[1])
        return Value(plain, plain, "string", language=found[2])
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        plain = text[1:-1].replace('\\"', '"')
        return Value(plain, plain, "string")
    if text.startswith("@") and (point := _KGTK_POINT.match(text)):
        return coordinate_value(*point.groups())
    if quantity := _KGTK_QUANTITY.match(text):
        amount, lower, upper, unit = quantity.groups("")
        return quantity_value(amount, unit, lower, upper)
    return None


def _whole(form: re.Pattern[str], text: str, what: str) -> re.Match[str]:
    found = form.match(text)
    if not found:
        raise ValueError(f"not a {what}: {text[:40]!r}")
    return found


def plain_value(text: str, kind: Kind) -> Value | None:
    """A cell of a table read as `kind`; None where it is an entity. `auto` tells numbers and dates by their looks."""
    if kind == "entity":
        return None
    if kind == "kgtk":
        return kgtk_value(text)
    if kind == "date":
        stripped = text.strip()
        return date_value(stripped) if _DATE.match(stripped) else _read_as("date", stripped)
    if kind == "quantity":
        digits = text.strip().replace(",", "")
        return quantity_value(digits) if _NUMBER.match(digits) else _read_as("quantity", text)
    if kind == "coordinate":
        latitude, _, longitude = text.partition(",")
        return coordinate_value(latitude, longitude)
    if kind == "auto":
        cell = read_cell(text)
        return labelled(cell.value) if cell is not None else None
    return Value(text, text, "string")


def _read_as(family: Family, text: str) -> Value:
    cell = read_cell(text)
    if cell is None or cell.family != family:
        why = f" ({told})" if (told := doubt(text)) else ""
        raise ValueError(f"not a {'number' if family == 'quantity' else family}: {text[:40]!r}{why}")
    return labelled(cell.value)


def labelled(value: Value) -> Value:
    """The value, a date with its label in words; the label of any other is what the cell says."""
    if value.datatype != "date" or value.precision is None:
        return value
    return replace(value, label=date_label(value.value, value.precision))
