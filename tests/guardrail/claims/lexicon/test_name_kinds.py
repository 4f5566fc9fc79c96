from __future__ import annotations

import pytest

from guardrail.claims.lexicon.name_kinds import features, likely, load


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Margaret Anne Whitfield", "person"),
        ("Acme Robotics Inc.", "org"),
        ("Altdorf County", "place"),
        ("Altdorf University", "org"),
    ],
)
def test_names_that_tell_what_they_are(name: str, kind: str) -> None:
    """Given names and the words that bodies are called by say what a name is."""
    assert likely(name) == kind


def test_the_words_around_a_name_decide_with_it() -> None:
    """The same name scores higher as a person behind "said" than alone."""
    model = load()
    at = model.kinds.index("person")
    alone, told = (
        model.scores(list(features("Quill", *around))) for around in ((), (("by", "said"), (",", "who")))
    )
    assert told[at] > alone[at]


@pytest.mark.parametrize("name", ["", "quill", "42"])
def test_what_is_no_name_is_nothing(name: str) -> None:
    """Without a capital letter there is no guess."""
    assert likely(name) == ""


def test_features_take_odd_names() -> None:
    """Digits, initials and marks are words of a name like others."""
    assert "shape 9IX" in set(features("3 J. Doe"))
