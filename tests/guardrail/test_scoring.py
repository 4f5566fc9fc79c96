"""The papers' arithmetic, against what the papers print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from guardrail import scoring
from guardrail.scoring import FleekClass, RefLabel
from guardrail.types import (
    Candidate,
    Claim,
    Entity,
    Evidence,
    Label,
    Mention,
    Node,
    Passage,
    Slot,
    Source,
    Span,
    Triplet,
    Verdict,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
SOUTHWEST = Triplet(Node("Q1", "Boeing 737 MAX"), Node("P137", "operator"), Node("Q2", "Southwest Airlines"))
SOME = Evidence(triplets=(SOUTHWEST,))

# ClaimVer, Table 2: label, printed TMS and whether the claim had triplets; then the printed KAS, the mean and the sum.
TABLE_2 = [
    ([(ATT, 0.852, True), (ATT, 0.637, True)], 0.818, 0.952),
    ([(ATT, 0.788, True), (ATT, 0.882, True), (EXT, 0.0, False)], 0.752, 0.966),
    ([(ATT, 0.942, True), (EXT, 0.0, False)], 0.719, 0.868),
    ([(ATT, 0.505, True), (EXT, 0.0, False), (EXT, 0.0, False)], 0.583, 0.733),
    ([(CON, 0.781, True), (EXT, 0.065, True)], 0.248, 0.105),
    ([(CON, 0.933, True)], 0.057, 0.057),
]


class Alike:
    """An embedder that finds every two texts equally similar."""

    name = "alike"

    def __init__(self, similarity: float) -> None:
        self._similarity = similarity

    def similarity(self, left: str, right: str) -> float:
        return self._similarity

    def similarities(self, texts: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), len(others)), self._similarity, np.float32)


def mention(text: str, start: int, id_: str = "") -> Mention:
    candidates = (Candidate(Entity(id_, text), 0.0),) if id_ else ()
    return Mention(Span(start, start + len(text)), text, candidates)


def claim(text: str = "It is.", *mentions: Mention) -> Claim:
    return Claim(0, Span(0, len(text)), text, text, mentions=mentions)


def verdict(label: Label, tms: float = 0.0, evidence: Evidence = SOME) -> Verdict:
    score = scoring.claim_score(label, evidence)
    return Verdict(claim(), label, 0.9, evidence, "Because.", "symbolic", tms=tms, score=score)


@pytest.mark.parametrize(("rows", "printed", "summed"), TABLE_2)
def test_kas_of_the_published_examples(
    rows: list[tuple[Label, float, bool]], printed: float, summed: float
) -> None:
    """The mean of TMS·cs gives the KAS that ClaimVer printed in Table 2; the sum of Eq. 5 does not."""
    verdicts = [verdict(label, tms, SOME if triplets else Evidence()) for label, tms, triplets in rows]
    assert scoring.kas(verdicts) == pytest.approx(printed, abs=0.008)
    assert scoring.kas(verdicts, mode="sum") == pytest.approx(summed, abs=0.001)


def test_claim_scores_follow_equation_2() -> None:
    """An extrapolatory claim is worth one with triplets and nothing without."""
    assert [scoring.claim_score(label, SOME) for label in (ATT, EXT, CON)] == [2, 1, -1]
    assert scoring.claim_score(EXT, Evidence()) == 0
    assert scoring.claim_score(CON, SOME, scores={CON: -3.0}) == -3


def test_kas_of_nothing_is_neutral() -> None:
    """A text without claims is neither valid nor invalid."""
    assert scoring.kas([]) == 0.5


def test_the_mean_lies_between_minus_one_and_two() -> None:
    """As the manual says: the KAS of nothing but mistakes, and of nothing but what is confirmed."""
    assert f"{scoring.modified_sigmoid(-1.0):.3f} {scoring.modified_sigmoid(2.0):.3f}" == "0.047 0.881"


def test_below_zero_the_curve_is_three_times_as_steep() -> None:
    """And it never overflows."""
    assert scoring.modified_sigmoid(1.0) == pytest.approx(1 / (1 + math.exp(-1)))
    assert scoring.modified_sigmoid(-1.0) == pytest.approx(1 / (1 + math.exp(3)))
    assert scoring.modified_sigmoid(-1.0, gamma=1) == pytest.approx(1 / (1 + math.exp(1)))
    assert scoring.modified_sigmoid(-1e9) == pytest.approx(0.0)
    assert scoring.modified_sigmoid(1e9) == 1.0


def test_tms_counts_an_example_of_an_entity_for_the_entity() -> None:
    """Boeing 737 is present in a triplet about Boeing 737 MAX, as in Table 2's last row."""
    text = "Southwest Airlines has never operated any Boeing 737 models."
    both = claim(text, mention("Southwest Airlines", 0, "Q2"), mention("Boeing 737", 42, "Q6387"))
    assert scoring.tms(both, SOME, Alike(0.866)) == pytest.approx(0.933)


def test_tms_is_the_weighted_sum_of_similarity_and_entity_ratio() -> None:
    """One of two entities present and a similarity of .4 give .45 at equal weights."""
    half = claim(
        "Southwest Airlines left Texas.", mention("Southwest Airlines", 0), mention("Texas", 24, "Q1439")
    )
    assert scoring.tms(half, SOME, Alike(0.4)) == pytest.approx(0.45)
    assert scoring.tms(half, SOME, Alike(0.4), alpha=0.2, beta=0.8) == pytest.approx(0.48)


def test_tms_is_zero_without_evidence_and_similarity_without_entities() -> None:
    """Table 2 prints 0.0 for NA triplets; a claim that names no entity has no ratio."""
    assert scoring.tms(claim(), Evidence(), Alike(1.0)) == 0.0
    assert scoring.tms(claim(), SOME, Alike(0.7)) == pytest.approx(0.7)
    assert scoring.tms(claim(), SOME, Alike(-0.7)) == 0.0


def test_tms_reads_passages_too() -> None:
    """An entity that a passage names is present."""
    passage = Evidence(passages=(Passage("p", "Dallas is in Texas.", Source.REQUEST),))
    assert scoring.tms(claim("Texas", mention("Texas", 0, "Q1439")), passage, Alike(1.0)) == 1.0


def test_strict_soft_and_major() -> None:
    """RefChecker's roll-ups, Abstain included."""
    assert scoring.strict([ATT, ATT]) is RefLabel.ENTAILMENT
    assert scoring.strict([ATT, EXT]) is RefLabel.NEUTRAL
    assert scoring.strict([ATT, EXT, CON]) is RefLabel.CONTRADICTION
    assert scoring.strict([]) is scoring.major([]) is RefLabel.ABSTAIN
    assert scoring.soft([])[RefLabel.ABSTAIN] == 1.0
    shares = scoring.soft([ATT] * 3 + [EXT] * 5 + [CON] * 2)
    assert list(shares.values()) == pytest.approx([0.3, 0.5, 0.2, 0.0])
    assert scoring.major([ATT, EXT, EXT]) is RefLabel.NEUTRAL
    assert scoring.major([ATT, CON]) is RefLabel.CONTRADICTION


def test_threshold_flags_what_lies_above_it() -> None:
    """A share equal to the threshold is still tolerated."""
    assert not scoring.threshold([ATT, EXT])
    assert scoring.threshold([ATT, EXT, EXT])
    assert scoring.threshold([ATT, ATT, CON])
    assert not scoring.threshold([ATT, CON], contradiction=0.5)


def test_rates_average_over_responses() -> None:
    """A response with many claims weighs as much as one with few."""
    assert scoring.rates([[ATT, ATT, ATT], [CON], []])[RefLabel.ENTAILMENT] == pytest.approx(1 / 3)
    assert scoring.rates([])[RefLabel.NEUTRAL] == 0.0


def test_fleek_classes() -> None:
    """The only answer decides strongly, one of several likely; several without support are questionable."""
    single = Slot("date of birth", "1989", "1989-12-13", "single", "agree", answers=1)
    assert scoring.fleek_class(single) is FleekClass.STRONGLY_SUPPORTED
    assert scoring.fleek_class(replace(single, answers=3)) is FleekClass.LIKELY_SUPPORTED
    assert scoring.fleek_class(replace(single, state="conflict")) is FleekClass.QUESTIONABLE
    assert scoring.fleek_class(replace(single, state="unknown", answers=3)) is FleekClass.QUESTIONABLE
    assert scoring.fleek_class(replace(single, answers=0)) is None
