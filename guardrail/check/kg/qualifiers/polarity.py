"""Negation and quantifiers: what a finding about "X r Y" says about "X never r any Y" and "only X r Y".

In an open world absence proves nothing: a negated claim is refuted by one statement, and supported only where the relation
has one value and that is another one.
"""

from __future__ import annotations

import re
from dataclasses import replace

from guardrail.check.kg.compare.timeline import started
from guardrail.check.kg.finding import FactFinding
from guardrail.language.lists import any_of
from guardrail.rules import rule
from guardrail.types import Claim, Fact, Reason

__all__ = ["contrasted", "denies", "negated", "with_polarity"]

_NEVER = re.compile(rf"\b(?:{any_of('denying')})\b", re.IGNORECASE)
_QUANTIFIER = re.compile(
    r"\b(?:all|every|each|any|always|everyone|everybody|most|only|sole|solely|exclusively|never|no|none)\b",
    re.IGNORECASE,
)
# "Not everyone does": somebody may, and somebody else may not.
_NOT_ALL = re.compile(
    r"\b(?:not|n['’]t)\s+(?:all|every\w*|each|always|necessarily|entirely|exclusively)\b", re.IGNORECASE
)
_NO_LONGER = re.compile(r"\bno longer\b|\bnot\b.{1,60}\bany ?more\b", re.IGNORECASE)
# "Canberra, not Sydney, is the capital": what is denied is another name, and not the relation.
_CONTRAST = re.compile(
    r"(?:,|\band|\bbut)\s+(?:and\s+|but\s+)?not\s+(?:(?:in|by|on|at|from|the)\s+)*(?P<name>[A-Z][\w.'’-]*)"
)
# "is not the first president": he may well be president, only not the first one.
_NARROWER = re.compile(
    r"(?:\bnot|\bnever|n['’]t)\s+(?:\w+\s+)?(?:the\s+|its\s+|their\s+|his\s+|her\s+|an?\s+)?(?:very\s+|most\s+)?"
    r"(?:only|sole|solely|exclusively|first|second|third|last|original|current|most|least|best|main|\d+(?:st|nd|rd|th)|\w{3,}est)\b",
    re.IGNORECASE,
)
# "by Mary Shelley, not by Bram Stoker", "in Redmond rather than Seattle"
_DENIED = re.compile(
    r"\b(?:not|rather than|instead of|as opposed to)\s+(?:(?:in|by|on|at|from|for|of|the|an?)\s+)*$",
    re.IGNORECASE,
)
_AFFIRMED = re.compile(
    r"(?:\bnot|n['’]t)\b[^.;]*\bbut\s+(?:rather\s+|also\s+)?(?:(?:in|by|on|at|from|for|of|to|with|under|the|an?)\s+)*$",
    re.IGNORECASE,
)
# "It is not true that they do not": what that makes of the inner denial is left to the reader.
_UNTRUE = re.compile(
    r"\b(?:not (?:true|correct|right|the case)|untrue|false|wrong|incorrect)\b.{0,12}?\bthat\b", re.IGNORECASE
)
# "Did not win it until 1911": what is denied up to a time was so from then on.
_POSTPONED = re.compile(r"\b(?:not|never|n['’]t)\b[^.;]*\b(?:until|till)\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|sole|solely|exclusively)\b", re.IGNORECASE)


def negated(fact: Fact) -> bool:
    """Whether the fact denies its relation; a universal one does by "never", "no", "none"."""
    return fact.negated or (
        fact.universal and _NEVER.search(f"{fact.predicate} {fact.object.text}") is not None
    )


def denies(before: str) -> bool:
    """Whether what stands behind the words `before` is denied by them."""
    return _DENIED.search(before) is not None


@rule("contrast", passes=0)
def contrasted(fact: Fact, claim: Claim) -> Fact:
    """`fact` as a denial where "not" or "rather than" stands right before its object, and as none behind "not … but"."""
    span = fact.object.span
    if span is None or not claim.span.contains(span):
        return fact
    before = claim.text[: span.start - claim.span.start]
    if _AFFIRMED.search(before):
        return replace(fact, negated=False)
    return replace(fact, negated=True) if denies(before) else fact


def with_polarity(finding: FactFinding, fact: Fact, text: str) -> FactFinding:
    """`finding` about the bare relation, read with the negation and the quantifier of `fact`; `text` is the claim's."""
    if _NO_LONGER.search(text):
        return _over(finding)
    if negated(fact) and not _contrasted(fact, text):
        narrower = finding.note != "ranked" and any(
            one.search(text) for one in (_NARROWER, _NOT_ALL, _UNTRUE, _POSTPONED)
        )
        if finding.state == "agree" and narrower:
            return replace(finding, state="unknown", reason=Reason.INSUFFICIENT, negated=True, confidence=0.6)
        return _denied(finding, fact)
    if fact.universal and finding.state == "agree":
        bare = _without_names(text, fact)
        if _QUANTIFIER.search(bare):
            return _quantified(finding, only=_ONLY.search(bare) is not None)
    return finding


def _contrasted(fact: Fact, text: str) -> bool:
    match = _CONTRAST.search(text)
    if match is None or len(_NEVER.findall(text)) > 1:
        return False
    return not any(argument.text.startswith(match["name"]) for argument in (fact.subject, fact.object))


def _over(finding: FactFinding) -> FactFinding:
    """What "no longer" makes of a finding: it was so, and has ended. What still holds refutes it; that another value holds now does not prove it."""
    if finding.note == "ended":
        return replace(finding, state="agree", negated=True, reason=None)
    dated = finding.cardinality == "single" or any(started(t) for t in finding.triplets)
    if finding.state == "agree" and dated:
        return replace(finding, state="conflict", note="current", negated=True, reason=None)
    # a statement without any date may be an old one
    return replace(finding, state="unknown", reason=finding.reason or Reason.INSUFFICIENT, negated=True)


def _without_names(text: str, fact: Fact) -> str:
    """The claim without the names in it: "Every Girl Should Be Married" is a film and no quantifier."""
    for argument in (fact.subject, fact.object):
        for mention in argument.mentions:
            if mention.candidates:
                text = re.sub(rf"(?<!\w){re.escape(mention.text)}(?!\w)", " ", text)
    return text


def _denied(finding: FactFinding, fact: Fact) -> FactFinding:
    if finding.state == "agree":
        note = "example" if fact.universal else finding.note
        return replace(finding, state="conflict", note=note, negated=True, reason=None)
    if finding.state == "conflict" and finding.note in (
        "",
        "age",
        "count",
        "least",
        "ended",
        "kind",
        "none",
        "part",
        "ranked",
        "swapped",
        "term",
    ):
        return replace(finding, state="agree", negated=True, reason=None)
    if finding.state == "conflict":
        return replace(finding, state="unknown", reason=Reason.INSUFFICIENT, negated=True, confidence=0.6)
    return replace(finding, negated=True)


def _quantified(finding: FactFinding, *, only: bool) -> FactFinding:
    """One example proves neither "all" nor "only"."""
    note = "only" if only else finding.note
    return replace(finding, state="unknown", note=note, reason=Reason.INSUFFICIENT, confidence=0.6)
