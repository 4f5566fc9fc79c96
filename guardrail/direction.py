"""Which end of a predicate has a property, by the grammar of the words that the two share."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.language.stems import family_stem
from guardrail.types import Property

__all__ = ["forward"]

_PREPOSITIONS = frozenset("of by to in at from for on with under into as behind after before over".split())
_HAS = frozenset({"has", "have", "had"})
_IS = frozenset("is are was were be been became becomes remains remained".split())
_AGENTS = ("er", "ers", "or", "ors")
_ALIKE = frozenset({"to", "of"})
"""Prepositions that stand for one another: "sequel to", "sequel of"."""


def forward(predicate: str, known: Property) -> bool | None:
    """Whether the subject of a predicate is the one that has the property; False: it is the value.

    "Reports to", "supervised by", "part of" are said of who has them, and so is what repeats their preposition; a noun names the
    value: who "is the director of" something is its director. None where predicate and property share no word, where grammar
    does not tell, where the property holds both ways, and where its values are no things that could have it.
    """
    if known.symmetric or known.datatype != "entity":
        return None
    said = predicate.casefold().split()
    if said and said[0] in _HAS and said[-1] in _PREPOSITIONS:
        said = said[1:]  # "has reported to"
    told = (_forward(said, name.casefold().split()) for name in (known.label, *known.aliases))
    return next((one for one in told if one is not None), None)


def _forward(said: Sequence[str], name: Sequence[str]) -> bool | None:
    shared = _stems(said) & _stems(name)
    if not shared:
        return None
    said_with, named_with = _preposition(said), _preposition(name)
    if said[0] in _HAS:
        return not named_with
    if not said_with:
        return False if _does(said, name, named_with, shared) else None
    if named_with:
        agent = _agent(name if said_with == "by" else said, shared)
        return _prepositions(said_with, named_with, agent=agent)
    return _noun(said, said_with, agent=_agent(name, shared))


def _does(said: Sequence[str], name: Sequence[str], named_with: str, shared: set[str]) -> bool:
    """Whether the subject does what the property's value does: who "supervises" is "supervised by", and the "supervisor"."""
    if said[0] in _IS and not said[-1].endswith("ing"):
        return False
    if named_with:
        return named_with == "by"
    as_a_verb = {word.removesuffix("s") for word in said} & {word.removesuffix("s") for word in name}
    return not as_a_verb and _agent(name, shared)


def _preposition(words: Sequence[str]) -> str:
    return words[-1] if words[-1] in _PREPOSITIONS else ""


def _agent(words: Sequence[str], shared: set[str]) -> bool:
    """Whether a word that both share names one who does something: "supervisor"."""
    return any(word.endswith(_AGENTS) for word in words if family_stem(word) in shared)


def _prepositions(said_with: str, named_with: str, *, agent: bool) -> bool | None:
    """Where both end in a preposition: the same one says the same, and an agent is the other end of a passive."""
    both = {said_with, named_with}
    if len(both) == 1 or both == _ALIKE:
        return True
    return False if both == {"by", "of"} and agent else None


def _noun(said: Sequence[str], said_with: str, *, agent: bool) -> bool | None:
    """Where the property is named by a noun: "is directed by" and "is located in" are said of who has it."""
    if said_with == "by":
        return True if agent else None
    if said[0] in _IS:
        return any(word.endswith("ed") for word in said)
    return not agent


def _stems(words: Sequence[str]) -> set[str]:
    empty = _PREPOSITIONS | _HAS | _IS
    return {family_stem(word) for word in words if word not in empty and word not in ("the", "a", "an")}
