"""The bench of the model that reads evidence measures what it says."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from eval.benchmarks import gpu as bench_gpu
from guardrail.models.nli import Embedded


def test_pairs_have_the_length_that_is_told() -> None:
    """A pair of 48 tokens has 48 tokens, special ones included."""
    model = Embedded()
    for length in (48, 128):
        ((premise, claim), *_) = batch = bench_gpu.pairs(length, 3)
        assert sum(model.lengths([premise, claim])) + model.specials == length
        assert len(batch) == 3


def test_a_rate_is_pairs_by_the_median_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call, which loads, is not counted; the slowest does not decide."""
    clock = iter([0.0, 1.0, 1.0, 3.0, 3.0, 13.0])
    monkeypatch.setattr(bench_gpu.time, "perf_counter", lambda: next(clock))
    calls: list[None] = []
    assert bench_gpu.rate(lambda: calls.append(None), 100, 0.5) == 50
    assert len(calls) == 4


@pytest.mark.filterwarnings("ignore")
def test_without_a_gpu_it_says_so_and_measures_the_cpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures are told with the machine, and what is not installed is named."""
    file = tmp_path / "figures.json"
    monkeypatch.setattr(bench_gpu, "CPU", bench_gpu.Plan((48,), (256,), 0.01))
    monkeypatch.setattr(sys, "argv", ["bench_gpu", "--seconds", "0.01", "--json", str(file)])
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    bench_gpu.main()
    told = capsys.readouterr().out
    found = json.loads(file.read_text())
    assert "no GPU here" in told
    assert (found["machine"]["gpu"], found["machine"]["cores"]) == (None, bench_gpu.os.cpu_count())
    runtimes = [one["runtime"] for one in found["figures"]]
    assert runtimes[0] == "onnxruntime"
    assert all(one["network"] > 0 and one["whole"] > 0 for one in found["figures"])
    if importlib.util.find_spec("torch") is None:
        assert "the extra `gpu` is not installed" in told
    else:
        assert runtimes[1:] == ["torch, the shipped weights"]
