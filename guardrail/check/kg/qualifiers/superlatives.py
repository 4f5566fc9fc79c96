"""Comparisons and superlatives: the place that a claim gives its subject against the place that it has.

Somebody ahead refutes "the largest"; only a set of which all members are known supports it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from guardrail import ontology
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.finding import FactFinding
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Evidence, Ranking, Reason, Triplet
from guardrail.values import State

__all__ = ["ranked"]

SURE, LIKELY = 0.93, 0.85
_SHOWN = 3
_DRIFTING = ontology.roles("figure of a year")  # people, employees, money
_ONE_OF = re.compile(r"\b(?:one of|some of|among|amongst)\s+(?:the|its|their|his|her)\b", re.IGNORECASE)


@rule("superlatives", silent=dict)
def ranked(claim: Claim, evidence: Evidence) -> dict[int, FactFinding]:
    """By the index of the fact, what its rankings say of it; where several measures disagree, nothing is known."""
    by_fact: dict[int, list[Ranking]] = {}
    for ranking in evidence.rankings:
        by_fact.setdefault(ranking.fact, []).append(ranking)
    return {index: _finding(index, group, claim, evidence) for index, group in by_fact.items()}


def _finding(index: int, rankings: Sequence[Ranking], claim: Claim, evidence: Evidence) -> FactFinding:
    first, state = rankings[0], _by_all(rankings, claim, evidence)
    triplets = [t for ranking in rankings for t in _bearing(ranking)]
    compared = bool(first.beside)
    claimed = Argument(claim.text, claim.span)  # of two events no fact is read
    if index < len(claim.facts):
        claimed = claim.facts[index].object if compared else claim.facts[index].subject
    leaders = [first.ahead[first.wanted - 1][0].subject] if len(first.ahead) >= first.wanted else []
    return FactFinding(
        fact=index,
        state=state,
        relation=first.own.predicate.label,
        claimed=claimed,
        known=() if compared else tuple(leaders),
        triplets=tuple(dict.fromkeys(triplets)),
        cardinality="single",
        note="ranked",
        reason=None if state != "unknown" else Reason.INSUFFICIENT,
        confidence=UNDECIDED if state == "unknown" else SURE if compared else LIKELY,
        answers=1,
    )


def _by_all(rankings: Sequence[Ranking], claim: Claim, evidence: Evidence) -> State:
    """What all measures say alike; of "one of the largest" nobody says how many are among them, so nothing refutes it."""
    states = {_state(ranking) for ranking in rankings}
    if states == {"conflict"} and (_ONE_OF.search(claim.text) or _of_no_year(rankings[0], evidence)):
        return "unknown"
    return states.pop() if len(states) == 1 else "unknown"


def _of_no_year(ranking: Ranking, evidence: Evidence) -> bool:
    """Whether a place behind the first rests on figures of no year, of which one may be of another age than the next."""
    drifting = ontology.plays(ontology.record(ranking.own.predicate.id, evidence.properties), _DRIFTING)
    return ranking.wanted > 1 and drifting and not ranking.own.qualifiers


def _state(ranking: Ranking) -> State:
    place = len(ranking.ahead) + 1
    if place > ranking.wanted:
        return "conflict"
    if not ranking.whole:
        return "unknown"
    return "agree" if place == ranking.wanted else "conflict"


def _bearing(ranking: Ranking) -> list[Triplet]:
    if ranking.beside:
        return [ranking.own, *ranking.beside]
    return [ranking.own, *(t for member in ranking.ahead[:_SHOWN] for t in member)]
