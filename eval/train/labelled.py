"""Sentences that people labelled by the passages they stand beside: answers, sentences altered in one place, and twins.

Three folders, each with its README: `answers` (whole answers with references), `altered_sentences` and `twin_sentences` (a passage
with sentences that are an answer each).
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.datasets.files import json_lines
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from eval.train.written import LONGEST, SHORT, SURROUNDED, nearest
from guardrail.segment import sentences
from guardrail.types import Passage, Source

__all__ = ["BITS_BY_NAME", "Labelled", "aside", "kept_aside", "labelled", "pairs", "short_pairs"]

HERE = Path(__file__).parent
BITS_BY_NAME = {"attributable": ATTRIBUTABLE, "contradictory": CONTRADICTORY, "extrapolatory": EXTRAPOLATORY}
_KEPT_ASIDE = 15  # of a hundred passages with twins
_TITLED = 0.3  # share of the pairs whose passage has its title before it


@dataclass(frozen=True, slots=True)
class Labelled:
    """`kind`: "plain", "paraphrased", "listed" or "swapped" of answers, else the folder. `sentences`: texts with their labels as bits, in order; 0 for
    one that asserts nothing. `together`: they are one answer. `lines`: this answer, where its sentences stand in lists and tables.
    """

    id: str
    kind: str
    question: str
    passages: tuple[Passage, ...]
    sentences: tuple[tuple[str, int], ...]
    together: bool
    lines: str = ""

    @property
    def answer(self) -> str:
        """The text that the sentences stand in."""
        return self.lines or " ".join(text for text, _ in self.sentences)


def labelled(folder: str) -> list[Labelled]:
    """All of a folder. Raises KeyError for a line without one of its fields."""
    return [
        _read(row, folder) for path in sorted((HERE / folder).glob("*.jsonl")) for row in json_lines(path)
    ]


def _read(row: dict[str, Any], folder: str) -> Labelled:
    given = row["references"] if "references" in row else [{"title": row["title"], "text": row["passage"]}]
    return Labelled(
        row["id"],
        row.get("kind", folder),
        row["question"],
        tuple(Passage(f"p{at}", one["text"], Source.REQUEST, one["title"]) for at, one in enumerate(given)),
        tuple((one["text"], BITS_BY_NAME.get(one["label"], 0)) for one in row["sentences"]),
        "references" in row and row["kind"] != "swapped",  # these contradict each other
        row.get("answer", ""),
    )


def kept_aside(one: Labelled) -> bool:
    """Whether the model may not learn from it: what it has learnt is measured on these."""
    return aside(one.id)


def aside(id_: str) -> bool:
    """Whether what has this id is kept aside: the same ones in every run."""
    return zlib.crc32(id_.encode()) % 100 < _KEPT_ASIDE


def pairs(found: Sequence[Labelled], rng: random.Random) -> Iterator[Example]:
    """Each sentence beside its whole passage, some with a title or another passage before it."""
    for one in found:
        for text, label in one.sentences:
            own = one.passages[0]
            head = f"{own.title}\n" if rng.random() < _TITLED else ""
            other = f"{rng.choice(found).passages[0].text}\n" if rng.random() < SURROUNDED else ""
            premise = f"{other}{head}{own.text}"
            yield Example(premise if len(premise) <= LONGEST else own.text, text, label, "twins", one.id)


def short_pairs(found: Sequence[Labelled], rng: random.Random) -> Iterator[Example]:
    """Each sentence beside the sentences of its passage that are nearest to it."""
    for one in found:
        said = [part.text for part in sentences(one.passages[0].text)]
        for text, label in one.sentences:
            yield Example(nearest(said, text, rng.randint(*SHORT)), text, label, "twins", one.id)
