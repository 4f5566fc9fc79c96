"""Adjectives of nationality in a sentence, as the countries that they stand for."""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.claims.reading.sentence import ParsedSentence
from guardrail.ontology import classes
from guardrail.types import Argument, Candidate, Entity, Mention, Span
from guardrail.values.demonyms import DEMONYMS

__all__ = ["Nations"]


@dataclass(slots=True)
class Nations:
    """The countries that the words of one sentence stand for; what `Arguments` builds upon."""

    reading: ParsedSentence

    def nation(self, at: int) -> Argument | None:
        """The country that an adjective of nationality stands for; one of two words ("South Korean") ends at `at`."""
        if at and (both := self.country(self.reading.words(at - 1, at), self.reading.span(at - 1, at))):
            return both
        return self.country(self.reading.tokens[at].text, self.reading.span(at, at))

    def nations(self, at: int) -> list[Argument]:
        """The countries of an adjective of nationality, both of a double one ("Polish-French")."""
        if (one := self.nation(at)) is not None:
            return [one]
        token, start = self.reading.tokens[at], self.reading.span(at, at).start
        parts = token.text.split("-")
        if len(parts) != 2 or not all(part.lower() in DEMONYMS and part[:1].isupper() for part in parts):
            return []
        spans = (Span(start, start + len(parts[0])), Span(start + len(parts[0]) + 1, start + len(token.text)))
        found = [self.country(part, span) for part, span in zip(parts, spans, strict=True)]
        return [one for one in found if one is not None]

    def country(self, adjective: str, span: Span) -> Argument | None:
        """Likewise for a part of a word ("German" in "German-born").

        What the graph calls by the adjective is a further reading, and the mention's text is the country's name: a graph may
        have its own ids.
        """
        if adjective.lower() not in DEMONYMS or not adjective[:1].isupper():
            return None
        entity, label = DEMONYMS[adjective.lower()]
        linked = [c for m in self.reading.mentions if m.span == span for c in m.candidates]
        country = Candidate(Entity(entity, label, types=tuple(classes("country"))), 0.0)
        mention = Mention(span, label, (country, *(c for c in linked if c.entity.id != entity)))
        return Argument(adjective, span, (mention,))
