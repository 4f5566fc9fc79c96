"""Values that stand in each other's place."""

from guardrail.check.text.compare.amounts import named, stands
from guardrail.check.text.compare.phrases import read


def test_a_place_is_called_by_its_unit_or_what_it_counts() -> None:
    """Whatever stands between; a date is called a date, and all else a value."""
    assert named(read("within 14 days"), 1) == "day"
    assert named(read("within 5 working days"), 1) == "day"
    assert named(read("it has 14 cats"), 2) == "cat"
    assert named(read("it has 3 new members"), 2) == "member"
    assert named(read("opened on 3 May 2019"), 2) == "date"
    assert named(read("the second time"), 0) == "value"
    assert named(read("led by Holm"), 2) == "value"


def test_a_number_in_words_stands_where_its_digits_do() -> None:
    """And the other way round."""
    assert stands(read("eight rooms"), 0, read("It has 8 rooms."))
    assert not stands(read("eight rooms"), 0, read("It has 9 rooms."))
