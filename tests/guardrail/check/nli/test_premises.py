"""Premises: everything is read or counted as unread, in pieces that fit, and each piece says where it came from."""

from collections.abc import Sequence

import pytest

from guardrail.check.nli.premises import bearing, joining, lines, naming, premises
from guardrail.types import Evidence, Node, Path, Qualifier, Triplet, Value


def words(texts: Sequence[str]) -> list[int]:
    """A tokenizer that counts words."""
    return [len(text.split()) for text in texts]


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
    evidence = Evidence(
        triplets=(triplet("Rome", "mayor", "Ann", ("start time", "1990"), ("end time", "1995")),)
    )
    (premise,) = premises("Ann was mayor.", evidence, room=50, measure=words).read
    assert premise.text == "Rome: mayor: Ann (start time: 1990, end time: 1995)."


def test_statements_are_packed_until_the_room_is_full() -> None:
    """Statements share a premise while they fit, and each premise carries the statements it was made of."""
    many = tuple(triplet("Rome", f"relation{n}", f"value{n}") for n in range(10))
    read = premises("Rome is old.", Evidence(triplets=many), room=9, measure=words).read
    assert all(words([premise.text])[0] <= 9 for premise in read)
    assert tuple(t for premise in read for t in premise.evidence.triplets) == many
    assert 1 < len(read) < 10


def test_the_statements_of_a_path_stay_together() -> None:
    """Two statements that only together say something are read together, even when others rank between them."""
    first, second = triplet("Ann", "born in", "Lyon"), triplet("Lyon", "country", "France")
    between = [triplet("Ann", f"p{n}", f"o{n}") for n in range(6)]
    evidence = Evidence(triplets=(first, *between, second), paths=(Path((first, second)),))
    read = premises("Ann was born in France.", evidence, room=8, measure=words).read
    assert any(first in p.evidence.triplets and second in p.evidence.triplets for p in read)


def test_a_chain_over_strangers_is_not_read() -> None:
    """That two entities share something with a third one is no statement about them."""
    chain = (
        triplet("Ann", "genre", "rock"),
        triplet("Bob", "genre", "rock"),
        triplet("Bob", "field", "jazz"),
    )
    own = triplet("Ann", "born in", "Lyon")
    evidence = Evidence(triplets=(*chain, own), paths=(Path(chain),))
    found = premises("Ann works in the field of jazz.", evidence, room=50, measure=words)
    assert [premise.text for premise in found.read] == ["Ann: born in: Lyon."]
    assert found.unread == 0


@pytest.mark.parametrize(
    ("statements", "claim", "joined"),
    [
        ([("Ann Lee", "genre", "folk rock")], "Ann Lee plays folk rock.", True),
        ([("Ann Lee", "genre", "jazz"), ("Bob", "genre", "folk rock")], "Ann Lee plays folk rock.", False),
        (
            [("Ann Lee", "born in", "Lyon"), ("Lyon", "country", "France")],
            "Ann Lee was born in France.",
            False,
        ),
        ([("Ann Lee", "date of birth", "7 May 1867")], "Ann Lee was born in 1867.", True),
        ([("Ann Lee", "date of birth", "7 May 1867")], "Ann Lee was born in 1900.", False),
        ([("Ann Lee", "work", "film actor")], "Ann Lee is a voice actor.", False),
        ([("Ann Lee", "work", "film actor")], "Lee is a film actor.", True),
        ([("Rome", "capital of", "Italy")], "Italy is governed from Rome.", True),
        ([("Ann Lee", "genre", "jazz"), ("Bob", "genre", "jazz")], "Ann Lee is married to Bob.", False),
        ([("Ann Lee", "home", "Peru"), ("Peru", "ally", "Chile")], "Ann Lee is from Chile.", False),
    ],
)
def test_support_must_join_what_the_claim_names(
    statements: list[tuple[str, str, str]], claim: str, joined: bool
) -> None:
    """One statement must reach from one thing that the claim names to another that it names in full."""
    evidence = Evidence(triplets=tuple(triplet(*statement) for statement in statements))
    (premise,) = premises(claim, evidence, room=50, measure=words).read
    assert bool(joining(premise, claim)) is joined


def test_what_is_left_out_is_counted_if_it_bears_on_the_claim() -> None:
    """More related statements than are read are reported as unread; unrelated ones are not."""
    related = tuple(triplet("Rome", f"street{n}", f"value{n}") for n in range(40))
    found = premises("Rome had streets.", Evidence(triplets=related), room=50, measure=words)
    assert found.unread == 16
    other = tuple(triplet("Bananas", f"bunch{n}", f"value{n}") for n in range(40))
    assert premises("Rome had streets.", Evidence(triplets=other), room=50, measure=words).unread == 0


def test_nothing_gives_nothing() -> None:
    """Empty evidence makes no premise."""
    assert premises("x", Evidence(), room=20, measure=words).read == ()


def test_a_premise_is_about_what_it_names() -> None:
    """By any word of a name; where no name is looked for it is about anything."""
    evidence = Evidence(triplets=(triplet("Ann Lee", "age", "old"),))
    (premise,) = premises("x", evidence, room=30, measure=words).read
    assert naming(premise, ["Ann Lee"])
    assert naming(premise, [])
    assert not naming(premise, ["Bob Ray"])


def test_a_premise_bears_on_a_claim_of_which_it_holds_half_or_all_but_a_few_words() -> None:
    """A short claim may share only its subject; a long one must share half of what it says."""
    long = "Ann Lee wrote eleven novels about sailors lost near frozen islands."
    assert bearing("Ann Lee was born in Bath.", "Ann Lee died in York in 1990.")
    assert not bearing("Ann Lee was born in Bath.", long)
