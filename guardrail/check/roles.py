"""Does a sentence give a phrase of the claim's another part to play: "Fraser defeated Whitlam" by "Whitlam defeated Fraser"?

A small model reads words and hardly their order. Here the place of a phrase is told by what governs it: the word before it
("defeated", "bassist") and the preposition between them ("born in"), or the verb behind it. Where the sentence fills that place,
and only with what is something else, it does not say what the claim says. Nothing is refuted by this: there may be two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from guardrail.check.phrases import (
    AUXILIARIES,
    DETERMINERS,
    EMPTY,
    PREPOSITIONS,
    Phrase,
    content,
    grouped,
    phrases,
    plain,
    read,
    same,
    words_of,
)
from guardrail.check.wording import Item

__all__ = ["Misplaced", "misplaced"]

_Text = tuple[Item, ...]
_PLACING = frozenset(
    {"in", "on", "at", "within", "near", "into", "onto"}
)  # one for another, "in Kiel", "at Kiel"
_ENDS = (PREPOSITIONS | AUXILIARIES | EMPTY) - DETERMINERS  # what no phrase goes on behind
_BE = frozenset("is are was were be been being".split())
_VERB = re.compile(r"(?:ed|en|ing)$")
_LATER = frozenset({"also", "then", "later", "first"})
_PASSIVE = frozenset(
    "born built made won written led held sold shot known found given taken sung run set put".split()
)
_ACTIVE = re.compile(
    r"s$|^(?:won|left|met|beat|made|took|gave|wrote|sang|fell|rose|became|began|kept|lost|ran|said|sent|spent|told|wore|drew|"
    r"flew|got|grew|knew|paid|saw|bought|brought|caught|taught|fought|chose|broke|spoke|stole|struck|joined)$"
)
_REACH = 13  # items behind a word in which its preposition is looked for
_BACK = 5  # items before a preposition in which the word that governs it is looked for
_LENGTH = 6  # items of a phrase that are read


@dataclass(frozen=True, slots=True)
class Misplaced:
    """`claimed`: words of the claim; `known`: what the evidence has in their place."""

    claimed: str
    known: str


def misplaced(claim: str, sentences: Sequence[str]) -> Misplaced | None:
    """The first phrase of `claim` whose place the sentences give to something else; None where there is none."""
    ours = read(claim)
    texts = [read(sentence) for sentence in sentences]
    for find in (_governed, _subject, _both, _modifier):
        if (found := find(ours, texts)) is not None:
            return found
    return None


# ── what governs a phrase ─────────────────────────────────────────────────────────────────────────────


def _governed(ours: _Text, texts: Sequence[_Text]) -> Misplaced | None:
    for phrase in phrases(ours):
        governor = _governor(ours, phrase)
        if governor is None or phrase.kind == "quantity" or _possessive(ours, phrase):
            continue
        mates = _one_place(ours, phrase)
        others = [(text, other) for text in texts for other in _fillers(text, *governor, phrase.kind)]
        states = [_any_same(ours, mates, text, other) for text, other in others]
        if False in states and True not in states:
            text, other = others[states.index(False)]
            return Misplaced(words_of(ours, phrase), words_of(text, other))
    return None


def _possessive(text: _Text, phrase: Phrase) -> bool:
    """Whether the phrase only says whose: "for Holm's poem"."""
    last = text[phrase.end - 1]
    return last.text.endswith(("'s", "’s")) or last.after[:1] in ("'", "’")


def _one_place(text: _Text, phrase: Phrase) -> Sequence[Phrase]:
    """The phrase with those that say the same more closely: "Kiel, Germany". A list with "and" names several."""
    group = grouped(text, phrase)
    several = any(item.key in ("&", "or") for item in text[group[0].start : group[-1].end])
    return (phrase,) if several or phrase.kind != "name" else group


def _any_same(ours: _Text, mates: Sequence[Phrase], text: _Text, other: Phrase) -> bool | None:
    states = {same(ours, mate, text, other) for mate in mates}
    return True if True in states else False if False in states else None


def _governor(text: _Text, phrase: Phrase) -> tuple[str, str] | None:
    """The word that governs a phrase, or the list that it is in, and the preposition between them, if any."""
    at = grouped(text, phrase)[0].start - 1
    while at >= 0 and (text[at].key in DETERMINERS or text[at].value is not None):
        at -= 1
    if at < 0:
        return None
    if text[at].key not in PREPOSITIONS:
        return (text[at].key, "") if content(text[at]) and not text[at].after else None
    back = at - 1
    while back >= 0 and not content(text[back]) and at - back <= _BACK:
        back -= 1
    return (text[back].key, text[at].key) if back >= 0 and content(text[back]) else None


def _fillers(text: _Text, word: str, preposition: str, kind: str) -> Iterator[Phrase]:
    """What the text has in the place that `word` and `preposition` govern."""
    for at, item in enumerate(text):
        if item.key != word:
            continue
        if preposition:
            yield from (one for one in phrases(text) if one.start == at + 1 and one.kind == kind == "date")
            yield from _behind_preposition(text, at, preposition, kind)
        elif not item.after:
            begin = at + 1
            while begin < len(text) and (text[begin].key in DETERMINERS or text[begin].value is not None):
                begin += 1
            begin += begin < len(text) and text[begin].key == "of"
            yield from _members(text, begin, kind)


def _behind_preposition(text: _Text, at: int, preposition: str, kind: str) -> Iterator[Phrase]:
    wanted = _PLACING if preposition in _PLACING else {preposition}
    for place in range(at + 1, min(at + 1 + _REACH, len(text))):
        if text[place].key == text[at].key:
            return
        if text[place].key not in wanted:
            continue
        before = text[place - 1]
        if place - 1 != at and content(before) and _VERB.search(before.key):
            return  # another verb has the rest: "rejected by Chile and accepted by Peru"
        yield from _members(text, place + 1, kind)


def _members(text: _Text, begin: int, kind: str) -> Iterator[Phrase]:
    """The phrases of that kind in the words from `begin` on, as far as these hang together, with the rest of their list."""
    at = begin
    while at < min(begin + _LENGTH, len(text)) and text[at].key not in _ENDS:
        if content(text[at]) and _VERB.search(text[at].key):
            return
        phrase = next((one for one in phrases(text) if one.start == at), None)
        if phrase is not None and phrase.kind == kind:
            yield from grouped(text, phrase)
        at = phrase.end if phrase is not None else at + 1
        if text[at - 1].after[:1] in (",", ";", ".", ":", "("):
            return


# ── who does it ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Doing:
    """A name before a verb. `at`: the verb's place."""

    who: Phrase
    verb: str
    passive: bool
    at: int


def _doings(text: _Text) -> list[_Doing]:
    found = []
    for phrase in phrases(text):
        at = phrase.end
        if phrase.kind != "name" or at >= len(text):
            continue
        if text[at].key in ("who", "which", "that"):
            at += 1
        elif text[at - 1].after:
            continue
        passive = False
        while at < len(text) and (
            text[at].key in AUXILIARIES or text[at].key in _LATER or text[at].key.endswith("ly")
        ):
            passive = passive or text[at].key in _BE
            at += 1
        if at >= len(text) or not content(text[at]):
            continue
        verb = text[at].key
        if verb.endswith("ed") or verb in _PASSIVE or (not passive and _ACTIVE.search(verb)):
            found.append(_Doing(phrase, verb, passive, at))
    return found


def _subject(ours: _Text, texts: Sequence[_Text]) -> Misplaced | None:
    """The verb is somebody else's."""
    for doing in _doings(ours):
        others = [
            (text, other)
            for text in texts
            for other in _doings(text)
            if (other.verb, other.passive) == (doing.verb, doing.passive)
        ]
        states = [same(ours, doing.who, text, other.who) for text, other in others]
        if False in states and True not in states:
            text, other = others[states.index(False)]
            return Misplaced(words_of(ours, doing.who), words_of(text, other.who))
    return None


def _both(ours: _Text, texts: Sequence[_Text]) -> Misplaced | None:
    """Two do it to two others: "Ida left Bonn and Mia left Kiel" does not say that Ida left Kiel."""
    for doing in _doings(ours):
        for phrase in phrases(ours):
            if doing.passive or _governor(ours, phrase) != (doing.verb, ""):
                continue
            pairs = [
                (text, other, list(_members(text, other.at + 1, phrase.kind)))
                for text in texts
                for other in _doings(text)
                if other.verb == doing.verb and not other.passive
            ]
            full = [pair for pair in pairs if pair[2]]
            mine = [pair for pair in full if same(ours, doing.who, pair[0], pair[1].who)]
            held = any(same(ours, phrase, text, one) for text, _, objects in mine for one in objects)
            if full and not held:
                text, _, objects = (mine or full)[0]
                return Misplaced(words_of(ours, phrase), words_of(text, objects[0]))
    return None


# ── what describes it ─────────────────────────────────────────────────────────────────────────────────


def _modifier(ours: _Text, texts: Sequence[_Text]) -> Misplaced | None:
    """Two words before nouns have changed places: "a Sorbian scholar of German origin" by "a German scholar of Sorbian origin"."""
    mine = _before(ours)
    said = {item.key for item in ours}
    for one, noun in pairwise(ours):
        if not plain(one) or not plain(noun) or one.after or _VERB.search(noun.key):
            continue
        swapped = ""
        for text in texts:
            theirs = _before(text)
            if noun.key not in theirs or one.key not in {item.key for item in text}:
                continue
            if one.key in theirs[noun.key]:
                swapped = ""
                break
            swapped = swapped or next(iter(sorted((theirs[noun.key] - mine[noun.key]) & said)), "")
        if swapped:
            return Misplaced(f"{one.text} {noun.text}", f"{swapped} {noun.text}")
    return None


def _before(text: _Text) -> dict[str, set[str]]:
    """For each word those that stand before it in its phrase."""
    found: dict[str, set[str]] = {}
    for at, item in enumerate(text):
        if not plain(item):
            continue
        back = at - 1
        words = found.setdefault(item.key, set())
        while back >= 0 and plain(text[back]) and not text[back].after:
            words.add(text[back].key)
            back -= 1
    return found
