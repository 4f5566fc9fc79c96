"""A small world and the commands that are run on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardrail.cli.kg import kg
from guardrail.evidence.store.graph import Graph
from tests.world import fill

Run = Callable[..., Result]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The small world in a file."""
    path = tmp_path / "world.db"
    fill(Graph.create(path)).close()
    return path


@pytest.fixture
def run(world: Path) -> Run:
    """Runs `guardrail kg -k world.db …`; errors of ours come through as they are."""

    def call(*arguments: str, graph: Path = world) -> Result:
        result = CliRunner().invoke(kg, ["-k", str(graph), *arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call
