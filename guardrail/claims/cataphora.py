"""Whose "its" is when it stands before what it means: "Since its founding in 1972, Elderly has grown"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrail.claims.chunks import NP
from guardrail.claims.clauses import Clause

__all__ = ["ahead", "suits"]

_PERSONAL = frozenset({"his", "her"})


def ahead(clauses: Sequence[Clause]) -> Iterator[tuple[NP, NP]]:
    """Noun phrases with "his", "her" or "its" that introduce a clause, each with the name that is the clause's subject."""
    for clause in clauses:
        subject = clause.subject
        if subject is None or subject.kind != "name" or clause.inherited:
            continue
        for comp in clause.comps:
            if comp.np is None or comp.at > subject.first:
                break
            if comp.np.det in ("his", "her", "its"):
                yield comp.np, subject


def suits(pronoun: str, kinds: frozenset[str]) -> bool:
    """Whether a possessive can mean a thing of these kinds; of which nothing is known, anything may be meant."""
    return not kinds or ("person" in kinds) == (pronoun in _PERSONAL)
