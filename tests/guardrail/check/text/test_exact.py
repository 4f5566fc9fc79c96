"""A claim against sentences: what differs in its place, and what no evidence holds."""

import pytest

from guardrail.check.text.exact import coverage, differences, missing


def different(claim: str, *sentences: str, title: str = "") -> list[tuple[str, str]]:
    """What differs where nearly all else is the same."""
    return [(d.claimed, d.known) for d in differences(claim, sentences, title) if d.share >= 0.7]


@pytest.mark.parametrize(
    ("claim", "sentence", "claimed", "known"),
    [
        ("Refunds are paid within 30 days.", "Refunds are paid out within 14 days of purchase.", "30 days", "14 days"),
        ("The tank holds 3.8 litres.", "The unit has a tank that holds 2.8 litres of water.", "3.8 litres", "2.8 litres"),
        ("Ask within eight working days.", "Ask us within ten working days.", "eight", "ten"),
        ("It was moved 40 metres to the east.", "It was then moved 40 metres to the west.", "east", "west"),
        ("Export runs on Windows from now on.", "Export runs on Linux from now on.", "Windows", "Linux"),
        ("Frost damage is covered.", "Frost damage is not covered.", "covered", "not covered"),
        ("The licence may be sold.", "The licence must be sold.", "may", "must"),
        ("All exhibits are original.", "Most exhibits are original.", "All", "Most"),
    ],
)  # fmt: skip
def test_the_same_slot_filled_otherwise_is_a_difference(
    claim: str, sentence: str, claimed: str, known: str
) -> None:
    """A value, a name, an opposite, a duty, a share or a denial in the place of another."""
    assert (claimed, known) in different(claim, "Bread is sold here.", sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Leave lasts 18 weeks.", "Leave lasts 18 weeks, of which 12 are paid."),
        ("The prize was 5,000 euros.", "The prize was €5,000 in 2019."),
        ("It opened in 1998.", "It opened on 3 May 1998."),
        ("The disk has 128 GB of storage.", "The disk has 8 GB of memory and 128 GB of storage."),
        ("Rain is not covered.", "We do not cover damage by rain."),
        ("It changed nothing.", "There was no change."),
        ("Items may be lent twice.", "Items may be lent twice unless they must stay."),
        ("Doses are less than six hours apart.", "Take no more, with less than six hours between doses."),
        ("You may pay in May.", "You may pay in May."),
    ],
)
def test_what_says_the_same_in_other_words_differs_in_nothing(claim: str, sentence: str) -> None:
    """Other values beside the claimed one, other forms of it, and denials of the same make no difference."""
    assert different(claim, sentence) == []


def test_values_that_have_changed_places_are_found() -> None:
    """Each stands in the sentence, and with the words of the other one."""
    told = "Assessment: a field report (40 percent) and a written examination (60 percent)."
    claim = "Assessment is a field report worth 60 percent and a written examination worth 40 percent."
    assert ("60 percent", "40 percent") in different(claim, told)
    paid = "The first 12 weeks are paid at full salary and the remaining 6 weeks at 70 percent of salary."
    claim = "The first 12 weeks are paid at 70 percent of salary and the remaining 6 weeks at full salary."
    assert ("12 weeks", "6 weeks") in different(claim, paid)
    assert different(paid, paid) == []


def test_a_difference_knows_how_much_else_is_the_same() -> None:
    """The share of the claim's other words in the sentence or its title."""
    near, far = differences("The tower is 80 m high.", ["The tower is 90 m high.", "A ship is 90 m long."])
    assert (near.sentence, near.share) == (0, 1.0)
    assert far.share == 0.0
    (titled,) = differences("The Ulm tower is 80 m high.", ["It is 90 m high."], "Ulm tower")
    assert titled.share == 1.0
    assert titled.value is not None
    assert titled.slot == "metre"


@pytest.mark.parametrize(
    ("claim", "evidence", "title", "lacking"),
    [
        ("It costs 30 euros.", "It costs 20 euros.", "", "30 euros"),
        ("It costs 30 euros.", "It costs €30.", "", ""),
        ("It was led by Mia Holm.", "It was led by Ida Berg.", "", "Mia Holm"),
        ("It was led by Mia Holm.", "Holm led it.", "", ""),
        ("The guide Mia Holm left.", "She left.", "Mia Holm", ""),
        ("It holds for 3 years.", "It holds.", "3 years", "3 years"),
        ("Under clause 7 you pay.", "You pay.", "Lease – clause 7 (Deposit)", ""),
        ("The rest is guaranteed for two.", "All else is guaranteed for two years.", "", ""),
        ("It went from 22.1 to 22.4.", "Version 22.1 became 22.4.", "", ""),
    ],
)
def test_a_value_or_a_name_that_no_evidence_holds_is_missing(
    claim: str, evidence: str, title: str, lacking: str
) -> None:
    """After unit and format; a title gives names, and numbers of names, and never a value."""
    assert missing(claim, evidence, title) == lacking


def test_coverage_counts_the_words_that_say_something() -> None:
    """In any of their forms, values aside."""
    assert coverage("The towers opened in 1990.", "A tower was opened.") == 1.0
    assert coverage("The towers opened in 1990.", "Bread is sold.") == 0.0
    assert coverage("In 1990.", "Bread.") == 1.0


@pytest.mark.parametrize(
    ("claim", "sentence", "telling"),
    [
        ("It keeps for 9 days in the fridge.", "It keeps for 7 days in the fridge.", True),
        ("It keeps for 5 days in the fridge.", "It keeps for up to 7 days in the fridge.", False),
        ("It keeps for 9 days in the fridge.", "It keeps for up to 7 days in the fridge.", True),
        ("The fair opened in May.", "The fair opened in June.", False),
        ("The upper school is closed.", "The lower school is closed.", False),
    ],
)
def test_what_may_well_differ_is_not_telling(claim: str, sentence: str, telling: bool) -> None:
    """A value that a bound allows, a time and an opposite need more of the rest to be the same."""
    found = list(differences(claim, [sentence]))
    assert [difference.telling for difference in found] == [telling]
