"""What people say about verdicts: their reviews as entries of the chain, as calibration data, and how far they agree.

A claim is named by its record and number. The last word of each reviewer on a claim counts.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

from guardrail.audit.events import Judgement, Review
from guardrail.audit.record import ClaimRecord, now
from guardrail.audit.store import AuditLog, Query
from guardrail.errors import AuditError
from guardrail.types import Label

__all__ = ["Labelled", "agreement", "cohens_kappa", "labelled", "review"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A verdict and what a reviewer says its label should be: one line of calibration data."""

    record: str
    claim: int
    label: str
    confidence: float
    tms: float
    checker: str
    truth: str
    reviewer: str
    judgement: str
    model: str = ""
    policy: str = ""


def review(
    log: AuditLog,
    record_id: str,
    claim: int,
    *,
    reviewer: str,
    judgement: Judgement,
    label: str = "",
    comment: str = "",
) -> Review:
    """Write a reviewer's word into the chain. Raises AuditError when there is no such claim or it makes no sense."""
    judged = _judged(log, record_id, claim)
    if judgement not in get_args(Judgement):
        raise AuditError(f"no judgement `{judgement}`; there are {', '.join(get_args(Judgement))}")
    if not reviewer.strip():
        raise AuditError("a review needs its reviewer's name")
    if judgement == "wrong_label" and (label not in set(Label) or label == judged.label):
        raise AuditError(
            f"wrong_label needs the right one, which is not {judged.label}; labels: {', '.join(Label)}"
        )
    truth = label if judgement == "wrong_label" else judged.label if judgement == "agree" else ""
    made = Review(f"rev_{secrets.token_hex(8)}", now(), record_id, claim, reviewer, judgement, truth, comment)
    log.append_now(made)
    return made


def _judged(log: AuditLog, record_id: str, claim: int) -> ClaimRecord:
    found = log.get(record_id)
    if found is None:
        raise AuditError(f"no record `{record_id}`")
    for one in found.claims:
        if one.id == claim:
            return one
    raise AuditError(f"record `{record_id}` has no claim {claim}; it has {_numbers(found.claims)}")


def labelled(log: AuditLog) -> Iterator[Labelled]:
    """Every reviewed verdict with its reviewer's label; those with a wrong span or none are left out."""
    for (record_id, claim), words in _last_words(log).items():
        found = log.get(record_id)
        verdict = next((one for one in found.claims if one.id == claim), None) if found else None
        if found is None or verdict is None:
            continue
        for one in words.values():
            if one.label:
                yield Labelled(
                    record_id,
                    claim,
                    verdict.label,
                    verdict.confidence,
                    verdict.tms,
                    verdict.checker,
                    one.label,
                    one.reviewer,
                    one.judgement,
                    found.model,
                    found.policy,
                )


def agreement(log: AuditLog) -> dict[tuple[str, str], tuple[int, float | None]]:
    """For each two reviewers: on how many claims both gave a label, and Cohen's kappa of these."""
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for words in _last_words(log).values():
        labels = {name: one.label for name, one in words.items() if one.label}
        for left, right in combinations(sorted(labels), 2):
            pairs.setdefault((left, right), []).append((labels[left], labels[right]))
    return {names: (len(given), cohens_kappa(given)) for names, given in pairs.items()}


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen (1960): kappa = (p_o - p_e) / (1 - p_e); None where chance alone would agree on everything, or no data."""
    if not pairs:
        return None
    total = len(pairs)
    left, right = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    observed = sum(one == other for one, other in pairs) / total
    expected = sum(left[label] * right[label] for label in left) / total**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _last_words(log: AuditLog) -> Mapping[tuple[str, int], dict[str, Review]]:
    found: dict[tuple[str, int], dict[str, Review]] = {}
    for stored in log.scan(query=Query(kind="review")):
        if isinstance(stored.item, Review):
            found.setdefault((stored.item.record, stored.item.claim), {})[stored.item.reviewer] = stored.item
    return found


def _numbers(claims: Iterable[ClaimRecord]) -> str:
    return ", ".join(str(claim.id) for claim in claims) or "none"
