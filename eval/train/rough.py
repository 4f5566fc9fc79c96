"""Changes a text in one place without a parse: fast, and sometimes not quite English. What it then says nobody knows.

`eval.train.edits` changes sentences on their parse, so that each change has a label. Here there is none: what comes of it is for a larger
model to label. A word stands for another of the passage, or two words change places; a word is its opposite, a synonym or a sibling in
WordNet; a word that denies or limits is exchanged or put in; a phrase is left out.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import yaml

from eval.train.senses import Senses

__all__ = ["Rough"]

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d[\d.,:]*\d|\d")
_PHRASE = re.compile(
    r"(?:,| (?:in|on|at|for|by|with|from|within|until|after|before|when|if|unless|because|although|while|and|or|but|who|which|except"
    r"|without|under|during|through)) "
)
_SMALL = frozenset(
    "the a an and or of in on at to for by with from as is are was were be been it its this that which who their his her they he she you"
    " your not no only also may must can will would has have had do does did if when than then there we our us i".split()
)
_COUNTED = frozenset(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred first second third fourth fifth"
    " half quarter".split()
)
_ENDINGS = ("ing", "ed", "ly", "s")
_OTHER, _TAKEN = (
    "other",
    0.5,
)  # words whose letters tell nothing of their kind, and the share of them that may be exchanged
_TRIES = 4
_PLACES = 0.35  # share of the exchanges where two words of the text change places
_MIDDLE = 0.6  # share of the omissions where what follows the phrase stays
_HEAD, _TAIL = 12, 8  # characters before and behind a phrase that is left out, at least
_SHORTEST = 15  # characters of what is left

Changed = str | None
"""A changed text, or None where there is nothing to change."""

Place = tuple[re.Match[str], str]
"""A word where it stands, and its kind."""


@dataclass(frozen=True, slots=True)
class Rough:
    """Draws changes from `rng`, with the words of `senses`."""

    senses: Senses
    rng: random.Random

    def changed(self, text: str, passage: str) -> Changed:
        """The text with one thing changed, perhaps for a word of `passage`; None where no change was found in a few tries."""
        ways: tuple[tuple[float, Callable[[], Changed]], ...] = (
            (0.38, lambda: self._exchanged(text, passage)),
            (0.14, lambda: self._replaced(text, _EXCHANGED)),
            (0.08, lambda: self._replaced(text, _ADDED)),
            (0.12, lambda: self._of_senses(text, self.senses.antonyms)),
            (0.08, lambda: self._of_senses(text, self.senses.synonyms)),
            (0.07, lambda: self._of_senses(text, self.senses.siblings)),
            (0.13, lambda: self._without_phrase(text)),
        )
        weights = [weight for weight, _ in ways]
        for _, way in self.rng.choices(ways, weights, k=_TRIES):
            found = way()
            if found and found != text:
                return found
        return None

    def _exchanged(self, text: str, passage: str) -> Changed:
        """Two words of one kind in each other's place, or a word for one of the passage that is of its kind."""
        places = [(at, kind) for at, kind in _places(text) if kind != _OTHER or self.rng.random() < _TAKEN]
        self.rng.shuffle(places)
        inner = _inner(text, places) if self.rng.random() < _PLACES else None
        return inner or self._of_passage(text, places, passage)

    def _of_passage(self, text: str, places: Sequence[Place], passage: str) -> Changed:
        known: dict[str, list[str]] = defaultdict(list)
        for place, kind in _places(passage):
            known[kind].append(place[0])
        for place, kind in places:
            if others := [word for word in known[kind] if word not in text]:
                return _put(text, place, self.rng.choice(others))
        return None

    def _replaced(self, text: str, table: Sequence[tuple[re.Pattern[str], str]]) -> Changed:
        """What a line of the table says, in one place."""
        fitting = [(pattern, new) for pattern, new in table if pattern.search(text)]
        if not fitting:
            return None
        pattern, new = self.rng.choice(fitting)
        place = self.rng.choice(list(pattern.finditer(text)))
        return _put(text, place, place.expand(new))

    def _of_senses(self, text: str, others: Callable[[str, str], list[str]]) -> Changed:
        """A word for one that WordNet has beside it."""
        places = [place for place in _WORD.finditer(text) if place[0].islower() and place[0] not in _SMALL]
        self.rng.shuffle(places)
        for place in places:
            found = [new for lemma, tag in _lemmas(place[0]) for new in others(lemma, tag) if new not in text]
            if found:
                return _put(text, place, self.rng.choice(found))
        return None

    def _without_phrase(self, text: str) -> Changed:
        """A phrase less, or all from where one begins."""
        begins = [found.start() for found in _PHRASE.finditer(text)]
        begins = [at for at in begins if _HEAD < at < len(text) - _TAIL]
        if not begins:
            return None
        begin = self.rng.choice(begins)
        end = min((at for at in begins if at > begin), default=len(text) - 1)
        rest = text[end:] if self.rng.random() < _MIDDLE else text[-1:]
        return text[:begin] + rest if begin + len(rest) > _SHORTEST else None


def _places(text: str) -> Iterator[Place]:
    """The words of a text that tell something."""
    for place in _WORD.finditer(text):
        if kind := _kind(place):
            yield place, kind


def _kind(place: re.Match[str]) -> str:
    """What a word is by its letters: a number, a name, or what it ends with; "" of a small word."""
    word = place[0]
    if word[0].isdigit() or word.lower() in _COUNTED:
        return "number"
    if word[0].isupper() and place.start() > 0:
        return "name"
    if word.lower() in _SMALL or word.endswith(("n't", "n’t")):
        return ""
    return next((ending for ending in _ENDINGS if word.endswith(ending)), _OTHER)


def _lemmas(word: str) -> Iterator[tuple[str, str]]:
    """What a word may be a form of, with the tag that the form would have."""
    yield from ((word, tag) for tag in ("NN", "VB", "JJ", "RB"))
    for ending, tags in (("s", ("NNS", "VBZ")), ("ed", ("VBD",)), ("ing", ("VBG",))):
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            bases = [stem, f"{stem}e"] if ending != "s" else [stem, stem.removesuffix("e")]
            bases += [f"{stem[:-1]}y"] if stem.endswith("i") else []
            bases += [f"{stem[:-2]}y"] if stem.endswith("ie") else []
            yield from ((base, tag) for base in bases for tag in tags)


def _inner(text: str, places: Sequence[Place]) -> Changed:
    """The first two words of one kind in each other's place."""
    for (one, kind), (other, kind_of_other) in combinations(places, 2):
        if kind == kind_of_other and one[0] != other[0]:
            return _swapped(text, *sorted((one, other), key=lambda place: place.start()))
    return None


def _swapped(text: str, first: re.Match[str], second: re.Match[str]) -> str:
    between = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def _put(text: str, place: re.Match[str], new: str) -> str:
    """`new` in this place, with a capital letter where a text begins with it."""
    if place.start() == 0:
        new = new[:1].upper() + new[1:]
    return text[: place.start()] + new + text[place.end() :]


def _table(lines: Sequence[tuple[str, str]]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b(?:{pattern})\b"), new) for pattern, new in lines)


_READ = yaml.safe_load(Path(__file__).with_name("rough.yaml").read_text("utf-8"))
_EXCHANGED, _ADDED = _table(_READ["exchanged"]), _table(_READ["added"])
