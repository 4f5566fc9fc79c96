"""The int8 text encoders that ship with the package, on onnxruntime: graphs over one shared word table.

A graph holds no weights; they are read from .npz files and handed over when it is first used. Needs neither torch nor
any download. How the files are made: eval/train/export.py.
"""

from __future__ import annotations

import json
import os
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from guardrail.errors import ConfigError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = [
    "MODELS",
    "Encoder",
    "Graph",
    "Tokens",
    "Weights",
    "settings_of",
    "sums_whole",
    "tokenizer_of",
    "word_table",
]

MODELS = Path(__file__).parents[1] / "data" / "models"
_BATCH = 8  # larger batches gain nothing on a CPU
_WHOLE_SUMS = frozenset(("avx512_vnni", "avx_vnni", "amx_int8"))
_PADDING = 7  # tokens that take as long as another call

Weights = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Tokens:
    """One text, or one pair of texts with `kinds` 0 and 1, special tokens included."""

    ids: tuple[int, ...]
    kinds: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)


class Graph:
    """A graph of one output that runs on `weights`. Thread-safe."""

    def __init__(self, path: Path, weights: Weights, *, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # Spinning wins 0.7 ms on an idle machine and doubles the time on a busy one.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Sums of int8 products overflow on processors that have no VNNI, and a verdict would depend on the processor. Where there is
        # VNNI or AMX, this way takes up to 2.5 times as long for the same numbers.
        options.add_session_config_entry("session.x64quantprecision", "0" if sums_whole() else "1")
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in weights.values()]
        options.add_external_initializers(list(weights), values)
        self._weights = weights  # the session reads them in place, so they must live as long as it does
        self._session = onnxruntime.InferenceSession(
            path.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = [one.name for one in self._session.get_inputs()]

    @property
    def width(self) -> int:
        """Of a row of the output."""
        return int(self._session.get_outputs()[0].shape[-1])

    def run(self, feed: Mapping[str, NDArray[np.generic]]) -> NDArray[np.float32]:
        """`feed` may hold more than the graph asks for: not every encoder knows kinds of tokens."""
        asked = {name: feed[name] for name in self._inputs}
        found: NDArray[np.float32] = self._session.run(None, asked)[0]
        return found


class Encoder:
    """The graph `name` of the model folder. Thread-safe; starts at first use, in about 0.2 s."""

    window = 512  # tokens, special ones included: the position table ends there

    def __init__(self, name: str, *, folder: Path = MODELS, threads: int | None = None) -> None:
        self.name = name
        self._folder = folder
        self._threads = threads or os.cpu_count() or 1
        self._starting = threading.Lock()
        self._graph: Graph | None = None

    def tokenise(self, texts: Sequence[str | tuple[str, str]]) -> list[Tokens]:
        """Token ids; nothing is cut: a text longer than `window` is for the caller to divide."""
        encoded = tokenizer_of(self._folder).encode_batch(list(texts))
        return [Tokens(tuple(one.ids), tuple(one.type_ids)) for one in encoded]

    def run(self, tokens: Sequence[Tokens]) -> NDArray[np.float32]:
        """The graph's output, float32 `[len(tokens), width]`, in the order given.

        Raises ValueError for a text longer than `window`. A row does not depend on the other rows.
        """
        if any(len(one) > self.window for one in tokens):
            raise ValueError(f"{max(map(len, tokens))} tokens do not fit a window of {self.window}")
        graph = self._started()
        out = np.empty((len(tokens), graph.width), np.float32)
        for batch in _batches([len(one) for one in tokens]):
            out[batch] = graph.run(_feed([tokens[at] for at in batch]))
        return out

    def states(self, text: str) -> tuple[list[tuple[int, int]], NDArray[np.float32]]:
        """Where each piece of a text stands, in code points, and its states, float32 `[pieces, width]`. For the graph `words`.

        What does not fit the window has no states.
        """
        encoded = tokenizer_of(self._folder).encode(text)
        tokens = Tokens(tuple(encoded.ids[: self.window]), tuple(encoded.type_ids[: self.window]))
        inner = slice(1, len(encoded.ids[: self.window]) - 1)  # without the special tokens
        found = self._started().run(_feed([tokens]))[0]
        return encoded.offsets[inner], found[inner]

    def settings(self) -> dict[str, object]:
        """The model's `NAME.json`: version, calibration, thresholds. Empty where it has none."""
        return settings_of(self._folder, self.name)

    def _own_weights(self) -> Weights:
        """Those of the graph: of its own, and the lower `layers` of another graph's `weights`, where `NAME.json` names one."""
        settings = self.settings()
        if "weights" not in settings:
            return _weights(self._folder, self.name)
        lower = _weights(self._folder, str(settings["weights"]))
        below = int(str(settings["layers"]))
        own = _weights(self._folder, self.name) if settings.get("own", True) else {}
        return {name: value for name, value in lower.items() if _layer_of(name) < below} | own

    def _started(self) -> Graph:
        with self._starting:
            if self._graph is None:
                weights = {**word_table(self._folder), **self._own_weights()}
                self._graph = Graph(self._folder / f"{self.name}.onnx", weights, threads=self._threads)
            return self._graph


@cache
def sums_whole(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether the processor has instructions that sum int8 products without overflow; False where nothing tells."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    flags = next((line for line in lines if line.startswith("flags")), "")
    return not _WHOLE_SUMS.isdisjoint(flags.split())


def settings_of(folder: Path, name: str) -> dict[str, object]:
    """What `folder`/NAME.json holds; empty where there is none. Raises ConfigError where it cannot be read."""
    path = folder / f"{name}.json"
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}
    except ValueError as error:
        raise ConfigError(f"{path} is not JSON: {error}") from error


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts that are worked out together, the shortest first: as many as are worth their padding."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == _BATCH or (lengths[at] - lengths[batch[-1]]) * len(batch) > _PADDING):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _layer_of(name: str) -> int:
    """The number of a layer, as its weights' names begin with it: "layer3.up.weight"; 0 of any other weight."""
    number = name.removeprefix("layer").partition(".")[0]
    return int(number) if number.isdigit() else 0


def _feed(batch: Sequence[Tokens]) -> dict[str, NDArray[np.int64]]:
    shape = (len(batch), max(map(len, batch)))
    feed = {name: np.zeros(shape, np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, one in enumerate(batch):
        feed["input_ids"][row, : len(one)] = one.ids
        feed["token_type_ids"][row, : len(one)] = one.kinds
        feed["attention_mask"][row, : len(one)] = 1
    return feed


@lru_cache(maxsize=2)
def word_table(folder: Path) -> Weights:
    """The word table, in memory once for all graphs."""
    return _weights(folder, "embeddings")


def _weights(folder: Path, name: str) -> Weights:
    """Raises ConfigError where the file is missing or damaged. fp16 is for the disk only."""
    path = folder / f"{name}.npz"
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            loaded = {key: stored[key] for key in stored.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ConfigError(f"{path} is not an intact model file: {error}") from error
    return {key: v.astype(np.float32) if v.dtype == np.float16 else v for key, v in loaded.items()}


@lru_cache(maxsize=4)
def tokenizer_of(folder: Path) -> Tokenizer:
    """That of the models in a folder; it neither pads nor cuts."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
