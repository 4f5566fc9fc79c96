"""What is said."""

from __future__ import annotations

from guardrail.types import Candidate, Entity, Kind, Mention, Span


def test_kinds_say_what_is_checkable() -> None:
    """Facts, hedged facts and attributions get a verdict; questions, opinions, instructions, headings and the like do not."""
    assert {kind for kind in Kind if kind.checkable} == {Kind.FACT, Kind.HEDGED, Kind.ATTRIBUTION}


def test_a_mention_stands_for_its_best_candidate() -> None:
    """A name that the graph does not know stands for nothing."""
    paris = Entity("Q90", "Paris")
    texas = Entity("Q830149", "Paris")
    assert Mention(Span(0, 5), "Paris", (Candidate(paris, 2.0), Candidate(texas, 1.0))).entity is paris
    assert Mention(Span(0, 5), "Xyzzy").entity is None
