"""Changes of one thing in a sentence, found on its parse, and what they do to its truth (see `altered.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eval.train.edits.base import Change, Place, apart, applied, openings
from eval.train.edits.force import modality, negation
from eval.train.edits.less import dropped, halves, shorter
from eval.train.edits.numbers import numbers
from eval.train.edits.order import cleft, order, sequence
from eval.train.edits.phrases import phrases
from eval.train.edits.roles import joined_nouns, roles, voice
from eval.train.edits.words import antonyms, attached, names, nouns, synonyms

__all__ = ["Change", "Place", "apart", "applied", "changes", "openings"]

_CHANGES: tuple[Callable[[Place], Iterator[Change]], ...] = (
    negation, modality, phrases, numbers, roles, joined_nouns, antonyms, nouns, names, attached, dropped, shorter, cleft, halves, order,
    sequence, voice, synonyms,
)  # fmt: skip


def changes(place: Place) -> list[Change]:
    """Every change that the sentence allows, in no order."""
    return [one for find in _CHANGES for one in find(place)]
