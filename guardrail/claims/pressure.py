"""At which pressure something melts or boils: a graph tells it for the standard one, and elsewhere it is another temperature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from guardrail.types import Fact

__all__ = ["at_pressure"]

_POINTS = frozenset({"P2101", "P2102"})  # melting, boiling
_STANDARD = frozenset({"sea level", "one atmosphere", "1 atm", "1 atmosphere"})
_PRESSURES = frozenset({"standard", "normal", "atmospheric", "pressure", "air", "ordinary", "conditions"})


def at_pressure(facts: Iterable[Fact]) -> list[Fact]:
    """The facts of one verb. "Water boils at 100 °C at sea level" says what "Water boils at 100 °C" says; on a mountain, under
    high pressure or wherever else, the temperature is of no relation that a graph could decide.
    """
    given = list(facts)
    points = [fact for fact in given if _POINTS & set(fact.relations)]
    if not points:
        return given
    rest = [fact for fact in given if fact not in points]
    if all(map(_standard, rest)):
        return points
    return [replace(fact, relations=()) if fact in points else fact for fact in given]


def _standard(fact: Fact) -> bool:
    words = fact.object.text.lower()
    return words in _STANDARD or _PRESSURES.issuperset(words.removeprefix("the ").split())
