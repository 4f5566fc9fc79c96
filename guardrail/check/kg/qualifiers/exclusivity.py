"""Whether there are others besides the one that agrees: "the only founder of Apple", "used only in Germany".

Others in the graph refute it. That the graph knows of none supports it where its list is whole, or where lists of the
property name all members as a rule; elsewhere one example proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from guardrail.check.kg.compare.timeline import current
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.sides import Side, side_of
from guardrail.rules import rule
from guardrail.types import Answer, Claim, Fact, Triplet

__all__ = ["exclusive"]

# Of a role: "the only founder of Apple". With an adjective or a clause more it is another list: "the only American founder".
_HOLDER = re.compile(
    r"\b(?:the|its|his|her|their)\s+(?:only|sole)\s+\w+\s+(?:of|to)\s+(?:the\s+)?\W*$", re.IGNORECASE
)
# Of what is said of the subject: "written only by", "spoken exclusively in".
_OBJECT = re.compile(
    r"\b(?:only|solely|exclusively)\s+(?:in|by|at|for|from|to|on)\s+(?:the\s+)?\W*$", re.IGNORECASE
)
LIKELY = 0.85


@rule("only")
def exclusive(
    finding: FactFinding, fact: Fact, claim: Claim, answers: Iterable[Answer], *, today: date
) -> FactFinding | None:
    """What "only" makes of `finding`, which agrees; None where the claim does not say "only" of this fact alone."""
    answer = _list_meant(_before(fact, claim), finding, answers) if finding.state == "agree" else None
    if answer is None:
        return None
    side, temporal = side_of(fact, answer), answer.property.temporal
    others = _others(side, current(answer.statements, today) if temporal else answer.statements, finding)
    if not others:
        return replace(finding, note="only") if _names_all(answer) and not side.incoming else None
    if temporal and fact.tense != "present":
        return None
    found = finding.with_statements(side.known, others, "conflict", confidence=LIKELY)
    return replace(found, note="only", answers=len(others))


def _list_meant(before: str, finding: FactFinding, answers: Iterable[Answer]) -> Answer | None:
    """The answer that "only" is said of: who else has the role of its subject, or what else is said of the fact's."""
    of_role = _HOLDER.search(before) is not None
    if not of_role and not _OBJECT.search(before):
        return None
    asked = (one for one in answers if not set(finding.triplets).isdisjoint(one.statements))
    return next((one for one in asked if (not one.inverse if of_role else one.about == "subject")), None)


def _names_all(answer: Answer) -> bool:
    return answer.complete or answer.property.complete or answer.property.cardinality == "single"


def _before(fact: Fact, claim: Claim) -> str:
    """The words before the last argument of the fact, where nothing follows it that could narrow the list down."""
    spans = [a.span for a in (fact.subject, fact.object) if a.span and claim.span.contains(a.span)]
    last = max(spans, key=lambda span: span.start, default=None)
    if last is None or claim.text[last.end - claim.span.start :].strip(" .,;:!?)\"'”’*_"):
        return ""
    return claim.text[: last.start - claim.span.start]


def _others(side: Side, statements: Sequence[Triplet], finding: FactFinding) -> list[Triplet]:
    """Statements with another value than those that agree."""
    same = {side.known(t) for t in statements if t in finding.triplets}
    return [t for t in statements if t.rank != "deprecated" and side.known(t) not in same]
