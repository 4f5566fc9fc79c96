"""Names in a sentence, found by their letters without any graph, and the words that say nothing by themselves.

A name is a run of capitalised words ("Bank of England" is one).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from guardrail.check.text.compare.items import Item, items
from guardrail.language.lists import word_list

__all__ = ["AUXILIARIES", "EMPTY", "PERSONAL_PRONOUNS", "Phrase", "names", "read", "words_of"]

_PREPOSITIONS = word_list("prepositions")
AUXILIARIES = word_list("auxiliaries") | {"not", "never"}
PERSONAL_PRONOUNS = word_list("personal pronouns")
"""Of the third person: what they stand for is named elsewhere."""
_DETERMINERS = frozenset(
    "a an the my our your this that these those some any each every all both another other & or also then"
    " later first".split()
)
_PRONOUNS = frozenset("i we you me us who whom which whose what where when while".split())
EMPTY = (
    _PREPOSITIONS
    | AUXILIARIES
    | _DETERMINERS
    | _PRONOUNS
    | PERSONAL_PRONOUNS
    | frozenset("but so if because although though there here how why".split())
)
_TIMES = word_list("weekdays") | word_list("months") | {"spring", "summer", "autumn", "fall", "winter"}
# "Born in Bonn, Ida moved …" begins with no name.
_PARTICIPLES = frozenset(
    "born built made won written led held sold shot known found given taken sung run set put".split()
)
_GLUED = re.compile(r"(?<=[a-z)\]])\.(?=[A-Z])")  # "… of Ohio.Columbus is": a full stop without its space
_POINT = re.compile(r"(?<=\d)·(?=\d)")
_BRACKET = re.compile(r"-([LR])[RS]B-")  # as treebanks write brackets
_JOINING = ("", ".", "-", "–", '"')  # the marks that may stand within a name


@dataclass(frozen=True, slots=True, order=True)
class Phrase:
    """The items `start` to `end` of a sentence."""

    start: int
    end: int


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[Item, ...]:
    """The items of `text` as it is usually written."""
    return items(_set_apart(text))


def _set_apart(text: str) -> str:
    """Sentences that were glued together, treebanks' brackets and a raised decimal point, as they are usually written."""
    text = _POINT.sub(".", text)
    return _BRACKET.sub(lambda match: "(" if match[1] == "L" else ")", _GLUED.sub(". ", text))


def _plain(item: Item) -> bool:
    """A word that says something, no value."""
    return item.value is None and item.key not in EMPTY


def _capital(item: Item) -> bool:
    return (
        _plain(item) and item.text[:1].isupper() and item.key not in _PARTICIPLES and item.key not in _TIMES
    )


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
        found.append(Phrase(at, end))
        at = end
    return tuple(found)


def words_of(text: tuple[Item, ...], phrase: Phrase) -> str:
    return " ".join(item.text for item in text[phrase.start : phrase.end])
