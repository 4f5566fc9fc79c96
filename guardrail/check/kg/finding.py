"""What was found out about one fact: the noun that the symbolic checks pass on to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from guardrail import ontology
from guardrail.types import Argument, Cardinality, Object, Property, Reason, Slot, Triplet
from guardrail.values import State

__all__ = ["FactFinding", "Note"]

Note = Literal[
    "",
    "coarser",  # the claim says less than the graph, and the graph implies it
    "finer",  # the claim says more than the graph knows
    "near",  # a name within a name
    "level",  # another place, which may lie in the known one or around it
    "open",  # one of a list that may go on
    "ended",  # true once, but not now
    "current",  # still so, where the claim says it is over
    "part",  # the fact is known, but not its time, place or amount
    "ranked",  # by its place among others: larger, the largest
    "age",  # reckoned from a date of birth
    "count",  # members of a list counted that is whole
    "least",  # likewise, of a list that may go on
    "none",  # of a list that is whole and empty
    "path",  # connected by statements, not asked for one
    "example",  # one example is enough to refute "never"
    "swapped",  # true the other way round
    "term",  # reckoned from terms of office
    "kind",  # of a class that excludes the claimed one
    "only",  # "only" with others besides
    "nothing",  # no statement bears on it
]


@dataclass(frozen=True, slots=True)
class FactFinding:
    """Whether one fact of a claim agrees with what the graph knows, and why."""

    fact: int  # its place among the facts of the claim
    state: State
    relation: str  # label of the property, or of the qualifier, that was compared
    claimed: Argument  # the argument that was compared
    known: tuple[Object, ...] = ()  # what the graph has in its place
    triplets: tuple[Triplet, ...] = ()  # the statements that bear on it
    cardinality: Cardinality = "unknown"
    note: Note = ""
    reason: Reason | None = None
    confidence: float = 0.5
    end: Literal["subject", "object"] = "subject"  # the argument that the graph was asked from
    reading: str = ""  # id of the entity that this argument was taken for
    rank: int = 0  # place of the relation among those that the fact's words may mean
    property_id: str = ""
    record: Property | None = None  # what is known of the property
    backwards: bool = False  # the graph was asked for the subjects of a statement
    negated: bool = False
    answers: int = 0  # how many values the source has
    main: FactFinding | None = (
        None  # the finding about the fact's object, where this one is about an attribute of it
    )
    rivals: tuple[Triplet, ...] = ()  # of one that agrees: statements that contradict it

    def with_statements(
        self,
        known: Callable[[Triplet], Object],
        triplets: Sequence[Triplet],
        state: State,
        *,
        confidence: float,
    ) -> FactFinding:
        """The same with its state and the statements that decide it; `known` takes the known end of each."""
        ends = tuple(known(triplet) for triplet in triplets)
        return replace(self, state=state, known=ends, triplets=tuple(triplets), confidence=confidence)

    def plays(self, wanted: frozenset[str]) -> bool:
        """Whether its relation plays one of these parts (`guardrail.ontology`)."""
        return ontology.plays(self.record or ontology.record(self.property_id), wanted)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slot of the fact's object, and after it that of the attribute which settled the fact."""
        return (*((self.main.slot,) if self.main else ()), self.slot)

    @property
    def slot(self) -> Slot:
        """The proof in the form that a verdict shows."""
        known = "; ".join(dict.fromkeys(item.label for item in self.known[:4]))
        return Slot(
            property=self.relation,
            claimed=self.claimed.text,
            known=known + (" …" if len(self.known) > 4 else ""),
            cardinality=self.cardinality,
            state=self.state,
            span=self.claimed.span,
            fact=self.fact,
            values=() if self.negated else self.known,
            answers=self.answers,
        )
