from __future__ import annotations

from guardrail.claims.splitting import pieces
from guardrail.language import parser
from guardrail.types import Kind


def told(text: str, *, line: bool = False) -> list[str]:
    return [text[one.start : one.end] for one in pieces(parser().read(text), line=line)]


def test_no_fragment_is_a_claim() -> None:
    """Nothing stands alone that has no predicate."""
    assert told("According to the manual, the pump is turned off.") == [
        "According to the manual, the pump is turned off"
    ]


def test_negation_that_joins_stays() -> None:
    """A word that joins two clauses and denies the second one belongs to it."""
    assert told("She never taught, nor did she write.")[-1].startswith("nor")


def test_lines_set_values_beside_keys() -> None:
    """A line with a key and its value is one claim, and a pair."""
    (piece,) = pieces(parser().read("Battery life: 40 hours"), line=True)
    assert (piece.kind, piece.pair, piece.start, piece.end) == (Kind.FACT, True, 0, 22)


def test_salutation_on_its_own_line_is_left_out() -> None:
    """What is said behind "Hi Ben," on a line of its own is told without it."""
    assert told("Hi Ben,\nI spoke to the landlord this morning.") == ["I spoke to the landlord this morning"]


def test_pieces_are_disjoint_and_in_order() -> None:
    """Whatever the text, its stretches lie in order within it."""
    for text in (
        "and, or; but: which",
        "(((",
        "a ; b ; is , which",
        "so , while ; — was",
        "Is . Was : were ; am",
    ):
        found = [(one.start, one.end) for one in pieces(parser().read(text))]
        flat = [place for pair in found for place in pair]
        assert flat == sorted(flat)
        assert all(0 <= place <= len(text) for place in flat)


def test_nothing_was_read_of_an_empty_text() -> None:
    """What was not read has no pieces."""
    assert pieces(parser().read("")) == []
