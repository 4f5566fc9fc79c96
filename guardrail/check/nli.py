"""Judges what exact comparison left open: a cross-encoder reads the evidence and the claim.

Each premise gets three probabilities. The surest support and the surest contradiction decide, if they reach the
threshold of their source; if both do, the sources disagree, neither wins and both are shown. A sentence that is the
claim word for word supports it whatever the model makes of it; other support by a passage stands only where exact comparison
objects to nothing (`objections`). What lies in the abstain band between stays Extrapolatory,
and so does support found while related evidence went unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.check.concerning import concerning
from guardrail.check.enclosing import unspoken
from guardrail.check.identifiers import fabricated
from guardrail.check.objections import objection
from guardrail.check.premises import Premise, bearing, joining, naming, premises, sentences
from guardrail.check.relations import locates, related
from guardrail.nli import Classifier
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    Passage,
    Reason,
    Source,
    SourceVerdict,
    Triplet,
    Value,
    Verdict,
)

__all__ = ["NliChecker"]

_ROOM = 160  # tokens of a premise: what the shipped model was trained on; longer evidence is read in parts
_LEAST = 32  # tokens of evidence that must fit beside a claim
_SLACK = 8  # joined parts may have a few tokens more than their sum
_ALONE = 0.8  # of the whole premise's probability: what one sentence must reach to be shown alone
_PLACING = (" in", " at", " on", " of", " within")
_VERBATIM = 0.97  # what a sentence that is the claim itself supports it by, as exact comparison does
_QUOTED = 160  # characters of evidence that a rationale repeats


class NliChecker:
    """Implements `Checker`. None for claims without evidence, and for those that no reading of evidence can decide."""

    def __init__(self, model: Classifier) -> None:
        self.name = f"nli:{model.name}"
        self._model = model

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if claim.kind is not Kind.FACT or claim.reason is not None or not evidence:
            return None
        room = self._model.window - self._model.specials - self._model.lengths([claim.resolved])[0] - _SLACK
        if room < _LEAST:
            return self._open(claim, evidence, 0.5, unread=len(evidence.triplets) + len(evidence.passages))
        told = concerning(claim, evidence)
        found = premises(claim.resolved, told, room=min(_ROOM, room), measure=self._model.lengths)
        if not found.read:
            return None
        asked = _Asked(self._model, claim.resolved)
        rows = asked.rows([premise.text for premise in found.read])
        judged = [
            _exactly(_Judged(premise, *row), claim.resolved)
            for premise, row in zip(found.read, rows, strict=True)
        ]
        if fabricated(claim.resolved, _held(evidence)):
            judged = [
                replace(one, attributable=0.0) for one in judged
            ]  # whatever is like it, it is not there
        verdict = self._verdict(asked, judged, _Claimed(claim, evidence), found.unread + len(evidence.unread))
        return replace(verdict, evidence=_marked(verdict.evidence, evidence.passages))

    def _verdict(self, asked: _Asked, judged: Sequence[_Judged], given: _Claimed, unread: int) -> Verdict:
        claim = given.claim
        able = self._sure(Label.ATTRIBUTABLE, [one for one in judged if _can_support(one.premise, claim)])
        support = next((one for one in able if not given.objection(one.premise)), None)
        refutal = next(
            iter(
                self._sure(
                    Label.CONTRADICTORY,
                    [one for one in judged if not one.premise.alone and _can_refute(one.premise, claim)],
                )
            ),
            None,
        )
        if support and refutal and not _inside(support, refutal):
            return self._disagreement(asked, claim, support, refutal)
        if support and not unread:
            return self._decided(asked, claim, Label.ATTRIBUTABLE, support)
        if able and not support and not refutal:
            return self._objected(claim, able[0], given.objection(able[0].premise))
        if refutal:
            return self._decided(asked, claim, Label.CONTRADICTORY, refutal)
        nearest = max(judged, key=lambda one: (one.premise.overlap, one.attributable + one.contradictory))
        return self._open(claim, nearest.premise.evidence, nearest.extrapolatory, unread=unread)

    def _sure(self, label: Label, judged: Sequence[_Judged]) -> list[_Judged]:
        """The premises that reach the threshold of their source, the one furthest above it first."""

        def margin(one: _Judged) -> float:
            limits = self._model.thresholds(one.premise.kind)
            wanted = limits.attributable if label is Label.ATTRIBUTABLE else limits.contradictory
            return one.share(label) - wanted

        return sorted((one for one in judged if margin(one) >= 0), key=margin, reverse=True)

    def _objected(self, claim: Claim, found: _Judged, objection: str) -> Verdict:
        """What the model supports and exact comparison does not."""
        premise = found.premise
        why = f"The {_source(premise)} “{_quote(premise.text)}” is near the claim, but {objection}."
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            1 - found.attributable,
            premise.evidence,
            why,
            checker=self.name,
            reason=Reason.INSUFFICIENT,
        )

    def _open(self, claim: Claim, evidence: Evidence, sure: float, *, unread: int) -> Verdict:
        why = (
            f"Related evidence did not fit and was not read ({unread} pieces), so the claim is not taken as confirmed."
            if unread
            else "The evidence that was found neither confirms nor refutes the claim with enough certainty."
        )
        reason = Reason.NOT_READ if unread else Reason.INSUFFICIENT
        return Verdict(claim, Label.EXTRAPOLATORY, sure, evidence, why, checker=self.name, reason=reason)

    def _decided(self, asked: _Asked, claim: Claim, label: Label, found: _Judged) -> Verdict:
        sure = found.share(label)
        repeated = _repeating(found.premise, claim.resolved) if label is Label.ATTRIBUTABLE else None
        shown = repeated or _located(asked, label, found.premise, sure)
        does = "supports" if label is Label.ATTRIBUTABLE else "contradicts"
        bearing = joining(shown, claim.resolved) if label is Label.ATTRIBUTABLE else ()
        evidence = Evidence(triplets=bearing) if bearing else shown.evidence
        why = f"The {_source(shown)} “{_quote(shown.text)}” {does} the claim."
        return Verdict(claim, label, sure, evidence, why, checker=self.name)

    def _disagreement(self, asked: _Asked, claim: Claim, support: _Judged, refutal: _Judged) -> Verdict:
        pro, con = support.premise, refutal.premise
        both = Evidence(
            triplets=tuple(dict.fromkeys((*pro.evidence.triplets, *con.evidence.triplets))),
            passages=tuple(dict.fromkeys((*pro.evidence.passages, *con.evidence.passages))),
        )
        why = f"The sources disagree: “{_quote(pro.text)}” supports the claim, and “{_quote(con.text)}” contradicts it."
        sides = tuple(
            SourceVerdict(_origin(v.evidence), v.label, v.confidence, v.evidence, v.rationale, v.checker)
            for v in (
                self._decided(asked, claim, Label.ATTRIBUTABLE, support),
                self._decided(asked, claim, Label.CONTRADICTORY, refutal),
            )
        )
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            1 - support.attributable,
            both,
            why,
            checker=self.name,
            reason=Reason.INSUFFICIENT,
            by_source=sides,
        )


class _Asked:
    """What the model has said of one claim: each premise is read once, whoever asks."""

    def __init__(self, model: Classifier, claim: str) -> None:
        self._model, self._claim = model, claim
        self._rows: dict[str, tuple[float, float, float]] = {}

    def rows(self, premises: Sequence[str]) -> list[tuple[float, float, float]]:
        """The probabilities of Attributable, Extrapolatory and Contradictory for each premise."""
        new = [text for text in dict.fromkeys(premises) if text not in self._rows]
        if new:
            found = self._model.probabilities([(text, self._claim) for text in new])
            for text, (attributable, extrapolatory, contradictory) in zip(new, found.tolist(), strict=True):
                self._rows[text] = (attributable, extrapolatory, contradictory)
        return [self._rows[text] for text in premises]


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A claim with all evidence that was found for it."""

    claim: Claim
    evidence: Evidence

    def objection(self, premise: Premise) -> str:
        """What exact comparison objects to support by a part of a passage; statements are matched by `_can_support`."""
        if premise.kind != "passages" or _repeating(premise, self.claim.resolved) is not None:
            return ""
        return objection(self.claim, premise.text, self.evidence.passages)


@dataclass(frozen=True, slots=True)
class _Judged:
    premise: Premise
    attributable: float
    extrapolatory: float
    contradictory: float

    def share(self, label: Label) -> float:
        return self.attributable if label is Label.ATTRIBUTABLE else self.contradictory


def _located(asked: _Asked, label: Label, premise: Premise, sure: float) -> Premise:
    """The one sentence that decides, where one alone comes near the certainty of all (RefChecker's localization)."""
    parts = sentences(premise)
    if len(parts) < 2:
        return premise
    column = [
        row[0 if label is Label.ATTRIBUTABLE else 2] for row in asked.rows([part.text for part in parts])
    ]
    best = max(range(len(parts)), key=column.__getitem__)
    return parts[best] if column[best] >= _ALONE * sure else premise


def _inside(one: _Judged, other: _Judged) -> bool:
    """Whether a premise is a sentence out of the other one, and so more surely read."""
    if not one.premise.alone:
        return False
    inner, outer = one.premise.evidence.passages, other.premise.evidence.passages
    if len(inner) != 1 or len(outer) != 1 or (inner[0].id, inner[0].text) != (outer[0].id, outer[0].text):
        return False
    return outer[0].marks[0].contains(inner[0].marks[0])


def _held(evidence: Evidence) -> str:
    """All words of the evidence, and where its passages are from."""
    passages = (word for p in evidence.passages for word in (p.title, p.url or "", p.text))
    return " ".join([*passages, *(t.object.label for t in evidence.triplets)])


def _exactly(judged: _Judged, claim: str) -> _Judged:
    """As it was judged, or as sure support where the claim itself stands in a passage."""
    if judged.attributable >= _VERBATIM or _repeating(judged.premise, claim) is None:
        return judged
    return replace(judged, attributable=_VERBATIM, extrapolatory=1 - _VERBATIM, contradictory=0.0)


def _repeating(premise: Premise, claim: str) -> Premise | None:
    """The sentence of a passage that is the claim, but for case, spaces and the full stop."""
    if premise.kind != "passages":
        return None
    said = _plain(claim)
    for sentence in sentences(premise):
        (passage,) = sentence.evidence.passages
        if any(_plain(mark.of(passage.text)) == said for mark in passage.marks):
            return sentence
    return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".! ")


def _origin(evidence: Evidence) -> Source:
    if evidence.passages:
        return evidence.passages[0].source
    return Source.REQUEST if all(t.source == Source.REQUEST for t in evidence.triplets) else Source.KG


def _marked(read: Evidence, found: Sequence[Passage]) -> Evidence:
    """The passages that were read with the words that bear on the claim, as far as these stand in the part that was."""
    words = {passage.id: passage.marks for passage in found}
    shown = (
        replace(
            p, marks=tuple(w for w in words[p.id] if any(part.overlaps(w) for part in p.marks)) or p.marks
        )
        for p in read.passages
    )
    return replace(read, passages=tuple(shown))


def _can_support(premise: Premise, claim: Claim) -> bool:
    if premise.kind == "passages":
        return True
    joined = joining(premise, claim.resolved)
    return bool(joined) if not claim.facts else any(_says(triplet, claim) for triplet in joined)


def _says(triplet: Triplet, claim: Claim) -> bool:
    """Whether a statement may stand for a fact: by its relation, by its place, or as the date of what has no other object.

    A small model takes the town where somebody died for one that he wrote.
    """
    dates_alone = not any(fact.object.mentions for fact in claim.facts) and isinstance(triplet.object, Value)
    return dates_alone or any(
        related(fact, triplet.predicate)
        or (
            locates(triplet.predicate)
            and fact.object.value is None
            and fact.predicate.casefold().endswith(_PLACING)
        )
        for fact in claim.facts
    )


def _can_refute(premise: Premise, claim: Claim) -> bool:
    """A text about somebody else contradicts nothing, nor one that shares little with the claim or has a place within its place."""
    return (
        naming(premise, [mention.text for mention in claim.mentions])
        and bearing(premise.text, claim.resolved)
        and not unspoken(claim, premise.text)
    )


def _source(premise: Premise) -> str:
    if premise.kind == "passages":
        return "passage"
    return "statement" if len(premise.evidence.triplets) == 1 else "evidence"


def _quote(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else f"{flat[:_QUOTED].rsplit(' ', 1)[0]} …"
