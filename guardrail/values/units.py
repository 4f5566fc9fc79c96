"""Units of measurement: the words that name them, their ids, and how they convert (data/units.yaml).

A unit belongs to a dimension ("length") and has a factor to that dimension's base unit (the metre); temperature also
has an offset. Units of different dimensions are never compared. Money converts to nothing: each currency is a dimension
of its own, because a rate of exchange is no fact about the sum.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

import yaml

from guardrail.types import Node

__all__ = [
    "AGE",
    "ORDINAL",
    "PERCENT",
    "UNITS",
    "YEAR",
    "Unit",
    "currency_code_pattern",
    "currency_sign_pattern",
    "unit_named",
    "unit_named_otherwise",
    "unit_of",
    "unit_pattern",
]

_SIGNS = "$€£¥₹"  # written before a sum
_FILE = Path(__file__).parent.parent / "data" / "units.yaml"


@dataclass(frozen=True, slots=True)
class Unit:
    """`base = number * factor + offset`. `words`: surface forms; the short ones are read only after digits. `also`: words that another unit
    has first.
    """

    node: Node
    dimension: str
    factor: Decimal
    words: tuple[str, ...]
    offset: Decimal = Decimal(0)
    also: tuple[str, ...] = ()

    @property
    def money(self) -> bool:
        """Each currency is a dimension, by its code."""
        return self.dimension.isupper()

    def label(self, number: str) -> str:
        """The unit behind a number: "1 metre", "381 metres", "90 degrees Celsius"."""
        one = self.node.label
        if number == "1":
            return one
        first, space, rest = one.partition(" ")
        plurals = (f"{one}s", f"{first}s{space}{rest}", f"{one}es", one.replace("foot", "feet"))
        return next((plural for plural in plurals if plural in self.words), one)


def _read() -> tuple[Unit, ...]:
    table = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return tuple(
        Unit(
            Node(row["id"], label),
            row["dimension"],
            Decimal(row["factor"]),
            tuple(row["words"].split(" | ")),
            Decimal(row.get("offset", "0")),
            tuple(row["also"].split(" | ")) if "also" in row else (),
        )
        for label, row in table.items()
    )


UNITS: tuple[Unit, ...] = _read()

_BY_ID = {unit.node.id: unit for unit in UNITS}
_BY_WORD = {word: unit for unit in UNITS for word in unit.words}
_BY_OTHER_WORD = {word: unit for unit in UNITS for word in unit.also}
_BY_FOLDED = {word.casefold(): unit for unit in UNITS for word in unit.words if len(word) > 3}
_BY_LABEL = {unit.node.label.casefold(): unit for unit in UNITS}

AGE, PERCENT, YEAR = (_BY_LABEL[label].node for label in ("years old", "percent", "year"))
ORDINAL = _BY_LABEL["ordinal"].node
"""Ours: the number of a place in an order ("the 44th president"), which is never a count."""


def unit_named(words: str) -> Unit | None:
    """The unit that `words` name; short symbols are case-sensitive ("MW" is no "mw"), names are not."""
    words = re.sub(r"\s+", " ", words.strip())
    return _BY_WORD.get(words) or _BY_FOLDED.get(words.casefold()) or _BY_LABEL.get(words.casefold())


def unit_named_otherwise(words: str) -> Unit | None:
    """The other unit that words name which name two: a pound is money, too."""
    return _BY_OTHER_WORD.get(words.strip().casefold())


def unit_of(node: Node | None) -> Unit | None:
    """The unit behind a node of the graph: by id, else by its label."""
    if node is None:
        return None
    return _BY_ID.get(node.id) or unit_named(node.label)


@lru_cache(maxsize=1)
def currency_sign_pattern() -> str:
    """A regular expression (no groups) for what stands before a sum: "$", "US$"."""
    return "|".join(map(re.escape, sorted(_currency_signs(), key=len, reverse=True)))


@lru_cache(maxsize=1)
def currency_code_pattern() -> str:
    """A regular expression (no groups) for the codes of currencies (ISO 4217)."""
    words = {word for unit in UNITS if unit.money for word in unit.words}
    return "|".join(sorted(word for word in words if re.fullmatch("[A-Z]{3}", word)))


def _currency_signs() -> set[str]:
    return {word for unit in UNITS if unit.money for word in unit.words if word[-1] in _SIGNS}


@lru_cache(maxsize=1)
def unit_pattern() -> str:
    """A regular expression (no groups) for the words of all units but symbols that are written before a number."""
    words = {word for unit in UNITS if unit.node != ORDINAL for word in unit.words}
    words -= {*_currency_signs(), "K", "u", "t", "s", "h", "V", "au", "pc", "ordinal", "in"}
    symbols = sorted((w for w in words if not w[-1].isalnum()), key=len, reverse=True)
    names = sorted((w for w in words if w[-1].isalnum()), key=len, reverse=True)
    escaped = [re.escape(w).replace(r"\ ", r"\s+") for w in names]
    folded = [f"(?i:{e})" if len(w) > 3 else e for w, e in zip(names, escaped, strict=True)]
    # "in" is an inch only where no phrase can follow: "3 in 5", "1.4 billion in 2020".
    inch = r"in(?=\s*(?:[,.;)×x]|$))"
    return f"(?:(?:{'|'.join(folded)}|{inch})(?![\\w²³]|/[a-z])|(?:{'|'.join(map(re.escape, symbols))}))"
