"""Statements in the form a cross-encoder reads: premises that fit its window, each with what it was made of.

`Subject: predicate: object, object; predicate: object (qualifier: value).`, paths kept whole. Nothing is cut off
silently: what a limit leaves out is counted, unless it shares no content word with the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from guardrail.check.text.windows import Measure, divided
from guardrail.language.lists import word_list
from guardrail.types import Evidence, Triplet
from guardrail.values.render import as_sentence

__all__ = [
    "Premise",
    "Premises",
    "bearing",
    "joining",
    "lines",
    "naming",
    "on_other_terms",
    "premises",
    "wire_text",
]

_TRIPLETS = 24  # ranked; the retriever gives far fewer
_CONTAINMENT = re.compile(
    r"\b(country|continent|located|location|part of|subclass|instance|belongs|parent)\b", re.I
)
_WORD = re.compile(r"\w+")
_WITHOUT = re.compile(r"\b(?:without|excluding|except)\s+(\w+)")
# The share of a claim's content words, and how many of them may be missing whatever their share.
_HALF, _FEW = 0.5, 4
_EMPTY = word_list("stop words")


@dataclass(frozen=True, slots=True)
class Premise:
    """`evidence` holds what the text was made of; `overlap` is the share of the claim's content words that it holds."""

    text: str
    evidence: Evidence
    overlap: float


@dataclass(frozen=True, slots=True)
class Premises:
    """`unread`: how many pieces of evidence were left out though they share words with the claim."""

    read: tuple[Premise, ...]
    unread: int = 0


def premises(claim: str, evidence: Evidence, *, room: int, measure: Measure) -> Premises:
    """All statements that `claim` is to be checked against, each premise at most `room` tokens long.

    A single statement longer than `room` is divided between words.
    """
    packed, left = _triplets(evidence, _words(claim), room=room, measure=measure)
    return Premises(tuple(packed), unread=left)


def joining(premise: Premise, claim: str) -> tuple[Triplet, ...]:
    """The statements of the premise that join two things which the claim names, the object in full.

    A small model takes what others have, or what the subject is near to, for what the subject has; without such a statement
    nothing can support a claim. What follows over several statements is for the graph to say.
    """
    wanted = _words(claim)
    return tuple(
        triplet
        for triplet in premise.evidence.triplets
        if _named(triplet.subject.label, wanted, share=0.5)
        and _named(triplet.object.label, wanted, share=1.0)
    )


def naming(premise: Premise, names: Sequence[str]) -> bool:
    """Whether the premise is about anything that bears one of these names; True where there is no name to look for."""
    wanted = frozenset(word for name in names for word in _words(name))
    return not wanted or bool(wanted & _words(premise.text))


def bearing(text: str, claim: str) -> bool:
    """Whether the text of a premise holds half of the claim's content words, or all but a few.

    What refutes a claim differs from it in one slot. Of contradictions seen where less is shared under half are right
    (development sets of `make eval SUITE=nli-natural`), of the others four in five.
    """
    wanted, held = _words(claim), _words(text)
    return len(wanted & held) >= _HALF * len(wanted) or len(wanted - held) <= _FEW


def on_other_terms(claim: str, found: Iterable[Triplet]) -> bool:
    """Whether a property says without what its value is, and the claim speaks of it with that: a price "without breakfast"."""
    lacking = {word for one in found for word in _WITHOUT.findall(one.predicate.label.lower())}
    return any(re.search(rf"\b(?:with|including)\s+(?:\w+\s+)?{word}", claim.lower()) for word in lacking)


def lines(rows: Iterable[tuple[str, str, str]]) -> str:
    """Rows of (subject, predicate, object) in wire form, grouped by subject and predicate in order of appearance."""
    grouped: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, object_ in rows:
        objects = grouped.setdefault(subject, {}).setdefault(predicate, [])
        if object_ not in objects:
            objects.append(object_)
    return " ".join(
        as_sentence(
            f"{subject}: "
            + "; ".join(f"{predicate}: {', '.join(objects)}" for predicate, objects in rest.items())
        )
        for subject, rest in grouped.items()
    )


def wire_text(statements: Iterable[Triplet]) -> str:
    """Statements in wire form, with their qualifiers."""
    return lines(map(_row, statements))


def _row(triplet: Triplet) -> tuple[str, str, str]:
    more = ", ".join(f"{q.predicate.label}: {q.object.label}" for q in triplet.qualifiers)
    object_ = f"{triplet.object.label} ({more})" if more else triplet.object.label
    return triplet.subject.label, triplet.predicate.label, object_


def _triplets(
    evidence: Evidence, wanted: frozenset[str], *, room: int, measure: Measure
) -> tuple[list[Premise], int]:
    """Statements packed in their rank order; the statements of one path stay together."""
    groups = _groups(evidence)
    kept, left = groups[:_TRIPLETS], groups[_TRIPLETS:]
    packed: list[Premise] = []
    waiting: list[Triplet] = []
    for group in kept:
        together = [*waiting, *(t for t in group if t not in waiting)]
        if waiting and measure([wire_text(together)])[0] > room:
            packed += _statements(waiting, wanted, room=room, measure=measure)
            together = list(group)
        waiting = together
    if waiting:
        packed += _statements(waiting, wanted, room=room, measure=measure)
    unread = sum(bool(wanted & _words(wire_text(group))) for group in left)
    return packed, unread


def _groups(evidence: Evidence) -> list[tuple[Triplet, ...]]:
    """Each triplet in rank order, with the rest of its path where that says more than its parts.

    Other chains are left to the graph: that two entities share something with a third party says nothing that a claim
    about them would state, and reads as if it did.
    """
    told = [path.triplets for path in evidence.paths if path.hops == 1 or _climbs(path.triplets)]
    direct = {
        t for answer in evidence.answers for t in (*answer.statements, *answer.broader, *answer.narrower)
    }
    direct |= {triplet for path in told for triplet in path}
    distant = {triplet for path in evidence.paths for triplet in path.triplets} - direct
    groups: list[tuple[Triplet, ...]] = []
    placed: set[Triplet] = set()
    for triplet in evidence.triplets:
        if triplet in placed or triplet in distant:
            continue
        group = next((path for path in told if len(path) > 1 and triplet in path), (triplet,))
        placed |= {triplet, *group}
        groups.append(group)
    return groups


def _climbs(path: Sequence[Triplet]) -> bool:
    """Two statements of which one goes on where the other ends, to what that lies in or belongs to."""
    return len(path) == 2 and (_within(path[0], path[1]) or _within(path[1], path[0]))


def _within(first: Triplet, second: Triplet) -> bool:
    return first.object.label == second.subject.label and bool(_CONTAINMENT.search(second.predicate.label))


def _statements(
    triplets: Sequence[Triplet], wanted: frozenset[str], *, room: int, measure: Measure
) -> Iterator[Premise]:
    text = wire_text(triplets)
    for part in divided(text, room=room, measure=measure):
        yield Premise(part, Evidence(triplets=tuple(triplets)), _overlap(wanted, part))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _EMPTY


def _overlap(wanted: frozenset[str], text: str) -> float:
    return len(wanted & _words(text)) / len(wanted) if wanted else 0.0


def _named(label: str, wanted: frozenset[str], *, share: float) -> bool:
    """At least this share of its words are the claim's, or one of its numbers is."""
    words = _words(label)
    shared = words & wanted
    return bool(shared) and (len(shared) >= share * len(words) or any(word.isdigit() for word in shared))
