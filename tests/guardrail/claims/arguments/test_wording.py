from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Claim


def test_what_stands_alone_stays(claims_of: Callable[..., list[Claim]]) -> None:
    """A claim that needs nothing is worded as it is written."""
    text = "Paris is the capital of France."
    assert claims_of(text)[0].resolved == text
