from __future__ import annotations

from guardrail.language.vocabulary import common_word, listed_word, listed_words


def test_a_word_is_known_by_its_small_letters() -> None:
    """Words of any kind are listed, names among them; what no treebank has is not."""
    assert all(map(listed_word, ("tower", "paris", "built", "monday")))
    assert not any(map(listed_word, ("xanthippe", "hauptstadt", "")))


def test_names_are_no_common_words() -> None:
    """A word that is a name now and then is common all the same; one that is nothing else is not."""
    assert all(map(common_word, ("tower", "may", "west", "nice")))
    assert not any(map(common_word, ("paris", "monday", "china", "zorbly")))


def test_the_list_holds_words_alone() -> None:
    """Each entry is a word of letters in small letters."""
    assert all(word.isalpha() and word == word.lower() for word in listed_words())
