from __future__ import annotations

from collections.abc import Callable

from guardrail.claims.checkable.fragments import unstated
from guardrail.segment import segment
from guardrail.types import Claim, Kind
from tests.reading import read

Claims = Callable[..., list[Claim]]


def kind_of(text: str, *, short_answer: bool = False) -> Kind | None:
    (sentence,) = segment(text)
    return unstated(read(sentence, []), short_answer=short_answer)


def test_a_short_answer_may_be_a_name() -> None:
    """Where a question is open, a mere name is its answer."""
    assert kind_of("Paris") is Kind.HEADING
    assert kind_of("Paris", short_answer=True) is None


def test_no_fragment_is_checked(claims_of: Claims) -> None:
    """Among statements only the statements are checked; every claim keeps its exact place."""
    text = (
        "Early life\n\nMarie Curie was born in Warsaw.\n\n<table>\n<tr><td>Marie Curie</td><td>Ulm</td></tr>\n</table>\n\n"
        "- Great minds\n- Two prizes\n"
    )
    claims = claims_of(text)
    assert [c.text for c in claims if c.kind.checkable] == ["Marie Curie was born in Warsaw."]
    assert all(claim.text == claim.span.of(text) for claim in claims)


def test_an_unread_answer_is_still_checked(claims_of: Claims) -> None:
    """An answer to the question that cannot be read is not passed over."""
    (claim,) = claims_of("Warsaw, surely.", "Where do the flumphs live?")
    assert claim.kind.checkable
