"""Stems: of the forms of a word, and of the words that are made of a verb."""

from __future__ import annotations

import pytest

from guardrail.language.stems import family_stem, form_stem, light_stem

FAMILIES = [
    ("directs", "directed", "directing", "director", "directors", "direction", "directions"),
    ("operate", "operates", "operated", "operating", "operator", "operators", "operation", "operations"),
    ("locates", "located", "location", "locations"),
    ("founds", "founded", "founder", "foundation"),
    ("mentions", "mentioned", "mentioning"),
    ("defeats", "defeated", "defeating"),
    ("supply", "supplies", "supplied", "supplier", "suppliers"),
    ("buildings", "building", "builder", "builds"),
    ("movie", "movies"),
    ("country", "countries"),
]


@pytest.mark.parametrize("words", FAMILIES)
def test_a_deed_and_who_does_it_have_the_stem_of_the_verb(words: tuple[str, ...]) -> None:
    """What a property may be named by is one."""
    assert len({family_stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("part", "party"), ("rid", "rides"), ("count", "county"), ("format", "formed"), ("found", "find")],
)
def test_what_only_looks_alike_is_no_family(one: str, other: str) -> None:
    assert family_stem(one) != family_stem(other)


def test_forms_of_a_word_have_one_stem() -> None:
    """Who does something is another word."""
    assert {form_stem(word) for word in ("opens", "opened", "opening", "openly")} == {"open"}
    assert form_stem("directed") == "direct" != form_stem("director")


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("cities", "city"),
        ("planned", "plan"),
        ("selling", "sell"),
        ("released", "releas"),
        ("rows", "row"),
        ("glass", "glass"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("exceedingly", "exceed"),
        ("café", "café"),
        ("b12s", "b12"),
    ],
)
def test_stems_that_an_index_holds(word: str, stem: str) -> None:
    """Corpora on disk were written with these: they stay."""
    assert form_stem(word) == stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("harbours", "harbour"),
        ("harbour's", "harbour"),
        ("cities", "city"),
        ("opened", "opened"),
        ("gas", "gas"),
    ],
)
def test_what_is_compared_word_by_word_loses_a_plural_or_a_possessive_only(word: str, stem: str) -> None:
    assert light_stem(word) == stem
