"""Statements as the model reads them."""

from guardrail.check.nli.premises import lines, wire_text
from guardrail.types import Node, Qualifier, Triplet, Value


def triplet(subject: str, predicate: str, object_: str, *qualifiers: tuple[str, str]) -> Triplet:
    return Triplet(
        Node("S:" + subject, subject),
        Node("P:" + predicate, predicate),
        Node("O:" + object_, object_),
        tuple(Qualifier(Node("", name), Value(value, value, "string")) for name, value in qualifiers),
        id=f"{subject}-{predicate}-{object_}",
    )


def test_statements_are_grouped_by_subject_and_predicate() -> None:
    """The wire form names a subject and a predicate once and keeps the order of appearance."""
    rows = [("Marie Curie", "award", "A"), ("Paris", "country", "France"), ("Marie Curie", "award", "B")]
    assert lines(rows) == "Marie Curie: award: A, B. Paris: country: France."
    assert lines([("x", "p", "1"), ("x", "p", "1"), ("x", "q", "2")]) == "x: p: 1; q: 2."
    assert lines([]) == ""


def test_qualifiers_stand_behind_their_object() -> None:
    """A qualifier is written in brackets after the object it belongs to."""
    mayor = triplet("Rome", "mayor", "Ann", ("start time", "1990"), ("end time", "1995"))
    assert wire_text([mayor]) == "Rome: mayor: Ann (start time: 1990, end time: 1995)."
