"""Facts of a claim against facts read in a passage."""

from dataclasses import replace

import pytest

from guardrail.check.told import told
from guardrail.types import Argument, Attribute, Candidate, Entity, Fact, Mention, Span
from guardrail.values import find_values

HERE = Span(0, 1)


def name(text: str, identity: str = "", *types: str) -> Argument:
    readings = (Candidate(Entity(identity, text, types=types), 1.0),) if identity else ()
    return Argument(text, HERE, (Mention(HERE, text, readings),))


def value(text: str) -> Argument:
    return find_values(text)[0]


def fact(subject: Argument, predicate: str, object_: Argument, *relations: str) -> Fact:
    return Fact(subject, predicate, object_, relations=relations)


HOLM = name("Anna Holm")
BORN = fact(HOLM, "was born on", value("4 May 1901"), "P569")
FILM = fact(name("Blue Sky"), "was directed by", HOLM, "P57")


def test_the_same_fact_agrees() -> None:
    """The same subject, relation and value agree, also where the claim is coarser or names her by surname."""
    assert told(BORN, BORN) == "agree"
    assert told(replace(BORN, object=value("in 1901")), BORN) == "agree"
    assert told(replace(BORN, subject=name("Holm")), BORN) == "agree"


def test_a_day_and_its_year_are_told_with_other_prepositions() -> None:
    """What was added "on" a day was added "in" its year, also where no relation is known for it."""
    day = fact(HOLM, "was added on", value("7 November 1976"))
    assert told(fact(HOLM, "was added in", value("in 1976")), day) == "agree"
    assert told(fact(HOLM, "was dropped in", value("in 1976")), day) == "unknown"


def test_the_other_way_round_is_the_same_fact() -> None:
    """Who directs a film and who it is directed by are one relation."""
    active = fact(HOLM, "directed", name("Blue Sky"), "^P57")
    assert told(active, FILM) == "agree"
    assert told(replace(active, subject=name("Peter Lind")), FILM) == "conflict"


@pytest.mark.parametrize(
    ("claimed", "known"),
    [
        (replace(BORN, object=value("5 May 1901")), BORN),
        (replace(FILM, object=name("Peter Lind")), FILM),
        (
            fact(name("Ulm Tower"), "is high", value("120 m"), "P2048"),
            fact(name("Ulm Tower"), "is high", value("150 m"), "P2048"),
        ),
        (
            fact(HOLM, "was born in", name("Ulm", "Q1", "Q515"), "P19"),
            fact(HOLM, "was born in", name("Bonn", "Q2", "Q515"), "P19"),
        ),
    ],
)
def test_another_value_of_a_single_relation_conflicts(claimed: Fact, known: Fact) -> None:
    """One birth, one height, one director, two towns."""
    assert told(claimed, known) == "conflict"


@pytest.mark.parametrize(
    ("claimed", "known"),
    [
        (fact(HOLM, "met", name("Peter Lind")), fact(HOLM, "met", name("Berta Lind"))),
        (replace(BORN, object=value("5 May 1901")), replace(BORN, subject=name("Peter Lind"))),
        (replace(BORN, object=value("5 May 1901")), replace(BORN, negated=True)),
        (replace(BORN, object=value("5 May 1901")), replace(BORN, object=value("before 1950"))),
        (BORN, replace(BORN, object=value("in 1901"))),
        (fact(HOLM, "was born in", name("Bavaria"), "P19"), fact(HOLM, "was born in", name("Ulm"), "P19")),
        (replace(FILM, object=Argument("a young woman")), FILM),
        (
            fact(name("Holm AG"), "was incorporated in", value("in 1990"), "P571"),
            fact(name("Holm AG"), "was founded in", value("in 1985"), "P571"),
        ),
        (
            replace(
                fact(name("Ulm"), "has", value("500 people"), "P1082"),
                attributes=(Attribute("time", value("in 2010")),),
            ),
            replace(
                fact(name("Ulm"), "has", value("600 people"), "P1082"),
                attributes=(Attribute("time", value("in 2020")),),
            ),
        ),
    ],
)
def test_everything_else_is_unknown(claimed: Fact, known: Fact) -> None:
    """Lists, other subjects, negation, bounds, places that may nest, descriptions, other times."""
    assert told(claimed, known) == "unknown"


def test_a_restricted_kind_says_the_plain_kind() -> None:
    """A rye baker is a baker; a former baker need not be one."""
    claimed = fact(HOLM, "is", Argument("baker"), "P106")
    assert told(claimed, replace(claimed, object=Argument("rye baker"))) == "agree"
    assert told(claimed, replace(claimed, object=Argument("former baker"))) == "unknown"
