from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        (
            "Marie Curie (7 November 1867 – 4 July 1934) was a physicist.",
            ("Marie Curie", "P569", "7 November 1867"),
        ),
        (
            "Marie Curie (7 November 1867 – 4 July 1934) was a physicist.",
            ("Marie Curie", "P570", "4 July 1934"),
        ),
        ("Marie Curie (b. 1867) was a physicist.", ("Marie Curie", "P569", "1867")),
        ("Marie Curie (born 1867, died 1934) was a physicist.", ("Marie Curie", "P569", "1867")),
        ("Titanic (1997) was directed by James Cameron.", ("Titanic", "P577", "1997")),
    ],
)
def test_dates_in_brackets(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """A span of life, a date of birth, and the year of a work are read from the bracket behind the name."""
    assert triple in facts_of(text)


def test_a_bare_year_behind_a_person_says_nothing(facts_of: Triples) -> None:
    """ "(1903)" behind a person may be anything."""
    assert not any(
        relation in ("P569", "P570") for _, relation, _ in facts_of("Marie Curie (1903) won a prize.")
    )


def test_acronym_is_no_claim(claims_of: Callable[..., list[object]]) -> None:
    """A bracket that only gives a short name does not split the claim."""
    assert len(claims_of("The American Broadcasting Company (ABC) is based in Berlin.")) == 1


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Marie Curie (died 4 July 1934) was a physicist.", ("Marie Curie", "P570", "4 July 1934")),
        ("Marie Curie (born 7 November 1867, Warsaw) was a physicist.", ("Marie Curie", "P19", "Warsaw")),
        ("Marie Curie (born 7 November 1867, Warsaw) was a physicist.", ("Marie Curie", "P106", "physicist")),
    ],
)
def test_verbs_in_brackets(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """A verb in a bracket is about the name before it and does not become the sentence's verb."""
    assert triple in facts_of(text)


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        (
            "Marie Curie (7 November 1867 in Warsaw – 4 July 1934 in Blagnac) was a physicist.",
            ("Marie Curie", "P19", "Warsaw"),
        ),
        (
            "Marie Curie (7 November 1867 in Warsaw – 4 July 1934 in Blagnac) was a physicist.",
            ("Marie Curie", "P20", "Blagnac"),
        ),
        ("It was sold to Apple (founded 1976) in Paris.", ("Apple", "P571", "1976")),
        ("He liked Titanic (1997) and Batman & Robin (1996).", ("Batman & Robin", "P577", "1996")),
        ("Pierre Curie (husband of Marie Curie) was a physicist.", ("Pierre Curie", "P26", "Marie Curie")),
    ],
)
def test_places_and_words_in_brackets(facts_of: Triples, text: str, triple: tuple[str, str, str]) -> None:
    """A place goes with the date before it; words in the bracket say what its date or noun is."""
    assert triple in facts_of(text) or (triple[0], f"^{triple[1]}", triple[2]) in facts_of(text)


def test_years_behind_a_place_are_somebodys_time_there(facts_of: Triples) -> None:
    """ "Taught in Ulm (1990–1995)" neither founds nor dissolves Ulm, and bears nobody."""
    found = facts_of("Albert Einstein taught in Ulm (1990–1995) and Paris (1995–2001).")
    assert not {relation for _, relation, _ in found} & {"P569", "P570", "P571", "P576"}


def test_empty_bracket_before_the_dates(facts_of: Callable[..., set[tuple[str, str, str]]]) -> None:
    """Brackets of which nothing is left are passed over."""
    found = facts_of("Niels Bohr, () (7 October 1885 – 18 November 1962) was a physicist.")
    assert ("Niels Bohr", "P569", "7 October 1885") in found


def test_the_year_behind_an_awarded_work_is_that_of_the_award(facts_of: Triples) -> None:
    """Films are awarded a year after they came out."""
    assert not any(
        relation == "P577" for _, relation, _ in facts_of("Anna Holm won Best Actress for Titanic (1998).")
    )


@pytest.mark.parametrize(
    "name",
    [
        "Marie Curie, FRS",
        "Marie Curie, OM, FRS,",
        "Marie Curie, née Sklodowska",
        "Marie Curie née Sklodowska",
    ],
)
def test_brackets_behind_letters_and_birth_names(facts_of: Triples, name: str) -> None:
    """Letters and a birth name between a name and its bracket change nothing."""
    found = facts_of(f"{name} (7 November 1867 – 4 July 1934) was a chemist.")
    assert {("Marie Curie", "P569", "7 November 1867"), ("Marie Curie", "P570", "4 July 1934")} <= found


@pytest.mark.parametrize("other", ["née Byron", "born Augusta Byron", "known as Countess Ada"])
def test_dates_behind_another_name(facts_of: Triples, other: str) -> None:
    """The bracket behind a birth name is about who was named first."""
    found = facts_of(f"Ada Lovelace, {other} (10 December 1815 in Ulm – 27 November 1852) was a writer.")
    assert ("Ada Lovelace", "P569", "10 December 1815") in found
    assert ("Ada Lovelace", "P19", "Ulm") in found


def test_nobody_is_founded(facts_of: Triples) -> None:
    """What somebody has been since the year in brackets is no foundation."""
    assert not any(r == "P571" for _, r, _ in facts_of("The third one is Marie Curie (since 2014)."))
