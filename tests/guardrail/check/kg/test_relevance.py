"""Statements about the claim's subject, and those that were only found beside them."""

from typing import Any

from guardrail.check.kg.relevance import relevant
from guardrail.types import Evidence, Node, Path, Triplet

TEXT = "Blue Sky was filmed in Kiel."


def statement(subject: str, relation: str, object_: str) -> Triplet:
    return Triplet(Node(f"Q:{subject}", subject), Node("P0", relation), Node(f"Q:{object_}", object_))


def test_statements_about_others_are_left_out(make: Any) -> None:
    """What shares only the object with the claim says nothing of its subject, whichever end the subject is."""
    fact = make.fact(make.argument("Blue Sky", TEXT), "was filmed in", make.argument("Kiel", TEXT))
    own = statement("Blue Sky", "filming location", "Ulm")
    behind = statement("Ida Holm", "notable work", "Blue Sky")
    other = statement("Red Sun", "filming location", "Kiel")
    found = relevant(make.claim(TEXT, fact), Evidence(triplets=(other, own, behind)))
    assert found.triplets == (own, behind)


def test_a_path_from_the_subject_is_kept_whole(make: Any) -> None:
    """The second statement of a path need not name the subject."""
    fact = make.fact(make.argument("Blue Sky", TEXT), "was filmed in", make.argument("Kiel", TEXT))
    first, second = statement("Blue Sky", "filming location", "Dock"), statement("Dock", "located in", "Kiel")
    other = statement("Red Sun", "filming location", "Kiel")
    paths = (Path((first, second)), Path((other,)))
    found = relevant(make.claim(TEXT, fact), Evidence(triplets=(other, first, second), paths=paths))
    assert found.triplets == (first, second)
    assert found.paths == paths[:1]


def test_a_claim_without_facts_keeps_everything(make: Any) -> None:
    """Where no subject was read none can be compared."""
    evidence = Evidence(triplets=(statement("Red Sun", "filming location", "Kiel"),))
    assert relevant(make.claim(TEXT), evidence) is evidence
