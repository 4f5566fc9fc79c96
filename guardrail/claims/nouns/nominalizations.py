"""Facts of nominalized verbs: "until his death in 1873", "the 1947 creation of the agency"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.relations import Lexicon, noun_key
from guardrail.claims.nouns.nominals import Nominals
from guardrail.claims.reading.chunks import NP, Chunk, Mark
from guardrail.claims.reading.clauses import Complement
from guardrail.rules import rule
from guardrail.types import Argument, Fact

__all__ = ["Nominalizations"]

# Nouns of deeds, and the verb whose relations they share.
_DEEDS = {
    "death": ("active", "di"),
    "birth": ("passive", "bear"),
    "founding": ("passive", "found"),
    "foundation": ("passive", "found"),
    "formation": ("passive", "form"),
    "establishment": ("passive", "establish"),
    "creation": ("passive", "creat"),
    "inception": ("passive", "found"),
    "marriage": ("passive", "marri"),
    "move": ("active", "mov"),
    "release": ("passive", "releas"),
    "publication": ("passive", "publish"),
    "assassination": ("passive", "assassinat"),
    "execution": ("passive", "execut"),
    "burial": ("passive", "buri"),
    "opening": ("passive", "open"),
    "murder": ("passive", "murder"),
    "dissolution": ("passive", "dissolv"),
    "abolition": ("passive", "abolish"),
    "closure": ("passive", "clos"),
    "wedding": ("passive", "marri"),
    "launch": ("passive", "launch"),
    "premiere": ("active", "premier"),
    "debut": ("active", "debut"),
    "completion": ("passive", "complet"),
    "incorporation": ("passive", "incorporat"),
    "retirement": ("active", "retir"),
}


@dataclass(slots=True)
class Nominalizations:
    """Facts of nouns that stand for what was done."""

    arguments: Arguments
    lexicon: Lexicon
    nominals: Nominals

    def facts(self) -> Iterator[Fact]:
        """Those of all noun phrases of the sentence: "Following Anna's death in 1990, …", "the death of Anna in 1990 was …"."""
        chunks = self.arguments.reading.chunks
        for at, np in enumerate(chunks):
            if isinstance(np, NP) and np.kind == "common":
                yield from self.befalling(np, [*_behind(chunks, at)])

    @rule("nominalizations")
    def befalling(self, np: NP, rest: Sequence[Complement]) -> Iterator[Fact]:
        """What a nominalized verb says of its owner: "until his death in 1873", "his marriage to Anna"."""
        owner = self.arguments.owner(np) or (self.arguments.of(np.of[0]) if np.of else None)
        noun = noun_key(self.arguments.bare(np)[-1:])
        voice, verb = _DEEDS.get(noun, ("", ""))
        if np.kind != "common" or owner is None or not verb:
            return
        for path, words, what in self._circumstances(np, rest):
            frames = self.lexicon.verbs.get((voice, verb, path), ())
            if relations := self.arguments.compatible(frames, owner, what):
                yield self.nominals.fact(owner, noun + words, what, relations, ("past", False))

    def _circumstances(self, np: NP, rest: Sequence[Complement]) -> Iterator[tuple[str, str, Argument]]:
        """When, where and with whom: the preposition by which the verb has it, the words for it, and the noun phrase."""
        year = self.arguments.value(np.first, np.head)
        if year is not None:
            yield "in", "", year  # "the 1947 creation of the agency"
        for comp in rest[:2]:
            if comp.np is None or comp.prep not in ("", "in", "on", "at", "to") or comp.at < np.last:
                return
            if not comp.prep and comp.np.kind != "value":
                return
            yield comp.prep or "on", f" {comp.prep}".rstrip(), self.arguments.of(comp.np)


def _behind(chunks: Sequence[Chunk], at: int) -> Iterator[Complement]:
    """The prepositional phrases right behind a chunk."""
    for mark, np in zip(chunks[at + 1 :: 2], chunks[at + 2 :: 2], strict=False):
        if not isinstance(mark, Mark) or mark.kind != "prep" or not isinstance(np, NP):
            return
        yield Complement(mark.low, np, mark.at)
