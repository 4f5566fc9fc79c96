"""What of a sentence may be a value: its names and numbers, and the texts of the graph that it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrail.check.kg.aligned.fillers import ClaimSentence, Filler, Named
from guardrail.check.kg.aligned.fit import YES_NO, affirmed, match, said, scheduled, spoken_as
from guardrail.check.kg.aligned.yes_no import may_answer
from guardrail.rules import rule
from guardrail.types import Argument, Span, Value

__all__ = ["comparable", "fillers_of"]


def fillers_of(sentence: ClaimSentence, subjects: Sequence[Named]) -> list[Filler]:
    """The names, texts and values of the sentence."""
    names = [Filler(one.span, Argument(one.text, one.span), named=one) for one in sentence.named]
    return [*names, *_phrases(sentence, subjects), *sentence.values]


def comparable(sentence: ClaimSentence, subjects: Sequence[Named], among: Sequence[Filler]) -> bool:
    """Whether the graph knows anything that the sentence may say: else it need not be known which property is meant."""
    return any(
        may_answer(one.object, sentence)
        or any(
            match(filler, one, record, sentence.text) != "unfit" or (filler.days and scheduled(one.object))
            for filler in among
            if filler.named is not subject
        )
        for subject in subjects
        for one in subject.profile.statements
        if (record := subject.profile.properties.get(one.predicate.id)) is not None
    )


def _phrases(sentence: ClaimSentence, subjects: Sequence[Named]) -> list[Filler]:
    """Texts that the graph has of a subject and the sentence says, but for those that are names or values in it."""
    taken = [one.span for one in sentence.named] + [one.span for one in sentence.values]
    found = {
        span: Filler(span, Argument(span.of(sentence.text), span), phrase=phrase, of=frozenset(of))
        for (span, phrase), of in _spoken(sentence, subjects).items()
        if not any(span.overlaps(one) for one in taken)
    }
    for span, phrase in _said(sentence, subjects):
        if not any(span.overlaps(one) for one in taken):
            of = found[span].of if span in found else frozenset()
            found[span] = Filler(span, Argument(span.of(sentence.text), span), phrase=phrase, of=of)
    return [
        one
        for span, one in found.items()
        if not any(other != span and other.contains(span) for other in found)
    ]


def _said(sentence: ClaimSentence, subjects: Sequence[Named]) -> Iterator[tuple[Span, str]]:
    """The places where the sentence says a text or a name that a subject has for a value, with that value."""
    for subject in subjects:
        for triplet in subject.profile.statements:
            known = triplet.object
            if isinstance(known, Value) and (known.datatype != "string" or affirmed(known) is not None):
                continue
            span = said(known, sentence.text)
            if span is not None:
                yield span, known.label


@rule("texts-of-properties", silent=dict)
def _spoken(sentence: ClaimSentence, subjects: Sequence[Named]) -> dict[tuple[Span, str], set[str]]:
    """The places where the sentence has one of the few texts that a property takes, with the text and the properties."""
    found: dict[tuple[Span, str], set[str]] = {}
    for subject in subjects:
        for record in subject.profile.properties.values():
            for text in record.values:
                span = spoken_as(text, sentence.text) if text.casefold() not in YES_NO else None
                if span is not None:
                    found.setdefault((span, text), set()).add(record.id)
    return found
