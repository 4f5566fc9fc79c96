"""A text put together of parts of a question and of its answer; each part knows where it stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from guardrail.types import Argument, Claim, Fact, Mention, Sentence, Span

__all__ = ["Statement", "placed"]


@dataclass(frozen=True, slots=True)
class _Part:
    """Words at `at` that are those at `source` of the answer, or else of the question."""

    at: int
    source: Span
    answers: bool


@dataclass(slots=True)
class Statement:
    text: str = ""
    parts: list[_Part] = field(default_factory=list)

    def add(self, words: str, source: Span | None = None, *, answers: bool = False) -> None:
        """Words at the end, with a blank before them where one belongs there."""
        if not words:
            return
        glued = not self.text or words[0] in ",.;:'’%)" or self.text.endswith(("-", "$", "£", "€", "(", "/"))
        self.text += words if glued else f" {words}"
        if source is not None:
            self.parts.append(_Part(len(self.text) - len(words), source, answers))

    def mentions(self, asked: Sequence[Mention], answering: Sequence[Mention]) -> dict[Mention, Mention]:
        """The mentions in this text, each with the one of the question or the answer that it is."""
        found: dict[Mention, Mention] = {}
        for part in self.parts:
            for one in answering if part.answers else asked:
                if part.source.contains(one.span):
                    here = Span(
                        one.span.start - part.source.start + part.at,
                        one.span.end - part.source.start + part.at,
                    )
                    found[replace(one, span=here)] = one
        return found

    def in_answer(self, place: Span | None) -> Span | None:
        """Where a place of this text stands in the answer; None where it does not."""
        for part in self.parts if place is not None else ():
            if (
                place is not None
                and part.answers
                and Span(part.at, part.at + len(part.source)).contains(place)
            ):
                return Span(
                    place.start - part.at + part.source.start, place.end - part.at + part.source.start
                )
        return None


def placed(
    claims: Sequence[Claim], sentence: Sentence, statement: Statement, names: Mapping[Mention, Mention]
) -> Claim:
    """The claims that were read of a statement as one of the answer, with its places. `names`: each mention read, and what it was."""
    offset = sentence.span.start

    def there(span: Span | None) -> Span | None:
        found = statement.in_answer(span)
        return found.shift(offset) if found is not None else None

    def argument(one: Argument) -> Argument:
        return replace(
            one, span=there(one.span), mentions=tuple(names.get(name, name) for name in one.mentions)
        )

    def fact(one: Fact) -> Fact:
        attributes = tuple(replace(more, object=argument(more.object)) for more in one.attributes)
        return replace(
            one,
            subject=argument(one.subject),
            object=argument(one.object),
            attributes=attributes,
            predicate_span=there(one.predicate_span),
        )

    facts = tuple(fact(one) for claim in claims for one in claim.facts)
    mentions = tuple(dict.fromkeys(names.get(one, one) for claim in claims for one in claim.mentions))
    wording = " ".join(claim.resolved for claim in claims)
    return Claim(claims[0].id, sentence.span, sentence.text, wording, facts, mentions)
