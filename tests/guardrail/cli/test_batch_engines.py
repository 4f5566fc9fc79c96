"""Processes that do the parts of a batch: each row once, whoever dies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from guardrail.cli.batch_engines import local
from guardrail.cli.batch_job import Layout
from guardrail.cli.batch_rows import Part, divide, sources
from guardrail.errors import BadRequest, ConfigError
from tests.batching import Making, lines, told


def parts(path: Path, size: int) -> list[Part]:
    return list(divide(sources(str(path))[0], size))


def test_rows_are_done_once_by_several_processes(tmp_path: Path) -> None:
    """All parts, whoever does them; rows are counted as they are done."""
    given = parts(lines(tmp_path / "in.jsonl", ["It is true."] * 25), 4)
    counted: list[int] = []
    done = list(local(given, Making(Layout(str(tmp_path / "out"), "jsonl")), workers=2, told=counted.append))
    assert sorted(one.part.number for one in done) == list(range(7))
    assert [one["row"] for one in told(tmp_path / "out")] == list(range(1, 26))
    assert (counted[-1] <= 25, counted == sorted(counted)) == (True, True)


def test_a_process_that_dies_is_replaced_and_its_rows_are_not_lost(tmp_path: Path) -> None:
    """The rows that kill are set aside with the reason; those before and behind have one report each."""
    texts = ["It is true."] * 12
    texts[4] = texts[6] = "die"
    given = parts(lines(tmp_path / "in.jsonl", texts), 6)
    layout = Layout(str(tmp_path / "out"), "jsonl")
    done = list(local(given, Making(layout), workers=2, told=lambda _: None))
    assert sum(one.set_aside for one in done) == 2
    assert [one["row"] for one in told(tmp_path / "out")] == [1, 2, 3, 4, 6, 8, 9, 10, 11, 12]
    assert [(one["row"], "died" in one["reason"]) for one in told(tmp_path / "out", "set-aside")] == [
        (5, True),
        (7, True),
    ]


@dataclass(frozen=True)
class Breaking:
    """Workers that cannot begin, or cannot go on."""

    dies: bool

    def __call__(self, _: object) -> Breaking:
        return self

    def do(self, part: Part, deaths: int = 0) -> None:
        if self.dies:
            import os

            os._exit(9)
        raise BadRequest("no room")


@pytest.mark.parametrize(
    ("dies", "error", "why"),
    [(True, ConfigError, "6 processes in a row died"), (False, BadRequest, "no room")],
)
def test_what_cannot_go_on_ends(tmp_path: Path, dies: bool, error: type[Exception], why: str) -> None:
    """Processes that die at once are not replaced for ever; what a worker raises is raised."""
    given = parts(lines(tmp_path / "in.jsonl", ["It is true."]), 6)
    with pytest.raises(error, match=why):
        list(local(given, Breaking(dies), workers=1, told=lambda _: None))  # type: ignore[arg-type]
