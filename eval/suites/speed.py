"""Speed: verdict per sentence over the large graph, pairs per second of the int8 model, and torch fp32 beside it.

Bars: a sentence's verdict in 25 ms at the median and 80 ms at the 99th percentile. Figures depend on what else the
machine does: run it alone.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np

from eval.datasets.benchmark import benchmark_graph, labels, property_labels
from eval.datasets.files import find, open_text
from eval.datasets.torch_twin import write_twin
from eval.datasets.triples import sentence_of
from guardrail.models.hub import Hub
from guardrail.models.nli import Classifier, Embedded
from guardrail.segment import segment
from guardrail.verifier import Verifier

_MEDIAN_MS, _TAIL_MS = 25.0, 80.0
_SHAPES = ((1, 48), (8, 48), (32, 48), (8, 128))


def run() -> int:
    """Prints both tables; 0 when the bars are met."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    met = _sentences()
    _pairs()
    return 0 if met else 1


def _sentences(count: int = 600) -> bool:
    """Whole verdicts, claims to revision, over the benchmark graph."""
    verifier = Verifier.open(benchmark_graph())
    texts = _texts(count)
    took: list[float] = []
    claims = 0
    for text in texts[:40]:
        verifier.check(text)
    for text in texts:
        for sentence in segment(text):
            session = verifier.session()
            began = time.perf_counter()
            claims += len(session.check(sentence))
            took.append((time.perf_counter() - began) * 1000)
    median, tail = float(np.percentile(took, 50)), float(np.percentile(took, 99))
    rate = claims / (sum(took) / 1000)
    print(
        f"verdict per sentence: p50 {median:.1f} ms, p90 {np.percentile(took, 90):.1f} ms, p99 {tail:.1f} ms"
    )
    print(f"  {claims} claims in {len(took)} sentences, {rate:.0f} claims/s one after another")
    print(f"  bars: p50 {_MEDIAN_MS:.0f} ms, p99 {_TAIL_MS:.0f} ms")
    return median <= _MEDIAN_MS and tail <= _TAIL_MS


def _texts(count: int) -> list[str]:
    """True statements and ones with another object, as sentences."""
    names, relations = labels(), property_labels()
    rows = [line.split("\t") for line in open_text(find("kg") / "edges.tsv.gz").splitlines()[1:]]
    rng = random.Random(3)
    texts: list[str] = []
    while len(texts) < count:
        (s, p, o, *_), other = rng.choice(rows), rng.choice(rows)
        object_ = names.get(o if rng.random() < 0.5 else other[2])
        if s in names and object_ and p in relations and (said := sentence_of(names[s], p, object_)):
            texts.append(said)
    return texts


def _pairs() -> None:
    """The same batches through each runtime."""
    print(f"\n{'pairs/s':28}" + "".join(f"{f'{b} x {t} tokens':>18}" for b, t in _SHAPES))
    embedded = Embedded()
    _row("onnxruntime int8", embedded)
    if find_spec("torch") is None or find_spec("transformers") is None:
        print("torch fp32: not measured, the extra `gpu` is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        twin = write_twin(Path(folder))
        same = Hub(twin, device="cpu")
        _row("torch fp32, the same weights", same)
        _agreement(embedded, same)
        fastest = Hub(twin, tokens=65_536)
        if fastest.device.startswith("cuda"):
            _row("torch bf16, GPU", fastest)


def _row(name: str, model: Classifier) -> None:
    cells = "".join(f"{_rate(model, _batch(size, tokens)):18.0f}" for size, tokens in _SHAPES)
    print(f"{name:28}{cells}", flush=True)


def _rate(model: Classifier, batch: Sequence[tuple[str, str]], *, seconds: float = 2.0) -> float:
    model.probabilities(batch)
    took: list[float] = []
    while sum(took) < seconds or len(took) < 5:
        began = time.perf_counter()
        model.probabilities(batch)
        took.append(time.perf_counter() - began)
    return len(batch) / float(np.median(took))


def _batch(size: int, tokens: int) -> list[tuple[str, str]]:
    """Pairs of so many tokens, special ones included: "the" is one token."""
    return [("the " * (tokens - 3 - 12), "the " * 12)] * size


def _agreement(left: Classifier, right: Classifier) -> None:
    pairs: Sequence[tuple[str, str]] = [(f"{text} It is so.", text) for text in _texts(150)]
    pairs = [*pairs, *((a, b) for (a, _), (_, b) in pairwise(pairs))]
    one, two = left.probabilities(pairs), right.probabilities(pairs)
    same = float((one.argmax(axis=1) == two.argmax(axis=1)).mean())
    print(
        f"int8 and fp32 give the same label on {same:.1%} of {len(pairs)} pairs, mean |dp| {np.abs(one - two).mean():.3f}"
    )
