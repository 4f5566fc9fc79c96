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
    before = _before(fact, claim)
    of_role = _HOLDER.search(before) is not None
    if finding.state != "agree" or not (of_role or _OBJECT.search(before)):
        return None
    asked = [
        a for a in answers if (not a.inverse if of_role else a.about == "subject") and _holds(a, finding)
    ]
    if not asked:
        return None
    answer, side = asked[0], side_of(fact, asked[0])
    standing = current(answer.statements, today) if answer.property.temporal else answer.statements
    others = _others(side, standing, finding)
    if others and (not answer.property.temporal or fact.tense == "present"):
        found = finding.with_statements(side.known, others, "conflict", confidence=LIKELY)
        return replace(found, note="only", answers=len(others))
    whole = answer.complete or answer.property.complete or answer.property.cardinality == "single"
    return replace(finding, note="only") if whole and not others and not side.incoming else None


def _before(fact: Fact, claim: Claim) -> str:
    """The words before the last argument of the fact, where nothing follows it that could narrow the list down."""
    spans = [a.span for a in (fact.subject, fact.object) if a.span and claim.span.contains(a.span)]
    last = max(spans, key=lambda span: span.start, default=None)
    if last is None or claim.text[last.end - claim.span.start :].strip(" .,;:!?)\"'”’*_"):
        return ""
    return claim.text[: last.start - claim.span.start]


def _holds(answer: Answer, finding: FactFinding) -> bool:
    return not set(finding.triplets).isdisjoint(answer.statements)


def _others(side: Side, statements: Sequence[Triplet], finding: FactFinding) -> list[Triplet]:
    """Statements with another value than those that agree."""
    same = {side.known(t) for t in statements if t in finding.triplets}
    return [t for t in statements if t.rank != "deprecated" and side.known(t) not in same]
