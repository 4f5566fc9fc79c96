"""An adjective before an office says of which country it is."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.compare.offices import whole_office
from guardrail.types import Label
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Macron is the French president.", Label.ATTRIBUTABLE),
        ("Angela Merkel was the German chancellor.", Label.ATTRIBUTABLE),
        ("Margaret Thatcher was the British prime minister.", Label.ATTRIBUTABLE),
        ("Barack Obama is the American president.", Label.CONTRADICTORY),
        ("Barack Obama is a former American president.", Label.ATTRIBUTABLE),
        ("Macron is the German president.", Label.EXTRAPOLATORY),
    ],
)
def test_the_french_president_is_the_president_of_france(verifier: Verifier, text: str, label: Label) -> None:
    """With the terms of office that go with it."""
    (verdict,) = verifier.check(text).verdicts
    assert verdict.label is label


def test_other_facts_stay_as_they_are(make: Any) -> None:
    """A profession has no country, nor has an office that already names one."""
    text = "Ada is a French painter."
    painter = make.fact(make.argument("Ada", text), "is", make.unknown("painter", text), "P39", "P106")
    french = make.fact(make.argument("Ada", text), "is from", make.argument("French", text, "France"), "P27")
    assert whole_office(painter, (painter, french)) is painter
    named = make.fact(make.argument("Ada", text), "is", make.argument("painter", text), "P39")
    assert whole_office(named, (named, french)) is named
    assert whole_office(french, (painter, french)) is french
