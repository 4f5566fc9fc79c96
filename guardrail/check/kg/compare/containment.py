"""Places that contain others: whoever was born in a city was born in its country, although the text names only the city.

A cross-encoder takes two names of places for two places. So it may not refute a wider place by a text that does not name that one; only
exact comparison, which knows what lies in what, may.
"""

from __future__ import annotations

from guardrail import ontology
from guardrail.types import Argument, Claim

__all__ = ["names_wider_place"]

# Where something or somebody is, was born, died, lives, has a seat, was formed, and the larger unit that it belongs to.
_PLACING = frozenset(ontology.ids("wide"))
# Cities, towns, villages, municipalities, capitals, quarters: hardly anything of which a text would name a part instead.
_SETTLEMENTS = ontology.classes("settlements")


def names_wider_place(claim: Claim, text: str) -> bool:
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
