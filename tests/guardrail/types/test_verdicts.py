"""What came of it."""

from __future__ import annotations

from dataclasses import replace

from guardrail.types import (
    Candidate,
    Claim,
    Entity,
    Evidence,
    Label,
    Linked,
    Mention,
    NotChecked,
    Outcome,
    Report,
    Source,
    SourceVerdict,
    Span,
    Unchecked,
    Verdict,
    linked,
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


def test_what_nobody_could_read_is_told_apart_from_failures() -> None:
    """A language, hidden words and code are causes in the text itself; a deadline is none."""
    unreadable = {reason for reason in NotChecked if reason.unreadable}
    assert unreadable == {NotChecked.LANGUAGE, NotChecked.UNREAD, NotChecked.CODE}


def test_an_entity_is_linked_once_with_all_its_places() -> None:
    """In the order in which the text first names them; names that nobody knows are left out."""
    one, two = Entity("Q1", "One"), Entity("Q2", "Two")
    mentions = [
        Mention(Span(at, at + 1), "x", (Candidate(entity, 1.0),) if entity else ())
        for at, entity in ((0, two), (2, one), (4, None), (6, two))
    ]
    assert linked(mentions) == (
        Linked(two, (Span(0, 1), Span(6, 7))),
        Linked(one, (Span(2, 3),)),
    )
