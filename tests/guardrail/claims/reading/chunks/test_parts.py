from __future__ import annotations

from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.chunks.parts import Tags
from guardrail.claims.reading.tokens import tokenize


def test_a_noun_phrase_comes_with_its_conjuncts() -> None:
    """`each` gives the phrase itself and what is coordinated with it, in order."""
    first, second = (NP(at, at, at, at, "name") for at in (0, 2))
    first.also.append(second)
    assert list(first.each()) == [first, second]


def test_behind_the_end_there_is_no_tag() -> None:
    """Looking beyond the last token is allowed and finds nothing."""
    tags = Tags(tokenize("Paris is"))
    assert tags.low(1) == "is"
    assert (tags.tag(2), tags.low(2)) == ("", "")
