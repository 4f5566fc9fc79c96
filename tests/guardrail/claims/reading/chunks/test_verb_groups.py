from __future__ import annotations

from guardrail.claims.reading.chunks import VG, chunk
from tests.reading import tagged


def group(text: str) -> VG:
    tokens = tagged(text)
    return next(item for item in chunk(tokens) if isinstance(item, VG))


def test_negation() -> None:
    """Negations inside the group are seen; "never" is one that holds for all times."""
    assert group("She did not direct it.").negated
    assert group("She has never directed it.").never
    assert not group("She directed it.").negated


def test_hedges() -> None:
    """Modals and "is said to" make the verb uncertain."""
    assert group("She may have directed it.").hedged
    assert group("She is said to have directed it.").hedged
    assert not group("She directed it.").hedged


def test_former() -> None:
    """ "Used to" says that it is over."""
    assert group("He used to play here.").former
