"""An adjective before an office says of which country it is."""

from __future__ import annotations

from typing import Any

from guardrail.check.kg.compare.offices import whole_office


def test_other_facts_stay_as_they_are(make: Any) -> None:
    """A profession has no country, nor has an office that already names one."""
    text = "Ada is a French painter."
    painter = make.fact(make.argument("Ada", text), "is", make.unknown("painter", text), "P39", "P106")
    french = make.fact(make.argument("Ada", text), "is from", make.argument("French", text, "France"), "P27")
    assert whole_office(painter, (painter, french)) is painter
    named = make.fact(make.argument("Ada", text), "is", make.argument("painter", text), "P39")
    assert whole_office(named, (named, french)) is named
    assert whole_office(french, (painter, french)) is french
