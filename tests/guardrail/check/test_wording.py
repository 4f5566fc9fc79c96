"""A claim and a sentence word by word: the same, one difference, or nothing that can be said."""

import pytest

from guardrail.check.wording import compared, doubtful, items, repeatable, value_keys


def state(claim: str, sentence: str) -> str | None:
    found = compared(claim, sentence)
    return found.state if found else None


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
    assert compared(text, text) is None


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The mill burnt down on 4 May 1901.", "the mill burnt down on May 4, 1901"),
        ("Anna Holm wrote six novels.", "Anna Holm wrote 6 novels."),
        ("Anna Holm wrote six novels.", "Anna Holm (born 1950) wrote six novels."),
        ("Anna Holm opened a bakery.", "In 1990, Anna Holm opened a bakery in Ulm."),
        ("Anna Holm opened a bakery.", "In May 1990 Anna Holm opened a bakery in Ulm."),
        ("Anna Holm runs a bakery.", "Anna Holm, a baker from Ulm, runs a bakery."),
        ("Anna Holm isn't a baker.", "Anna Holm is not a baker."),
    ],
)
def test_a_claim_that_stands_in_the_sentence_is_supported(claim: str, sentence: str) -> None:
    """Dates in another form, brackets, openings, asides and what follows do not matter."""
    assert state(claim, sentence) == "agree"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Anna Holm founded a bakery in 1990.", "Anna Holm founded a bakery in 1991."),
        ("The warranty lasts two years.", "The warranty lasts three years from the date of purchase."),
        ("Refunds are possible within 30 days.", "Refunds are possible within 14 days of purchase."),
        (
            "The tower is 120 metres tall.",
            "The tower, completed in 1932, is 150 metres tall and stands in Ulm.",
        ),
        ("The deadline is 5 May 2020.", "The deadline is 6 May 2020."),
        ("Sales rose by 5 percent.", "Sales fell by 5 percent."),
        ("Anna Holm scored 12 goals in 2010.", "Anna Holm scored 15 goals in 2010."),
        ("The bridge is 400 m long.", "The bridge is 500 m long."),
        ("The fire killed twelve people.", "The fire killed 15 people."),
        ("The mill lies south of the river.", "The mill lies north of the river."),
        ("The mill is the largest in Ulm.", "The mill is the smallest in Ulm."),
        ("The fair takes place on Monday.", "The fair takes place on Friday."),
        ("The mill was not rebuilt in 1950.", "The mill was rebuilt in 1950."),
        ("Anna Holm did not win the prize.", "Anna Holm won't win the prize."),
        ("Anna Holm opened a bakery in Ulm.", "Anna Holm did not open a bakery in Ulm."),
    ],
)
def test_one_date_number_opposite_or_negation_refutes(claim: str, sentence: str) -> None:
    """Everything else is the same, so one of the two is wrong."""
    if "won't" in sentence:
        assert state(claim, sentence) is None  # another tense is another difference
    else:
        assert state(claim, sentence) == "conflict"


def test_a_conflict_names_both_sides() -> None:
    """What differs is told in the words of the claim and of the sentence."""
    found = compared("The bridge is 400 m long.", "The bridge is 500 m long.")
    assert found is not None
    assert found.claimed is not None
    assert found.known is not None
    assert (found.claimed.text, found.known.text) == ("400 m", "500 m")


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The town had 500 inhabitants in 2010.", "The town had 600 inhabitants in 2020."),
        ("Anna Holm scored 12 goals.", "Anna Holm scored 15 goals in 2010."),
        ("Anna Holm opened a bakery.", "Peter said that Anna Holm opened a bakery."),
        ("Anna Holm opened a bakery.", "Anna Holm opened a bakery, according to her son."),
        ("The fire killed 12 people.", "The fire may have killed 15 people."),
        ("The fire killed 12 people.", "The fire killed more than 10 people."),
        ("Anna Holm is the tallest baker.", "Anna Holm is the tallest baker in Ulm."),
        ("Ulm lies on the Danube.", "The museum of Ulm lies on the Danube."),
        ("Anna Holm met Peter Lind.", "Anna Holm met Berta Lind."),
        ("Ulm won the cup in 1998.", "Ulm won the cup in 2018."),
        ("Ulm won the match against Bonn.", "Ulm lost the match against Bonn."),
        ("Anna Holm scored 12 goals.", "Anna Holm scored 15 goals."),
        ("The fair opened on Monday and Friday.", "The fair opened on Monday and Tuesday and Friday."),
        ("The mill was built in 1990.", "The mill was built in 1980 and 1990."),
        ("The fire killed 12 people.", "The fire killed 15 people in the northern part."),
        ("There was no year with more than 58 fires.", "There was no year with more than 64 fires."),
        ("The woman was released in 1990.", "The man was released in 1990."),
        ("The south gate of Ulm was built in 1400.", "The north gate of Ulm was built in 1400."),
        ("Skylark 11 landed in the desert.", "Skylark 12 landed in the desert."),
        ("The 1998 cup was won by Ulm.", "The 2002 cup was won by Ulm."),
        ("Anna Holm likes bread.", "Anna Holm likes bread and cake, but not both."),
        ("Yes.", "No."),
    ],
)
def test_what_may_be_another_event_or_half_a_sentence_decides_nothing(claim: str, sentence: str) -> None:
    """Two differences, a doubt, a report, another name, or a part that does not stand alone: left to others."""
    assert state(claim, sentence) is None


def test_the_values_of_a_text_are_told_by_their_keys() -> None:
    """A value has one key, however it is written; words have none."""
    assert value_keys("It opened on 4 May 1901.") == {items("on May 4, 1901")[-1].key}
    assert value_keys("It opened.") == frozenset()


def test_goals_are_counted_again_each_time() -> None:
    """What is scored or sold has another number each time; a length has not."""
    assert repeatable("Anna Holm scored 12 goals.")
    assert not repeatable("The bridge is 400 m long.")


def test_doubt_is_a_word_or_a_quotation_mark() -> None:
    """Reports, possibilities, fiction and quotations are not told as facts."""
    assert doubtful("It may rain.")
    assert doubtful("Peter said so.")
    assert doubtful('She called it "the mill".')
    assert not doubtful("The mill burnt down.")
