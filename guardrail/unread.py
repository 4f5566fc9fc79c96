"""Findings for text that was not read: how they stand among the others, and what a language model may still make of them."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.coverage import Stretch
from guardrail.types import Claim, Evidence, Label, Mention, NotChecked, Reason, Unchecked, Verdict

__all__ = ["given_up", "left_open", "settled", "with_unread"]

Finding = Verdict | Unchecked | Claim
_NAME = "language"  # stands for the checker of a verdict that no checker has given yet


def given_up(stretch: Stretch) -> Unchecked:
    """A stretch that cannot be judged, with the reason."""
    sentence = stretch.sentence
    return Unchecked(sentence.span, sentence.text, stretch.reason or NotChecked.UNREAD, stretch.detail)


def left_open(stretch: Stretch, number: int, mentions: Sequence[Mention]) -> Verdict:
    """A stretch in another language, as a claim for a language model: the rules have read nothing of it."""
    sentence = stretch.sentence
    claim = Claim(number, sentence.span, sentence.text, sentence.text, mentions=tuple(mentions))
    return Verdict(claim, Label.EXTRAPOLATORY, 0.0, Evidence(), stretch.detail, _NAME, reason=Reason.NOT_READ)


def settled(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, in which what no model has judged either is not checked."""
    return [
        Unchecked(item.claim.span, item.claim.text, NotChecked.LANGUAGE, item.rationale)
        if isinstance(item, Verdict) and item.checker == _NAME
        else item
        for item in findings
    ]


def with_unread(findings: Sequence[Finding], unread: Sequence[Unchecked]) -> list[Finding]:
    """The findings of a sentence with what is `unread` of it, in the order of the text.

    It takes the place of a non-claim, and of a verdict that says nothing; one that supports or refutes something stands.
    """
    places = {item.span: item for item in unread}
    out: list[Finding] = []
    for item in findings:
        span = item.span if isinstance(item, Unchecked | Claim) else item.claim.span
        decided = isinstance(item, Verdict) and item.label is not Label.EXTRAPOLATORY
        replaced = places.pop(span, None)
        out.append(item if replaced is None or decided or isinstance(item, Unchecked) else replaced)
    return sorted([*out, *places.values()], key=lambda item: _start(item))


def _start(item: Finding) -> int:
    return item.claim.span.start if isinstance(item, Verdict) else item.span.start
