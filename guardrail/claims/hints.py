"""What a name must be for what is said of it: who was born is a person, what was founded is a body, what something is in is a place."""

from __future__ import annotations

from guardrail.claims.clauses import Clause
from guardrail.claims.lexicon import Lexicon
from guardrail.claims.reading import Reading
from guardrail.claims.words import stem
from guardrail.types import Fact

__all__ = ["hints", "kind_told"]

_WHERE = frozenset({"in", "near"})
# Stems of what is done to companies and institutions: "X was founded in 2011". (A town that is not in the graph is rarer.)
_OF_BODIES = frozenset({"found", "co-found", "cofound", "incorporat", "headquarter"})
_OF_PEOPLE = frozenset({"P106", "P569", "P570", "P19", "P20", "P26", "P69", "P413"})


def hints(reading: Reading, lexicon: Lexicon) -> dict[int, str]:
    """The kind of names by the identity of their noun phrase, where the clause tells it."""
    found: dict[int, str] = {}
    for clause in reading.clauses:
        for comp in clause.comps:
            if comp.np is not None and comp.prep in _WHERE:
                found.update((id(np), "place") for np in comp.np.each() if np.kind == "name")
        if clause.subject is not None and (kind := _kind_of_subject(clause, lexicon)):
            found.update((id(np), kind) for np in clause.subject.each() if np.kind == "name")
    return found


def _kind_of_subject(clause: Clause, lexicon: Lexicon) -> str:
    if _personal(clause, lexicon):
        return "person"
    passive = clause.vg is not None and clause.vg.voice == "passive"
    return "org" if passive and clause.vg is not None and clause.vg.stem in _OF_BODIES else ""


def _personal(clause: Clause, lexicon: Lexicon) -> bool:
    """Only people do what the clause says: they are born, marry, study."""
    if clause.vg is None:
        return False
    paths = {"", *(comp.prep for comp in clause.comps)}
    frames = [f for path in paths for f in lexicon.verbs.get((clause.vg.voice, clause.vg.stem, path), ())]
    sides = [frame.object if frame.inverse else frame.subject for frame in frames]
    return bool(sides) and all(side == {"person"} for side in sides)


def kind_told(fact: Fact) -> str:
    """Likewise by a fact that was read before: who was a footballer is a person, what was founded a body; "" where it tells none."""
    voice, _, verb = fact.predicate.partition(" ")
    if voice in ("is", "was", "were") and stem(verb.partition(" ")[0]) in _OF_BODIES:
        return "org"
    return "person" if fact.relations and fact.relations[0] in _OF_PEOPLE else ""
