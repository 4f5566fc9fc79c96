"""Words by their stems: which of them say something, and whether a text has a word in some form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from guardrail.check.text.compare.items import Item
from guardrail.language.stems import light_stem

__all__ = ["in_some_form", "like_stems", "stems"]

_ALIKE = 4  # letters that two forms of a word have in common at least


def like_stems(left: str, right: str) -> bool:
    """Whether two stems may be forms of one word: "Mexico" and "Mexican", not "Austria" and "Australia"."""
    if left[:_ALIKE] != right[:_ALIKE] or left == right:
        return left == right
    short = min(len(left), len(right))
    shared = max(_ALIKE, short - 1)
    return short >= _ALIKE and abs(len(left) - len(right)) <= _ALIKE and left[:shared] == right[:shared]


def in_some_form(word: str, held: frozenset[str]) -> bool:
    """Whether one of the stems may be of the same word."""
    return word in held or any(like_stems(word, one) for one in _by_beginning(held).get(word[:_ALIKE], ()))


@lru_cache(maxsize=1024)
def _by_beginning(held: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """The stems that could be forms of one word."""
    found: dict[str, list[str]] = {}
    for one in held:
        found.setdefault(one[:_ALIKE], []).append(one)
    return found


@lru_cache(maxsize=4096)
def stems(text: tuple[Item, ...]) -> frozenset[str]:
    """The stems of all words and the keys of all values."""
    return frozenset(light_stem(item.key) for item in text)
