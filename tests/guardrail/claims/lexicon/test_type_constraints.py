from __future__ import annotations

from guardrail.claims.lexicon.relations import Frame
from guardrail.claims.lexicon.type_constraints import compatible

PEOPLE, PLACES = frozenset({"person"}), frozenset({"place"})
BORN_IN = Frame("P19", False, PEOPLE, PLACES, 1)
BORN_ON = Frame("P569", False, PEOPLE, frozenset({"date"}), 0)
FOUNDED = Frame("P740", False, frozenset({"org"}), PLACES, 2)


def test_types_choose_among_relations() -> None:
    """A place is no date, and a person no body."""
    assert compatible((BORN_ON, BORN_IN, FOUNDED), PEOPLE, PLACES) == ("P19",)


def test_of_what_nothing_is_known_everything_may_be() -> None:
    """Unknown names rule nothing out; what surely fits comes first."""
    assert compatible((BORN_IN, FOUNDED), frozenset(), PLACES) == ("P19", "P740")
    assert compatible((FOUNDED, BORN_IN), frozenset({"org"}), frozenset()) == ("P740",)


def test_an_inverse_relation_has_its_sides_exchanged() -> None:
    """The text's subject is the graph's object."""
    inverse = Frame("P19", True, PEOPLE, PLACES, 1)
    assert compatible((inverse,), PLACES, PEOPLE) == ("^P19",)
    assert compatible((inverse,), PEOPLE, PLACES) == ()
