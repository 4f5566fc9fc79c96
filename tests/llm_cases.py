"""Claims, triplets and passages in few words, for the tests of what language models are asked."""

from __future__ import annotations

import json
from collections.abc import Sequence

from guardrail.check.llm.gate import Case
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    Node,
    Passage,
    Reason,
    Sentence,
    Slot,
    Source,
    Span,
    Triplet,
    Verdict,
)

# ClaimVer's Table 2, examples 2, 5 and 6.
BANE = "Bane was portrayed as a tertiary villain by Robert Swenson in Batman & Robin, directed by Joel Schumacher, and Batman's Back"
SOUTHWEST = "Southwest Airlines has never operated any Boeing 737 models."


def triplet(subject: str, predicate: str, object_: str) -> Triplet:
    return Triplet(
        Node(subject, subject),
        Node(predicate, predicate),
        Node(object_, object_),
        id=f"{subject}|{predicate}",
    )


def passage(text: str, *, name: str = "p1", title: str = "", relevance: float = 0.0) -> Passage:
    return Passage(name, text, Source.REQUEST, title=title, relevance=relevance)


def claim(text: str, words: str | None = None, *, number: int = 0, kind: Kind = Kind.FACT) -> Claim:
    """The claim that `words` (all of it: None) of `text` make."""
    words = text if words is None else words
    at = text.index(words)
    return Claim(number, Span(at, at + len(words)), words, words, kind=kind)


def embedded(
    about: Claim, label: Label = Label.EXTRAPOLATORY, *, proven: bool = False, confidence: float = 0.6
) -> Verdict:
    """What the embedded tier said."""
    slot = Slot("capital", "Lyon", "Paris", "single", "conflict") if proven else None
    return Verdict(
        about,
        label,
        confidence,
        Evidence(),
        "The embedded rationale.",
        "symbolic",
        slot=slot,
        reason=Reason.INSUFFICIENT if label is Label.EXTRAPOLATORY else None,
    )


def sentence(text: str) -> Sentence:
    return Sentence(Span(0, len(text)), text)


CAPITAL_TEXT = "Lyon is the capital of France, and it lies on the Rhone."
CAPITAL = triplet("France", "capital", "Paris")
RIVER = triplet("Lyon", "located next to body of water", "Rhone")


def capital_cases(*, with_verdicts: bool = True) -> list[Case]:
    """Two claims of one sentence, both left open by the embedded tier."""
    evidence = Evidence(triplets=(CAPITAL, RIVER))
    claims = [
        claim(CAPITAL_TEXT, "Lyon is the capital of France"),
        claim(CAPITAL_TEXT, "it lies on the Rhone", number=1),
    ]
    return [Case(item, evidence, embedded(item) if with_verdicts else None) for item in claims]


def verdicts_reply(*entries: tuple[str, Sequence[str], str]) -> str:
    """A reply in the form asked for: (prediction, evidence ids, rationale) per claim."""
    return json.dumps(
        {
            "claims": [
                {
                    "claim": number,
                    "prediction": prediction,
                    "evidence": list(evidence),
                    "rationale": rationale,
                }
                for number, (prediction, evidence, rationale) in enumerate(entries, 1)
            ]
        }
    )
