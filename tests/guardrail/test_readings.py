from __future__ import annotations

import pytest

from guardrail.readings import Understood, understood
from guardrail.segment import SentenceReader, segment
from guardrail.types import Context
from guardrail.verifier import Verifier


def read(text: str) -> Understood:
    verifier = Verifier.open()

    def claims_of(sentence):  # type: ignore[no-untyped-def]
        mentions = verifier.linker.link(sentence.text, offset=sentence.span.start)
        return verifier.extractor.extract(sentence, mentions, Context()), mentions

    (sentence,) = segment(text)
    (readings,) = SentenceReader().read(sentence)
    return understood(readings, claims_of, verifier.linker.link)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Australia's capital: Sydney", "Australia's capital is Sydney."),
        ("Note: see below", "Note: see below"),
        ("Ingredients: two eggs", "Ingredients: two eggs"),
        ("PERU IS IN SOUTH AMERICA", "Peru is in South America"),
    ],
)
def test_the_first_reading_that_states_something_counts(text: str, plain: str) -> None:
    """A line with a colon is read as a sentence where that says something of a known thing, else as it stands."""
    assert read(text).part.plain.text == plain
