"""What words and model tell of a claim beside the sentences that are nearest to it."""

from __future__ import annotations

from guardrail.check.text.signals import of_model, of_words

CLOCKS = (
    "The oldest exhibit was donated by the watchmaker Benno, while the Lunar Clock is on loan from Aro.",
    "The ground floor shows tower clocks.",
)


def signals(claim: str, *sentences: str) -> dict[str, float]:
    return of_words(claim, sentences, "")


def test_a_sentence_with_all_words_in_their_order_is_covered() -> None:
    found = signals(
        "The ground floor shows tower clocks.", "The ground floor shows tower clocks and watches."
    )
    assert (found["covered"], found["in_order"], found["nowhere"]) == (1.0, 1.0, 0.0)
    assert found["covered_back"] < 1.0


def test_words_that_stand_in_another_order_are_not() -> None:
    """Where roles are exchanged, all words are there and their order is not."""
    found = signals("Ann follows Bob.", "Bob follows Ann.")
    assert found["covered"] == 1.0
    assert found["in_order"] < 1.0


def test_a_word_of_another_sentence_is_somewhere() -> None:
    """The nearest sentence alone says what is covered."""
    floor, paintings = (
        signals(f"The oldest exhibit is {where}.", *CLOCKS)
        for where in ("on the ground floor", "among paintings")
    )
    assert floor["nowhere"] == 0.0 < paintings["nowhere"]
    assert max(floor["covered"], paintings["covered"]) < 1.0


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
