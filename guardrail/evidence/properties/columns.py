"""What the values of a column, or of a property in a long table, are: read from a sample, then of each cell.

A property of whose values 95 % are of one type is of that type. Every other value is kept as text and told of, so that
nothing is lost; where no type has so many, each value is what it looks like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from guardrail.evidence.properties.literals import XSD, labelled
from guardrail.evidence.properties.words import Said, said
from guardrail.types import Node, Property, Value
from guardrail.values.cells import Cell, Family, read_cell, year_of
from guardrail.values.written_days import Order, doubt, in_order, order_of

__all__ = ["NOTHING", "SHARE", "Column", "column_of"]

SHARE = 0.95
"""Of the values: from this on they are of one type."""
NOTHING = frozenset(
    ("", "-", "–", "—", "n/a", "N/A", "null", "NULL", "?", "unknown", "tbd", "TBD", "tba", "TBA")
)
"""Cells that say that there is no value."""
_LONGEST_NAME = 80
_NO_NAME = re.compile(r"[+#(/]|\d[\d\s.,:/]*(?:\s|\Z)|\S+@\S+\.\S+\Z|\w+://|[^A-Z\d][^A-Z]*\d")
"""A text that is no name: it begins with a number or a sign, is an address, or a phrase with numbers."""
_RANGES = {"yes or no": XSD + "boolean", "time": XSD + "time"}


@dataclass(frozen=True, slots=True)
class Column:
    """What the values are. `type`: "" where each is what it looks like. `dimension`: of most quantities ("length")."""

    name: str
    type: Literal["", "name", "text"] | Family = ""
    dimension: str = ""
    unit: Node | None = None  # of bare numbers
    years: bool = False  # bare numbers are years
    things: frozenset[str] = frozenset()  # what the table has rows about
    order: Order = ""  # of day and month in numbers

    def read(self, text: str) -> tuple[Value | None, str]:
        """The value, None where the cell names a thing; and what is odd about it, "" where nothing is."""
        if self.type == "text":
            return _text(text), ""
        if text in self.things and self.type in ("", "name"):
            return None, ""
        text = in_order(text, self.order)
        if why := doubt(text):
            return _text(text), f"{self.name}: {text!r} {why}"
        cell = read_cell(text) if self.type != "name" else None
        if cell is None and self.type in ("", "name"):
            return (_text(text) if _is_phrase(text) else None), ""
        return self._typed(text, cell)

    def _typed(self, text: str, cell: Cell | None) -> tuple[Value, str]:
        """A value of the column's type, or what is odd about it."""
        value = self._value(cell) if cell is not None else None
        if cell is None or value is None:
            return _text(text), f"{self.name}: {text[:60]!r} is not like the others ({self._wanted()})"
        if cell.dimension != self.dimension and self.type == "quantity" and value.unit != self.unit:
            return value, f"{self.name}: {text[:60]!r} is in another unit than the others ({self._wanted()})"
        return value, ""

    def _value(self, cell: Cell) -> Value | None:
        """What the cell says, as a value of this column; None where it is of another type."""
        value = labelled(cell.value)
        if self.years and (year := year_of(value)):
            return year
        if self.type and cell.family != self.type:
            return None
        if self.unit is not None and value.datatype == "quantity" and value.unit is None:
            return replace(value, unit=self.unit)
        return value

    def _wanted(self) -> str:
        if self.type != "quantity":
            return self.type
        return self.dimension or "number"

    def record(self, property_id: str) -> Property | None:
        """What is to be known of the property beside its statements; None where that is nothing."""
        kind = _RANGES.get(self.type)
        if kind is None and self.unit is None:
            return None
        datatype: Literal["quantity", "string"] = "quantity" if kind is None else "string"
        return Property(
            property_id, property_id, datatype=datatype, unit=self.unit, range=(kind,) if kind else ()
        )


def column_of(name: str, texts: Iterable[str], things: frozenset[str] = frozenset()) -> Column:
    """The column of this name (a property's label, or a header), judged by these of its cells.

    `things`: what the table has rows about; a column that names such things is none of numbers, whatever their ids.
    """
    told = [text for text in texts if text not in NOTHING]
    order = order_of(told)
    column = _judged(name, [in_order(text, order) for text in told], things)
    return replace(column, things=things, order=order)


def _judged(name: str, texts: list[str], things: frozenset[str]) -> Column:
    told, cells = said(name), [read_cell(text) for text in texts]
    if not cells:
        return Column(name)
    if sum(text in things for text in texts) >= SHARE * len(texts):
        return Column(name, "name")
    families = Counter(cell.family if cell is not None else None for cell in cells)
    family, count = families.most_common(1)[0]
    if told.identifier and _are_codes(cells):
        return Column(name, "text")
    if _are_years(told, cells):
        return Column(name, "date", "date", years=True)
    if count < SHARE * len(cells):
        return Column(name)
    if family is None:
        return Column(name, "name")
    if family != "quantity":
        return Column(name, family, family)
    return _quantities(name, told, cells)


def _quantities(name: str, told: Said, read: list[Cell | None]) -> Column:
    cells = [cell for cell in read if cell is not None]
    dimensions = Counter(cell.dimension for cell in cells if cell.family == "quantity")
    dimension, count = dimensions.most_common(1)[0]
    unit = told.unit.node if told.unit is not None and dimensions[""] else None
    if unit is not None and told.unit is not None and count < SHARE * len(cells):
        dimension = told.unit.dimension
    return Column(name, "quantity", dimension, unit)


def _are_codes(cells: Iterable[Cell | None]) -> bool:
    """Whether no value has a unit: one that has counts or measures, whatever the name of the property."""
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(cell.value.unit is None for cell in known)


def _are_years(told: Said, cells: list[Cell | None]) -> bool:
    """Whether bare numbers are years by the name of the property and by their looks; the others are dates."""
    if not told.year:
        return False
    fit = sum(1 for c in cells if c is not None and (c.family == "date" or year_of(c.value) is not None))
    return fit >= SHARE * len(cells)


def _text(text: str) -> Value:
    return Value(text, text, "string")


def _is_phrase(text: str) -> bool:
    return len(text) > _LONGEST_NAME or _NO_NAME.match(text) is not None
