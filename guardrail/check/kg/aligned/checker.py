"""`AlignedChecker`: a claim beside everything that a graph knows of its subject, whatever the properties are called there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from guardrail.check.kg.aligned.alignment import Aligned
from guardrail.check.kg.aligned.decide import align
from guardrail.check.kg.aligned.fillers import ClaimSentence, read
from guardrail.check.kg.aligned.words import denied_by_name
from guardrail.check.kg.compare.disputes import undecided_between
from guardrail.check.kg.compare.identifiers import identifiers
from guardrail.check.kg.rationale import statement
from guardrail.language import Parse
from guardrail.types import Argument, Claim, Embedder, Evidence, Kind, Label, Slot, Span, Triplet, Verdict
from guardrail.values.render import as_sentence

__all__ = ["AlignedChecker"]

_MOST_SHOWN = 4


class AlignedChecker:
    """Implements `guardrail.types.Checker`. Thread-safe where its embedder is.

    It is asked for what the words of the lexicon leave open: the graph of a user calls things by the user's own words.
    """

    name = "aligned"

    def __init__(self, embedder: Embedder, parse: Parse, today: Callable[[], date] = date.today) -> None:
        self._embedder, self._parse, self._today = embedder, parse, today

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        """None where the claim speaks of nothing that the graph has of its subject, or not surely enough."""
        if not evidence.profiles or claim.kind is Kind.HEDGED or claim.reason is not None:
            return None
        sentence = read(claim, evidence.profiles, self._parse)
        if not sentence.named:
            return None
        found = align(sentence, self._embedder, self._today())
        wrong = [one for one in found.values if one.state == "conflict"]
        if wrong:
            return _verdict(claim, sentence, Label.CONTRADICTORY, max(wrong, key=_confidence), found.values)
        # An address that the claim cites is no value of a property: whether it says so is not known here.
        whole = bool(found.values) and found.whole and not identifiers(claim.text)
        return _supported(claim, sentence, found.values) if whole else None


def _supported(claim: Claim, sentence: ClaimSentence, found: Sequence[Aligned]) -> Verdict | None:
    """Attributable where all values agree, undecided where the graph also has what contradicts one of them."""
    if any(one.state != "agree" for one in found):
        return None
    verdict = _verdict(claim, sentence, Label.ATTRIBUTABLE, min(found, key=_confidence), found)
    torn = next((one for one in found if one.rivals), None)
    if torn is None:
        return verdict
    return undecided_between(verdict, _slot(torn, sentence, claim), torn.triplets, torn.rivals)


def _confidence(one: Aligned) -> float:
    return one.confidence


def _verdict(
    claim: Claim, sentence: ClaimSentence, label: Label, decisive: Aligned, found: Sequence[Aligned]
) -> Verdict:
    shown = dict.fromkeys(t for one in (decisive, *found) for t in one.triplets[:_MOST_SHOWN])
    return Verdict(
        claim=claim,
        label=label,
        confidence=decisive.confidence,
        evidence=Evidence(triplets=tuple(shown)),
        rationale=_rationale(label, decisive, found),
        checker=AlignedChecker.name,
        slot=_slot(decisive, sentence, claim),
        slots=tuple(_slot(one, sentence, claim) for one in found),
    )


def _slot(one: Aligned, sentence: ClaimSentence, claim: Claim) -> Slot:
    return Slot(
        property=one.relation or one.option.record.label,
        claimed=one.claimed.text,
        known="; ".join(dict.fromkeys(item.label for item in one.known[:_MOST_SHOWN])),
        cardinality=one.option.record.cardinality,
        state=one.state,
        span=_place(one.claimed, sentence, claim),
        values=one.known if one.instead is None else one.instead,
        answers=len(one.known),
    )


def _place(claimed: Argument, sentence: ClaimSentence, claim: Claim) -> Span | None:
    """Where the claimed words stand in the delivered text; None where they are not in the claim, or in it twice."""
    if claimed.span is not None and sentence.offset is not None:
        return claimed.span.shift(sentence.offset)
    if claim.text.count(claimed.text) != 1:
        return None
    start = claim.span.start + claim.text.index(claimed.text)
    return Span(start, start + len(claimed.text))


def _rationale(label: Label, decisive: Aligned, found: Sequence[Aligned]) -> str:
    told = "; ".join(dict.fromkeys(_told(t) for one in (decisive, *found) for t in one.triplets[:2]))
    asked = f'The claim was read as one about "{decisive.option.record.label}" of {decisive.option.subject.profile.entity.label}.'
    if label is Label.CONTRADICTORY and decisive.relation == "time" and decisive.known:
        when = "; ".join(one.label for one in decisive.known)
        return as_sentence(
            f"{asked} The knowledge graph says that {told} ({when}), and not {decisive.claimed.text}"
        )
    if decisive.exchanged:
        return as_sentence(f"{asked} The knowledge graph has it the other way round: {told}")
    if label is Label.CONTRADICTORY and denied_by_name(decisive.option.record.label):
        return as_sentence(f"{asked} The knowledge graph says that {told}")
    if label is Label.CONTRADICTORY:
        return as_sentence(
            f"{asked} The knowledge graph says that {told}, which is not {decisive.claimed.text}"
        )
    return as_sentence(f"{asked} The knowledge graph says that {told}")


def _told(triplet: Triplet) -> str:
    return statement(triplet)
