"""How well a written form fits a name, and which reading wins."""

import pytest

from guardrail.evidence.disambiguate import Reading, form_score


def reading(text: str, kind: int = 1, *forms: str) -> Reading:
    return Reading(1, text, kind, 1.0, 1, forms)


@pytest.mark.parametrize(
    ("surface", "name", "initial"),
    [("Who", "WHO", True), ("apple", "Apple", False), ("Apple", "apple", False), ("us", "US", False)],
)
def test_forms_that_cannot_be_the_name(surface: str, name: str, initial: bool) -> None:
    """Case tells acronyms from words, and names from things."""
    assert form_score(surface, reading(name), initial=initial) is None


def test_a_capital_at_the_start_may_be_a_common_noun() -> None:
    """ "Physics is …"."""
    assert form_score("Physics", reading("physics"), initial=True) is not None


def test_the_same_form_beats_a_similar_one_and_a_label_beats_an_alias() -> None:
    """Exactness counts."""
    same = form_score("Beyoncé", reading("Beyoncé"), initial=False)
    similar = form_score("Beyonce", reading("Beyoncé"), initial=False)
    label = form_score("Beyoncé", reading("Beyoncé", 0), initial=False)
    assert same is not None
    assert similar is not None
    assert label is not None
    assert similar < same < label


def test_any_of_the_forms_will_do() -> None:
    """An entity may be written in several ways under one key."""
    assert form_score("WHO", reading("Who", 1, "WHO"), initial=False) == form_score(
        "WHO", reading("WHO"), initial=False
    )


def test_the_prior_falls_back_on_the_degree() -> None:
    """Well connected is well known."""
    assert Reading(1, "x", 0, 0.0, 50).prior > Reading(1, "x", 0, 0.0, 5).prior > 0
    assert Reading(1, "x", 0, 7.0, 5).prior == 7.0
