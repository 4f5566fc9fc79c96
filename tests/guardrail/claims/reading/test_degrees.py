from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.claims.reading.degrees import abbreviated

Triples = Callable[..., set[tuple[str, str, str]]]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace has a PhD in law from Ulm University and an MBA from Paris College.",
        "Ada Lovelace holds a law degree from Ulm University and a Master of Arts in French from Paris College.",
        "Ada Lovelace received a bachelor's degree at Ulm University and completed a doctorate in physics at Paris College.",
    ],
)
def test_degrees_tell_where_one_studied(facts_of: Triples, text: str) -> None:
    """Who takes a degree from a body was educated there, whatever stands between."""
    studied = {what for _, relation, what in facts_of(text) if relation == "P69"}
    assert studied == {"Ulm University", "Paris College"}


def test_other_things_from_a_body_are_no_studies(facts_of: Triples) -> None:
    """A letter from a university is no degree."""
    assert not any(
        relation == "P69" for _, relation, _ in facts_of("Ada Lovelace has a letter from Ulm University.")
    )


def test_degrees_are_written_in_capitals() -> None:
    """ "MBA" and "Ph.D." are degrees, "ma" and "Paris" are none."""
    assert abbreviated("MBA")
    assert abbreviated("Ph.D.")
    assert not abbreviated("ma")
    assert not abbreviated("Paris")
