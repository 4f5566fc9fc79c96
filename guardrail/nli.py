"""Models that read a premise and a hypothesis and say how likely each label is.

`Embedded` is the 22 M cross-encoder that ships with the package, one body for short pairs and one for long; `Hub` runs any sequence-classification model of the
transformers library, on CPU or GPU (extra `gpu`). Both give calibrated probabilities in the order Attributable,
Extrapolatory, Contradictory. A two-class model knows "supported" and "not supported"; the latter is Extrapolatory,
because "not supported" does not say "refuted".
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from guardrail.batch import Batcher
from guardrail.encoder import Encoder, Tokens
from guardrail.errors import ConfigError
from guardrail.types import Label

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Classifier", "Embedded", "Hub", "Pair", "Thresholds", "load", "roles"]

Pair = tuple[str, str]  # premise, hypothesis
Rows = NDArray[np.float32]
_ORDER = (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least probability at which a label is given; between them lies the abstain band."""

    attributable: float = 0.7
    contradictory: float = 0.8


class Classifier(Protocol):
    """Thread-safe. `window`: tokens that premise, hypothesis and `specials` may have together."""

    name: str
    window: int
    specials: int

    def thresholds(self, kind: str) -> Thresholds:
        """For premises of `kind`: "triplets", "passages" (a sentence or two) or "windows" (longer text)."""
        ...

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without special ones."""
        ...

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        """float32 `[len(pairs), 3]`. Raises ValueError for a pair that does not fit the window."""
        ...


class Embedded:
    """The shipped cross-encoder. Loads its weights at first use.

    Two bodies over one word table: each was trained on evidence of one length and is worse on the other's.
    """

    specials = 3

    def __init__(self, *, threads: int | None = None) -> None:
        short, long = _Body("nli", threads), _Body("nli_long", threads)
        self.name = str(short.settings.get("name", "nli"))
        self.window = int(str(short.settings.get("window", short.encoder.window)))
        self._long = int(str(long.settings.get("begin", self.window + 1)))  # tokens of the shortest long pair
        self._bodies = (short, long)
        self._thresholds = _thresholds(short.settings)
        # 1,024 tokens: eight pairs of 128, the batch beyond which a CPU gains nothing.
        self._batcher = Batcher(self._score, cost=len, budget=1024, name="nli")

    def thresholds(self, kind: str) -> Thresholds:
        return self._thresholds.get(kind, Thresholds())

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(tokens) - 2 for tokens in self._bodies[0].encoder.tokenise(texts)]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        tokens = self._bodies[0].encoder.tokenise(pairs)
        _refuse_long(tokens, self.window)
        return np.array(self._batcher.ask(tokens), np.float32).reshape(-1, 3)

    def close(self) -> None:
        self._batcher.close()

    def _score(self, tokens: Sequence[Tokens]) -> list[Rows]:
        rows = np.empty((len(tokens), 3), np.float32)
        for body, is_long in zip(self._bodies, (False, True), strict=True):
            if chosen := [at for at, one in enumerate(tokens) if (len(one) >= self._long) is is_long]:
                rows[chosen] = body.score([tokens[at] for at in chosen])
        return list(rows)


class _Body:
    """One of the graphs, with its calibration."""

    def __init__(self, name: str, threads: int | None) -> None:
        self.encoder = Encoder(name, threads=threads)
        self.settings = self.encoder.settings()
        self._temperature = float(str(self.settings.get("temperature", 1.0)))

    def score(self, tokens: Sequence[Tokens]) -> Rows:
        return _softmax(self.encoder.run(tokens) / self._temperature)


class Hub:
    """A local folder or a hub id, on torch: bf16 on a GPU, batches of like length within a budget of tokens.

    `labels` names what the model's outputs mean where its config does not: "attributable", "extrapolatory",
    "contradictory" or "unsupported", in output order. Raises ConfigError where neither tells.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        labels: Sequence[str] = (),
        device: str = "auto",
        temperature: float = 1.0,
        thresholds: Thresholds | None = None,
        tokens: int = 16_384,
    ) -> None:
        torch, transformers = _torch()
        self.name = str(model)
        self._torch = torch
        self.device = device if device != "auto" else ("cuda" if torch.cuda.is_available() else "cpu")
        kind = torch.bfloat16 if self.device.startswith("cuda") else torch.float32
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(str(model))
        loaded = transformers.AutoModelForSequenceClassification.from_pretrained(str(model), dtype=kind)
        self._model = loaded.to(self.device).eval()
        config = self._model.config
        names = dict(enumerate(labels)) if labels else dict(config.id2label)
        self._columns = roles(names, outputs=config.num_labels, model=self.name)
        self.window = min(
            int(self._tokenizer.model_max_length), getattr(config, "max_position_embeddings", 512)
        )
        self.specials = int(self._tokenizer.num_special_tokens_to_add(pair=True))
        self._temperature, self._thresholds = temperature, thresholds or Thresholds()
        self._tokenizing = threading.Lock()  # a fast tokenizer may be borrowed once at a time
        self._batcher = Batcher(self._score, cost=lambda pair: pair[1], budget=tokens, name=self.name)

    def thresholds(self, kind: str) -> Thresholds:
        return self._thresholds

    def lengths(self, texts: Sequence[str]) -> list[int]:
        with self._tokenizing:
            return [len(ids) for ids in self._tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        if not pairs:
            return np.zeros((0, 3), np.float32)
        with self._tokenizing:
            encoded = self._tokenizer([p for p, _ in pairs], [h for _, h in pairs])["input_ids"]
        _refuse_long(encoded, self.window)
        items = [(pair, len(ids)) for pair, ids in zip(pairs, encoded, strict=True)]
        return np.array(self._batcher.ask(items), np.float32).reshape(-1, 3)

    def close(self) -> None:
        self._batcher.close()

    def _score(self, items: Sequence[tuple[Pair, int]]) -> list[Rows]:
        rows: list[Rows] = [np.zeros(3, np.float32)] * len(items)
        order = sorted(range(len(items)), key=lambda at: items[at][1])
        for at in range(0, len(order), 32):
            batch = order[at : at + 32]
            for place, row in zip(batch, self._logits([items[i][0] for i in batch]), strict=True):
                rows[place] = self._labelled(row / self._temperature)
        return rows

    def _logits(self, pairs: Sequence[Pair]) -> Rows:
        with self._tokenizing:
            feed = self._tokenizer(
                [p for p, _ in pairs], [h for _, h in pairs], padding=True, return_tensors="pt"
            )
        with self._torch.inference_mode():
            logits = self._model(**feed.to(self.device)).logits
        return np.asarray(logits.float().cpu().numpy(), np.float32)

    def _labelled(self, logits: Rows) -> Rows:
        row = np.zeros(3, np.float32)
        for column, share in zip(self._columns, _softmax(logits), strict=True):
            row[column] += share
        return row


def load(model: str | Path | None = None, **options: Any) -> Embedded | Hub:
    """The shipped model for None, else the one at this path or of this hub id."""
    return Embedded() if model is None else Hub(model, **options)


# What a label is called → which of ours it is. The first pattern that fits wins: "not_entailment" holds "entailment".
_NAMES = (
    (r"contradict|refut|conflict", Label.CONTRADICTORY),
    (
        r"not[ _-]?entail|non[ _-]?entail|not[ _-]|unsupport|inconsist|hallucin|unfaithful|unattrib",
        Label.EXTRAPOLATORY,
    ),
    (r"neutral|not ?enough|\bnei\b|extrapol|unknown|unverif|insufficient|baseless", Label.EXTRAPOLATORY),
    (r"entail|support|consist|attribut|faithful|factual|grounded|verified", Label.ATTRIBUTABLE),
)


def roles(names: Mapping[int, str], *, outputs: int, model: str) -> tuple[int, ...]:
    """For each output of a model the place of its label in our order, read from what the outputs are called.

    Raises ConfigError where a name says nothing ("LABEL_0"), or no output means Attributable.
    """
    places = []
    for at in range(outputs):
        name = str(names.get(at, f"LABEL_{at}"))
        label = next((label for pattern, label in _NAMES if re.search(pattern, name, re.IGNORECASE)), None)
        if label is None:
            raise ConfigError(
                f"{model}: output {at} is called {name!r}, which names no label; state `labels`"
            )
        places.append(_ORDER.index(label))
    if _ORDER.index(Label.ATTRIBUTABLE) not in places or len(set(places)) < 2:
        raise ConfigError(f"{model}: outputs {dict(names)} do not tell supported from not supported")
    return tuple(places)


def _thresholds(settings: Mapping[str, object]) -> dict[str, Thresholds]:
    given = settings.get("thresholds")
    return {kind: Thresholds(**values) for kind, values in given.items()} if isinstance(given, dict) else {}


def _refuse_long(texts: Sequence[Sequence[int] | Tokens], window: int) -> None:
    longest = max(map(len, texts), default=0)
    if longest > window:
        raise ValueError(f"a pair of {longest} tokens does not fit a window of {window}")


def _softmax(logits: Rows) -> Rows:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Rows = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def _torch() -> tuple[Any, Any]:
    try:
        return import_module("torch"), import_module("transformers")
    except ImportError as error:
        raise ConfigError(f"a model on torch needs `pip install claim-guardrail[gpu]`: {error}") from error
