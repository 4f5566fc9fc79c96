"""Between reports and records; that policies decide both alike is in tests/policies/test_recording.py."""

from __future__ import annotations

from dataclasses import replace

from guardrail.audit.replay import LARGEST_EVIDENCE, claims, report, words_of
from guardrail.types import Label, NotChecked, Source, SourceVerdict, Span
from tests.findings import BETTER, BORN, FOUND, verdict
from tests.records import record


def test_a_replayed_report_has_the_verdicts_of_the_record() -> None:
    """Labels, scores, places, slots, evidence and, where kept, words."""
    again = report(record(1))
    (found,) = again.verdicts
    assert (found.label, found.confidence, found.claim.span) == (Label.CONTRADICTORY, 0.9, Span(0, 30))
    assert found.claim.text == "Ada Lovelace was born in 1816."
    assert found.slot is not None
    assert (found.slot.property, found.slot.known, found.slot.state) == ("date of birth", "1815", "conflict")
    assert [(t.id, t.source, t.predicate.id) for t in found.evidence.triplets] == [("s1", "starter", "P569")]
    assert [(gap.span, gap.reason) for gap in again.unchecked] == [(Span(31, 40), NotChecked.DEADLINE)]
    assert (again.kas, again.id) == (0.25, "grd_1")


def test_without_words_the_places_are_still_there() -> None:
    """An erased record gives empty texts at the same spans."""
    (found,) = report(record(1, words=None)).verdicts
    assert (found.claim.text, found.claim.span, found.revisions[0].span) == ("", Span(0, 30), Span(25, 29))


def test_recorded_claims_refer_to_evidence_without_its_words() -> None:
    """At most a few pieces of each sort, but each source and property at least once."""
    many = replace(
        FOUND,
        triplets=(*(replace(BORN, id=f"s{n}") for n in range(30)), replace(BORN, id="r", source="request")),
    )
    (made,) = claims([verdict(evidence=many, revisions=(BETTER,))], "salt")
    assert len(made.evidence) == LARGEST_EVIDENCE + 1
    assert made.evidence[-1].id == "r"
    assert made.revisions == ((25, 29),)


def test_the_words_of_a_verdict() -> None:
    """What was claimed, what is known, and what was offered instead."""
    words = words_of(verdict(revisions=(BETTER,)))
    assert (words.claimed, words.known, words.revisions) == ("1816", "1815", ("1815",))
    assert words_of(verdict(slot=None)).known == ""


def test_sources_that_disagree_are_recorded_and_come_back() -> None:
    """Who said what, how surely and by which piece of evidence; the words of it are in the claim's rationale."""
    own = replace(BORN, id="t1", source="request")
    sides = (
        SourceVerdict(
            Source.REQUEST, Label.ATTRIBUTABLE, 0.8, replace(FOUND, triplets=(own,)), "It does.", "nli"
        ),
        SourceVerdict(Source.KG, Label.CONTRADICTORY, 0.9, FOUND, "It does not.", "symbolic"),
    )
    made = claims([verdict(by_source=sides)], "salt")
    assert [(one.source, one.label, one.evidence[0].id) for one in made[0].by_source] == [
        ("request", "attributable", "t1"),
        ("kg", "contradictory", "s1"),
    ]
    (found,) = report(record(1, claims=made, words=None)).verdicts
    assert found.conflict
    first, second = found.by_source
    assert (first.source, first.label, first.confidence, first.checker) == (
        Source.REQUEST,
        Label.ATTRIBUTABLE,
        0.8,
        "nli",
    )
    assert [t.id for t in second.evidence.triplets] == ["s1"]
