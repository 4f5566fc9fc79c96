"""Which property a sentence speaks of."""

from __future__ import annotations

from collections.abc import Callable

from guardrail.check.kg.aligned.fillers import ClaimSentence
from guardrail.check.kg.aligned.options import asked, wording
from guardrail.models.embed import PropertyEmbedder

EMBEDDER = PropertyEmbedder()


def test_a_word_before_the_name_narrows_it(read_sentence: Callable[[str], ClaimSentence]) -> None:
    """Staff parking is not all parking, and a case is told behind a preposition."""
    sentence = read_sentence("The staff parking fee of Elm Clinic is £1 in winter.")
    first = asked(sentence.named[0], wording(sentence, sentence.named[0]), EMBEDDER)[0]
    assert first.whole
    assert first.narrowed
    assert first.conditional
