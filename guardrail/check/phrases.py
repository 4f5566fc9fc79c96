"""Names and values of a sentence as phrases that fill a place in it: found by their letters, without any graph.

A name is a run of capitalised words ("Bank of England" is one). Phrases are compared by their words: two that share one may be
the same ("Fraser" and "Malcolm Fraser"), two values are the same unless they exclude each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from guardrail.check.names import like_words
from guardrail.check.wording import Item, items
from guardrail.segment import segment
from guardrail.values import compare

__all__ = [
    "AUXILIARIES",
    "DETERMINERS",
    "EMPTY",
    "PREPOSITIONS",
    "TIMES",
    "Phrase",
    "content",
    "grouped",
    "like_stems",
    "names",
    "phrases",
    "plain",
    "read",
    "same",
    "sentences_of",
    "stem",
    "words_of",
]

PREPOSITIONS = frozenset(
    "in on at by from to of with for into onto through over under against between among during after before since until as"
    " near via about around behind beside off across toward towards within without upon than like".split()
)
AUXILIARIES = frozenset(
    "is are was were be been being am has have had do does did will would can could may might must shall should not"
    " never".split()
)
DETERMINERS = frozenset(
    "a an the his her its their my our your this that these those some any each every all both another other & or also then"
    " later first".split()
)
_PRONOUNS = frozenset("he she it they him them who whom which whose what where when while".split())
EMPTY = (
    PREPOSITIONS
    | AUXILIARIES
    | DETERMINERS
    | _PRONOUNS
    | frozenset("but so if because although though there here how why".split())
)
TIMES = frozenset(
    "january february march april may june july august september october november december"
    " monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter".split()
)
# "Born in Bonn, Ida moved …" begins with no name.
_PARTICIPLES = frozenset(
    "born built made won written led held sold shot known found given taken sung run set put".split()
)
_GLUED = re.compile(r"(?<=[a-z)\]])\.(?=[A-Z])")  # "… of Ohio.Columbus is": a full stop without its space
_POINT = re.compile(r"(?<=\d)·(?=\d)")
_BRACKET = re.compile(r"-([LR])[RS]B-")  # as treebanks write brackets
_SUFFIX = re.compile(r"['’]s?$")
_JOINING = ("", ".", "-", "–", '"')  # the marks that may stand within a name
_ALIKE = 4  # letters that two forms of a word have in common at least


@dataclass(frozen=True, slots=True, order=True)
class Phrase:
    """The items `start` to `end` of a sentence; `kind`: "name", "date" or "quantity"."""

    start: int
    end: int
    kind: str


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[Item, ...]:
    """The items of `text` as it is usually written."""
    return items(_set_apart(text))


@lru_cache(maxsize=1024)
def sentences_of(text: str) -> tuple[str, ...]:
    return tuple(sentence.text for sentence in segment(_set_apart(text)))


def _set_apart(text: str) -> str:
    """Sentences that were glued together, treebanks' brackets and a raised decimal point, as they are usually written."""
    text = _POINT.sub(".", text)
    return _BRACKET.sub(lambda match: "(" if match[1] == "L" else ")", _GLUED.sub(". ", text))


def stem(key: str) -> str:
    """The word without a possessive or a plural ending."""
    bare = _SUFFIX.sub("", key)
    if bare.endswith("ies") and len(bare) > 4:
        return f"{bare[:-3]}y"
    return bare[:-1] if bare.endswith("s") and len(bare) > 3 else bare


def like_stems(left: str, right: str) -> bool:
    """Whether two stems may be forms of one word: "Mexico" and "Mexican", not "Austria" and "Australia"."""
    if left == right:
        return True
    short = min(len(left), len(right))
    shared = max(_ALIKE, short - 1)
    return short >= _ALIKE and abs(len(left) - len(right)) <= _ALIKE and left[:shared] == right[:shared]


def plain(item: Item) -> bool:
    """A word that says something, no value."""
    return item.value is None and item.key not in EMPTY


def content(item: Item) -> bool:
    """A word that says something and names nothing."""
    return plain(item) and (item.text[:1].islower() or item.key in _PARTICIPLES)


def _capital(item: Item) -> bool:
    return plain(item) and item.text[:1].isupper() and item.key not in _PARTICIPLES and item.key not in TIMES


@lru_cache(maxsize=4096)
def names(text: tuple[Item, ...]) -> tuple[Phrase, ...]:
    """The names in order; what merely begins the sentence is taken for one, too."""
    found: list[Phrase] = []
    at = 0
    while at < len(text):
        if not _capital(text[at]):
            at += 1
            continue
        end = at + 1
        while end < len(text) and text[end - 1].after in _JOINING:
            if _capital(text[end]):
                end += 1
            elif text[end].key == "of" and end + 1 < len(text) and _capital(text[end + 1]):
                end += 2
            else:
                break
        found.append(Phrase(at, end, "name"))
        at = end
    return tuple(found)


@lru_cache(maxsize=4096)
def phrases(text: tuple[Item, ...]) -> tuple[Phrase, ...]:
    """Names and values in order."""
    values = (
        Phrase(at, at + 1, item.value.value.datatype)
        for at, item in enumerate(text)
        if item.value is not None and item.value.value is not None
    )
    return tuple(sorted((*names(text), *values)))


def words_of(text: tuple[Item, ...], phrase: Phrase) -> str:
    return " ".join(item.text for item in text[phrase.start : phrase.end])


def grouped(text: tuple[Item, ...], phrase: Phrase) -> tuple[Phrase, ...]:
    """The list that the phrase is a member of: "Ulm, Bonn and Kiel"."""
    all_ = phrases(text)
    first = last = all_.index(phrase)
    while first > 0 and _listed(text, all_[first - 1], all_[first]):
        first -= 1
    while last + 1 < len(all_) and _listed(text, all_[last], all_[last + 1]):
        last += 1
    return all_[first : last + 1]


def _listed(text: tuple[Item, ...], left: Phrase, right: Phrase) -> bool:
    gap = text[left.end : right.start]
    if left.kind != right.kind or any(item.key not in DETERMINERS for item in gap):
        return False
    return text[left.end - 1].after[:1] == "," or any(item.key in ("&", "or") for item in gap)


def same(ours: tuple[Item, ...], one: Phrase, theirs: tuple[Item, ...], other: Phrase) -> bool | None:
    """Whether two phrases may stand for one thing; None where they are not of a kind."""
    if one.kind != other.kind:
        return None
    if one.kind == "name":
        left, right = _stems(ours, one), _stems(theirs, other)
        shared = any(like_stems(a, b) for a in left for b in right)
        return shared or like_words(_bare(ours, one), _bare(theirs, other)) != "other"
    left_, right_ = ours[one.start], theirs[other.start]
    if left_.key == right_.key:
        return True
    if left_.value is None or right_.value is None or left_.value.value is None or right_.value.value is None:
        return None
    if one.kind == "quantity" and left_.value.value.unit != right_.value.value.unit:
        return None
    return compare(left_.value.value, right_.value.value, modifier=left_.value.modifier) != "conflict"


def _bare(text: tuple[Item, ...], phrase: Phrase) -> str:
    return " ".join(_SUFFIX.sub("", item.text) for item in text[phrase.start : phrase.end])


def _stems(text: tuple[Item, ...], phrase: Phrase) -> list[str]:
    return [stem(item.key) for item in text[phrase.start : phrase.end] if item.key not in EMPTY]
