from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.checkable.fragments import unstated
from guardrail.claims.reading.sentence import read
from guardrail.segment import segment
from guardrail.types import Claim, Kind

Claims = Callable[..., list[Claim]]


def kind_of(text: str, *, short_answer: bool = False) -> Kind | None:
    (sentence,) = segment(text)
    return unstated(read(sentence, []), short_answer=short_answer)


@pytest.mark.parametrize(
    "text",
    [
        "A beautiful city.",
        "Early life",
        "- Rich history and culture",
        "Key achievements in chemistry and physics",
        "2 cups of flour",
        "Country      Capital    Population",
        "France\tParis\t67 million",
        "| France | Paris |",
        "France | Paris | 67 million",
        "<table><tr><td>France</td><td>Paris</td></tr></table>",
    ],
)
def test_what_has_no_verb_states_nothing(text: str) -> None:
    """Fragments, items, and cells without a header are no statements."""
    assert kind_of(text) is Kind.HEADING


@pytest.mark.parametrize(
    "text",
    [
        "<br>",
        "<img src='tower.png' alt='The tower'>",
        "<script>var x = isGood;</script>",
        "<!-- a comment that was left in -->",
    ],
)
def test_markup_states_nothing(text: str) -> None:
    """A tag, an image, a comment: code, though no fence is around it."""
    assert kind_of(text) is Kind.CODE
    assert kind_of(text, short_answer=True) is Kind.CODE


@pytest.mark.parametrize(
    "text",
    [
        "<p>Paris is the capital of France.</p>",
        "Paris, 1889.",
        "The Eiffel Tower, built in 1889.",
        "Die Hauptstadt Frankreichs ist Paris.",
        "La capital de Francia.",
        "Столица Франции.",
        "埃菲尔铁塔高500米。",
    ],
)
def test_what_may_state_something_stays(text: str) -> None:
    """A verb inside markup, a name with a value, and languages that are not read are never put aside."""
    assert kind_of(text) is None


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
