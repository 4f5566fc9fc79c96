"""Which states reach a second continent: a graph that names one continent of them does not exclude the other.

data/classes.yaml lists them, by the geographic conventions that differ most.
"""

from __future__ import annotations

from collections.abc import Iterable

from guardrail import ontology

__all__ = ["reaches"]

_REACHED = {
    state: frozenset(continents.split())
    for state, continents in ontology.by_class("continents of a state").items()
}


def reaches(state: str, continents: Iterable[str]) -> bool:
    """Whether the state of this id lies, if only with a part, on one of the continents of these ids."""
    return not _REACHED.get(state, frozenset()).isdisjoint(continents)
