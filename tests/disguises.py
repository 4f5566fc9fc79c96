"""Sentences and properties in every way of writing of `tests/data/disguises.yaml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "data" / "disguises.yaml").read_text("utf-8"))
NAME = re.compile(r"\b[A-Z][a-z]{3,}\b")


def statements() -> list[dict[str, str]]:
    """Each with its `text` and the `label` it has when it is written plainly."""
    return list(DATA["statements"])


def disguises() -> Iterator[tuple[str, Callable[[str], str]]]:
    """Every way to write a sentence: what it is called, and the sentence in it."""
    for name, put in DATA["inside"].items():
        yield f"{name} inside", lambda text, put=put: re.sub(r"(?<=\b\w{2})\B(?=\w{3})", put, text)
    for name, put in DATA["behind"].items():
        yield f"{name} behind", lambda text, put=put: re.sub(r"(?<=[A-Za-z])", put, text)
    for name, table in DATA["letters"].items():
        yield name, lambda text, table=table: text.translate(str.maketrans(table))
    for name, (capital, small) in DATA["alphabets"].items():
        yield name, lambda text, capital=capital, small=small: _in_alphabet(text, capital, small)
    for name, (left, right) in DATA["part"].items():
        yield (
            name,
            lambda text, left=left, right=right: NAME.sub(
                lambda found: f"{left}{found[0][:3]}{right}{found[0][3:]}", text
            ),
        )
    for name, (left, right) in DATA["word"].items():
        yield (
            f"{name} around names",
            lambda text, left=left, right=right: NAME.sub(lambda found: f"{left}{found[0]}{right}", text),
        )
    for name, template in DATA["whole"].items():
        yield name, lambda text, template=template: template.format(text)
    yield "capitals", str.upper
    yield "small letters", str.lower
    yield "small letters without a full stop", lambda text: text.lower().rstrip(".")
    yield "small letters behind others", lambda text: f"this is so. {text.lower()}"
    yield "a capital for each word", lambda text: re.sub(r"\b[a-z]", lambda one: one[0].upper(), text)
    yield "right to left override", lambda text: NAME.sub(lambda found: f"\u202e{found[0][::-1]}\u202c", text)
    yield "a wrapped line", lambda text: _wrapped(text, "\n")
    yield "a wrapped quotation", lambda text: "> " + _wrapped(text, "\n> ")
    yield "a wrapped comment", lambda text: "```python\n# " + _wrapped(text, "\n# ") + "\nx = 1\n```"


def listings() -> Iterator[tuple[str, str, str]]:
    """Every property in every way of writing: what the way is called, the text, the label."""
    for name, template in DATA["listed"].items():
        for one in DATA["properties"]:
            words = {key: str(value) for key, value in one.items()}
            words |= {
                key.capitalize(): value.capitalize()
                for key, value in words.items()
                if key in ("kind", "property")
            }
            yield name, template.format(**words, tag=words["property"].replace(" ", "_")), words["label"]


def _in_alphabet(text: str, capital: int, small: int) -> str:
    def letter(one: str) -> str:
        base = capital - ord("A") if one.isupper() else small - ord("a")
        return chr(ord(one) + base) if one.isascii() and one.isalpha() else one

    return "".join(map(letter, text))


def _wrapped(text: str, between: str) -> str:
    middle = text.index(" ", len(text) // 2)
    return text[:middle] + between + text[middle + 1 :]
