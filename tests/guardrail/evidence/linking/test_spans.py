"""Which words of a text may be a name."""

from collections.abc import Sequence

import pytest

from guardrail.evidence.linking.spans import (
    capitalised_runs,
    common_names,
    function_words,
    scan,
    stretches,
)


def candidates(text: str) -> set[str]:
    """The stretches of `text` as written."""
    scanned = scan(text)
    return {scanned.surface(s.first, s.last) for s in stretches(scanned, set)}


def forms(text: str) -> set[str]:
    """The stretches as they are asked."""
    return {stretch.form for stretch in stretches(scan(text), set)}


def test_a_verb_after_it_makes_a_word_a_name() -> None:
    """ "Apple released" is no fruit, "Apple trees" may be."""
    assert "Apple" in candidates("Apple released a phone.")
    assert "Apple" in candidates("Apple's phone")
    assert "Apple" not in forms("Apple trees need sun.")
    assert "Apple" in candidates("We like Apple trees.")
    assert "Apple" in candidates("Apple, based in Cupertino, released a phone.")
    assert "Apple" in candidates("Apple, which released a phone, is rich.")
    assert "Apple" not in forms("Apple, pear and plum are fruit.")
    assert "Apple" not in forms("Apple and pear trees need sun.")
    assert "China" in candidates("China and India have grown.")
    assert "China" in candidates("China, India and Nepal have grown.")
    assert "Japan" in candidates("| Japan | Tokyo |")
    assert "Japan" in candidates("| **Japan** | Tokyo |")


def test_a_common_word_that_begins_a_sentence_is_read_as_inside_it() -> None:
    """ "Gold melts …" is of gold, and "Apple trees …" of apples; what is no name in small letters is none there."""
    assert "gold" in forms("Gold melts at 1,064 degrees.")
    assert {"apple", "Apple"} & forms("Apple trees need sun.") == {"apple"}
    assert not forms("May it be so.") & {"may", "May"}


def test_names_do_not_reach_over_lines_or_brackets() -> None:
    """A heading and the next line are two."""
    assert not any("\n" in c or "(" in c for c in candidates("Marie Curie\nNobel Prize (Physics) 1903"))


def test_capitalised_runs_are_whole_names() -> None:
    """Sentence starts are left out where they are function words."""
    scanned = scan("The writer John Ronald Tolkien and the Bank of England met. But Ann left.")
    assert [scanned.surface(a, b) for a, b in capitalised_runs(scanned)] == [
        "John Ronald Tolkien",
        "Bank of England",
        "Ann",
    ]


@pytest.mark.parametrize("text", ["", " ", "...", "😀😀", "a" * 5000])
def test_odd_texts_are_read(text: str) -> None:
    """Nothing raises."""
    assert isinstance(stretches(scan(text), set), list)


def test_the_word_lists_are_apart() -> None:
    """A word is in one of the two."""
    assert not function_words() & common_names()
    assert {"who", "may"} <= function_words()
    assert "apple" in common_names()


def test_only_beginnings_that_the_graph_knows_are_followed() -> None:
    """A pair of words that begins no name ends the search there; what is a name by itself stays."""
    scanned = scan("He likes New York City Hall. Super Bowls are played.")
    asked: list[str] = []

    def begun(keys: Sequence[str]) -> set[str]:
        asked.extend(keys)
        return {"york city", "super bowl"}

    found = {s.key for s in stretches(scanned, begun)}
    assert {"new york", "york city", "super bowls", "super bowl"} <= set(asked)
    assert {"york city", "york city hall", "super bowl", "new", "hall"} <= found
    assert not found & {"new york", "new york city", "city hall", "super bowls"}


def test_the_form_of_a_stretch_is_what_the_text_says() -> None:
    """And its singular is written without the last letter."""
    forms = {(s.form, s.singular) for s in stretches(scan("He saw the Beatles' Super Bowls."), set)}
    assert {("the Beatles", False), ("Super Bowls", False), ("Super Bowl", True)} <= forms
