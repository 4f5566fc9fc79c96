"""Words of which a thing is only one: an otherwise equal sentence with another of them says otherwise (data/opposites.yaml)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import yaml

__all__ = ["Kind", "exclusive", "has_opposite"]

Kind = Literal["time", "period", "other"]

_FILE = Path(__file__).parents[3] / "data" / "opposites.yaml"
_Places = dict[str, dict[int, int]]


def _read() -> tuple[tuple[Kind, ...], _Places]:
    """The kind of each line, and for each word the lines that it stands in and its place there, which words of one meaning share."""
    table = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    lines = [(kind, line.split()) for kind in get_args(Kind) for line in table[kind]]
    places: _Places = {}
    for number, (_, meanings) in enumerate(lines):
        for place, words in enumerate(meanings):
            for word in words.split("|"):
                places.setdefault(word, {})[number] = place
    return tuple(kind for kind, _ in lines), places


_KINDS, _PLACES = _read()


def has_opposite(word: str) -> bool:
    """Whether there is a word that excludes this one, in lower case."""
    return word in _PLACES


def exclusive(left: str, right: str) -> Kind | None:
    """What kind of opposites the two words are, in lower case: days and months ("time"), how often ("period"), or "other"; None where
    they may hold together.
    """
    mine, other = _PLACES.get(left, {}), _PLACES.get(right, {})
    both = [line for line, place in mine.items() if other.get(line, place) != place]
    return _KINDS[min(both)] if both else None
