from __future__ import annotations

import time

import pytest

from guardrail.segment.markup import unmarked
from guardrail.segment.view import View


@pytest.mark.parametrize(
    "piece",
    [
        "*",
        "**a ",
        "_a",
        "`",
        "[",
        "[a](",
        "<a ",
        "<!--",
        "&",
        "](",
        "~~",
        "`a``",
        "*_",
        "<b>",
        "[a](b(",
        '<a "',
    ],
)
def test_time_grows_linearly(piece: str) -> None:
    """Eight times the text takes about eight times as long, whatever it consists of."""

    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        start = time.process_time()
        unmarked(View.of(text))
        return time.process_time() - start

    assert min(seconds(80_000), seconds(80_000)) < 28 * max(seconds(10_000), 0.02)
