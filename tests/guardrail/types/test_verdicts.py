"""What came of it."""

from __future__ import annotations

from dataclasses import replace

from guardrail.types import (
    Claim,
    Evidence,
    Label,
    NotChecked,
    Outcome,
    Report,
    Source,
    SourceVerdict,
    Span,
    Unchecked,
    Verdict,
)

LATE = Unchecked(Span(0, 1), "x", NotChecked.DEADLINE)


def _verdict(label: Label) -> Verdict:
    return Verdict(Claim(0, Span(0, 1), "x", "x"), label, 0.9, Evidence(), "", "test")


def test_what_was_not_checked_never_counts_as_clean() -> None:
    """Unchecked text decides the outcome unless something was flagged."""
    supported, refuted = _verdict(Label.ATTRIBUTABLE), _verdict(Label.CONTRADICTORY)
    assert Report("x", (supported,), (LATE,)).outcome is Outcome.NOT_CHECKED
    assert Report("x", (refuted,), (LATE,)).outcome is Outcome.FLAGGED


def test_finding_nothing_is_no_pass() -> None:
    """An answer is clean only when something in it was confirmed."""
    assert Report("x", (_verdict(Label.ATTRIBUTABLE),)).outcome is Outcome.CLEAN
    assert Report("x", (_verdict(Label.EXTRAPOLATORY),)).outcome is Outcome.NOT_CHECKABLE
    assert Report("x").outcome is Outcome.NOT_CHECKABLE


def test_sources_conflict_when_their_labels_differ() -> None:
    """Two that agree are no conflict, nor is one alone."""
    sides = {
        label: SourceVerdict(Source.KG, label, 0.9, Evidence(), "", "test")
        for label in (Label.ATTRIBUTABLE, Label.CONTRADICTORY)
    }
    pro, con = sides[Label.ATTRIBUTABLE], sides[Label.CONTRADICTORY]
    verdict = _verdict(Label.ATTRIBUTABLE)
    assert [replace(verdict, by_source=each).conflict for each in ((), (pro, pro), (pro, con))] == [
        False,
        False,
        True,
    ]
