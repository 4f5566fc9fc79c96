"""The words of English, as its treebanks have them (guardrail/data/vocabulary.txt, written by `python -m eval.train.wordlist`).

A word is there in small letters; one that is a name four times out of five ("Paris", "Monday") with a capital.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["VOCABULARY", "common_word", "listed_word", "listed_words"]

VOCABULARY = Path(__file__).parent.parent / "data" / "vocabulary.txt"


def listed_word(word: str) -> bool:
    """Whether the treebanks have a word, given in small letters, be it as a name."""
    return word in listed_words()


def common_word(word: str) -> bool:
    """Whether the treebanks have a word, given in small letters, as anything but a name."""
    return word in _entries()


@cache
def listed_words() -> frozenset[str]:
    """All words, in small letters."""
    return frozenset(word.lower() for word in _entries())


@cache
def _entries() -> frozenset[str]:
    lines = VOCABULARY.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
