"""A text word by word."""

import pytest

from guardrail.check.text.compare.items import items


def test_dates_and_numbers_are_one_item_each() -> None:
    """A date of three words is one item, told by what it is; articles are none."""
    assert [item.text for item in items("The mill burnt down on 4 May 1901.")] == [
        "mill", "burnt", "down", "on", "4 May 1901",
    ]  # fmt: skip
    assert items("on 4 May 1901")[-1].key == items("on May 4, 1901")[-1].key


def test_a_number_in_a_name_is_a_word() -> None:
    """What belongs to a name is no quantity."""
    assert all(item.value is None for item in items("We flew with Skylark 11 again."))


@pytest.mark.parametrize("text", ["", " ", "…", "—!?"])
def test_a_text_without_words_has_no_items(text: str) -> None:
    """Nothing is compared where nothing is said."""
    assert items(text) == ()


def test_a_negation_is_a_word_of_its_own() -> None:
    """ "Isn't" is "is" and "not"."""
    assert [item.key for item in items("It isn't so, and we cannot.")] == [
        "it", "is", "not", "so", "&", "we", "can", "not",
    ]  # fmt: skip
