"""Whether a person's name is a man's or a woman's, by the title before it or the first name (data/first_names.txt)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from guardrail.language.lists import word_list

__all__ = ["gender"]

_FILE = Path(__file__).parents[2] / "data" / "first_names.txt"


def gender(name: str) -> str:
    """For a man's name "m", for a woman's "f"; "" where it does not tell."""
    words = name.replace(".", " ").split()
    for at, word in enumerate(words):
        titled = (
            _title(word) if at + 1 < len(words) else ""
        )  # a title alone may be the name of anything: "Queen"
        if told := _genders().get(word) or titled:
            return told
        if word.lower() not in word_list("titles"):
            return ""
    return ""


def _title(word: str) -> str:
    low = word.lower()
    return "m" if low in word_list("men's titles") else "f" if low in word_list("women's titles") else ""


@cache
def _genders() -> dict[str, str]:
    found: dict[str, str] = {}
    of = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            of = {"# men": "m", "# women": "f"}.get(line.strip(), "")
        elif of:
            found |= dict.fromkeys(line.split(), of)
    return found
