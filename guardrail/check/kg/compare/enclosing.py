"""Places that others lie in: whoever was born in Lyon was born in France, although no word of it is said.

A cross-encoder takes two names of places for two places. It may refute "born in France" by "born in Lyon" no more than a text that
says nothing: only exact comparison, which knows what lies in what, may.
"""

from __future__ import annotations

from guardrail import ontology
from guardrail.types import Argument, Claim

__all__ = ["unspoken"]

# Where something or somebody is, was born, died, lives, has a seat, was formed, and the larger unit that it belongs to.
_PLACING = frozenset(ontology.ids("wide"))
# Cities, towns, villages, municipalities, capitals, quarters: hardly anything of which a text would name a part instead.
_SETTLEMENTS = ontology.classes("settlements")


def unspoken(claim: Claim, text: str) -> bool:
    """Whether the claim places something in a country, a region or another wide place that `text` does not name."""
    said = text.casefold()
    return any(
        _wide(fact.object) and not any(name in said for name in _names(fact.object))
        for fact in claim.facts
        if _PLACING & set(fact.relations)
    )


def _wide(place: Argument) -> bool:
    """Of a name that the graph does not know nobody can tell."""
    entity = place.mention.entity if place.mention else None
    return entity is not None and bool(entity.types) and not _SETTLEMENTS & set(entity.types)


def _names(place: Argument) -> set[str]:
    entity = place.mention.entity if place.mention else None
    return {place.text.casefold(), *([entity.label.casefold()] if entity else [])}
