"""From answers to one finding per fact: several readings of a name, several relations that its words may mean.

A reading is an entity that a name may stand for. What agrees under the best reading agrees; a conflict must hold under all of
them. Among relations only the best-ranked one that the graph has statements for may conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from guardrail import ontology
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.finding import FactFinding
from guardrail.rules import rule
from guardrail.types import Reason

__all__ = ["combine"]

_SECOND = 0.85  # a relation that is not the predicate's first meaning makes a conflict less sure
_SPOUSE = ontology.roles("spouse")
_SHARES = ontology.roles("share")  # shares in one work
_MAKERS = ontology.roles("makes")  # of a thing that has one of them, that is who created it
_MUTUAL = 0.8


def combine(findings: Sequence[FactFinding]) -> FactFinding | None:
    """The one finding that stands for all answers to one fact; None without answers.

    `findings` are in the order of their readings, best first; each says in `end` which argument was asked from.
    """
    if not findings:
        return None
    ends = [
        _readings([f for f in findings if f.end == end]) for end in dict.fromkeys(f.end for f in findings)
    ]
    for state in ("agree", "conflict"):
        decided = [finding for finding in ends if finding.state == state]
        if decided:
            return _most_sure(decided)
    if _both_others(ends):
        return replace(ends[0], state="conflict", reason=None, confidence=_MUTUAL)
    return max(ends, key=lambda finding: (bool(finding.triplets), finding.reason is Reason.AMBIGUOUS_ENTITY))


@rule("married-to-others", silent=False)
def _both_others(ends: Sequence[FactFinding]) -> bool:
    """Whether two people are each known to have been married, and neither to the other."""
    return len(ends) == 2 and all(
        finding.plays(_SPOUSE) and finding.note == "open" and finding.triplets for finding in ends
    )


def _readings(findings: Sequence[FactFinding]) -> FactFinding:
    """Over the readings of one name."""
    by_reading: dict[str, list[FactFinding]] = {}
    for finding in findings:
        by_reading.setdefault(finding.reading, []).append(finding)
    readings = [_relations(group) for group in by_reading.values()]
    agreeing = [finding for finding in readings if finding.state == "agree"]
    conflicting = [finding for finding in readings if finding.state == "conflict"]
    if agreeing and (readings[0].state != "conflict"):
        return agreeing[0]
    if len(conflicting) == len(readings):
        return readings[0]
    if conflicting:
        # Nobody was asked for certain, so there is no answer either.
        return replace(
            conflicting[0], state="unknown", reason=Reason.AMBIGUOUS_ENTITY, confidence=UNDECIDED, answers=0
        )
    return max(readings, key=lambda finding: bool(finding.triplets))


def _relations(findings: Iterable[FactFinding]) -> FactFinding:
    """Over the relations that were asked of one reading."""
    ranked = sorted(findings, key=lambda finding: finding.rank)
    agreeing = [finding for finding in ranked if finding.state == "agree"]
    if agreeing:
        return _most_sure(agreeing)
    kind = next((finding for finding in ranked if finding.note == "kind"), None)
    if kind is not None:
        return kind  # whatever else the words may mean: Einstein is no city
    # Who else points at it is an open list; what it points at says more: a moon of Saturn is none of Jupiter.
    known = sorted(
        (finding for finding in ranked if finding.triplets),
        key=lambda finding: finding.backwards and finding.note == "open",
    )
    if not known:
        return ranked[0]
    return _less_likely(known[0], known) if _means_another_sooner(known[0], ranked) else known[0]


def _means_another_sooner(first: FactFinding, ranked: Sequence[FactFinding]) -> bool:
    """Whether a conflict is of a relation that the words mean less likely than another, other than by whom a thing was made."""
    made = all(finding.plays(_MAKERS) for finding in ranked if finding.rank <= first.rank)
    return first.state == "conflict" and first.rank > 0 and not made


@rule("less-likely-relation", passes=0)
def _less_likely(first: FactFinding, known: Sequence[FactFinding]) -> FactFinding:
    """A conflict of a relation that the words may mean, but another one sooner: less sure, or none."""
    # "written by": its music is somebody's, but the claim may mean the words, unless those are another's too
    shares = [finding for finding in known if finding.plays(_SHARES) and finding.state == "conflict"]
    only_share = first.plays(_SHARES) and (len(shares) < 2 or len(shares) < len(known))
    if first.cardinality != "single" or only_share:
        return replace(first, state="unknown", note="open", reason=Reason.OPEN_LIST, confidence=UNDECIDED)
    return replace(first, confidence=first.confidence * _SECOND)


def _most_sure(findings: Sequence[FactFinding]) -> FactFinding:
    """The surest; of equals the one that the graph was asked for in its own direction: it says how many values there are."""
    return max(findings, key=lambda finding: (finding.confidence, -finding.rank, not finding.backwards))
