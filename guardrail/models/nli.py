"""The role of a model that reads a premise and a hypothesis and says how likely each label is, and the one that ships.

Probabilities stand in the order Attributable, Extrapolatory, Contradictory. A two-class model knows "supported" and "not
supported"; the latter is Extrapolatory, because "not supported" does not say "refuted".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from guardrail.batch import Batcher
from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS, Encoder, Tokens
from guardrail.models.settings import Settings, Thresholds

__all__ = ["Classifier", "Embedded", "Pair", "Rows", "refuse_long", "softmax"]

Pair = tuple[str, str]  # premise, hypothesis
Rows = NDArray[np.float32]
_MEASURED = (
    1024  # sentences whose length is remembered: those of references are measured for one claim after another
)


class Classifier(Protocol):
    """Thread-safe. `window`: tokens that premise, hypothesis and `specials` may have together."""

    @property
    def name(self) -> str: ...

    @property
    def folder(self) -> Path | None:
        """Where more lies that belongs to its probabilities: the trees of `guardrail.check.weighing`. None: only what ships can."""
        ...

    @property
    def window(self) -> int: ...

    @property
    def specials(self) -> int: ...

    def thresholds(self, kind: str) -> Thresholds:
        """For premises of `kind`: "passages" (a sentence or two) or "windows" (longer text)."""
        ...

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special ones."""
        ...

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        """float32 `[len(pairs), 3]`. Raises ValueError for a pair that does not fit the window, ModelError where a model on a
        server gives none: ModelTimeout where it is late.
        """
        ...


class Embedded:
    """A cross-encoder in the project's own files: the one that ships, or one in another `folder`. Loads its weights at first use.

    It may have a second body over the same word table, for long pairs: a small one that was trained on evidence of one length is
    worse on the other's. `body`: which of the folder's models. Raises ConfigError where the folder has no settings of it.
    """

    def __init__(self, folder: Path = MODELS, *, threads: int | None = None, body: str = "nli") -> None:
        settings = Settings.read(folder, body)
        if not settings.name:
            raise ConfigError(f"{folder / body}.json does not name a model")
        self.name, self.folder, self.specials = settings.name, folder, settings.specials
        self._thresholds = settings.thresholds
        self._bodies = [_Body(folder, body, threads)]
        self.window = settings.window or self._bodies[0].encoder.window
        self._long = self.window + 1  # tokens of the shortest pair for the second body
        if (folder / f"{body}_long.onnx").exists():
            self._bodies.append(_Body(folder, f"{body}_long", threads))
            self._long = Settings.read(folder, f"{body}_long").begin or self._long
        self._length = lru_cache(maxsize=_MEASURED)(self._measured)
        # 1,024 tokens: eight pairs of 128, the batch beyond which a CPU gains nothing.
        self._batcher = Batcher(self._score, cost=len, budget=1024, name=body)

    def thresholds(self, kind: str) -> Thresholds:
        return self._thresholds.get(kind) or Thresholds()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [self._length(one) for one in texts]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        tokens = self._bodies[0].encoder.tokenise(pairs)
        refuse_long(tokens, self.window)
        return np.array(self._batcher.ask(tokens), np.float32).reshape(-1, 3)

    def close(self) -> None:
        self._batcher.close()

    def _measured(self, text: str) -> int:
        return len(self._bodies[0].encoder.tokenise([text])[0]) - 2  # without the two special ones

    def _score(self, tokens: Sequence[Tokens]) -> list[Rows]:
        rows = np.empty((len(tokens), 3), np.float32)
        for body, is_long in zip(self._bodies, (False, True), strict=False):
            if chosen := [at for at, one in enumerate(tokens) if (len(one) >= self._long) is is_long]:
                rows[chosen] = body.score([tokens[at] for at in chosen])
        return list(rows)


class _Body:
    """One of the graphs, with its calibration."""

    def __init__(self, folder: Path, name: str, threads: int | None) -> None:
        self.encoder = Encoder(name, folder=folder, threads=threads)
        self._temperature = Settings.read(folder, name).temperature

    def score(self, tokens: Sequence[Tokens]) -> Rows:
        return softmax(self.encoder.run(tokens) / self._temperature)


def refuse_long(texts: Sequence[Sequence[int] | Tokens], window: int) -> None:
    """Raises ValueError where one of `texts`, as tokens, is longer than `window`: nothing is cut."""
    longest = max(map(len, texts), default=0)
    if longest > window:
        raise ValueError(f"a pair of {longest} tokens does not fit a window of {window}")


def softmax(logits: Rows) -> Rows:
    """Shares that add up to 1 along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Rows = raised / raised.sum(axis=-1, keepdims=True)
    return shares
