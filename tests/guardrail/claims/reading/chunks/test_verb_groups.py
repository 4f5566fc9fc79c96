from __future__ import annotations

import pytest

from guardrail.claims.reading import tagger
from guardrail.claims.reading.chunks import VG, chunk
from guardrail.claims.reading.tokens import tokenize


def group(text: str) -> VG:
    tokens = tokenize(text)
    tagger.load().tag(tokens)
    return next(item for item in chunk(tokens) if isinstance(item, VG))


@pytest.mark.parametrize(
    ("text", "stem", "voice", "past"),
    [
        ("She directed it.", "direct", "active", True),
        ("It was directed by her.", "direct", "passive", True),
        ("It is big.", "be", "copula", False),
        ("She has been living there.", "liv", "active", True),
        ("He went on to win it.", "win", "active", True),
        ("He grew up in Paris.", "grow up", "active", True),
    ],
)
def test_what_is_done(text: str, stem: str, voice: str, past: bool) -> None:
    """The group's key is the verb that says what is done, with its voice and tense."""
    found = group(text)
    assert (found.stem, found.voice, found.past) == (stem, voice, past)


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
