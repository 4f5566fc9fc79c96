"""A fact beside the statements that answer it: what every rule of the comparison looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from guardrail import ontology
from guardrail.check.kg.compare.timeline import current
from guardrail.check.kg.sides import Side
from guardrail.types import Answer, Fact, Property, Triplet

__all__ = ["Comparison"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`side` says which argument of `fact` is compared with which end of `statements`, those of `answer` that count."""

    fact: Fact
    answer: Answer
    side: Side
    statements: Sequence[Triplet]
    today: date

    @property
    def record(self) -> Property:
        """The property that was asked for."""
        return self.answer.property

    @property
    def standing(self) -> list[Triplet]:
        """The statements that hold today."""
        return current(self.statements, self.today)

    @property
    def of_now(self) -> bool:
        """Whether the fact is told of the present, or of no time."""
        return self.fact.tense in ("present", "")

    def plays(self, parts: frozenset[str]) -> bool:
        """Whether the property plays one of these parts (`guardrail.ontology`)."""
        return ontology.plays(self.record, parts)
