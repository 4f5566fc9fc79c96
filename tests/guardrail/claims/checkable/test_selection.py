from __future__ import annotations

from guardrail.claims.checkable.selection import kind_of
from guardrail.types import BlockKind, Kind, Sentence, Span


def test_blocks() -> None:
    """Code, math and headings are what their block is."""
    for block, kind in (
        (BlockKind.CODE, Kind.CODE),
        (BlockKind.MATH, Kind.CODE),
        (BlockKind.HEADING, Kind.HEADING),
    ):
        assert kind_of(Sentence(Span(0, 1), "x", block)) is kind
