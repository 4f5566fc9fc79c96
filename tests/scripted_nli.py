"""A classifier that reads nothing, and claims and passages by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from guardrail.models.nli import Pair, Rows
from guardrail.models.settings import Thresholds
from guardrail.types import Claim, Evidence, Passage, Source, Span


class Scripted:
    """A classifier whose answer for a premise is written down by a word that it holds."""

    name = "scripted"
    window = 64
    specials = 3
    folder: Path | None = None

    def __init__(self, rows: Mapping[str, tuple[float, float, float]]) -> None:
        self._rows = rows
        self.asked: list[Pair] = []

    def thresholds(self, kind: str) -> Thresholds:
        return Thresholds(0.7, 0.8) if kind == "triplets" else Thresholds(0.6, 0.9)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        self.asked += pairs
        rows = [
            next((row for word, row in self._rows.items() if word in premise), (0.1, 0.8, 0.1))
            for premise, _ in pairs
        ]
        return np.array(rows, np.float32)


def claim(text: str = "Rome is old.", **more: object) -> Claim:
    return Claim(0, Span(0, len(text)), text, text, **more)  # type: ignore[arg-type]


def passages(*texts: str) -> Evidence:
    return Evidence(passages=tuple(Passage(f"p{n}", text, Source.REQUEST) for n, text in enumerate(texts)))
