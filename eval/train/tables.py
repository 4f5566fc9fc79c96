"""Small tables of facts with sentences about them, written for this: pairs for checking claims against a user's own graph by meaning.

Unlike cards (`cards.py`) nothing is drawn: a sentence may join several facts, compare or count things, and name them as people do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.datasets.files import json_lines
from eval.train.example import Example
from eval.train.labelled import BITS_BY_NAME, aside
from guardrail.check.nli.premises import lines
from guardrail.models.embed import Embedder

__all__ = ["Table", "kept_aside", "table_pairs", "tables"]

HERE = Path(__file__).parent
_ROWS = (8, 14)  # of a premise, the nearest ones to the sentence

Row = tuple[str, str, str]
"""A thing, a property and its value."""


@dataclass(frozen=True, slots=True)
class Table:
    """`sentences`: texts with their labels as bits, in order."""

    id: str
    rows: tuple[Row, ...]
    sentences: tuple[tuple[str, int], ...]

    @property
    def of_contrasts(self) -> bool:
        """Whether its sentences say what a fact says, and differ in one respect: more is said, or something else."""
        return self.id.startswith("w")


def tables(folder: str = "table_sentences") -> list[Table]:
    """All of a folder. Raises KeyError for a line without one of its fields or with an unknown label."""
    return [
        Table(
            row["id"],
            tuple((thing, name, value) for thing, name, value in row["facts"]),
            tuple((one["text"], BITS_BY_NAME[one["label"]]) for one in row["sentences"]),
        )
        for path in sorted((HERE / folder).glob("*.jsonl"))
        for row in json_lines(path)
    ]


def kept_aside(one: Table) -> bool:
    """Whether the model may not learn from it."""
    return aside(one.id)


def table_pairs(
    found: Sequence[Table], rng: random.Random, embedder: Embedder, *, rows: tuple[int, int] = _ROWS
) -> Iterator[Example]:
    """Each sentence beside the rows of its table that are nearest to it in meaning, the nearest first: the least and the most `rows`."""
    for one in found:
        likeness = embedder.similarities(
            [text for text, _ in one.sentences], [": ".join(row) for row in one.rows]
        )
        for (text, label), row in zip(one.sentences, likeness, strict=True):
            near = (-row).argsort()[: rng.randint(*rows)]
            yield Example(lines(one.rows[at] for at in near), text, label, "tables", one.id)
