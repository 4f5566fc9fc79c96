"""Judges a claim by the statements that are nearest to it in meaning, where comparing found nothing.

A cross-encoder reads them together and each alone, and trees weigh what it makes of them with what is compared word by word. So a
sentence counts that names nothing of the graph, uses none of its properties' names, or joins several statements. The statement that decides
is shown, or the few that decide together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guardrail import ontology
from guardrail.check.kg.aligned.words import open_not_opened
from guardrail.check.kg.compare.exclusion import PLACED, PLACES
from guardrail.check.kg.ends import exchanged, joined_subjects
from guardrail.check.nli.premises import on_other_terms, wire_text
from guardrail.check.nli.reckoning import Reckoned, borne_out
from guardrail.check.nli.signals import PREFIX, Row, signals
from guardrail.check.text.compare.amounts import is_value, stands
from guardrail.check.text.compare.phrases import read
from guardrail.check.text.verdicts import quoted
from guardrail.check.text.windows import room_beside
from guardrail.check.weighing import RECORDS, Signals, weighing_for
from guardrail.language.lists import any_of
from guardrail.models.nli import Classifier
from guardrail.types import Claim, Evidence, Kind, Label, Node, Property, Triplet, Value, Verdict
from guardrail.values import find_values
from guardrail.values.comparisons import bound_of

__all__ = ["RecordsChecker"]

_ROOM = 280  # tokens of all statements together
_COLUMN = {Label.ATTRIBUTABLE: 0, Label.CONTRADICTORY: 2}
_SWEEPING = re.compile(rf"\b(?:{any_of('sweeping')})\b", re.IGNORECASE)
_SHOWN = 6  # statements whose values decide
_OTHER_BOUND = {"at least": "at most", "at most": "at least"}
_SIZES = {"date", "quantity"}
_LEAST, _MOST = {"at least", "more than", "from"}, {"at most", "less than", "to"}
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
_SPEAKS = 0.6  # what the model makes at least of the statements together where they decide
_DECIDES = 0.5  # the share from which on the model finds that statements decide by themselves

Statements = Sequence[Triplet]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The claim, the statements nearest to it, the model's rows for all of them, for the first few, and for each, and what their values
    say and those of other statements with their properties.
    """

    claim: str
    near: Statements
    together: Row
    first: Row
    alone: Sequence[Row]
    reckoned: Reckoned

    def best(self, label: Label) -> int:
        """The place of the statement that decides most surely by itself."""
        return max(range(len(self.near)), key=lambda at: self.alone[at][_COLUMN[label]])

    def reckons(self, label: Label) -> bool:
        """Whether the values say so."""
        return self.reckoned.sign == 1 - _COLUMN[label]

    def deciding(self, label: Label) -> Statements:
        """Those whose values decide, else the one that decides alone, else the first few if they decide together, else all."""
        best, column = self.best(label), _COLUMN[label]
        if self.reckons(label):
            return self.reckoned.by[:_SHOWN]
        if self.alone[best][column] >= _DECIDES:
            return [self.near[best]] if label is Label.CONTRADICTORY else self._with_values(best)
        return self.near[:PREFIX] if self.first[column] >= _DECIDES else self.near

    def supporting_each(self, things: frozenset[str], others: Statements) -> Statements:
        """Those that support it by themselves and what says the same of another thing, where each of these things stands in one; else none."""
        found = [one for one, row in zip(self.near, self.alone, strict=True) if row[0] >= _DECIDES]
        said = {(one.predicate, end) for one in found for end in (one.subject, one.object)}
        lacking = things.difference(*map(_ids, found))
        found += [
            one
            for one in (*self.near, *others)
            if lacking & _ids(one) and {(one.predicate, one.subject), (one.predicate, one.object)} & said
        ]
        return found if things <= frozenset().union(*map(_ids, found)) else ()

    def _with_values(self, best: int) -> Statements:
        """The best one; where it lacks a value of the claim and others have it, those with values of the claim."""
        ours = read(self.claim)
        values = {at for at, item in enumerate(ours) if is_value(item)}
        texts = [read(wire_text([one])) for one in self.near] if values else []
        held = [{at for at in values if stands(ours, at, text)} for text in texts]
        if not held or held[best] == values or set().union(*held) != values:
            return [self.near[best]]
        return [one for one, some in zip(self.near, held, strict=True) if some]


class RecordsChecker:
    """Implements `Checker`. None where nothing is near, the claim is doubted or speaks of nobody, of everybody or of one thing alone, or it is
    not sure, or where no trees were grown for the model.
    """

    prefix = "records:"

    def __init__(self, model: Classifier) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """With the model's, which a server may tell late."""
        return f"{self.prefix}{self._model.name}"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        weighing = weighing_for(self._model, RECORDS)
        if weighing is None or not _readable(claim):
            return None
        reading = self._read(claim.resolved, evidence, least=_SPEAKS)
        if reading is None:
            return None
        signals = _signals(reading)
        shares = weighing.shares(signals)
        label = weighing.label(signals, shares)
        # Nothing is confirmed while evidence went unread.
        if label is Label.EXTRAPOLATORY or (label is Label.ATTRIBUTABLE and evidence.unread):
            return None
        found = _decisive(claim, label, reading, evidence)
        if not found or _told_otherwise(claim, label, found, reading, evidence):
            return None
        return self._decided(claim, label, shares[_COLUMN[label]], found)

    def signals(self, claim: str, evidence: Evidence) -> Signals:
        """What speaks for and against the claim, as `Weighing` takes it; empty where nothing can be read."""
        reading = self._read(claim, evidence)
        return _signals(reading) if reading else {}

    def _read(self, claim: str, evidence: Evidence, *, least: float = 0.0) -> _Reading | None:
        """None where nothing is near, or all of it says less than `least` and its values say nothing: none of it is read alone then."""
        near = self._fitting(claim, evidence.nearest)
        if not near:
            return None
        together, first = self._rows(claim, [near, near[:PREFIX]])
        reckoned = borne_out(claim, [*near, *evidence.peers])
        if not reckoned.sign and max(_speaking(together), _speaking(first)) < least:
            return None
        alone = self._rows(claim, [[one] for one in near])
        return _Reading(claim, near, together, first, alone, reckoned)

    def _rows(self, claim: str, groups: Sequence[Statements]) -> list[Row]:
        """The model's row for each group; groups that say the same are read once."""
        texts = [wire_text(group) for group in groups]
        once = list(dict.fromkeys(texts))
        rows = dict(
            zip(once, self._model.probabilities([(text, claim) for text in once]).tolist(), strict=True)
        )
        return [rows[text] for text in texts]

    def _fitting(self, claim: str, nearest: Statements) -> Statements:
        """As many of the nearest as the model can read beside the claim."""
        room = min(_ROOM, room_beside(claim, self._model))
        while nearest and self._model.lengths([wire_text(nearest)])[0] > room:
            nearest = nearest[:-1]
        return nearest

    def _decided(self, claim: Claim, label: Label, sure: float, found: Statements) -> Verdict:
        one = len(found) == 1
        does = "support" if label is Label.ATTRIBUTABLE else "contradict"
        why = f"The {'statement' if one else 'statements'} “{quoted(wire_text(found))}” {does}{'s' if one else ''} the claim."
        return Verdict(
            claim, label, sure, Evidence(triplets=tuple(found), nearest=tuple(found)), why, checker=self.name
        )


def _decisive(claim: Claim, label: Label, reading: _Reading, evidence: Evidence) -> Statements:
    """What decides; nothing where it says the same of several things and is not supported for each."""
    subjects = joined_subjects(claim) if label is Label.ATTRIBUTABLE else frozenset()
    return reading.supporting_each(subjects, evidence.peers) if subjects else reading.deciding(label)


def _ids(one: Triplet) -> frozenset[str]:
    """Of the things that it joins."""
    return frozenset(end.id for end in (one.subject, one.object) if isinstance(end, Node))


def _speaking(row: Row) -> float:
    """How surely it supports or contradicts."""
    return max(row[_COLUMN[label]] for label in _COLUMN)


def _readable(claim: Claim) -> bool:
    """Whether it states a fact without a doubt, and not of nobody, of everybody or of one thing alone."""
    return claim.kind is Kind.FACT and claim.reason is None and not _SWEEPING.search(claim.resolved)


def _told_otherwise(
    claim: Claim, label: Label, found: Statements, reading: _Reading, evidence: Evidence
) -> bool:
    """Whether the statements that decide tell it of another thing, leave it open, have another bound, or cannot decide it."""
    text, refuted = claim.resolved, label is Label.CONTRADICTORY
    return (
        (_leaves_open(text, found, evidence) if refuted else _cannot_support(claim, found, evidence))
        or (not reading.reckons(label) and _of_others(text, found, reading.near))
        or any(open_not_opened(text, one.predicate.label) for one in found)
        or _beyond_bounds(text, found)
        or on_other_terms(text, found)
    )


def _leaves_open(claim: str, found: Statements, evidence: Evidence) -> bool:
    """Whether statements cannot refute a claim by how they read: one of a list; a place, in which or around which another one may lie; a
    date or an amount, where the claim tells none, and none where it tells one.
    """
    records = _records(found, evidence)
    if _of_list(found, evidence) or any(ontology.plays(one, PLACED) for one in records):
        return True
    if find_values(claim):
        return not any(_is_size(value) for one in found for value in _values(one))
    return any(_is_size(one.object) for one in found)


def _values(one: Triplet) -> Iterator[Node | Value]:
    """Its object and those that qualify it, as a term's ends do."""
    yield one.object
    yield from (qualifier.object for qualifier in one.qualifiers)


def _is_size(known: Node | Value) -> bool:
    """Of what nobody has typed, as in the triplets of a request, by what is found in it."""
    if isinstance(known, Value):
        return known.datatype in _SIZES
    return not known.id and bool(find_values(known.label))


def _cannot_support(claim: Claim, found: Statements, evidence: Evidence) -> bool:
    """Whether statements cannot support a claim by how they read: that something lies in a place is near to much that may be so there
    ("rules Australia"), and one that has its ends the other way round is not what it says.
    """
    where = (any(ontology.plays(known, PLACES) for known in _records([one], evidence)) for one in found)
    return all(where) or exchanged(claim, found, evidence)


def _of_others(claim: str, found: Statements, near: Statements) -> bool:
    """Whether the claim names a thing, and a statement that decides neither joins it to something nor is of what is said of it: "Cat Basic
    covers liability" by what Dog Basic does not cover.
    """
    words = _words(claim)
    named = {one.subject.label for one in near if frozenset() < _words(one.subject.label) <= words}
    met = named | {one.object.label for one in near if one.subject.label in named}
    return bool(named) and any(
        one.subject.label not in met and one.object.label not in named for one in found
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _beyond_bounds(claim: str, found: Statements) -> bool:
    """Whether a bound decides about another value, "enough for 8" by "max people: 12", or about the other bound, "at least 12"."""
    bounds = {bound for one in found if (bound := bound_of(one.predicate.label))}
    if not bounds:
        return False
    if any(bounds == {_OTHER_BOUND[said]} for said in _bounds_said(claim)):
        return True
    ours = read(claim)
    values = [at for at, item in enumerate(ours) if is_value(item)]
    shown = [read(one.object.label) for one in found]
    return any(not any(stands(ours, at, one) for one in shown) for at in values)


def _bounds_said(claim: str) -> Iterator[str]:
    """What the claim says of its values: that they are the least or the most."""
    for value in find_values(claim):
        least = value.modifier in _LEAST or _FROM.search(claim[: value.span.start if value.span else 0])
        if least or value.modifier in _MOST:
            yield "at least" if least else "at most"


def _of_list(found: Statements, evidence: Evidence) -> bool:
    """Whether one of several values decides that are not all there are, at one time or one after the other: of the others it says nothing."""
    if len(found) > 1:
        return False
    (one,) = found
    if any(one.predicate.id in profile.closed for profile in evidence.profiles):
        return False
    beside = (other for other in (*evidence.nearest, *evidence.peers) if other != one)
    several = (record.cardinality == "list" or record.temporal for record in _records(found, evidence))
    return any(several) or any(
        (other.subject, other.predicate) == (one.subject, one.predicate) for other in beside
    )


def _records(found: Statements, evidence: Evidence) -> list[Property]:
    """Of their properties, as far as a thing that the claim names has them."""
    asked = {one.predicate.id for one in found}
    return [
        known for profile in evidence.profiles for key, known in profile.properties.items() if key in asked
    ]


def _signals(reading: _Reading) -> Signals:
    told = signals(reading.claim, reading.near, reading.together, reading.first, reading.alone)
    return {**told, "borne_out": float(reading.reckoned.sign)}
