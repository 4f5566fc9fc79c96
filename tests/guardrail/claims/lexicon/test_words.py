from __future__ import annotations

import pytest

from guardrail.claims.lexicon.words import base, participle, singular, verb_stem


@pytest.mark.parametrize(
    "forms",
    [
        ("direct", "directs", "directed", "directing"),
        ("write", "writes", "wrote", "written", "writing"),
        ("star", "stars", "starred", "starring"),
        ("marry", "marries", "married", "marrying"),
        ("bear", "born", "bore"),
        ("locate", "located", "locates"),
        ("die", "died", "dies", "dying"),
    ],
)
def test_forms_of_a_verb_meet(forms: tuple[str, ...]) -> None:
    """All forms of a verb have one stem."""
    assert len({verb_stem(form) for form in forms}) == 1


def test_different_verbs_stay_apart() -> None:
    """To found is not to find, and to star is not to start."""
    assert verb_stem("founded") != verb_stem("found")
    assert verb_stem("starred") != verb_stem("started")


@pytest.mark.parametrize(
    ("form", "infinitive"),
    [
        ("directed", "direct"),
        ("located", "locate"),
        ("wrote", "write"),
        ("studied", "study"),
        ("airs", "air"),
    ],
)
def test_base(form: str, infinitive: str) -> None:
    """The infinitive is spelt as it should be."""
    assert base(form) == infinitive


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("countries", "country"),
        ("people", "person"),
        ("series", "series"),
        ("churches", "church"),
        ("prizes", "prize"),
        ("bus", "bus"),
        ("films", "film"),
    ],
)
def test_singular(plural: str, one: str) -> None:
    """Plurals, regular or not, and words that only look like plurals."""
    assert singular(plural) == one


def test_participles() -> None:
    """Regular and irregular participles are known; other forms are not taken for them."""
    assert all(participle(word) for word in ("directed", "born", "cast"))
    assert not any(participle(word) for word in ("directs", "directing", "direct"))
