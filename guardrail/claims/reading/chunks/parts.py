"""The chunks: noun phrases, verb groups, and the marks between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from guardrail.claims.reading.tokens import Token

__all__ = ["Chunk", "Form", "MEASURES", "Mark", "NOUNS", "NP", "Tags", "VG", "Voice"]  # noqa: RUF022 - sorted as Python sorts

NOUNS = ("NN", "NNS", "NNP", "NNPS")
MEASURES = frozenset("tall long wide high deep old thick heavy".split())


Form = Literal["finite", "participle", "gerund", "infinitive", "base"]
Voice = Literal["active", "passive", "copula"]


@dataclass(slots=True, eq=False)
class NP:
    """A noun phrase. Token indices: `first`…`last` is the phrase without its of-phrase, `end` the last one with it.

    `title`: the common nouns before a name ("actor" in "the actor Tom Hanks"); `owner`: whose, in "France's capital".
    """

    first: int
    last: int
    head: int
    end: int
    kind: Literal["name", "common", "pronoun", "value"]
    det: str = ""
    owner: NP | None = None
    of: list[NP] = field(default_factory=list)
    also: list[NP] = field(default_factory=list)  # coordinated with it
    said: list[NP] = field(default_factory=list)  # in apposition to it
    title: tuple[int, int] | None = None

    @property
    def start(self) -> int:
        """Its first token behind its owner."""
        return self.first if self.owner is None else self.owner.last + 2

    @property
    def noun(self) -> int:
        """The token of the noun that says what it is: of a name the last one before it."""
        return self.head if self.title is None else self.title[1]

    @property
    def of_name(self) -> NP | None:
        """The name at the end of its of-phrase: Velmora in "the founder of Velmora"."""
        return self.of[-1] if self.of and self.of[-1].kind == "name" else None

    def each(self) -> Iterator[NP]:
        """Itself and what is coordinated with it."""
        yield self
        yield from self.also

    def nested(self) -> Iterator[NP]:
        """Itself with its owner before it and its of-phrases behind it."""
        if self.owner is not None:
            yield from self.owner.nested()
        yield self
        for inner in self.of:
            yield from inner.nested()


@dataclass(slots=True, eq=False)
class VG:
    """A verb group: auxiliaries, adverbs and the verb whose `stem` is the key; `particle` as in "set up"."""

    first: int
    last: int
    main: int
    stem: str
    form: Form
    voice: Voice = "active"
    past: bool = False
    negated: bool = False
    never: bool = False
    hedged: bool = False
    former: bool = False
    perfect: bool = False


@dataclass(slots=True, eq=False)
class Mark:
    """Whatever else: "prep", "rel", "sub", "cc", "comma", "open", "close", "break", "adj", "adv", "to", "there", "other"."""

    kind: str
    at: int
    low: str
    end: int = -1


Chunk = NP | VG | Mark


class Tags:
    """Tags and words of a sentence; beyond its end both are empty."""

    def __init__(self, tokens: Sequence[Token], values: Sequence[tuple[int, int]] = ()) -> None:
        self.tokens = tokens
        self.values = dict(values)  # first token → last token of an atomic date
        self.count = len(tokens)

    def tag(self, at: int) -> str:
        return self.tokens[at].tag if at < self.count else ""

    def low(self, at: int) -> str:
        return self.tokens[at].low if at < self.count else ""

    def verb_at(self, at: int) -> bool:
        """A finite verb begins here (after adverbs)."""
        while self.tag(at) == "RB":
            at += 1
        return self.tag(at) in ("VBD", "VBZ", "VBP", "MD")
