"""What names say by what stands beside them: "his wife Anna", "Apple CEO Tim Cook", "the CEO of Apple, Tim Cook", "Blagnac, France"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.posts import POSITIONS
from guardrail.claims.lexicon.relations import Lexicon, noun_key
from guardrail.claims.nouns.nominals import SKIP, Nominals
from guardrail.claims.reading.chunks import NP
from guardrail.rules import rule
from guardrail.types import Argument, Fact

__all__ = ["Naming"]


@dataclass(slots=True)
class Naming:
    """Facts inside noun phrases: titles and appositions."""

    arguments: Arguments
    lexicon: Lexicon
    nominals: Nominals

    def inside(self, np: NP) -> Iterator[Fact]:
        """Titles before a name, names and nouns in apposition, the country behind a town."""
        if np.title is not None:
            yield from self._titled(np)
        for said in np.said:
            yield from self._apposed(np, said)
        for inner in np.of:
            yield from self.inside(inner)

    def _apposed(self, np: NP, said: NP) -> Iterator[Fact]:
        """What a noun says of the name beside it."""
        if np.kind == "name" and said.kind == "common" and self.may_be(np, said):
            yield from self.nominals.facts(np, said, (), tense="present")
        elif np.kind == "common" and said.kind == "name":
            yield from self._appointed(np, said)
            if np.det in ("a", "an", "") and not np.owner:
                yield from self.nominals.facts(said, np, (), tense="present")  # "A native of Ulm, Anna …"

    def may_be(self, np: NP, said: NP) -> bool:
        """A noun in apposition that names another kind of thing is not about this name."""
        kind = self.arguments.kinds.noun(self.arguments.reading.tokens[said.head].low)
        known = self.arguments.kinds_of(self.arguments.of(np))
        return not kind or not known or kind in known or self.arguments.kinds.within.get(kind) in known

    @rule("titles")
    def _titled(self, np: NP) -> Iterator[Fact]:
        """What the nouns before a name say of it: "his wife Anna", "Apple CEO Tim Cook"; a mere class ("the film Titanic") says nothing new."""
        assert np.title is not None
        first, last = np.title
        title = self.arguments.reading.tokens[first : last + 1]
        words = [token.low for token in title if token.tag not in SKIP]
        if not words or title[-1].tag not in ("NN", "NNS"):
            return
        who, owner = self.arguments.of(np), self.arguments.owner(np)
        if owner is None and title[0].mention >= 0 and title[0].tag == "NNP":
            mention = self.arguments.reading.mentions[title[0].mention]
            owner = Argument(mention.text, mention.span, (mention,))
            words = [token.low for token in title if token.mention != title[0].mention]
        if owner is not None:
            yield from self.nominals.related(owner, words, who)
        elif self.arguments.kinds.noun(noun := noun_key(words[-1:])) == "person":
            nations = [one for at in range(first, last + 1) for one in self.arguments.nations(at)]
            yield from self._from(who, noun, nations)

    def _from(self, who: Argument, noun: str, nations: Sequence[Argument]) -> Iterator[Fact]:
        """Where somebody is from, and that they lead it: "Polish president Lech Wałęsa"."""
        frames = self.lexicon.nouns.get((noun,), ()) if noun in POSITIONS or noun == "leader" else ()
        for nation in nations:
            yield self.nominals.fact(who, "is from", nation, self.arguments.homes(who), ("", False))
            if relations := self.arguments.compatible(frames, nation, who):
                yield self.nominals.fact(nation, noun, who, relations, ("", False))

    @rule("names-behind-roles")
    def _appointed(self, np: NP, said: NP) -> Iterator[Fact]:
        """A name in apposition to a role has that role: "the CEO of Apple, Tim Cook"."""
        owner = self.arguments.owner(np) or (self.arguments.of(np.of[0]) if np.of else None)
        if owner is not None:
            yield from self.nominals.related(owner, self.arguments.bare(np), self.arguments.of(said))
