"""Short forms in brackets: of "joined the Free Trade Union (FTU)" the same is true of "FTU"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.claims.arguments.arguments import Arguments
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Fact, Mention

__all__ = ["Acronyms"]


@dataclass(frozen=True, slots=True)
class Acronyms:
    """Facts of names, told again of the letters that stand for them right behind."""

    arguments: Arguments

    @rule("acronyms")
    def facts(self, claims: Sequence[Claim]) -> Iterator[Fact]:
        """Of each object that is followed by its letters in brackets; letters that no graph knows are left alone."""
        told = [
            fact
            for claim in claims
            for fact in claim.facts
            if fact.relations and fact.object.mention is not None
        ]
        for fact in told:
            if (letters := self._behind(fact.object)) is not None:
                yield replace(fact, object=Argument(letters.text, letters.span, (letters,)), attributes=())

    def _behind(self, name: Argument) -> Mention | None:
        reading = self.arguments.reading
        if name.span is None:
            return None
        offset = reading.sentence.span.start
        for mention in reading.mentions:
            between = reading.sentence.text[
                max(0, name.span.end - offset) : max(0, mention.span.start - offset)
            ]
            after = reading.sentence.text[mention.span.end - offset :][:1]
            if between == " (" and after == ")" and mention.candidates and _short(mention.text, name.text):
                return mention
        return None


def _short(letters: str, name: str) -> bool:
    """Whether capitals are the first letters of a name's words, small words aside, in their order."""
    initials = iter(word[0].upper() for word in name.replace("-", " ").split() if word[:1].isalpha())
    wanted = [letter for letter in letters if letter.isalpha()]
    return letters.isupper() and len(wanted) > 1 and all(letter in initials for letter in wanted)
