"""A word put for another: its antonym, another noun, another name, a word of the same meaning; and a phrase added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from eval.train.edits.base import Change, Place, made_false, made_open, made_same, stretch
from eval.train.example import UNSUPPORTED
from guardrail.language import Doc, Token

__all__ = ["antonyms", "attached", "names", "nouns", "synonyms", "within"]


def antonyms(place: Place) -> Iterator[Change]:
    """A verb, an adjective or an adverb with its antonym: false."""
    for token in place.doc.tokens:
        stays = token.low in _STAYING or token.dep in _FIXED or token.lemma in _LIGHT
        if token.tag in _ANTONYMS and not stays:
            for other in place.senses.antonyms(token.lemma.lower(), token.tag):
                yield made_false("antonym", (token.start, token.end, other))


_STAYING = frozenset(
    "not more most less least first last only no even such other own right well then there long far so as up down back out in off on little much about".split()
)


_LIGHT = frozenset(
    "be have do make get take go come give keep let say mean turn leave stand lie know see like own want may set run cover pass find lose miss hold follow point order walk full".split()
)


_FIXED = frozenset("aux aux:pass cop fixed compound flat mark cc".split())


_ANTONYMS = frozenset("JJ RB VB VBZ VBP VBD VBN JJR".split())


def nouns(place: Place) -> Iterator[Change]:
    """A noun with another of the passage, or with another thing of its kind: not supported."""
    own = {t.lemma.lower() for t in place.doc.tokens}
    others = (token for other in place.others for token in other.tokens if not within(other, token))
    elsewhere = [token for token in others if token.lemma.lower() not in own]
    for token in place.doc.tokens:
        if token.tag in ("NN", "NNS") and token.dep in _ROLES and not within(place.doc, token):
            yield from _renamed(place, token, elsewhere)


def _renamed(place: Place, token: Token, elsewhere: Sequence[Token]) -> Iterator[Change]:
    senses = place.senses
    alike = [t for t in elsewhere if t.tag == token.tag]
    near = [t.text for t in alike if senses.person(t.lemma) == senses.person(token.lemma)]
    if near:
        yield made_open("noun", (token.start, token.end, place.rng.choice(near)))
    if siblings := senses.siblings(token.lemma.lower(), token.tag):
        yield made_open("sibling", (token.start, token.end, place.rng.choice(siblings)))


_ROLES = frozenset("nsubj nsubj:pass obj obl nmod obl:agent ROOT conj".split())


def within(doc: Doc, token: Token) -> bool:
    """Whether a noun is part of a compound or a name."""
    return (
        token.dep in ("compound", "flat")
        or any(k.dep in ("compound", "flat") for k in doc.kids(token.at))
        or not token.text.isalpha()
    )


_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z'-]+(?: [A-Z][\w'-]+)*")


def names(place: Place) -> Iterator[Change]:
    """A name with another name of the passage: not supported."""
    others = sorted({n for doc in place.others for n in _NAME.findall(doc.text) if n not in place.text})
    for match in _NAME.finditer(place.text):
        fitting = [n for n in others if len(n.split()) == len(match[0].split())]
        if fitting:
            yield made_open("name", (*match.span(), place.rng.choice(fitting)))


def attached(place: Place) -> Iterator[Change]:
    """A phrase of another sentence at the end: not supported."""
    found = [
        other.text[slice(*stretch(other, other.first[t.at], other.last[t.at]))]
        for other in place.others
        for t in other.tokens
        if t.dep == "obl"
        and other.last[t.at] - other.first[t.at] in range(1, 7)
        and other.tokens[other.first[t.at]].tag == "IN"
    ]
    fitting = [one for one in found if one.lower() not in place.text.lower() and "," not in one]
    end = len(place.text.rstrip(" .!"))
    if fitting and place.text.rstrip().endswith("."):
        one = place.rng.choice(fitting)
        yield Change("attached", UNSUPPORTED, ((end, end, f" {one[:1].lower()}{one[1:]}"),), 0)


def synonyms(place: Place) -> Iterator[Change]:
    """A word of one sense with another word for it: the same."""
    for token in place.doc.tokens:
        plain = token.tag[:2] in ("NN", "VB", "JJ") and token.tag[:3] != "NNP"
        if plain and not within(place.doc, token):
            for other in place.senses.synonyms(token.lemma.lower(), token.tag):
                if other not in token.low:
                    yield made_same("synonym", (token.start, token.end, other))
