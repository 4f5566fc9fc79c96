"""Scores of claims and texts: ClaimVer §3.5, RefChecker's roll-ups, FLEEK's classes.

Pure arithmetic over verdicts; every constant of the papers is a parameter with the published value as default.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Literal

from guardrail.types import Claim, Embedder, Evidence, Label, Mention, Node, Slot, Triplet, Verdict

__all__ = [
    "CLAIM_SCORES",
    "FleekClass",
    "RefLabel",
    "claim_score",
    "fleek_class",
    "kas",
    "major",
    "modified_sigmoid",
    "rates",
    "soft",
    "strict",
    "threshold",
    "tms",
    "verbalise",
]

# ── ClaimVer ──────────────────────────────────────────────────────────────────────────────────────────

# Eq. 2. Extrapolatory scores 1 with relevant triplets and 0 without; what no claim covers ("No attribution") scores 0.
CLAIM_SCORES: Mapping[Label, float] = {
    Label.ATTRIBUTABLE: 2.0,
    Label.EXTRAPOLATORY: 1.0,
    Label.CONTRADICTORY: -1.0,
}


def claim_score(label: Label, evidence: Evidence, *, scores: Mapping[Label, float] = CLAIM_SCORES) -> float:
    """ClaimVer's cs (Eq. 2): 2, 1, 0 or -1. `evidence` is the verdict's own, ClaimVer's rel_triplets."""
    if label is Label.EXTRAPOLATORY and not evidence:
        return 0.0
    return scores[label]


def tms(
    claim: Claim, evidence: Evidence, embedder: Embedder, *, alpha: float = 0.5, beta: float = 0.5
) -> float:
    """ClaimVer's Triplets Match Score (Eq. 3), in [0, 1]: TMS = α·SS(claim, triplets) + β·EPR(claim, triplets).

    SS is the cosine of the two texts; EPR the share of the claim's entities that the evidence names. Without evidence it
    is 0, as in the paper's Table 2; without entities in the claim SS stands alone.
    """
    if not evidence:
        return 0.0
    known = " ".join([*(verbalise(t) for t in evidence.triplets), *(p.text for p in evidence.passages)])
    similarity = min(1.0, max(0.0, embedder.similarity(claim.resolved or claim.text, known)))
    ratio = _entities_present(claim, evidence, known)
    if ratio is None:
        return similarity
    return min(1.0, max(0.0, alpha * similarity + beta * ratio))


def verbalise(triplet: Triplet) -> str:
    """A statement in words: "Taylor Swift date of birth 13 December 1989"."""
    words = [triplet.subject.label, triplet.predicate.label, triplet.object.label]
    words += [word for q in triplet.qualifiers for word in (q.predicate.label, q.object.label)]
    return " ".join(words)


def _entities_present(claim: Claim, evidence: Evidence, known: str) -> float | None:
    """EPR: the share of the claim's entities that the evidence names; None when the claim has none."""
    mentions = {m.entity.id if m.entity else m.text.casefold(): m for m in _mentions(claim)}
    if not mentions:
        return None
    ids = {n.id for t in evidence.triplets for n in (t.subject, t.object) if isinstance(n, Node) and n.id}
    words = _plain(known)
    # "Boeing 737" is present in "Boeing 737 MAX": Table 2 counts examples of an entity for the entity.
    found = sum(
        any(c.entity.id in ids or _plain(c.entity.label) in words for c in mention.candidates)
        or _plain(mention.text) in words
        for mention in mentions.values()
    )
    return found / len(mentions)


def _mentions(claim: Claim) -> list[Mention]:
    of_facts = [
        mention
        for fact in claim.facts
        for argument in (fact.subject, fact.object, *(attribute.object for attribute in fact.attributes))
        for mention in argument.mentions
    ]
    return [*claim.mentions, *of_facts]


def _plain(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.casefold())
    return f" {' '.join(words)} "


def modified_sigmoid(x: float, *, gamma: float = 3.0) -> float:
    """ClaimVer Eq. 4: σ_mod(x, γ) = 1 / (1 + e^(-γ·x)) with γ = 1 for x ≥ 0: below 0 the slope is γ times as steep."""
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, x if x >= 0 else gamma * x))))


def kas(verdicts: Iterable[Verdict], *, mode: Literal["mean", "sum"] = "mean", gamma: float = 3.0) -> float:
    """KG Attribution Score of a text, from 0.047 to 0.881 with the mean; 0.5 where nothing was judged.

    Eq. 5 sums TMS_i·cs(y_i) over the claims, but the published Table 2 comes out only with the mean (`mode="mean"`), which
    does not saturate with the length of the text either.
    """
    terms = [verdict.tms * verdict.score for verdict in verdicts]
    if not terms:
        return 0.5
    total = math.fsum(terms)
    return modified_sigmoid(total if mode == "sum" else total / len(terms), gamma=gamma)


# ── RefChecker ────────────────────────────────────────────────────────────────────────────────────────


class RefLabel(StrEnum):
    """RefChecker's labels; Abstain is that of a response without claims."""

    ENTAILMENT = "Entailment"
    NEUTRAL = "Neutral"
    CONTRADICTION = "Contradiction"
    ABSTAIN = "Abstain"


_REF = {
    Label.ATTRIBUTABLE: RefLabel.ENTAILMENT,
    Label.EXTRAPOLATORY: RefLabel.NEUTRAL,
    Label.CONTRADICTORY: RefLabel.CONTRADICTION,
}


def strict(labels: Sequence[Label]) -> RefLabel:
    """RefChecker's τ: Contradiction if any is, Entailment if all are, Neutral otherwise; Abstain without claims."""
    if not labels:
        return RefLabel.ABSTAIN
    if Label.CONTRADICTORY in labels:
        return RefLabel.CONTRADICTION
    return RefLabel.ENTAILMENT if set(labels) == {Label.ATTRIBUTABLE} else RefLabel.NEUTRAL


def soft(labels: Sequence[Label]) -> dict[RefLabel, float]:
    """The share of each label; Abstain is 1 where there are no claims."""
    share = dict.fromkeys(RefLabel, 0.0)
    for label in labels:
        share[_REF[label]] += 1 / len(labels)
    if not labels:
        share[RefLabel.ABSTAIN] = 1.0
    return share


def major(labels: Sequence[Label]) -> RefLabel:
    """The label with the most votes; a tie goes to the worse one."""
    share = soft(labels)
    worst_first = (RefLabel.CONTRADICTION, RefLabel.NEUTRAL, RefLabel.ENTAILMENT, RefLabel.ABSTAIN)
    return max(worst_first, key=lambda label: share[label])


def threshold(labels: Sequence[Label], *, neutral: float = 0.5, contradiction: float = 0.0) -> bool:
    """Whether a response counts as hallucinated: more than these shares of its claims are Neutral or Contradiction."""
    share = soft(labels)
    return share[RefLabel.NEUTRAL] > neutral or share[RefLabel.CONTRADICTION] > contradiction


def rates(responses: Sequence[Sequence[Label]]) -> dict[RefLabel, float]:
    """RefChecker's metric: the share of each label per response, averaged over the responses."""
    shares = [soft(labels) for labels in responses]
    return {label: math.fsum(s[label] for s in shares) / len(shares) if shares else 0.0 for label in RefLabel}


# ── FLEEK ─────────────────────────────────────────────────────────────────────────────────────────────


class FleekClass(StrEnum):
    """FLEEK §2.1.4."""

    STRONGLY_SUPPORTED = "Strongly Supported"
    LIKELY_SUPPORTED = "Likely Supported"
    QUESTIONABLE = "Questionable"


def fleek_class(slot: Slot) -> FleekClass | None:
    """FLEEK's class of one fact, by what the source answers to its question; None where it has no answer.

    The only answer there is makes the fact Strongly Supported or Questionable; one of several makes it Likely Supported, and
    several of which none supports it Questionable. What agrees only in part is no support either.
    """
    if slot.answers == 0:
        return None
    if slot.state != "agree":
        return FleekClass.QUESTIONABLE
    return FleekClass.STRONGLY_SUPPORTED if slot.answers == 1 else FleekClass.LIKELY_SUPPORTED
