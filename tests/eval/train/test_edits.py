"""Changes of one thing in a sentence: each does to its truth what it says."""

import random

import pytest

from eval.train.edits import Change, Place, apart, applied, changes, openings
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, UNSUPPORTED
from eval.train.senses import Senses
from guardrail.language import parser

SENSES = Senses(
    senses={
        ("close", "v"): [("1-v", ["open"])],
        ("member", "n"): [("2-n", [])],
        ("guest", "n"): [("3-n", [])],
    },
    members={"1-v": ["close"], "2-n": ["member"], "3-n": ["guest"]},
    above={"2-n": ["4-n"], "3-n": ["4-n"]},
    people={"2-n", "3-n"},
    forms={("open", "VBZ"): "opens", ("pay", "VBN"): "paid"},
)
SENSES.below["4-n"] = ["2-n", "3-n"]


def made(text: str, *others: str) -> list[tuple[str, int, str]]:
    """(kind, label, changed sentence) of every change."""
    read = parser().read
    place = Place(read(text), [read(other) for other in others], SENSES, random.Random(1))
    return [(one.kind, one.label, applied(text, [one])) for one in changes(place)]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("The tenant must send a letter.", "The tenant need not send a letter."),
        ("The tenants must send a letter.", "The tenants are not allowed to send a letter."),
        ("Dogs are allowed in the garden.", "Dogs are forbidden in the garden."),
        ("The owner did not sign the lease.", "The owner signed the lease."),
        ("Use coarse salt in the machine.", "Do not use coarse salt in the machine."),
        ("Breakfast is included in the price.", "Breakfast is excluded in the price."),
        ("All members pay the fee.", "No members pay the fee."),
        ("The hall is cleaned before the concert.", "The hall is cleaned after the concert."),
        ("Books cost three euros and films cost five euros.", "Books cost five euros and films cost three euros."),
        ("The landlord informed the tenant.", "The tenant informed the landlord."),
        ("Loans are free unless the item is late.", "Loans are free even if the item is late."),
        ("Everyone pays except for children.", "Everyone pays including children."),
        ("The fee falls due within two weeks.", "The fee falls due within 17 days."),
        ("The museum closes in winter.", "The museum opens in winter."),
        ("The bell rings before the guests leave the hall.", "The guests leave the hall before the bell rings."),
    ],
)  # fmt: skip
def test_one_thing_changed_makes_a_sentence_false(text: str, changed: str) -> None:
    """The changed sentence cannot hold beside the old one."""
    assert changed in [found for _, label, found in made(text) if label == CONTRADICTORY]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("The tenant must send a letter.", "The tenant has to send a letter."),
        ("The tenant must not paint the walls.", "The tenant is not allowed to paint the walls."),
        ("The fee falls due within two weeks.", "The fee falls due within 14 days."),
        ("When the bell rings, the doors close.", "The doors close when the bell rings."),
        ("The doors close when the bell rings.", "When the bell rings, the doors close."),
        ("The landlord must pay the fee.", "The fee must be paid by the landlord."),
        ("The bell rings before the guests leave the hall.", "The guests leave the hall after the bell rings."),
        ("The room has tables and chairs.", "The room has chairs and tables."),
        ("The landlord pays the fee.", "It is the landlord that pays the fee."),
        ("The mayor, who is ill, opened the fair.", "The mayor opened the fair."),
    ],
)  # fmt: skip
def test_other_words_leave_a_sentence_true(text: str, changed: str) -> None:
    """What says the same or less follows from the sentence."""
    assert changed in [found for _, label, found in made(text) if label == ATTRIBUTABLE]


def test_another_noun_or_a_phrase_more_is_not_supported() -> None:
    """A noun of the passage or of the same kind is put in, or a phrase of another sentence added: nobody says whether it is so."""
    found = [
        text
        for _, label, text in made("Every member has a key.", "The guest waits in the hall.")
        if label == UNSUPPORTED
    ]
    assert "Every guest has a key." in found
    assert "Every member has a key in the hall." in found


def test_what_may_happen_is_not_denied() -> None:
    """ "May" of things tells what is possible: that it may not happen does not contradict it."""
    assert not [one for one in made("Rain may reach the cellar.") if one[0] in ("negation", "modality")]


def test_changes_that_touch_are_not_made_together() -> None:
    """Two changes of one place are not apart; those of two places can both be made."""
    one, same, other = (Change("x", 1, (part,), 1) for part in ((0, 3, "A"), (2, 4, "B"), (8, 12, "fee")))
    assert not apart(one, same)
    assert apart(one, other)
    assert applied("The new cost rises.", [one, other]) == "A new fee rises."


def test_openings_end_in_a_blank() -> None:
    """The claim follows them as it is."""
    assert all(one.endswith(" ") for one in openings())
