"""Under which conditions a measure holds: a graph tells it for the usual ones, and elsewhere it is another.

Water boils at 100 °C, but not on a mountain; light is slower in glass.
"""

from __future__ import annotations

from dataclasses import replace

from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Fact

__all__ = ["at_usual_conditions"]

_MEASURES, _SPEED = (
    frozenset(ids("at a condition")),
    frozenset(ids("speed")),
)  # melting and boiling point, speed, density
_WHERE = frozenset("in at on under above below inside through near within".split())
_USUAL = frozenset({"sea level", "one atmosphere", "1 atm", "1 atmosphere"})
_PRESSURES = frozenset("standard normal ordinary atmospheric air pressure conditions".split())


@rule("usual-conditions", passes=0)
def at_usual_conditions(facts: list[Fact]) -> list[Fact]:
    """The facts of one clause. "Water boils at 100 °C at sea level" says what "Water boils at 100 °C" says; on a mountain, under
    high pressure or wherever else, the measure is of no relation that a graph could decide.
    """
    measures = [fact for fact in facts if _MEASURES & set(fact.relations)]
    where = [fact for fact in facts if fact not in measures and _tells_where(fact)]
    if not measures or not where:
        return facts
    if all(_usual(fact, of=measures[0]) for fact in where):
        return [fact for fact in facts if fact not in where]
    return [replace(fact, relations=()) if fact in measures else fact for fact in facts]


def _tells_where(fact: Fact) -> bool:
    return fact.predicate.rpartition(" ")[2] in _WHERE


def _usual(fact: Fact, *, of: Fact) -> bool:
    words = fact.object.text.lower().removeprefix("the ").removeprefix("a ")
    if words == "vacuum":
        return not _SPEED.isdisjoint(of.relations)
    return words in _USUAL or _PRESSURES.issuperset(words.split())
