"""Names are folded so that the same name written differently meets itself."""

import pytest

from guardrail.evidence.names import cut, fold, key, words


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("J.K. Rowling", "J. K. Rowling"),
        ("Beyoncé", "Beyonce"),
        ("Beyoncé's", "Beyoncé"),
        ("Spider-Man", "spider man"),
        ("Søren Łukasiewicz", "Soren Lukasiewicz"),
        ("STRASSE", "Straße"),
        ("  New\u00a0York ", "New York"),
        ("Beyonce\u0301", "Beyoncé"),
        ("AC/DC", "ac dc"),
    ],
)
def test_the_same_name_has_one_key(left: str, right: str) -> None:
    """Case, diacritics, punctuation, spacing and a possessive do not make another name."""
    assert key(left) == key(right) != ""


def test_different_names_keep_different_keys() -> None:
    """Folding keeps letters and digits apart."""
    assert key("U2") != key("U 2")
    assert key("Obama") != key("Osama")


@pytest.mark.parametrize("nothing", ["", " ", "…", "★", "--"])
def test_a_name_without_letters_has_no_key(nothing: str) -> None:
    """Symbols alone are not indexed."""
    assert key(nothing) == ""


def test_words_point_at_their_places() -> None:
    """Offsets are code points of the text as given, also behind emoji."""
    text = "😀 Beyoncé's 3rd café"
    assert [text[w.start : w.end] for w in words(text)] == ["Beyoncé", "3rd", "café"]


def test_a_possessive_belongs_to_the_gap() -> None:
    """What is between two words has it; an s that stands alone is a word."""
    assert cut("Ann's cat, 's").gaps == ["'s ", ", '"]
    assert cut("Ann's cat, 's").words == ["Ann", "cat", "s"]
    assert cut("") == ([], [], [])


def test_scripts_without_spaces_give_a_word_per_character() -> None:
    """A Japanese name is found inside a Japanese text."""
    assert key("東京") in key("私は東京に住む")
    assert len(words("東京")) == 2


def test_folding_is_stable() -> None:
    """Folding what is folded changes nothing."""
    for word in ("ÉCOLE", "ﬁre", "Ǆ", "ẞ"):
        assert fold(fold(word)) == fold(word)
