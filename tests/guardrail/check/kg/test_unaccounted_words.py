"""What a sentence adds to a statement of the graph, and what it only words in another way."""

from __future__ import annotations

import pytest

from guardrail.types import Label
from guardrail.verifier import Verifier
from tests.test_own_graph import imported

_FACTS = """subject,predicate,object
Elm Hall,owner,Ann Lee
Elm Hall,capacity,450
Elm Hall,year of construction,1931
Elm Hall,dogs allowed,no
Elm Hall,hire charge per day,£90
Ann Lee,profession,carpenter
"""
_TRUE = (
    "Ann Lee is the owner of Elm Hall",
    "Elm Hall has a capacity of 450",
    "Elm Hall was constructed in 1931",
    "Dogs are not allowed in Elm Hall",
    "The hire charge of Elm Hall is £90 a day",
)
_ADDED = (
    "in winter",
    "according to the mayor",
    "with the permission of the council",
    "because of the flood",
    "for members only",
    "most of the time",
    "by the Ministry of Parks",
    "twice",
    "next summer",
)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    path = tmp_path_factory.mktemp("graph") / "hall.db"
    imported(path, _FACTS)
    return Verifier.open(path)


def labels(verifier: Verifier, text: str) -> set[Label]:
    return {verdict.label for verdict in verifier.check(text).verdicts}


@pytest.mark.parametrize("text", _TRUE)
def test_a_true_statement_is_supported(hall: Verifier, text: str) -> None:
    """What says no more than the graph is confirmed."""
    assert labels(hall, f"{text}.") == {Label.ATTRIBUTABLE}


@pytest.mark.parametrize("text", _TRUE)
@pytest.mark.parametrize("added", _ADDED)
def test_a_phrase_that_was_not_compared_is_not_supported(hall: Verifier, text: str, added: str) -> None:
    """A sentence that says when, how or for whom, of which the graph says nothing, is not confirmed, wherever it says so."""
    assert Label.ATTRIBUTABLE not in labels(hall, f"{text} {added}.")
    assert Label.ATTRIBUTABLE not in labels(hall, f"{added.capitalize()}, {text[0].lower()}{text[1:]}.")


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee is the deputy owner of Elm Hall.",
        "Ann Lee is secretly the owner of Elm Hall.",
        "Ann Lee is hardly the owner of Elm Hall.",
        "Elm Hall has an average capacity of 450.",
        "Elm Hall has another capacity of 450.",
    ],
)
def test_a_word_that_narrows_what_was_compared_is_not_passed_over(hall: Verifier, text: str) -> None:
    """An adverb or adjective that no statement tells leaves the sentence open, and is named."""
    (verdict,) = hall.check(text).verdicts
    assert verdict.label is Label.EXTRAPOLATORY


@pytest.mark.parametrize(
    "text",
    [
        "Elm Hall currently has a total capacity of 450.",
        "Ann Lee, the carpenter, is the owner of Elm Hall.",
        "Elm Hall has a capacity of only 450.",
        "In fact, Elm Hall was constructed in 1931.",
    ],
)
def test_words_that_add_nothing_leave_a_statement_supported(hall: Verifier, text: str) -> None:
    """Words of emphasis and of the telling, and what the graph says elsewhere, narrow nothing."""
    assert labels(hall, text) == {Label.ATTRIBUTABLE}


def test_a_sentence_that_no_parse_fits_is_read_to_its_end(verifier: Verifier) -> None:
    """One word in each line is parsed as nouns that hang on nothing."""
    assert labels(verifier, "The\ncapital\nof\nCanada\nis\nToronto.") == {Label.CONTRADICTORY}


def test_what_was_left_over_is_shown(hall: Verifier) -> None:
    """The slot and the rationale name the word, at its place."""
    text = "Ann Lee is the owner of Elm Hall in winter."
    (verdict,) = hall.check(text).verdicts
    assert verdict.slot is not None
    assert verdict.slot.span is not None
    assert verdict.slot.span.of(text) == "winter"
    assert 'nothing about "winter"' in verdict.rationale


@pytest.mark.parametrize(
    "text",
    [
        "The owner of Elm Hall was born in Sarn.",
        "The owner of Elm Hall runs a school in Sarn.",
        "The sister of the owner of Elm Hall is Bo Kay.",
        "The owner of the largest kitchen of Elm Hall is Bo Kay.",
    ],
)
def test_what_may_be_said_of_another_thing_refutes_nothing(hall: Verifier, text: str) -> None:
    """A value of the thing that is known is none of its sister, or of where it was born."""
    assert labels(hall, text) == {Label.EXTRAPOLATORY}


@pytest.mark.parametrize(
    "text",
    [
        "The owner of Elm Hall is Bo Kay.",
        "Elm Hall's owner is Bo Kay.",
        "The capacity of Elm Hall is 300.",
        "The hire charge of Elm Hall comes to £70 a day.",
        "The famous Elm Hall was constructed in 1950.",
    ],
)
def test_another_value_of_the_thing_itself_refutes(hall: Verifier, text: str) -> None:
    assert labels(hall, text) == {Label.CONTRADICTORY}
