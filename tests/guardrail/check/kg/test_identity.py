"""Whether a name stands for the one that the graph was asked about."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.identity import is_full_name, is_other_referent, reading_of
from guardrail.types import Argument, Candidate, Claim, Entity, Mention, Span

FILM = Entity("Q1", "The Long Road", description="1999 film by Ann Smith", types=("Q11424",))
SERIES = Entity("Q2", "The Long Road", description="American television series", types=("Q5398426",))
CITY = Entity("Q3", "Newton", description="city in Utopia", types=("Q515",))
NAVY = Entity("Q4", "Utopian Naval Academy", types=("Q917182",))
MAN = Entity("Q5A", "Jim Carter", description="actor", types=("Q5",))


def argument(text: str, name: str, sentence: str, entity: Entity) -> tuple[Argument, Claim]:
    """`text` in `sentence`, of which `name` was taken for `entity`."""
    start = sentence.index(text)
    at = sentence.index(name, start)
    mention = Mention(Span(at, at + len(name)), name, (Candidate(entity, 0.0),))
    span = Span(start, start + len(text))
    return Argument(text, span, (mention,)), Claim(0, Span(0, len(sentence)), sentence, sentence)


@pytest.mark.parametrize(
    ("text", "name", "entity", "expected"),
    [
        ("Newton", "Newton", CITY, True),
        ("Newton's", "Newton", CITY, True),
        ("the Newton city", "Newton", CITY, True),
        ("several Newton clubs", "Newton", CITY, False),
        ("Newton in Utopia", "Newton", CITY, True),
        ("Utopian heavy metal", "heavy metal", Entity("Q6", "heavy metal"), False),
        ("the heavy metal", "heavy metal", Entity("Q6", "heavy metal"), True),
        ("Mayor Newton", "Newton", CITY, True),
    ],
)
def test_a_name_is_whole_without_another_noun(text: str, name: str, entity: Entity, expected: bool) -> None:
    """A noun behind it that is not what it is, or an adjective before a common noun, makes it another thing."""
    found, _ = argument(text, name, f"{text} is known.", entity)
    assert is_full_name(found, entity) is expected


@pytest.mark.parametrize(
    ("sentence", "entity", "expected"),
    [
        ("The Long Road came out in 1950.", FILM, False),
        ("The film The Long Road came out in 1950.", FILM, False),
        ("The musical The Long Road opened in 1950.", FILM, True),
        ("The Long Road was published in 1950.", FILM, True),
        ("The Long Road opened in London's West End in 1950.", FILM, True),
        ("The comics The Long Road began in 1950.", SERIES, True),
        ("The show The Long Road began in 1950.", SERIES, False),
        ("Her “Back on The Long Road” came out in 1950.", FILM, True),
        ("He said “The Long Road is a film of 1950.”", FILM, False),
    ],
)
def test_a_work_is_told_by_its_medium_and_its_whole_title(
    sentence: str, entity: Entity, expected: bool
) -> None:
    """A musical is no film, a published one neither, and a title within a title is another one."""
    found, claim = argument("The Long Road", "The Long Road", sentence, entity)
    assert is_other_referent(found, entity, claim) is expected


def test_a_common_noun_is_no_body_of_a_longer_name() -> None:
    """ "The Navy" may be any navy."""
    found, claim = argument("The Navy", "Navy", "The Navy was created in 1921.", NAVY)
    assert is_other_referent(found, NAVY, claim)


@pytest.mark.parametrize(
    ("name", "expected"), [("Jim Carter", False), ("Carter", False), ("James Cartier", True)]
)
def test_a_full_name_without_a_common_word_is_of_somebody_else(name: str, expected: bool) -> None:
    """An alias that shares nothing with the label refutes nothing."""
    found, claim = argument(name, name, f"{name} was born in 1751.", MAN)
    assert is_other_referent(found, MAN, claim) is expected


def test_a_part_behind_a_hyphen_is_another_title() -> None:
    """ "Close-Up" is not "Up"."""
    entity = Entity("Q7", "Up", types=("Q11424",))
    found, claim = argument("Up", "Up", "Her Close-Up is of 1990.", entity)
    assert is_other_referent(found, entity, claim)


def test_the_reading_is_found_by_its_id(make: Any) -> None:
    """Among the candidates of the name; none for an id that was not asked."""
    two = make.argument("Ada", "Ada sang.", "Ada", "Ada Lovelace")
    found = reading_of(two, "Q:Ada Lovelace")
    assert found is not None
    assert found.label == "Ada Lovelace"
    assert reading_of(two, "Q:Bob") is None
