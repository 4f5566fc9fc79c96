from __future__ import annotations

from collections.abc import Callable

from guardrail.claims.facts.listings import cells_of
from guardrail.segment import segment
from guardrail.types import BlockKind, Claim

Claims = Callable[..., list[Claim]]
Triples = Callable[..., set[tuple[str, str, str]]]


def test_table(claims_of: Claims) -> None:
    """Each further cell of a row is a claim with a fact about the first one, with its column's head as the predicate."""
    text = "| Country | Capital | Population |\n|---|---|---|\n| France | Paris | **68** million |\n"
    claims = [claim for claim in claims_of(text) if claim.facts]
    assert [claim.text for claim in claims] == ["Paris", "**68** million"]
    assert [(one.facts[0].subject.text, one.facts[0].relations[0]) for one in claims] == [
        ("France", "P36"),
        ("France", "P1082"),
    ]
    assert claims[0].resolved == "The capital of France is Paris."
    assert [claim.pair for claim in claims] == ["France – capital: Paris", "France – population: 68 million"]
    assert all(claim.text == claim.span.of(text) for claim in claims)


def test_a_row_is_about_the_name_behind_its_number(claims_of: Claims) -> None:
    """Its place in a ranking is no thing: the height is that of the mountain."""
    text = "| # | Mountain | Height |\n|---|---|---|\n| 1 | Mount Everest | 8,849 m |\n"
    (claim,) = [claim for claim in claims_of(text) if claim.facts]
    assert (claim.text, claim.pair) == ("8,849 m", "Mount Everest – height: 8,849 m")


def test_cells_are_exact() -> None:
    """Empty and repeated cells keep their places."""
    text = "| a | b | c |\n|---|---|---|\n| x |  | x |\n"
    (row,) = [sentence for sentence in segment(text) if sentence.kind is BlockKind.ROW]
    cells = cells_of(row)
    assert [(cell.head, cell.text) for cell in cells] == [("a", "x"), ("b", ""), ("c", "x")]
    assert all(cell.span.of(text) == cell.text for cell in cells)
    assert cells[0].span != cells[2].span


def test_table_drawn_in_ascii(claims_of: Claims) -> None:
    """The rows of a table with frames are claims like those of any other; its frames and its header are none."""
    text = "+---------+---------+\n| Country | Capital |\n+---------+---------+\n| France  | Paris   |\n+---------+---------+\n"
    checked = [claim for claim in claims_of(text) if claim.kind.checkable]
    assert [(c.text, c.resolved) for c in checked] == [("France  | Paris", "The capital of France is Paris.")]


def test_the_number_of_a_row_is_no_subject(facts_of: Triples) -> None:
    """A row is about its first cell that is not the row's own number; a column of years is one that tells."""
    head = "| # | Country | Capital |\n|---|---|---|\n"
    assert ("France", "P36", "Paris") in facts_of(head + "| 1 | France | Paris |\n")
