"""Premises: everything is read or counted as unread, in pieces that fit, and each piece says where it came from."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.check.premises import bearing, joining, lines, naming, premises, sentences
from guardrail.types import Evidence, Node, Passage, Path, Qualifier, Source, Triplet, Value


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


def passage(text: str, title: str = "") -> Passage:
    return Passage("p", text, Source.REQUEST, title=title)


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
    assert premise.kind == "triplets"


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


def test_a_title_stands_before_a_passage_that_does_not_name_it() -> None:
    """Pronouns need to know whose page they are on."""
    read = premises(
        "x", Evidence(passages=(passage("She won twice.", "Ann Lee"),)), room=30, measure=words
    ).read
    assert read[0].text == "Ann Lee: She won twice."
    named = Evidence(passages=(passage("Ann Lee won twice.", "Ann Lee"),))
    assert premises("x", named, room=30, measure=words).read[0].text == "Ann Lee won twice."


def test_whom_a_pronoun_stands_for_is_read_before_it() -> None:
    """ "He was born" says nothing to a reader who is not told of whom; the premise is about that name too."""
    he = Passage("p", "He was born in Bern.", Source.REQUEST, about="Zorblax Quux")
    (premise,) = premises("Quux was born in Bern.", Evidence(passages=(he,)), room=50, measure=words).read
    assert premise.text == "Zorblax Quux: He was born in Bern."
    assert naming(premise, ["Quux"])
    assert not naming(premise, ["Marv"])


def test_the_mark_points_at_what_was_read() -> None:
    """Each window of a passage is the exact stretch that its mark points at."""
    text = "One two three. Four five six!  Seven eight nine?\nTen eleven twelve."
    read = premises("five", Evidence(passages=(passage(text),)), room=7, measure=words).read
    for premise in read:
        (found,) = premise.evidence.passages
        assert found.marks[0].of(text).strip() == premise.text
    assert read[0].overlap == 1.0


def test_what_is_left_out_is_counted_if_it_bears_on_the_claim() -> None:
    """More related windows than are read are reported as unread; unrelated ones are not."""
    related = " ".join(f"Rome had street number {n} once." for n in range(200))
    found = premises("Rome had streets.", Evidence(passages=(passage(related),)), room=6, measure=words)
    assert len(found.read) == 24
    assert found.unread > 100
    unrelated = " ".join(f"Bananas ripen slowly, bunch {n}." for n in range(200))
    assert (
        premises("Rome had streets.", Evidence(passages=(passage(unrelated),)), room=6, measure=words).unread
        == 0
    )


def test_the_window_nearest_to_the_claim_is_read_first() -> None:
    """The sentence that shares the claim's words comes first, wherever it stands in a long passage."""
    text = " ".join(f"Bananas ripen slowly, bunch {n}." for n in range(90)) + " Rome had wide streets."
    found = premises("Rome had streets.", Evidence(passages=(passage(text),)), room=8, measure=words)
    assert "Rome had wide streets." in found.read[0].text


def test_a_premise_can_be_taken_apart() -> None:
    """The sentences of a premise keep its title, and their marks point at themselves."""
    text = "She won twice.  Then she left!\nNobody knew why."
    (premise,) = premises("x", Evidence(passages=(passage(text, "Ann Lee"),)), room=30, measure=words).read
    parts = sentences(premise)
    assert [part.text for part in parts] == [
        "Ann Lee: She won twice.",
        "Ann Lee: Then she left!",
        "Ann Lee: Nobody knew why.",
    ]
    assert [part.evidence.passages[0].marks[0].of(text) for part in parts] == [
        "She won twice.",
        "Then she left!",
        "Nobody knew why.",
    ]
    (stated,) = premises(
        "x", Evidence(triplets=(triplet("Rome", "age", "old"),)), room=30, measure=words
    ).read
    assert sentences(stated) == (stated,)


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


def test_a_premise_is_about_what_it_names() -> None:
    """A passage is about a name that stands anywhere in it or in its title, not only in the part that was read."""
    text = "Ann Lee lives here. " + "It rains. " * 30 + "She won."
    read = premises("won", Evidence(passages=(passage(text),)), room=8, measure=words).read
    assert all(naming(premise, ["Ann Lee"]) for premise in read)
    assert not any(naming(premise, ["Bob Ray"]) for premise in read)
    assert naming(read[0], [])
    (titled,) = premises(
        "x", Evidence(passages=(passage("She won.", "Ann Lee"),)), room=8, measure=words
    ).read
    assert naming(titled, ["Ann Lee"])


def test_a_premise_bears_on_a_claim_of_which_it_holds_half_or_all_but_a_few_words() -> None:
    """A short claim may share only its subject; a long one must share half of what it says."""
    long = "Ann Lee wrote eleven novels about sailors lost near frozen islands."
    assert bearing("Ann Lee was born in Bath.", "Ann Lee died in York in 1990.")
    assert not bearing("Ann Lee was born in Bath.", long)
    assert bearing("Ann Lee wrote two novels about sailors lost near islands.", long)


def test_nothing_gives_nothing() -> None:
    """Empty evidence and blank passages make no premise."""
    assert premises("x", Evidence(), room=20, measure=words).read == ()
    assert premises("x", Evidence(passages=(passage(" \n\n "),)), room=20, measure=words).read == ()


@pytest.mark.parametrize("text", ["x" * 500, "word " * 300, "a.b.c. " * 90, "行" * 400, "1\n" * 200])
def test_text_without_sentences_is_still_read_whole(text: str) -> None:
    """A stretch longer than the room is divided and no character but white space is lost."""
    read = premises(
        "q", Evidence(passages=(passage(text),)), room=40, measure=lambda ts: [len(t) for t in ts]
    ).read
    assert all(len(premise.text) <= 40 for premise in read)


@given(st.text(alphabet="ab .!?\n\"'é漢🙂", max_size=400), st.integers(4, 30))
def test_windows_cover_the_passage(text: str, room: int) -> None:
    """Whatever the passage, the marks of its windows cover everything but white space, as far as windows are read."""
    found = premises(
        "zz", Evidence(passages=(passage(text),)), room=room, measure=lambda ts: [len(t) for t in ts]
    )
    if len(found.read) == 24:
        return
    covered = {at for p in found.read for m in p.evidence.passages[0].marks for at in range(m.start, m.end)}
    assert all(at in covered or text[at].isspace() for at in range(len(text)))


def test_the_sentences_that_hold_most_of_the_claim_are_read_alone_too() -> None:
    """Beside the window that they stand in; what shares little with the claim is read there only."""
    text = "Rome is an old town. Bread is cheap."
    whole, alone = premises("Rome is old.", Evidence(passages=(passage(text),)), room=50, measure=words).read
    assert (whole.text, whole.alone) == (text, False)
    assert (alone.text, alone.alone) == ("Rome is an old town.", True)
