"""Defects of a proxy, and whether the comparison notices them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from eval.conformance.exchanges import EXCHANGES
from eval.conformance.mutants import ANSWERS, CONTROLS, REQUESTS
from eval.conformance.trial import trials
from tests.eval.conformance.stages import stage


def test_names_tell_mutants_apart() -> None:
    """At least forty, each with a name of its own among its kind and a line that says what it does."""
    assert len(REQUESTS) + len(ANSWERS) >= 40
    for kind in (REQUESTS, ANSWERS, CONTROLS):
        assert len({mutant.name for mutant in kind}) == len(kind)
        assert all(mutant.what for mutant in kind)


async def test_every_mutant_is_noticed(tmp_path: Path) -> None:
    """Each defect changes some message, and some check tells of it, on each side of the proxy."""
    async with stage(tmp_path) as ready:
        missed = [str(trial) async for trial in trials(ready) if trial.noticed is None]
    assert missed == []


async def test_what_is_harmless_is_not_noticed(tmp_path: Path) -> None:
    """Other framing, other case of names and fields of the connection are no difference."""
    played = [replace(exchange, policies=("annotate",)) for exchange in EXCHANGES]
    async with stage(tmp_path) as ready:
        tried = [one async for one in trials(ready, requests=CONTROLS, answers=CONTROLS, exchanges=played)]
    assert [str(trial) for trial in tried if trial.noticed or not trial.changed] == []
