"""A classifier of the transformers library on torch (extra `gpu`), on CPU or GPU."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from guardrail.batch import Batcher, buckets
from guardrail.errors import ConfigError
from guardrail.models.labels import roles
from guardrail.models.nli import Pair, Rows, refuse_long, softmax
from guardrail.models.settings import Settings, Thresholds

__all__ = ["Hub"]

_MULTIPLE = (
    8  # of which the padded length is one: what a GPU multiplies fastest, and few shapes to compile for
)

Encoded = Mapping[str, Sequence[int]]  # ids, mask and kinds of one pair, unpadded


class Hub:
    """A local folder or a hub id, on torch: bf16 on a GPU, batches of like length within a budget of `tokens`.

    `labels` names what the model's outputs mean where its config does not: "attributable", "extrapolatory",
    "contradictory" or "unsupported", in output order. `compiled`: by torch.compile, which takes minutes at first and pays
    on a GPU. `threads`: of torch in this process, on a CPU; None: as torch chooses. A folder of the project's own has nli.json: its name,
    temperature and thresholds hold where none are given. Raises ConfigError where nothing tells what the outputs mean.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        labels: Sequence[str] = (),
        device: str = "auto",
        temperature: float | None = None,
        thresholds: Thresholds | None = None,
        tokens: int = 16_384,
        precision: str = "auto",
        compiled: bool = False,
        threads: int | None = None,
    ) -> None:
        torch, transformers = _torch(threads)
        own = Settings.read(Path(model))
        self.name = own.name or str(model)
        self.folder = Path(model) if own.name else None
        self._torch = torch
        self.device = _device(torch) if device == "auto" else device
        self.precision = _precision(precision, self.device)
        numbers = torch.bfloat16 if self.precision == "bf16" else torch.float32
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(str(model))
        loaded = transformers.AutoModelForSequenceClassification.from_pretrained(str(model), dtype=numbers)
        config, given = loaded.config, dict(enumerate(labels))
        names = given or dict(config.id2label)
        self._columns = roles(names, outputs=config.num_labels, model=self.name)
        loaded = loaded.to(self.device).eval()
        self._model = torch.compile(loaded, dynamic=True) if compiled else loaded
        self.window = _window(int(self._tokenizer.model_max_length), config, own)
        self.specials = int(self._tokenizer.num_special_tokens_to_add(pair=True))
        self._temperature = temperature or own.temperature
        self._given, self._own = thresholds, own.thresholds
        self._tokens = tokens
        self._tokenizing = threading.Lock()  # a fast tokenizer may be borrowed once at a time
        self._batcher = Batcher(self.run, cost=_length, budget=tokens, name=self.name)

    def thresholds(self, kind: str) -> Thresholds:
        return self._given or self._own.get(kind) or Thresholds()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        with self._tokenizing:
            return [len(ids) for ids in self._tokenizer(list(texts), add_special_tokens=False)["input_ids"]]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        if not pairs:
            return np.zeros((0, 3), np.float32)
        return np.array(self._batcher.ask(self.encode(pairs)), np.float32).reshape(-1, 3)

    def encode(self, pairs: Sequence[Pair]) -> list[Encoded]:
        """The pairs as the network takes them. Raises ValueError for one that does not fit the window."""
        with self._tokenizing:
            encoded = self._tokenizer([p for p, _ in pairs], [h for _, h in pairs])
        refuse_long(encoded["input_ids"], self.window)
        return [{name: encoded[name][at] for name in encoded} for at in range(len(pairs))]

    def close(self) -> None:
        self._batcher.close()

    def run(self, items: Sequence[Encoded]) -> list[Rows]:
        """A row for each, in order; several threads must not call it at once."""
        rows: list[Rows] = [np.zeros(3, np.float32)] * len(items)
        for places in buckets([_length(item) for item in items], self._tokens):
            logits = self._logits([items[at] for at in places])
            for at, row in zip(places, logits, strict=True):
                rows[at] = self._labelled(row / self._temperature)
        return rows

    def _logits(self, batch: Sequence[Encoded]) -> Rows:
        longest = max(map(_length, batch))
        width = min(-(-longest // _MULTIPLE) * _MULTIPLE, self.window)
        feed = {name: self._padded([item[name] for item in batch], name, width) for name in batch[0]}
        with self._torch.inference_mode():
            logits = self._model(**feed).logits
        return np.asarray(logits.float().cpu().numpy(), np.float32)

    def _padded(self, rows: Sequence[Sequence[int]], name: str, width: int) -> Any:
        filling = (self._tokenizer.pad_token_id or 0) if name == "input_ids" else 0
        padded = np.full((len(rows), width), filling, np.int64)
        for at, row in enumerate(rows):
            padded[at, : len(row)] = row
        return self._torch.from_numpy(padded).to(self.device)

    def _labelled(self, logits: Rows) -> Rows:
        row = np.zeros(3, np.float32)
        for column, share in zip(self._columns, softmax(logits), strict=True):
            row[column] += share
        return row


def _device(torch: Any) -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _window(longest: int, config: Any, own: Settings) -> int:
    return min(longest, getattr(config, "max_position_embeddings", 512), own.window or longest)


def _precision(wanted: str, device: str) -> str:
    if wanted != "auto":
        return wanted
    return "bf16" if device.startswith("cuda") else "fp32"


def _length(item: Encoded) -> int:
    return len(item["input_ids"])


def _torch(threads: int | None) -> tuple[Any, Any]:
    try:
        torch, transformers = import_module("torch"), import_module("transformers")
    except ImportError as error:
        raise ConfigError(f"a model on torch needs `pip install claim-guardrail[gpu]`: {error}") from error
    if threads:
        torch.set_num_threads(threads)
    return torch, transformers
