"""Which states reach a second continent: a graph that names one continent of them does not exclude the other.

By the geographic conventions that differ most: the boundary of Europe in the Caucasus and the Urals, Sinai, the Isthmus of
Panama, New Guinea, and islands and overseas parts of the state itself.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["reaches"]

_EUROPE, _ASIA, _AFRICA, _NORTH, _SOUTH = "Q46", "Q48", "Q15", "Q49", "Q18"
_OCEANIA = ("Q55643", "Q538")

_REACHED = {
    "Q159": (_EUROPE, _ASIA),  # Russia
    "Q43": (_EUROPE, _ASIA),  # Turkey
    "Q232": (_EUROPE, _ASIA),  # Kazakhstan
    "Q230": (_EUROPE, _ASIA),  # Georgia
    "Q227": (_EUROPE, _ASIA),  # Azerbaijan
    "Q399": (_EUROPE, _ASIA),  # Armenia
    "Q229": (_EUROPE, _ASIA),  # Cyprus
    "Q41": (_EUROPE, _ASIA),  # Greece
    "Q79": (_AFRICA, _ASIA),  # Egypt
    "Q805": (_ASIA, _AFRICA),  # Yemen
    "Q35": (_EUROPE, _NORTH),  # Denmark
    "Q756617": (_EUROPE, _NORTH),  # Kingdom of Denmark
    "Q142": (_EUROPE, _AFRICA, _NORTH, _SOUTH, *_OCEANIA),  # France
    "Q55": (_EUROPE, _NORTH, _SOUTH),  # Netherlands
    "Q29999": (_EUROPE, _NORTH, _SOUTH),  # Kingdom of the Netherlands
    "Q145": (_EUROPE, _AFRICA, _NORTH, _SOUTH, *_OCEANIA),  # United Kingdom
    "Q29": (_EUROPE, _AFRICA),  # Spain
    "Q45": (_EUROPE, _AFRICA),  # Portugal
    "Q38": (_EUROPE, _AFRICA),  # Italy
    "Q30": (_NORTH, *_OCEANIA),  # United States
    "Q298": (_SOUTH, *_OCEANIA),  # Chile
    "Q804": (_NORTH, _SOUTH),  # Panama
    "Q739": (_NORTH, _SOUTH),  # Colombia
    "Q717": (_NORTH, _SOUTH),  # Venezuela
    "Q754": (_NORTH, _SOUTH),  # Trinidad and Tobago
    "Q252": (_ASIA, *_OCEANIA),  # Indonesia
    "Q574": (_ASIA, *_OCEANIA),  # East Timor
    "Q691": (_ASIA, *_OCEANIA),  # Papua New Guinea
}


def reaches(state: str, continents: Iterable[str]) -> bool:
    """Whether the state of this id lies, if only with a part, on one of the continents of these ids."""
    return not set(continents).isdisjoint(_REACHED.get(state, ()))
