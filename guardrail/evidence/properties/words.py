"""What the name of a property says of its values: one or many, years, codes, the unit they are in (data/property_words.yaml)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from guardrail.evidence.properties.iris import relation_name
from guardrail.values.units import Unit, unit_named

__all__ = ["Said", "said"]

_FILE = Path(__file__).resolve().parents[2] / "data" / "property_words.yaml"
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_BEFORE = frozenset("of for in at per by on to from with since until a an".split())
"""What stands before one of these is the head of the name: "number of beds", "price per kilo"."""
_VERBAL = frozenset("in at by on to from with".split())
"""Likewise, but a word in "s" before one is a verb: "stands in", "runs on"."""
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|_+")
_IN_BRACKETS = re.compile(r"[(\[]\s*(?:in\s+)?([^()\[\]]{1,40}?)\s*[)\]]\s*\Z")
_SYMBOL = 3  # letters of the longest symbol of a unit
_BEHIND_IN = re.compile(r"\bin\s+([^\d(]{1,40})\Z")


@dataclass(frozen=True, slots=True)
class Said:
    """What is read from the name. `unit`: of bare numbers, where the name ends with one: "weight (kg)", "height in metres"."""

    single: bool = False
    many: bool = False
    year: bool = False
    identifier: bool = False
    hierarchical: bool = False
    money: bool = False
    unit: Unit | None = None


@lru_cache(maxsize=4096)
def said(name: str) -> Said:
    """What the name of a property says; an IRI is read by its last part."""
    bare = _JOINED.sub(" ", relation_name(_without_brackets(name)))
    unit = _unit(name, bare)
    words = [word.casefold() for word in _WORD.findall(bare)]
    if not words:
        return Said(unit=unit)
    listed, at = _listed(), _head(words)
    head = words[at]
    verb = at == 0 and not _VERBAL.isdisjoint(words[1:2])
    plural = head not in listed["single"] and _plural(head) and not verb
    one = head[:-1] if plural else head
    many = plural or (not verb and one in listed["list"])
    return Said(
        single=not many and (head in listed["single"] or words[0] in ("is", "has")),
        many=many,
        year=bool({words[0], head, *_BEFORE.intersection(words[-1:])} & listed["year"]),
        identifier=words[-1] in listed["identifier"],
        hierarchical=" ".join(words) in _phrases(),
        money=one in listed["money"],
        unit=unit,
    )


def _head(words: list[str]) -> int:
    """Where the noun stands that the name is about: before the first preposition, else at the end."""
    return next((place for place, word in enumerate(words) if place and word in _BEFORE), len(words)) - 1


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _without_brackets(name: str) -> str:
    return _IN_BRACKETS.sub("", name)


def _unit(name: str, bare: str) -> Unit | None:
    """The unit that the name ends with: in brackets, behind "in", or as the last part of "weight_kg"."""
    if (unit := _unit_in_brackets(name)) is not None:
        return unit
    if (found := _BEHIND_IN.search(bare)) and (unit := unit_named(found[1])):
        return unit
    words = _WORD.findall(bare)
    last = words[-1].casefold() if len(words) > 1 else ""
    written = (last, last.upper(), last[:1] + last[1:].upper(), last[:1].upper() + last[1:])
    short = written if last in _listed()["unit"] else ()
    return next((unit for form in short if (unit := unit_named(form)) is not None), None)


def _unit_in_brackets(name: str) -> Unit | None:
    """The unit that the brackets are, or begin with in so many letters or as a currency: "hours before", "€ a month"."""
    found = _IN_BRACKETS.search(name)
    if found is None:
        return None
    text = found[1]
    whole = unit_named(text)
    first = text.replace("/", " ").split(" ")[0]
    unit = unit_named(first) if whole is None else None
    sure = unit is not None and (len(first) > _SYMBOL or unit.dimension.isupper())
    return whole or (unit if sure else None)


@lru_cache(maxsize=1)
def _data() -> dict[str, object]:
    content: dict[str, object] = yaml.safe_load(_FILE.read_text("utf-8"))
    return content


@lru_cache(maxsize=1)
def _listed() -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in _data().items() if isinstance(words, str)}


@lru_cache(maxsize=1)
def _phrases() -> frozenset[str]:
    phrases = _data()["hierarchical"]
    return frozenset(map(str, phrases)) if isinstance(phrases, list) else frozenset()
