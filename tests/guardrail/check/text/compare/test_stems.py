"""Words by their stems, and which of them say something."""

import pytest

from guardrail.check.text.compare.stems import in_some_form, like_stems, says_how, says_what, stem, stem_of
from guardrail.language import parser


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ("mexico", "mexican", True),
        ("austria", "australia", False),
        ("iran", "iraq", False),
        ("city", "cities", True),
    ],
)
def test_forms_of_a_word_share_all_but_their_endings(left: str, right: str, alike: bool) -> None:
    """Countries with like names are not forms of one word."""
    assert like_stems(stem(left), stem(right)) is alike


def test_a_word_is_there_in_some_form() -> None:
    assert in_some_form("mexico", frozenset({"mexican", "port"}))
    assert not in_some_form("iran", frozenset({"iraq"}))


def test_verbs_go_by_their_lemma_and_function_words_say_nothing() -> None:
    """Adverbs say how something is, and not what."""
    tokens = parser().read("The ferries were slowly rising.").tokens
    assert [stem_of(one) for one in tokens if says_what(one)] == ["ferry", "rise"]
    assert [one.text for one in tokens if says_how(one)] == ["slowly"]
