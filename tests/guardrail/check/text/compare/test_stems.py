"""Words by their stems."""

import pytest

from guardrail.check.text.compare.stems import in_some_form, like_stems
from guardrail.language.stems import light_stem


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
    assert like_stems(light_stem(left), light_stem(right)) is alike


def test_a_word_is_there_in_some_form() -> None:
    assert in_some_form("mexico", frozenset({"mexican", "port"}))
    assert not in_some_form("iran", frozenset({"iraq"}))
