"""Which language a sentence is in."""

from __future__ import annotations

from guardrail.claims.checkable.language import foreign_parts, known_word
from guardrail.types import Span


def test_a_foreign_part_of_an_english_sentence_is_found() -> None:
    """A clause in another language is a stretch of its own; the English part is not in it."""
    text = "The capital of France is Paris, a large city on the Seine, und Sydney ist die Hauptstadt von Australien."
    ((span, language),) = foreign_parts(text)
    assert language == "German"
    assert span.of(text).strip(" .") == "und Sydney ist die Hauptstadt von Australien"
    text = "The capital of France (澳大利亚的首都是悉尼) is Paris."
    assert [(span.of(text), language) for span, language in foreign_parts(text)] == [
        ("(澳大利亚的首都是悉尼)", "Chinese")
    ]


def test_the_whole_of_a_foreign_sentence_is_one_stretch() -> None:
    """Marks do not cut it."""
    text = "Die Hauptstadt, die in Australien liegt, ist nicht Sydney."
    assert foreign_parts(text) == [(Span(0, len(text)), "German")]


def test_usual_endings_are_known() -> None:
    """A word counts as English by its root, too."""
    assert known_word("mountains")
    assert not known_word("hauptstadt")
