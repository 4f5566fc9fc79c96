"""The clients that people use, unchanged, against the real proxy: what they ask for is what they get."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.conformance.environments import installed
from tests.clients.matrix import CLIENTS, Client, published, row, run, table


def named(client: Client) -> str:
    return f"{client.title}-{client.version}"


@pytest.mark.parametrize("client", CLIENTS, ids=named)
async def test_a_client_gets_what_it_asked_for(client: Client, tmp_path: Path) -> None:
    """Every step of the matrix is right, and the page says so."""
    if installed(client.environment) is None:
        pytest.skip(f"not installed: python -m eval.conformance.environments {client.environment}")
    results = await run(client, tmp_path)
    assert {result.step.name: result.wrong for result in results if result.wrong} == {}
    assert row(client, results) in published().splitlines()


def test_the_page_has_a_row_for_every_client_and_no_other() -> None:
    """docs/wire.md holds the table that `python -m tests.clients.matrix --write` gives."""
    lines = published().splitlines()
    assert lines[:2] == table({}).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == [f"| {c.title} {c.version}" for c in CLIENTS]
