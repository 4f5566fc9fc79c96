"""Words of two sentences that exclude each other: opposites, duties and permissions, denials, names in the same place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from guardrail.check.text.compare.amounts import DENIERS, Text, beside, is_value
from guardrail.check.text.compare.items import Item
from guardrail.check.text.compare.opposites import exclusive, has_opposite
from guardrail.check.text.compare.phrases import AUXILIARIES, EMPTY, Phrase, names
from guardrail.check.text.compare.stems import in_some_form, like_stems, stems
from guardrail.language.lists import word_list
from guardrail.language.stems import light_stem
from guardrail.rules import rule
from guardrail.values.demonyms import DEMONYMS

__all__ = ["denied", "known_by", "opposed", "renamed"]

_DENIALS = DENIERS | frozenset(
    "none nothing nobody nowhere hardly barely few little rather instead fail fails failed".split()
)
# Followed by "to" they deny what comes next: "failed to qualify".
_FAILING = frozenset(
    "fail fails failed failing refuse refuses refused decline declines declined neglect neglects neglected omit omits omitted".split()
)
# What makes a denial, a duty or a permission hold for a part of the cases only.
_LIMITING = frozenset("unless except only until".split())
_PARTLY = frozenset(
    "only just all every each always necessarily longer more less fewer yet merely both later earlier sooner other".split()
)
# Words that say otherwise where they stand between, or before, the same words.
_PLACED = (frozenset("& or".split()), frozenset("must may".split()), frozenset("must can".split()))
_SHARES = (
    frozenset("all most some few no".split()),
    frozenset("every some no".split()),
    frozenset("both one neither".split()),
)
_RATE = frozenset("per each every".split())
_CONTRASTED = frozenset().union(*_PLACED, *_SHARES)

_BEING = word_list("be")


def known_by(name: Text, stems: frozenset[str]) -> bool:
    """Whether a name stands there: each of its words in some form, or the last one, as people are called."""
    words = [light_stem(item.key) for item in name if item.key not in EMPTY]
    found = [
        any(like_stems(word, one) or word in _country(one) or one in _country(word) for one in stems)
        for word in words
    ]
    return all(found) or (len(found) > 1 and found[-1])


@lru_cache(maxsize=4096)
def _country(word: str) -> frozenset[str]:
    label = DEMONYMS.get(word, ("", ""))[1]
    return frozenset(light_stem(part) for part in label.casefold().split())


@rule("names-replaced")
def renamed(ours: Text, theirs: Text, known: frozenset[str] = frozenset()) -> Iterator[tuple[int, int]]:
    """Names in the same place, behind or before the same word, of which the sentence has only the other one.

    `known`: stems of words that are written as names elsewhere: a single word that begins a sentence is one only if it is there.
    """
    mine, other = _unlike(ours, theirs, known), _unlike(theirs, ours, known)
    for one in mine:
        for there in other:
            if _same_place(ours, one, theirs, there):
                yield one.start, there.start


def _unlike(text: Text, other: Text, known: frozenset[str]) -> list[Phrase]:
    """The names of `text` that `other` does not have."""
    held = stems(other)
    return [
        name
        for name in names(text)
        if (name.start or name.end - name.start > 1 or light_stem(text[0].key) in known)
        and not known_by(text[name.start : name.end], held)
    ]


def _same_place(ours: Text, one: Phrase, theirs: Text, there: Phrase) -> bool:
    agent = _done_by(ours, one)
    if agent or _done_by(theirs, there):
        return agent == _done_by(theirs, there)
    return _behind_alike(ours, one, theirs, there) or _before_alike(ours, one, theirs, there)


def _done_by(text: Text, name: Phrase) -> frozenset[str]:
    """The stem of the word for what a name did: "designed by Ann" and "Ann designed". Empty where it did nothing."""
    if name.start > 1 and text[name.start - 1].key == "by":
        verb = text[name.start - 2]
        return frozenset() if verb.key in EMPTY or verb.after else frozenset([light_stem(verb.key)])
    if name.end == len(text) or text[name.end].key in _BEING or not _joined(text, name.end):
        return frozenset()
    return _next(text, name.end - 1)


def _behind_alike(ours: Text, one: Phrase, theirs: Text, there: Phrase) -> bool:
    """Behind the same word: single names alone, for what a longer one belongs to may differ."""
    if not (one.start and there.start) or one.end - one.start > 1 or there.end - there.start > 1:
        return False
    return ours[one.start - 1].key == theirs[there.start - 1].key and not ours[one.start - 1].after


def _before_alike(ours: Text, one: Phrase, theirs: Text, there: Phrase) -> bool:
    """Before the same word that says something: both did it."""
    mine, known = (_next(text, name.end - 1) for text, name in ((ours, one), (theirs, there)))
    close = all(_joined(text, name.end) for text, name in ((ours, one), (theirs, there)))
    return close and bool(mine) and mine == known


def _joined(text: Text, at: int) -> bool:
    """Whether nothing but auxiliaries stands between a name and the word that says what it did."""
    while at < len(text) and text[at].key in AUXILIARIES:
        at += 1
    return at < len(text) and text[at].key not in EMPTY and not text[at - 1].after


@rule("opposites")
def opposed(ours: Text, theirs: Text) -> Iterator[tuple[int, int]]:
    """Words of which the claim has one and the sentence the other, in the same place."""
    for at in _opposable(ours):
        for there in _opposable(theirs):
            if _excluding(ours, at, theirs, there):
                yield at, there


def _excluding(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether two words say otherwise in the same place, or exclude each other where neither side has both."""
    mine, other = ours[at], theirs[there]
    pair = {_word(mine), _word(other)}
    if len(pair) == 1 or "" in pair:
        return False
    if any(pair <= words for words in _PLACED):
        return _placed_alike(ours, at, theirs, there)
    both = in_some_form(light_stem(other.key), stems(ours)) or in_some_form(
        light_stem(mine.key), stems(theirs)
    )
    if both or _one_denies(ours, theirs):  # what is not allowed is prohibited
        return False
    return _opposite(ours, at, theirs, there)


def _placed_alike(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether two words stand between the same words, and no limit or denial makes one of what they say."""
    said = {item.key for item in (*ours, *theirs)}
    return said.isdisjoint(_DENIALS | _LIMITING) and _between(ours, at, theirs, there)


@lru_cache(maxsize=4096)
def _opposable(text: Text) -> tuple[int, ...]:
    """The few words that another one may be opposed to."""
    return tuple(
        at
        for at, item in enumerate(text)
        if not _CONTRASTED.isdisjoint((item.key, _word(item))) or has_opposite(_word(item))
    )


def _opposite(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether two words exclude each other: shares before the same word, or antonyms."""
    if _bounding(ours, at) or _bounding(theirs, there):
        return False
    item, other = ours[at], theirs[there]
    if any({item.key, other.key} <= words for words in _SHARES):
        return bool(_next(ours, at) & _next(theirs, there))
    kind = exclusive(_word(item), _word(other))
    if kind == "period":
        return _repeated(ours, at) and _repeated(theirs, there)
    return kind is not None and _meaning(item) and _meaning(other)


def _repeated(text: Text, at: int) -> bool:
    """Whether a word says how often: "monthly", "per month", "£48 a month"."""
    word, before = text[at].key, text[at - 1] if at else None
    rate = before is not None and not before.after and (before.key in _RATE or is_value(before))
    return rate or word.endswith("ly") or word == "annual"


def _word(item: Item) -> str:
    """The word, also of an ordinal such as "first"; "" of another value."""
    if item.value is None:
        return item.key
    return item.text.casefold() if item.text.isalpha() else ""


def _between(ours: Text, at: int, theirs: Text, there: int) -> bool:
    """Whether two words stand between the same words."""
    return beside(ours, at) == beside(theirs, there) != frozenset() or (
        ours[at].key in AUXILIARIES and bool(_next(ours, at) & _next(theirs, there))
    )


def _next(text: Text, at: int) -> frozenset[str]:
    """The stem of the first word behind that says something."""
    return frozenset([light_stem(item.key) for item in text[at + 1 :] if item.key not in EMPTY][:1])


def _bounding(text: Text, at: int) -> bool:
    """Whether the word belongs to the bound of a value: "less than six", "at least two"."""
    behind = text[at + 2].value if at + 2 < len(text) and text[at + 1].key == "than" else None
    return (behind is not None and behind.modifier != "") or (
        at > 0 and (text[at - 1].key, text[at].key) in (("at", "least"), ("at", "most"))
    )


def _meaning(item: Item) -> bool:
    """Whether the word is what it looks like: "may" is no month."""
    return item.key not in ("may", "march") or item.text[:1].isupper()


@rule("denials")
def denied(ours: Text, theirs: Text) -> Iterator[tuple[int, int]]:
    """A word that one side denies and the other affirms."""
    if not _one_denies(ours, theirs):
        return
    mine, known = _deniables(ours), _deniables(theirs)
    for denying, affirmed in ((mine, known), (known, mine)):
        for word, places in denying.items():
            like = [other for other in affirmed if like_stems(word, other)]
            if not places[0] or places[1] or not like or any(affirmed[other][0] for other in like):
                continue
            first, second = places[0][0], affirmed[like[0]][1][0]
            yield (first, second) if denying is mine else (second, first)


def _one_denies(ours: Text, theirs: Text) -> bool:
    """Whether one side has a denial and the other none, nor a limit: "nobody may enter without goggles" has two and denies nothing."""
    said = [{item.key for item in text} for text in (ours, theirs)]
    counts = sorted(len(_DENIALS & words) for words in said)
    return counts == [0, 1] and not any(_LIMITING & words for words in said)


def _deniables(text: Text) -> dict[str, tuple[list[int], list[int]]]:
    """For each word that says something the places where it is what a denial denies, and those where it is not."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    open_ = False
    for at, item in enumerate(text):
        if (denies := _denies(text, at)) is not None:
            open_ = denies
        elif item.key not in EMPTY and not is_value(item):
            found.setdefault(light_stem(item.key), ([], []))[0 if open_ else 1].append(at)
            open_ = False
    return found


def _denies(text: Text, at: int) -> bool | None:
    """Whether the word denies what comes next; None of one that is no denial."""
    following = text[at + 1].key if at + 1 < len(text) else ""
    if text[at].key in DENIERS and (not at or text[at - 1].key != "or"):
        return following not in _PARTLY
    return True if text[at].key in _FAILING and following == "to" else None
