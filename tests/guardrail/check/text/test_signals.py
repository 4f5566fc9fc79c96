"""What words and model tell of a claim beside the sentences that are nearest to it."""

from __future__ import annotations

from guardrail.check.text.signals import Beside, of_model, of_words
from guardrail.language import parser

CLOCKS = (
    "The oldest exhibit was donated by the watchmaker Benno, while the Lunar Clock is on loan from Aro.",
    "The ground floor shows tower clocks.",
)


def signals(claim: str, *sentences: str) -> dict[str, float]:
    return of_words(Beside(claim, sentences, "", parser().read), None)


def test_a_sentence_with_all_words_in_their_order_is_covered() -> None:
    found = signals(
        "The ground floor shows tower clocks.", "The ground floor shows tower clocks and watches."
    )
    assert (found["covered"], found["in_order"], found["neighbours"]) == (1.0, 1.0, 1.0)
    assert found["links_held"] == 1.0
    assert found["nowhere"] == found["elsewhere"] == 0.0


def test_words_that_stand_in_another_order_are_not() -> None:
    """Where roles are exchanged, all words are there and their order is not."""
    found = signals("Ann follows Bob.", "Bob follows Ann.")
    assert found["covered"] == 1.0
    assert found["in_order"] < 1.0
    assert found["roles_exchanged"] == 1.0


def test_words_of_two_statements_hang_together_in_neither() -> None:
    """The claim takes the loan's thing and the gift's giver: all words are there, but apart."""
    mixed = signals("The Lunar Clock was donated by the watchmaker Benno.", *CLOCKS)
    right = signals("The oldest exhibit was donated by the watchmaker Benno.", *CLOCKS)
    assert mixed["links_apart"] > right["links_apart"]


def test_a_word_is_elsewhere_or_nowhere() -> None:
    found = signals("The oldest exhibit is on the ground floor with some paintings.", *CLOCKS)
    assert found["elsewhere"] > 0
    assert found["nowhere"] > 0


def test_one_denial_more_is_told_and_two_are_none() -> None:
    found = signals("The pool is not heated.", "The pool is heated.")
    assert (found["denies_unlike"], found["denies_more"], found["denied"]) == (1.0, 1.0, 1.0)
    assert signals("The monks paid the guild.", "The monks paid the guild.")["denies_unlike"] == 0.0


def test_a_number_that_the_sentence_does_not_hold_is_counted() -> None:
    assert signals("The monks paid 20 crowns.", "The monks paid 30 crowns.")["values_absent"] == 1.0


def test_the_models_word_is_kept_of_the_sentence_and_of_the_strongest_window() -> None:
    found = of_model([(0.7, 0.2, 0.1), (0.1, 0.8, 0.1)], [(0.2, 0.5, 0.3), (0.6, 0.3, 0.1)])
    assert (found["sentence_supports"], found["together_is_silent"]) == (0.7, 0.8)
    assert (found["window_supports"], found["window_is_silent"], found["window_contradicts"]) == (
        0.6,
        0.3,
        0.3,
    )
