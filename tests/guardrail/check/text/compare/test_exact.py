"""A claim against sentences: what differs in its place, and what no evidence holds."""

from guardrail.check.text.compare.exact import coverage, differences


def different(claim: str, *sentences: str, title: str = "") -> list[tuple[str, str]]:
    """What differs where nearly all else is the same."""
    return [(d.claimed, d.known) for d in differences(claim, sentences, title) if d.share >= 0.7]


def test_values_that_have_changed_places_are_found() -> None:
    """Each stands in the sentence, and with the words of the other one."""
    told = "Assessment: a field report (40 percent) and a written examination (60 percent)."
    claim = "Assessment is a field report worth 60 percent and a written examination worth 40 percent."
    assert ("60 percent", "40 percent") in different(claim, told)
    assert different(told, told) == []


def test_a_difference_knows_how_much_else_is_the_same() -> None:
    """The share of the claim's other words in the sentence or its title."""
    near, far = differences("The tower is 80 m high.", ["The tower is 90 m high.", "A ship is 90 m long."])
    assert (near.sentence, near.share) == (0, 1.0)
    assert far.share == 0.0
    (titled,) = differences("The Ulm tower is 80 m high.", ["It is 90 m high."], "Ulm tower")
    assert titled.share == 1.0
    assert titled.value is not None
    assert titled.slot == "metre"


def test_coverage_counts_the_words_that_say_something() -> None:
    """In any of their forms, values aside."""
    assert coverage("The towers opened in 1990.", "A tower was opened.") == 1.0
    assert coverage("The towers opened in 1990.", "Bread is sold.") == 0.0
    assert coverage("In 1990.", "Bread.") == 1.0


def test_a_sentence_has_the_words_of_the_one_that_its_pronoun_speaks_of() -> None:
    """ "It was opened in 1974." says as much of the bridge as the claim does, but for the year; alone it says too little."""
    said = ["The Lindholm Bridge is a suspension bridge.", "It was opened in 1974."]
    claim = "The Lindholm Bridge opened in 1981."
    (alone,) = [one for one in differences(claim, said) if one.sentence == 1]
    (found,) = [one for one in differences(claim, said, behind=["", said[0]]) if one.sentence == 1]
    assert (found.claimed, found.known, found.share) == ("1981", "1974", 1.0)
    assert alone.share < 0.5


def test_a_time_is_called_by_what_it_is() -> None:
    """A day without a year is a date, a time of day is none; few sentences that share as much have the same."""
    (day,) = differences("The fee is due on 5 May.", ["The fee is due on 6 May."])
    (time,) = differences("The shop opens at 9 am.", ["The shop opens at 8 am."])
    assert (day.slot, time.slot) == ("date", "time")
    assert not day.telling
    assert not time.telling
