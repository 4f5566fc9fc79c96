"""The kind that a name must be of for what is said of it: who was born is a person, what was founded is an organization or a place."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.lexicon.relations import Lexicon, noun_key
from guardrail.claims.lexicon.words import verb_stem
from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.clauses import Clause
from guardrail.claims.reading.sentence import ParsedSentence
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Fact

__all__ = ["expected_kind", "expected_kinds", "kinds_of_subject"]

_WHERE = frozenset({"in", "near"})
# Stems of what is done to companies and institutions: "X was founded in 2011". (A town that is not in the graph is rarer.)
_OF_BODIES = frozenset({"found", "co-found", "cofound", "incorporat", "headquarter"})
_BODIES = frozenset({"org", "team"})
_FOUNDED = frozenset({"org", "place", "work"})
_SAID = frozenset({"person", "org", "team", "work", "event"})  # a station may be a place or a broadcaster
_OPENERS = '"“‘'
_OF_PEOPLE = frozenset(ids("of a life"))


@rule("expected-kinds", silent=dict)
def expected_kinds(reading: ParsedSentence, lexicon: Lexicon) -> dict[int, str]:
    """The kind of names by the identity of their noun phrase, where the clause tells it."""
    found: dict[int, str] = {}
    for clause in reading.clauses:
        found.update(_told(clause, reading, lexicon))
    for chunk in reading.chunks:
        for np in _parts(chunk) if isinstance(chunk, NP) else ():
            found.update(_led(np, reading, lexicon))
            if np.kind == "name" and _quoted(np, reading):
                found.setdefault(id(np), "work")
    return found


def _told(clause: Clause, reading: ParsedSentence, lexicon: Lexicon) -> Iterator[tuple[int, str]]:
    """What is said to be somewhere is in a place, and the subject is what does or is such."""
    for comp in clause.comps:
        if comp.np is not None and comp.prep in _WHERE:
            yield from _names(comp.np, "place")
    kind = _kind_of_subject(clause, lexicon) or _said_to_be(clause, reading)
    if kind and clause.subject is not None:
        yield from _names(clause.subject, kind)


def _names(np: NP, kind: str) -> Iterator[tuple[int, str]]:
    """The names of a coordination with their kind."""
    return ((id(one), kind) for one in np.each() if one.kind == "name")


def _parts(np: NP) -> Iterator[NP]:
    """A noun phrase and those behind its "of"."""
    yield np
    for inner in np.of:
        yield from _parts(inner)


def _quoted(np: NP, reading: ParsedSentence) -> bool:
    """A name in quotation marks is a title."""
    start = reading.tokens[np.first].start
    return start > 0 and reading.sentence.text[start - 1] in _OPENERS


def _said_to_be(clause: Clause, reading: ParsedSentence) -> str:
    """What the noun calls it: "Nur ein Lied is a song", "Velmora was a trading company"."""
    np = clause.predicate
    if np is None or np.kind != "common" or np.det not in ("a", "an", "the") or np.also:
        return ""
    if clause.vg is None or clause.vg.negated:
        return ""
    kind = load_kinds().noun(reading.tokens[np.head].low)
    return {"team": "org"}.get(kind, kind) if kind in _SAID else ""


def _led(np: NP, reading: ParsedSentence, lexicon: Lexicon) -> Iterator[tuple[int, str]]:
    """What only an organization has: "the CEO of Velmora", "a subsidiary of Velmora"."""
    if np.kind != "common" or not np.of:
        return
    frames = lexicon.nouns.get((noun_key([reading.tokens[np.head].low]),), ())
    sides = [frame.object if frame.inverse else frame.subject for frame in frames]
    if sides and all(side & _BODIES and side <= _BODIES | _FOUNDED for side in sides):
        yield from _names(np.of[0], "org")


def _kind_of_subject(clause: Clause, lexicon: Lexicon) -> str:
    if _personal(clause, lexicon):
        return "person"
    passive = clause.vg is not None and clause.vg.voice == "passive"
    return "org" if passive and clause.vg is not None and clause.vg.stem in _OF_BODIES else ""


def _personal(clause: Clause, lexicon: Lexicon) -> bool:
    """Only people do what the clause says: they are born, marry, study."""
    sides = _sides(clause, lexicon, {"", *(comp.prep for comp in clause.comps)})
    return bool(sides) and all(side == {"person"} for side in sides)


@rule("kinds-of-subjects", silent=frozenset)
def kinds_of_subject(clause: Clause, lexicon: Lexicon) -> frozenset[str]:
    """The kinds of which the subject must be for what is done to it; none where it may be any, or does something itself: nearly all
    things have and share something.
    """
    if clause.vg is None or clause.vg.voice != "passive":
        return frozenset()
    sides = _sides(clause, lexicon, {comp.prep for comp in clause.comps if comp.np is not None})
    return frozenset(kind for side in sides for kind in side) if all(sides) else frozenset()


def _sides(clause: Clause, lexicon: Lexicon, paths: Collection[str]) -> list[frozenset[str]]:
    """What the subject may be by each meaning of the verb with the prepositions of `paths`."""
    if clause.vg is None:
        return []
    frames = [one for path in paths for one in lexicon.verbs.get((clause.vg.voice, clause.vg.stem, path), ())]
    return [frame.object if frame.inverse else frame.subject for frame in frames]


def expected_kind(fact: Fact) -> str:
    """Likewise by a fact that was read before: who was a footballer is a person, what was founded a body; "" where it tells none."""
    voice, _, verb = fact.predicate.partition(" ")
    if voice in ("is", "was", "were") and verb_stem(verb.partition(" ")[0]) in _OF_BODIES:
        return "org"
    return "person" if fact.relations and fact.relations[0] in _OF_PEOPLE else ""
