from __future__ import annotations

from collections.abc import Callable

import pytest

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        (
            "Niels Bohr is survived by his daughters, Ada Lovelace and Marie Curie.",
            {("Niels Bohr", "P40", "Ada Lovelace"), ("Niels Bohr", "P40", "Marie Curie")},
        ),
        (
            "Niels Bohr and Ada Lovelace had two sons, Anton Berg and Bert Berg.",
            {
                (who, "P40", child)
                for who in ("Niels Bohr", "Ada Lovelace")
                for child in ("Anton Berg", "Bert Berg")
            },
        ),
        (
            "Ada Lovelace had a daughter, Marie Curie, and a son, Pierre Curie.",
            {("Ada Lovelace", "P40", "Marie Curie"), ("Ada Lovelace", "P40", "Pierre Curie")},
        ),
        (
            "Niels Bohr lives with his wife, Ada Lovelace, and their daughter, Marie Curie.",
            {
                ("Niels Bohr", "P26", "Ada Lovelace"),
                ("Niels Bohr", "P40", "Marie Curie"),
                ("Ada Lovelace", "P40", "Marie Curie"),
            },
        ),
        (
            "Anton Berg, son of Niels Bohr and his wife Ada Lovelace, lived in Ulm.",
            {("Niels Bohr", "P26", "Ada Lovelace"), ("Anton Berg", "^P40", "Niels Bohr")},
        ),
        ("Anton Berg was born to Carl Berg and Anna Berg.", {("Anton Berg", "^P40", "Anna Berg")}),
    ],
)
def test_kin_and_their_names(facts_of: Triples, text: str, triples: set[tuple[str, str, str]]) -> None:
    """Every name behind a noun for kin is that of each whose kin it is."""
    assert triples <= facts_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Niels Bohr had no sons, and Albert Einstein left.",
        "Niels Bohr met a daughter of Paris.",
        "Niels Bohr sold his son's house to Ada Lovelace.",
        "His wife lives in Ulm, and Ada Lovelace lives in Paris.",
    ],
)
def test_names_that_are_no_kin(facts_of: Triples, text: str) -> None:
    """A name behind another verb, place or possession is not the kin that was spoken of."""
    assert not any(relation in ("P40", "P26") for _, relation, _ in facts_of(text))
