"""A batch on a Ray cluster of this machine does what processes do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from guardrail.cli.batch_job import Layout
from guardrail.cli.batch_ray import on_ray
from guardrail.cli.batch_rows import Part, divide, sources
from guardrail.errors import ConfigError
from tests.batching import ROOT, Making, lines, told


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """A cluster of two cores."""
    module = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    environment = {"env_vars": {"PYTHONPATH": f"{ROOT}"}}
    module.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    yield module
    module.shutdown()


def parts(path: Path, size: int) -> list[Part]:
    return list(divide(sources(str(path))[0], size))


@pytest.mark.filterwarnings("ignore")
def test_rows_are_done_once_and_a_dead_actor_is_replaced(ray: Any, tmp_path: Path) -> None:
    """Each row has one report; the row that kills its actor twice is set aside."""
    texts = ["It is true."] * 12
    texts[4] = "die"
    given = parts(lines(tmp_path / "in.jsonl", texts), 3)
    counted: list[int] = []
    layout = Layout(str(tmp_path / "out"), "jsonl")
    done = list(on_ray(given, Making(layout), workers=None, told=counted.append))
    assert sum(one.set_aside for one in done) == 1
    assert [one["row"] for one in told(tmp_path / "out")] == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert "died" in told(tmp_path / "out", "set-aside")[0]["reason"]
    assert counted[-1] <= 12


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"claim-guardrail\[ray\]"):
        list(on_ray([], Making(Layout(str(tmp_path))), workers=1, told=lambda _: None))
