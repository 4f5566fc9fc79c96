"""Puts two sentences together where one alone does not say it: cross-document evidence, after GraphRetrieve.

"The Beatles were formed in Liverpool" and "Liverpool is a city in England", each in a passage of its own, say that the Beatles were
formed in England. Only places are followed, one step, and it only ever supports: what lies elsewhere may lie in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.check.covering import EMPTY, alike
from guardrail.check.passages import Read, Reader, marked, plain, quoted
from guardrail.check.told import lies_in, through
from guardrail.check.wording import doubtful, items
from guardrail.segment import segment
from guardrail.types import Claim, Evidence, Fact, Kind, Label, Passage, Slot, Verdict

__all__ = ["ChainedChecker"]

CHAINED = 0.9
_SENTENCES = 24  # that are read for one claim


@dataclass(frozen=True, slots=True)
class _Told:
    """A fact as a sentence of a passage tells it."""

    fact: Fact
    passage: Passage
    read: Read


class ChainedChecker:
    """Implements `Checker`: Attributable or None. `read`: as for `PassageChecker`."""

    name = "symbolic:chained"

    def __init__(self, read: Reader) -> None:
        self._read = read

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        wanted = claim.kind is Kind.FACT and claim.reason is None and len(claim.facts) == 1
        if not wanted or len(evidence.passages) < 2 or evidence.unread or not lies_in(claim.facts[0]):
            return None
        told = list(self._told(claim.facts[0], evidence.passages))
        for first in told:
            for second in told:
                if through(claim.facts[0], first.fact, second.fact) and _covered(claim, (first, second)):
                    return _verdict(claim, first, second)
        return None

    def _told(self, fact: Fact, passages: Sequence[Passage]) -> Iterator[_Told]:
        """What the sentences say that name either end of the fact."""
        names = [argument.text.split()[-1] for argument in (fact.subject, fact.object) if argument.text]
        left = _SENTENCES
        for passage in passages:
            for sentence in segment(passage.text):
                if not left or doubtful(sentence.text) or not any(name in sentence.text for name in names):
                    continue
                left -= 1
                alone = replace(passage, text=sentence.text, about="", title="")
                for read in self._read(alone):
                    at = replace(read, sentence=sentence)
                    for one in filter(plain, read.claims):
                        yield from (_Told(other, passage, at) for other in one.facts)


def _covered(claim: Claim, sentences: Sequence[_Told]) -> bool:
    """Whether every word of the claim that says anything stands in one of the sentences."""
    said = [item for one in sentences for item in items(one.read.sentence.text)]
    return all(
        item.key in EMPTY or any(alike(item, other) for other in said) for item in items(claim.resolved)
    )


def _verdict(claim: Claim, first: _Told, second: _Told) -> Verdict:
    fact = claim.facts[0]
    slot = Slot(
        property=fact.predicate,
        claimed=fact.object.text,
        known=first.fact.object.text,
        cardinality="single",
        state="agree",
        span=fact.object.span,
        fact=0,
        answers=1,
    )
    passages = tuple(marked(one.passage, one.read.sentence) for one in (first, second))
    return Verdict(
        claim,
        Label.ATTRIBUTABLE,
        CHAINED,
        Evidence(passages=passages),
        f"The passages “{quoted(first.read.sentence)}” and “{quoted(second.read.sentence)}” say so together.",
        ChainedChecker.name,
        slot=slot,
        slots=(slot,),
    )
