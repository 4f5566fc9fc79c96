"""What came of it."""

from __future__ import annotations

from dataclasses import replace

from guardrail.types import (
    Candidate,
    Claim,
    Counts,
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


def test_what_was_not_checked_never_counts_as_confirmed() -> None:
    """Unchecked text decides the outcome unless something was flagged."""
    supported, refuted = _verdict(Label.ATTRIBUTABLE), _verdict(Label.CONTRADICTORY)
    assert Report("x", (supported,), (LATE,)).outcome is Outcome.NOT_CHECKED
    assert Report("x", (refuted,), (LATE,)).outcome is Outcome.FLAGGED


def test_an_answer_is_confirmed_only_when_every_claim_of_it_is() -> None:
    """One open claim among others makes it unconfirmed, as do open ones alone; without a claim there is nothing to check."""
    supported, unknown = _verdict(Label.ATTRIBUTABLE), _verdict(Label.EXTRAPOLATORY)
    assert Report("x", (supported, supported)).outcome is Outcome.CONFIRMED
    assert Report("x", (supported, unknown)).outcome is Outcome.UNCONFIRMED
    assert Report("x", (unknown,)).outcome is Outcome.UNCONFIRMED
    assert Report("x").outcome is Outcome.NOT_CHECKABLE


def test_claims_are_counted_by_label() -> None:
    """Beside them the passages that were not checked; two counts can be added."""
    found = [_verdict(label) for label in (Label.ATTRIBUTABLE, Label.ATTRIBUTABLE, Label.EXTRAPOLATORY)]
    counts = Report("x", tuple(found), (LATE,)).counts
    assert (counts, counts.claims) == (Counts(2, 1, 0, unchecked=1), 3)
    assert counts + Counts(contradictory=1) == Counts(2, 1, 1, 1)


def test_of_several_outcomes_the_worst_speaks() -> None:
    """What is wrong stands before what was not checked, that before what is open; nothing to check comes last."""
    assert sorted(Outcome, key=lambda one: one.rank) == [
        Outcome.FLAGGED,
        Outcome.NOT_CHECKED,
        Outcome.UNCONFIRMED,
        Outcome.CONFIRMED,
        Outcome.NOT_CHECKABLE,
    ]


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
