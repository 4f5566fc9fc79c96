"""Sentences that somebody wrote to get a wrong verdict from graphs of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.suites.own_graph import HERE, attacks, imported, judged
from guardrail.verifier import Verifier


@pytest.mark.parametrize("name", sorted({one.graph for one in attacks()}))
def test_a_mended_verdict_stays_mended(name: str, tmp_path: Path) -> None:
    """None of the sentences that are marked as mended gets its wrong verdict again."""
    target = tmp_path / "knowledge.db"
    imported(HERE / "open" / name, target)
    verifier = Verifier.open(target)
    mended = [one for one in attacks() if one.graph == name and one.mended]
    assert [one.text for one in mended if judged(verifier, one.text) is one.wrong] == []
