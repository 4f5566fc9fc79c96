"""Short answers: "James Cameron." after "Who directed Titanic?" is the claim that James Cameron directed Titanic.

The question is read like any sentence; the answer takes the place of its question word (RefChecker asks its extractor for
the same: a triplet from an answer that names only the missing part).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.relations import Frame, Lexicon, noun_key
from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.tokens import Token
from guardrail.rules import rule
from guardrail.types import Argument, Fact
from guardrail.values.render import as_sentence

__all__ = ["Answers", "fragment"]

_PLACES = ("in", "at", "on", "from", "")
_TIMES = ("in", "on", "")


def fragment(arguments: Arguments) -> NP | None:
    """The noun phrase that a sentence without a verb consists of, None for any other sentence."""
    chunks = arguments.reading.chunks
    if any(isinstance(chunk, VG) for chunk in chunks):
        return None
    phrases = [chunk for chunk in chunks if isinstance(chunk, NP)]
    others = [
        c for c in chunks if isinstance(c, Mark) and c.kind not in ("comma", "other", "cc", "prep", "adv")
    ]
    return phrases[0] if len(phrases) in (1, 2, 3) and not others else None


@dataclass(slots=True)
class Answers:
    """`question`: the arguments of the question's reading, whose places lie outside the text."""

    question: Arguments
    answer: Arguments
    lexicon: Lexicon

    def facts(self, np: NP) -> Iterator[tuple[Fact, str]]:
        """What the question says when each conjunct of the answer stands in the place of its question word, with a wording."""
        for one in np.each():
            what = self.answer.of(one)
            found = next((fact for fact in self._readings(what)), None)
            if found is not None:
                yield found

    def _readings(self, what: Argument) -> Iterator[tuple[Fact, str]]:
        tokens = self.question.reading.tokens
        asks = next((token.low for token in tokens if token.tag.startswith("W")), "")
        if not asks:
            return
        yield from self._nouns(what)
        verbs = [chunk for chunk in self.question.reading.chunks if isinstance(chunk, VG)]
        if not verbs:
            return
        main = verbs[-1]
        voice = "passive" if main.form == "participle" or main.voice == "passive" else "active"
        names = [np for np in self.question.reading.chunks if isinstance(np, NP) and np.kind != "value"]
        for name in names:
            yield from self._measure(name, what, tokens)
            for one in (name, *name.of):
                yield from self._verb(main, voice, one, what)

    @rule("answers-to-verbs")
    def _verb(self, main: VG, voice: str, name: NP, what: Argument) -> Iterator[tuple[Fact, str]]:
        """The verb between the question's name and the answer, either way round, by any preposition that fits."""
        tokens = self.question.reading.tokens
        who = _outside(self.question.of(name))
        if who.mention is None or tokens[max(0, name.first - 1)].tag.startswith("W"):
            return
        said = [token.low for token in tokens if token.tag in ("IN", "TO")]
        paths = (*said, *(_TIMES if what.value is not None else _PLACES), "by", "as")
        for path in dict.fromkeys(paths):
            frames = self.lexicon.verbs.get((voice, main.stem, path), ())
            label = f"{self.question.predicate(main)} {path}".strip()
            middle = f"was {label}" if voice == "passive" else label
            if main.first > name.last:  # "Where was X born?": the answer is the object
                if relations := self.answer.compatible(frames, who, what):
                    yield (
                        self._fact(who, label, what, relations),
                        as_sentence(f"{who.text} {middle} {what.text}"),
                    )
            elif relations := self.answer.compatible(_turned(frames), who, what):
                yield self._fact(who, label, what, relations), as_sentence(f"{what.text} {middle} {who.text}")

    @rule("answers-to-measures")
    def _measure(self, name: NP, what: Argument, tokens: list[Token]) -> Iterator[tuple[Fact, str]]:
        """The fact that answers a question for a measure: "How tall is the Eiffel Tower?"."""
        adjective = next((second.low for first, second in pairwise(tokens) if first.low == "how"), "")
        who = _outside(self.question.of(name))
        if relations := self.answer.compatible(self.lexicon.measures.get((adjective,), ()), who, what):
            yield (
                self._fact(who, f"is {adjective}", what, relations),
                f"{who.text} is {what.text} {adjective}.",
            )

    @rule("answers-to-nouns")
    def _nouns(self, what: Argument) -> Iterator[tuple[Fact, str]]:
        """The fact that answers a question for what or how many: "What is the capital of France?", "How many states has …?"."""
        for chunk in self.question.reading.chunks:
            if not isinstance(chunk, NP) or chunk.kind != "common":
                continue
            owner = chunk.owner or (chunk.of[0] if chunk.of else None)
            if owner is None:
                continue
            words = self.question.bare(chunk)
            who = _outside(self.question.of(owner))
            for start in range(len(words)):
                key = noun_key(words[start:])
                if relations := self.answer.compatible(self.lexicon.nouns.get((key,), ()), who, what):
                    yield (
                        self._fact(who, key, what, relations),
                        as_sentence(f"The {key} of {who.text} is {what.text}"),
                    )

    def _fact(self, who: Argument, words: str, what: Argument, relations: tuple[str, ...]) -> Fact:
        kind = self.answer.type_of(what) or self.lexicon.ranges.get(relations[0], "")
        return Fact(
            who,
            words,
            what,
            relations=relations,
            object_type=kind,
            question=self.question.reading.sentence.text,
        )


def _turned(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
    return tuple(replace(frame, inverse=not frame.inverse) for frame in frames)


def _outside(argument: Argument) -> Argument:
    """An argument of the question: its words stand in no place of the answer."""
    return replace(argument, span=None)
