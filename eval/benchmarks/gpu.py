"""Pairs a second of the model that reads evidence and claim, by runtime, precision, length of a pair and tokens of a batch.

    python -m eval.benchmarks.gpu                                   the shipped model, taken back to fp32, beside its int8 runtime
    python -m eval.benchmarks.gpu --model MODEL --precision bf16    any sequence classifier: a folder or a hub id
    python -m eval.benchmarks.gpu --json figures.json

`network`: pairs that are tokenised already, so what the device does. `whole`: from text to probabilities, as guardrail asks it, from
several threads. On a GPU fp32, bf16 and compiled bf16 are measured; without one a small run on the CPU, which says so. Figures are of
this machine, whatever else it does: run it alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eval.datasets.torch_twin import write_twin
from guardrail.models.hub import Hub
from guardrail.models.nli import Embedded, Pair

CLAIM = 12  # tokens of a hypothesis
SPECIAL = 3
THREADS = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """`budgets`: tokens of a batch. `seconds`: for each cell."""

    lengths: tuple[int, ...]
    budgets: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Figure:
    """Pairs a second, in the median of the questions."""

    runtime: str
    device: str
    precision: str
    length: int
    budget: int
    network: float
    whole: float


GPU = Plan((48, 128, 300), (4_096, 16_384, 65_536, 262_144), 3.0)
CPU = Plan((48, 128), (1_024, 4_096), 2.0)


def pairs(length: int, count: int) -> list[Pair]:
    """Pairs of so many tokens each, special ones included: "the" is one token of most tokenizers."""
    return [("the " * (length - CLAIM - SPECIAL), "the " * CLAIM)] * count


def rate(work: Callable[[], object], count: int, seconds: float) -> float:
    """Pairs a second where each call of `work` does `count`; the first call is not counted."""
    work()
    took: list[float] = []
    while sum(took) < seconds or len(took) < 3:
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return count / statistics.median(took)


def asking(model: Hub | Embedded, batch: Sequence[Pair]) -> Callable[[], object]:
    """The batch from several threads, a part each, as verifiers ask."""
    parts = [batch[at::THREADS] for at in range(THREADS)]
    pool = ThreadPoolExecutor(THREADS)
    return lambda: list(pool.map(model.probabilities, [part for part in parts if part]))


def of_hub(model: Hub, runtime: str, plan: Plan, budget: int) -> Iterator[Figure]:
    for length in plan.lengths:
        if length > model.window:
            continue
        batch = pairs(length, max(THREADS, budget // length))
        items = model.encode(batch)
        network = rate(lambda items=items: model.run(items), len(batch), plan.seconds)  # type: ignore[misc]
        whole = rate(asking(model, batch), len(batch), plan.seconds)
        yield Figure(runtime, model.device, model.precision, length, budget, network, whole)


def of_embedded(plan: Plan) -> Iterator[Figure]:
    model = Embedded()
    for length in plan.lengths:
        batch = pairs(length, 64)
        alone = rate(lambda batch=batch: model.probabilities(batch), len(batch), plan.seconds)  # type: ignore[misc]
        whole = rate(asking(model, batch), len(batch), plan.seconds)
        yield Figure("onnxruntime", "cpu", "int8", length, 1_024, alone, whole)
    model.close()


def of_torch(folder: str, name: str, plan: Plan, device: str, kinds: Sequence[str]) -> Iterator[Figure]:
    for kind in kinds:
        precision, compiled = kind.removesuffix("+compile"), kind.endswith("+compile")
        for budget in plan.budgets:
            model = Hub(folder, device=device, precision=precision, compiled=compiled, tokens=budget)
            yield from of_hub(model, f"torch{' compiled' if compiled else ''}, {name}", plan, budget)
            model.close()


@contextmanager
def folder_of(model: str) -> Iterator[tuple[str, str]]:
    """The folder or hub id, and how it is called."""
    if model:
        yield model, model.rstrip("/").rsplit("/", 1)[-1]
        return
    with tempfile.TemporaryDirectory() as folder:
        yield str(write_twin(Path(folder))), "the shipped weights"


def machine() -> dict[str, Any]:
    """What the figures are of."""
    told: dict[str, Any] = {"cpu": _processor(), "cores": os.cpu_count(), "gpu": None, "torch": None}
    if find_spec("torch") is not None:
        torch = import_module("torch")
        told["torch"] = torch.__version__
        if torch.cuda.is_available():
            told["gpu"] = torch.cuda.get_device_name()
    return told


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def figures(model: str, kinds: Sequence[str], gpu: bool, seconds: float | None) -> Iterator[Figure]:
    usual = GPU if gpu else CPU
    plan = Plan(usual.lengths, usual.budgets, seconds or usual.seconds)
    if not model:
        yield from of_embedded(plan)
    if find_spec("torch") is None or find_spec("transformers") is None:
        print("torch: not measured, the extra `gpu` is not installed")
        return
    kinds = kinds or (("fp32", "bf16", "bf16+compile") if gpu else ("fp32",))
    with folder_of(model) as (folder, name):
        yield from of_torch(folder, name, plan, "cuda" if gpu else "cpu", kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", default="", help="a folder or hub id; default: the shipped model")
    parser.add_argument("--precision", action="append", choices=("fp32", "bf16", "bf16+compile"))
    parser.add_argument("--seconds", type=float, help="for each cell")
    parser.add_argument("--json", type=Path, help="a file for machine and figures")
    given = parser.parse_args()
    told = machine()
    print(f"{told['cpu']}, {told['cores']} cores, load {os.getloadavg()[0]:.1f}, torch {told['torch']}")
    print(f"GPU: {told['gpu']}" if told["gpu"] else "no GPU here: a small run on the CPU")
    print(f"{'runtime':36}{'precision':>10}{'tokens':>8}{'batch':>9}{'network/s':>12}{'whole/s':>10}")
    found = []
    for one in figures(given.model, given.precision or (), told["gpu"] is not None, given.seconds):
        found.append(one)
        cells = f"{one.length:8}{one.budget:9}{one.network:12,.0f}{one.whole:10,.0f}"
        print(f"{f'{one.runtime}, {one.device}':36}{one.precision:>10}{cells}", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"machine": told, "figures": [asdict(one) for one in found]}))


if __name__ == "__main__":
    main()
