"""Processes that ask each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from proxy.server.siblings import Siblings, merged


async def told(which: str) -> bytes:
    return b"answer to " + which.encode()


@pytest.fixture
async def three(tmp_path: Path):
    found = [Siblings(tmp_path, number, {"report": told}) for number in range(3)]
    for one in found:
        await one.open()
    yield found
    for one in found:
        await one.close()


async def test_all_others_are_asked(three: list[Siblings]) -> None:
    """Each other one answers; a question that nobody knows has no answer."""
    assert await three[1].ask("report x") == {0: b"answer to x", 2: b"answer to x"}
    assert await three[1].ask("nothing") == {}


async def test_one_that_is_gone_is_left_out(three: list[Siblings], tmp_path: Path) -> None:
    """Its socket may still lie there; a new one under its number takes the place."""
    three[0]._server.close()  # type: ignore[union-attr]
    (tmp_path / "0").touch()
    assert await three[1].ask("report x") == {2: b"answer to x"}
    three[0] = Siblings(tmp_path, 0, {"report": told})
    await three[0].open()
    assert set(await three[1].ask("report x")) == {0, 2}


def test_metrics_of_several_are_one_text() -> None:
    """Each sample says whose it is, each metric is described once, with all of its samples behind."""
    one = '# HELP a_total of a\n# TYPE a_total counter\na_total{x="1 }"} 3\n# TYPE b gauge\nb 1\n'
    other = "# TYPE b gauge\nb 2\n# TYPE c gauge\nc 5\n"
    assert merged({1: other, 0: one}).splitlines() == [
        "# HELP a_total of a",
        "# TYPE a_total counter",
        'a_total{x="1 }",process="0"} 3',
        "# TYPE b gauge",
        'b{process="0"} 1',
        'b{process="1"} 2',
        "# TYPE c gauge",
        'c{process="1"} 5',
    ]
    assert merged({0: ""}) == ""
