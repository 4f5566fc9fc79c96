"""Minimal pairs: their labels are true of the evidence they come with."""

import random
import re
from collections import Counter

import pytest

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from eval.train.synthetic import Generator, negate
from eval.train.world import Relation, Statement, World, date_words, number_words

CITIES = [f"City{n}" for n in range(12)]


def world() -> World:
    """Thirty people with one birthplace, one date of birth, several awards and a father each."""
    relations = {
        "P19": Relation(
            "P19", "place of birth", ("{s} was born in {o}.",), single=True, asymmetric=False, confusable=()
        ),
        "P569": Relation(
            "P569", "date of birth", ("{s} was born on {o}.",), single=True, asymmetric=False, confusable=()
        ),
        "P166": Relation(
            "P166", "award received", ("{s} won the {o}.",), single=False, asymmetric=False, confusable=()
        ),
        "P22": Relation(
            "P22", "father", ("{o} is the father of {s}.",), single=True, asymmetric=True, confusable=()
        ),
    }
    made = World(relations)
    for n in range(30):
        name = f"Person{n}"
        statements = [
            Statement(name, "P19", CITIES[n % 12], "item"),
            Statement(name, "P569", f"19{n + 10}-0{n % 9 + 1}-1{n % 9}", "date"),
            Statement(name, "P166", f"Prize{n % 5}", "item"),
            Statement(name, "P166", f"Prize{n % 5 + 5}", "item"),
            Statement(name, "P22", f"Father{n}", "item"),
        ]
        made.by_subject[name] = statements
        for statement in statements:
            made.values[statement.property].append(statement)
    return made


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    made = world()
    generator = Generator(made, random.Random(4), frozenset(made.relations), lambda r, rng: rng.choice(r.say))
    return list(generator.examples(3000))


def test_no_label_is_rare(examples: list[Example]) -> None:
    """Each label has at least a fifth of the examples."""
    counted = Counter(example.labels for example in examples)
    assert set(counted) == {ATTRIBUTABLE, EXTRAPOLATORY, CONTRADICTORY}
    assert min(counted.values()) > len(examples) / 5


def test_a_plain_supported_birthplace_is_in_the_evidence(examples: list[Example]) -> None:
    """A claim of a birthplace that is Attributable states what the evidence states, and a Contradictory one does not."""
    seen = Counter[int]()
    for example in examples:
        found = re.fullmatch(r"(Person\d+) was born in (City\d+)\.", example.hypothesis)
        if not found:
            continue
        stated = re.search(rf"{found[1]}: [^.]*place of birth: (City\d+)", example.premise)
        seen[example.labels] += 1
        if example.labels == ATTRIBUTABLE:
            assert stated
            assert stated[1] == found[2]
        elif example.labels == CONTRADICTORY:
            assert stated
            assert stated[1] != found[2]
        else:
            assert not stated
    assert min(seen.values()) > 20


def test_another_member_of_an_open_list_is_no_contradiction(examples: list[Example]) -> None:
    """A prize that the evidence does not name is Extrapolatory; only a denial of one it names contradicts."""
    for example in examples:
        found = re.fullmatch(r"(Person\d+) won the (Prize\d+)\.", example.hypothesis)
        if found and not re.search(rf"{found[1]}: [^.]*\b{found[2]}\b", example.premise):
            assert example.labels == EXTRAPOLATORY


def test_a_father_and_child_changed_round_contradict(examples: list[Example]) -> None:
    """Roles of an asymmetric relation cannot be swapped."""
    swapped = [e for e in examples if re.fullmatch(r"Person\d+ is the father of Father\d+\.", e.hypothesis)]
    assert swapped
    assert {example.labels for example in swapped} == {CONTRADICTORY}


def test_a_not_alone_does_not_give_the_label_away(examples: list[Example]) -> None:
    """Denials occur under every label."""
    denied = Counter(e.labels for e in examples if re.search(r"\b(not|never)\b", e.hypothesis))
    assert max(denied.values()) < 0.75 * sum(denied.values())
    assert set(denied) == {ATTRIBUTABLE, EXTRAPOLATORY, CONTRADICTORY}


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("Rome was founded in 753.", {"Rome was not founded in 753.", "Rome was never founded in 753."}),
        ("Rome has existed since 753.", {"Rome has not existed since 753."}),
        ("Rome has 3 bridges.", {"Rome does not have 3 bridges."}),
        ("Ann won the cup.", {"Ann never won the cup."}),
        ("Ann had 3 children.", {"Ann did not have 3 children."}),
        ("Rome glows.", {""}),
    ],
)
def test_denials_are_sentences(said: str, denied: set[str]) -> None:
    """A sentence is denied in words, or not at all where no safe way is known."""
    assert {negate(said, random.Random(seed)) for seed in range(40)} == denied


def test_dates_and_numbers_are_written_as_people_write_them() -> None:
    """The same date and amount come in several usual forms."""
    rng = random.Random(0)
    assert {date_words("1867-11-07", rng) for _ in range(50)} == {
        "7 November 1867",
        "November 7, 1867",
        "1867-11-07",
    }
    assert date_words("1867", rng) == "1867"
    assert date_words("1867-11", rng) == "November 1867"
    assert {number_words("1250|m", rng) for _ in range(50)} == {"1,250 m", "1250 m"}
    assert number_words("2.5|km", rng) == "2.5 km"
