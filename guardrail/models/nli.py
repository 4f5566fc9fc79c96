"""The role of a model that reads a premise and a hypothesis and says how likely each label is, and the one that ships.

Probabilities stand in the order Attributable, Extrapolatory, Contradictory. A two-class model knows "supported" and "not
supported"; the latter is Extrapolatory, because "not supported" does not say "refuted".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from guardrail.batch import Batcher
from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS, Encoder, Tokens

__all__ = ["Classifier", "Embedded", "Pair", "Rows", "Thresholds", "refuse_long", "softmax", "thresholds_of"]

Pair = tuple[str, str]  # premise, hypothesis
Rows = NDArray[np.float32]
_MEASURED = (
    1024  # sentences whose length is remembered: those of references are measured for one claim after another
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least probability at which a label is given; between them lies the abstain band."""

    attributable: float = 0.7
    contradictory: float = 0.8


class Classifier(Protocol):
    """Thread-safe. `window`: tokens that premise, hypothesis and `specials` may have together."""

    @property
    def name(self) -> str: ...

    @property
    def folder(self) -> Path | None:
        """Where more lies that belongs to its probabilities: the trees of `guardrail.check.text.weighing`. None: only what ships can."""
        ...

    @property
    def window(self) -> int: ...

    @property
    def specials(self) -> int: ...

    def thresholds(self, kind: str) -> Thresholds:
        """For premises of `kind`: "triplets", "passages" (a sentence or two) or "windows" (longer text)."""
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
    worse on the other's. Raises ConfigError where the folder has no settings of a model.
    """

    def __init__(self, folder: Path = MODELS, *, threads: int | None = None) -> None:
        short = _Body(folder, "nli", threads)
        if "name" not in short.settings:
            raise ConfigError(f"{folder / 'nli.json'} does not name a model")
        self.name, self.folder = str(short.settings["name"]), folder
        self.window = int(str(short.settings.get("window", short.encoder.window)))
        self.specials = int(str(short.settings.get("specials", 3)))
        self._bodies = [short]
        self._long = self.window + 1  # tokens of the shortest pair for the second body
        if (folder / "nli_long.onnx").exists():
            self._bodies.append(_Body(folder, "nli_long", threads))
            self._long = int(str(self._bodies[1].settings["begin"]))
        self._thresholds = thresholds_of(short.settings)
        self._length = lru_cache(maxsize=_MEASURED)(self._measured)
        # 1,024 tokens: eight pairs of 128, the batch beyond which a CPU gains nothing.
        self._batcher = Batcher(self._score, cost=len, budget=1024, name="nli")

    def thresholds(self, kind: str) -> Thresholds:
        return self._thresholds.get(kind, Thresholds())

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
        self.settings = self.encoder.settings()
        self._temperature = float(str(self.settings.get("temperature", 1.0)))

    def score(self, tokens: Sequence[Tokens]) -> Rows:
        return softmax(self.encoder.run(tokens) / self._temperature)


def thresholds_of(settings: Mapping[str, object]) -> dict[str, Thresholds]:
    """By the kind of premise, as nli.json states them."""
    given = settings.get("thresholds")
    return {kind: Thresholds(**values) for kind, values in given.items()} if isinstance(given, dict) else {}


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
