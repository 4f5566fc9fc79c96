from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim


@pytest.mark.parametrize(
    "post", ["the president", "the 44th president", "the chancellor", "the king", "president"]
)
@pytest.mark.parametrize("verb", ["is", "was", "became", "was elected"])
def test_a_post_is_no_citizenship(claims_of: Callable[..., list[Claim]], verb: str, post: str) -> None:
    """Whoever holds a post in a country is not said to be its citizen: citizenship would prove no office."""
    (claim,) = claims_of(f"Marie Curie {verb} {post} of France.")
    assert claim.facts
    assert all("P27" not in fact.relations for fact in claim.facts)
