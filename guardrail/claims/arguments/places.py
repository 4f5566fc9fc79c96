"""Where the noun phrases of a sentence stand: as subjects, as predicates, beside a subject, behind "and"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.clauses import Clause

__all__ = ["Places"]


@dataclass(frozen=True, slots=True)
class Places:
    """Where the noun phrases of a sentence stand, by their identity.

    `subjects`: those that are subjects; `predicates`: those behind a copula; `hosts`: of a complement, the subject of its clause; `joined`: of
    one behind "and", the one before it.
    """

    subjects: frozenset[int]
    predicates: frozenset[int]
    hosts: Mapping[int, NP]
    joined: Mapping[int, NP]

    @classmethod
    def of(cls, clauses: Sequence[Clause]) -> Places:
        leading = [(clause, clause.subject) for clause in clauses if clause.subject is not None]
        return cls(
            frozenset(id(np) for _, subject in leading for np in subject.each()),
            frozenset(id(np) for clause in clauses if clause.copula for np in clause.direct()),
            {
                id(comp.np): subject
                for clause, subject in leading
                for comp in clause.comps
                if comp.np is not None
            },
            {id(other): np for clause in clauses for np in clause.heads() for other in np.also},
        )
