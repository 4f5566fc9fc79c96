"""A sentence read as a whole: passages that support all of it support each of its claims.

A claim that was cut out of its sentence can be harder to find in the evidence than the sentence. The condition that it holds under may
stand in another claim, or a pronoun was misread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

from guardrail.rules import rule
from guardrail.types import Checker, Claim, Evidence, Finding, Kind, Label, Reason, Sentence, Verdict

__all__ = ["supported_as_one"]


@rule("sentence-supported", passes=1)
def supported_as_one(
    sentence: Sentence, findings: list[Finding], evidence: Mapping[int, Evidence], checker: Checker
) -> list[Finding]:
    """The findings of a sentence; where none is a contradiction, the open ones as supported if the passages that were read for them
    support the sentence. `evidence`: what was found, by the id of the claim. Raises what `checker` raises.
    """
    judged = [one for one in findings if isinstance(one, Verdict)]
    unsettled = list(filter(_is_open, judged))
    refuted = any(one.label is Label.CONTRADICTORY for one in judged)
    if refuted or not unsettled or judged[0].claim.resolved == sentence.text or judged[0].claim.pair:
        return findings
    whole = _whole(sentence, [one.claim for one in judged])
    verdict = checker.check(whole, _passages([evidence.get(one.claim.id, one.evidence) for one in unsettled]))
    if verdict is None or verdict.label is not Label.ATTRIBUTABLE:
        return findings
    why = f"The sentence is supported as a whole. {verdict.rationale}"
    return [replace(verdict, claim=one.claim, rationale=why) if _is_open(one) else one for one in findings]


def _is_open(finding: Finding) -> TypeGuard[Verdict]:
    """Whether passages were read for a claim, and do not tell."""
    return (
        isinstance(finding, Verdict)
        and finding.label is Label.EXTRAPOLATORY
        and finding.reason is Reason.INSUFFICIENT
        and bool(finding.evidence.passages)
        and not finding.conflict
    )


def _whole(sentence: Sentence, claims: Sequence[Claim]) -> Claim:
    """The sentence as a claim; a doubt about a part of it is one about the whole."""
    kind = Kind.HEDGED if any(one.kind is Kind.HEDGED for one in claims) else Kind.FACT
    return Claim(claims[0].id, sentence.span, sentence.text, sentence.text, kind=kind)


def _passages(found: Sequence[Evidence]) -> Evidence:
    """The passages of several claims, each once, and what of them went unread."""
    passages = {one.id: one for evidence in found for one in evidence.passages}
    unread = dict.fromkeys(item for evidence in found for item in evidence.unread)
    return Evidence(passages=tuple(passages.values()), unread=tuple(unread))
