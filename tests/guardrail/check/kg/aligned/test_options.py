"""Which property a sentence speaks of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.check.kg.aligned.fillers import Sentence
from guardrail.check.kg.aligned.options import asked, wording
from guardrail.embed import Embedder

EMBEDDER = Embedder()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Leaving a car at Elm Clinic costs £3.", "parking fee"),
        ("Elm Clinic closes at 6 pm.", "opening hours"),
        ("Elm Clinic can take 312 patients into bed.", "beds"),
        ("Whoever leaves Elm Clinic must give notice eight weeks before.", "notice period"),
    ],
)
def test_the_property_that_is_meant_comes_first(
    text: str, label: str, read_sentence: Callable[[str], Sentence]
) -> None:
    """Words of its name, the kind of the value and the meaning of the sentence find it."""
    sentence = read_sentence(text)
    first = asked(sentence.named[0], wording(sentence, sentence.named[0]), EMBEDDER)[0]
    assert first.record.label == label


def test_a_word_before_the_name_narrows_it(read_sentence: Callable[[str], Sentence]) -> None:
    """Staff parking is not all parking, and a case is told behind a preposition."""
    sentence = read_sentence("The staff parking fee of Elm Clinic is £1 in winter.")
    first = asked(sentence.named[0], wording(sentence, sentence.named[0]), EMBEDDER)[0]
    assert first.whole
    assert first.narrowed
    assert first.conditional
