"""Whose "its" is when it stands before what it means: "Since its founding in 1972, Elderly has grown"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.clauses import Clause
from guardrail.claims.reading.tokens import Token
from guardrail.rules import rule

__all__ = ["ahead", "coupled", "suits"]

_PERSONAL = frozenset({"his", "her"})
_OTHERS = {"his": "woman", "her": "man"}


@rule("cataphora")
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


@rule("coupled")
def coupled(np: NP, ends: Mapping[int, NP], tokens: Sequence[Token]) -> NP | None:
    """The name before "and his wife", "and her husband"; `ends`: the noun phrases so far by their last tokens."""
    if np.det not in _PERSONAL or np.first < 2 or tokens[np.first - 1].low not in ("and", "&"):
        return None
    return ends.get(np.first - 2) or (ends.get(np.first - 3) if tokens[np.first - 2].text == "," else None)


def suits(pronoun: str, kinds: frozenset[str]) -> bool:
    """Whether a possessive can mean a thing of these kinds; of which nothing is known, anything may be meant."""
    if _OTHERS.get(pronoun, "") in kinds:
        return False
    return not kinds or ("person" in kinds) == (pronoun in _PERSONAL)
