"""Which end of a predicate has a property, by the grammar of the words that the two share."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.types import Property

__all__ = ["forward"]

_PREPOSITIONS = frozenset("of by to in at from for on with under into as behind after before over".split())
_HAS = frozenset({"has", "have", "had"})
_IS = frozenset("is are was were be been became becomes remains remained".split())
_ENDINGS = ("ings", "ing", "ions", "ion", "ers", "ors", "er", "or", "ed", "es", "s", "e")


def forward(predicate: str, known: Property) -> bool | None:
    """Whether the subject of a predicate is the one that has the property; False: it is the value.

    "Reports to", "supervised by", "part of" are said of who has them, and so is what repeats their preposition; a noun names the
    value: who "is the director of" something is its director. None where predicate and property share no word, where grammar
    does not tell, where the property holds both ways, and where its values are no things that could have it.
    """
    if known.symmetric or known.datatype != "entity":
        return None
    said = predicate.casefold().split()
    told = (_forward(said, name.casefold().split()) for name in (known.label, *known.aliases))
    return next((one for one in told if one is not None), None)


def _forward(said: Sequence[str], name: Sequence[str]) -> bool | None:
    if _stems(said).isdisjoint(_stems(name)):
        return None
    last, named_by = (words[-1] if words[-1] in _PREPOSITIONS else "" for words in (said, name))
    if said[0] in _HAS:
        return not named_by
    if not last:
        return None
    if named_by or last == "by":
        # "supervised by" and "supervisor" go with "is supervised by", "part of" goes with any other preposition
        return (named_by in ("", "by")) == (last == "by")
    return said[0] not in _IS or any(word.endswith("ed") for word in said)


def _stems(words: Sequence[str]) -> set[str]:
    return {
        _stem(word)
        for word in words
        if word not in _PREPOSITIONS | _HAS | _IS and word not in ("the", "a", "an")
    }


def _stem(word: str) -> str:
    return next(
        (word[: -len(end)] for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= 4), word
    )
