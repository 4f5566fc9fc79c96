from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Claim


def test_a_part_of_another_name_is_not_that_name(claims_of: Callable[..., list[Claim]]) -> None:
    """ "Anna Marie Curie" is not Marie Curie, while a title changes nothing."""
    other = claims_of("Anna Marie Curie lives in Berlin.")[0].facts[0].subject
    assert other.mention is not None
    assert other.mention.entity is None
    same = claims_of("Professor Marie Curie lives in Berlin.")[0].facts[0].subject
    assert same.mention is not None
    assert same.mention.entity is not None
