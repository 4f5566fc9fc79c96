"""One verdict from several sources of evidence: the one of the highest precedence decides, and none is hidden.

Each source that found anything is judged alone. Where some decide, the label is that of the first of them in the order of
precedence; the evidence of those that agree stands together, and `Verdict.by_source` shows each of them, so that a reader
sees a conflict from both sides. Where none decides alone, statements of several are judged as one body of evidence.
RefChecker's merge, in which any support wins, hides the passage that says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from guardrail.deferred import Deferred
from guardrail.types import Checker, Claim, Evidence, Label, Reason, Source, SourceVerdict, Triplet, Verdict

__all__ = ["check_by_source", "joined"]

_VERBS = {
    Label.ATTRIBUTABLE: ("support", "supports"),
    Label.CONTRADICTORY: ("contradict", "contradicts"),
}

_VAGUE = (None, Reason.INSUFFICIENT, Reason.NOT_READ, Reason.NO_EVIDENCE)

_UNKNOWN = (Reason.NO_ENTITY, Reason.NO_PROPERTY, Reason.AMBIGUOUS_REFERENCE, Reason.HEDGED)


def check_by_source(
    checker: Checker, claim: Claim, found: Sequence[tuple[Source, Evidence]]
) -> Verdict | None:
    """The verdict on the claim over all that was found; `found` is in the order of precedence.

    `confidence` is that of the source that decides. None where the checker has nothing to say.
    """
    whole = joined(evidence for _, evidence in found)
    judgeable = [(source, evidence) for source, evidence in found if evidence.is_judgeable]
    if len(judgeable) < 2:
        verdict = checker.check(claim, whole)
        return verdict and _saying(verdict, [item for _, part in found if not part for item in part.unread])
    judged = [(source, checker.check(claim, evidence)) for source, evidence in judgeable]
    given = [(source, verdict) for source, verdict in judged if verdict is not None]
    if any(verdict.label is not Label.EXTRAPOLATORY for _, verdict in given):
        return _saying(_side_by_side(given), whole.unread)
    # Statements of two sources may make one proof; passages are read one by one, so together they say nothing new.
    if not given or sum(bool(evidence.triplets) for _, evidence in found) > 1:
        return checker.check(claim, whole)
    return _saying(_still_open([verdict for _, verdict in given]), whole.unread)


def _still_open(verdicts: Sequence[Verdict]) -> Verdict:
    """Of several that decide nothing the one with the most telling reason, over all their evidence."""
    # Whoever brings documents asks what these say, and not whether the graph knows a name or whom a pronoun means.
    read = [v for v in verdicts if v.evidence.passages]
    vague = (*_VAGUE, *_UNKNOWN) if read else _VAGUE
    speaker = next((v for v in verdicts if v.reason not in vague), (read or verdicts)[0])
    together = joined([speaker.evidence, *(v.evidence for v in verdicts if v is not speaker)])
    return replace(speaker, evidence=together)


def joined(parts: Iterable[Evidence]) -> Evidence:
    """Evidence of several sources in one, in their order, the same triplet once."""
    found = list(parts)
    return Evidence(
        triplets=tuple(dict.fromkeys(triplet for part in found for triplet in part.triplets)),
        passages=tuple(passage for part in found for passage in part.passages),
        answers=tuple(answer for part in found for answer in part.answers),
        paths=tuple(path for part in found for path in part.paths),
        unread=tuple(dict.fromkeys(item for part in found for item in part.unread)),
        rankings=tuple(ranking for part in found for ranking in part.rankings),
        properties=tuple({known.id: known for part in reversed(found) for known in part.properties}.values()),
        profiles=tuple(profile for part in found for profile in part.profiles),
        nearest=_once([part.nearest for part in found]),
        peers=_once([part.peers for part in found]),
    )


def _once(parts: Sequence[Sequence[Triplet]]) -> Sequence[Triplet]:
    """All of them in their order, the same one once, found when they are looked at."""
    return parts[0] if len(parts) == 1 else Deferred(lambda: tuple(dict.fromkeys(chain.from_iterable(parts))))


def _saying(verdict: Verdict, unread: Sequence[str]) -> Verdict:
    """The verdict with what nobody looked at, whoever decided."""
    named = tuple(dict.fromkeys((*verdict.evidence.unread, *unread)))
    return replace(verdict, evidence=replace(verdict.evidence, unread=named))


def _side_by_side(given: Sequence[tuple[Source, Verdict]]) -> Verdict:
    decided = [(source, verdict) for source, verdict in given if verdict.label is not Label.EXTRAPOLATORY]
    label = decided[0][1].label
    agreeing = [verdict for _, verdict in decided if verdict.label is label]
    # A proof says more than a reading: the one who can name the slot speaks for those who agree.
    speaker = next((verdict for verdict in agreeing if verdict.slot), agreeing[0])
    evidence = joined([speaker.evidence, *(v.evidence for v in agreeing if v is not speaker)])
    each = tuple(_own_side(source, v) for source, v in decided)
    shown = tuple(side for source, v in given for side in _sides(source, v))
    torn = [v.rationale for _, v in given if v.label is Label.EXTRAPOLATORY and v.conflict]
    return replace(
        speaker,
        evidence=evidence,
        rationale=" ".join([_told(speaker.rationale, each), *torn]),
        by_source=shown if len(shown) > 1 else (),
    )


def _sides(source: Source, verdict: Verdict) -> tuple[SourceVerdict, ...]:
    """What one source says: one side where it decides, both where it disagrees with itself, else none."""
    if verdict.label is not Label.EXTRAPOLATORY and not verdict.conflict:
        return (_own_side(source, verdict),)
    return tuple(replace(side, source=source) for side in verdict.by_source)


def _own_side(source: Source, v: Verdict) -> SourceVerdict:
    return SourceVerdict(source, v.label, v.confidence, v.evidence, v.rationale, v.checker)


def _told(rationale: str, each: Sequence[SourceVerdict]) -> str:
    """The rationale, and where sources disagree who says what, and why the first one is believed."""
    others = [one for one in each if one.label is not each[0].label]
    if not others:
        return rationale
    first = f"{_says(each[0])} and {'come' if _plural(each[0].source) else 'comes'} first"
    return " ".join(
        [rationale, f"The sources disagree: {first};", *(f"{_says(one)}: {one.rationale}" for one in others)]
    )


def _says(one: SourceVerdict) -> str:
    return f"{one.source.phrase} {_VERBS[one.label][0 if _plural(one.source) else 1]} the claim"


def _plural(source: Source) -> bool:
    return source is Source.REQUEST
