"""A report to write and to read."""

from __future__ import annotations

import pytest

from guardrail.types import (
    Argument,
    Attribute,
    Candidate,
    Claim,
    Entity,
    Evidence,
    Fact,
    Kind,
    Label,
    Linked,
    Mention,
    Node,
    NotChecked,
    Passage,
    Qualifier,
    Report,
    Revision,
    Setting,
    Slot,
    Source,
    SourceVerdict,
    Span,
    Triplet,
    Unchecked,
    Value,
    Verdict,
)

TEXT = "🎵 Taylor Swift was born in 1990. Really?"


def _claim() -> Claim:
    singer = Mention(
        Span(2, 14), "Taylor Swift", (Candidate(Entity("Q26876", "Taylor Swift", types=("Q5",)), 1.0),)
    )
    fact = Fact(
        Argument("Taylor Swift", Span(2, 14), (singer,)),
        "was born in",
        Argument("1990", Span(27, 31), value=Value("1990", "1990", "date", precision=9)),
        relations=("P569",),
        object_type="year",
        attributes=(Attribute("place", Argument("Reading")),),
        question="In which year was Taylor Swift born?",
    )
    return Claim(
        0, Span(2, 31), TEXT[2:31], "Taylor Swift was born in 1990", facts=(fact,), mentions=(singer,)
    )


def _verdict() -> Verdict:
    born = Triplet(
        Node("Q26876", "Taylor Swift"),
        Node("P569", "date of birth"),
        Value("13 December 1989", "1989-12-13", "date", precision=11, calendar="gregorian"),
        qualifiers=(
            Qualifier(Node("P19", "place"), Value("1.5", "1.5", "quantity", unit=Node("Q11573", "metre"))),
        ),
        id="s1",
        source="starter",
        as_of="2026",
    )
    passage = Passage(
        "p",
        "Born 1989.",
        Source.REQUEST,
        message=1,
        span=Span(0, 10),
        marks=(Span(5, 9),),
        as_of="2025",
        about="Swift",
    )
    return Verdict(
        _claim(),
        Label.CONTRADICTORY,
        0.97,
        Evidence((born,), unread=("the web: the search took too long",)),
        "The graph says 13 December 1989.",
        "symbolic",
        slot=Slot("date of birth", "1990", "1989-12-13", "single", "conflict", Span(27, 31)),
        tms=0.75,
        score=-1,
        revisions=(Revision(Span(27, 31), "1989", "Taylor Swift was born in 1989", "starter"),),
        by_source=(
            SourceVerdict(
                Source.KG, Label.CONTRADICTORY, 0.97, Evidence((born,)), "It says 1989.", "symbolic"
            ),
            SourceVerdict(
                Source.REQUEST, Label.ATTRIBUTABLE, 0.8, Evidence(passages=(passage,)), "It fits.", "nli"
            ),
        ),
    )


@pytest.fixture
def report() -> Report:
    """One of each thing that a report may hold."""
    return Report(
        TEXT,
        (_verdict(),),
        (Unchecked(Span(31, 32), ".", NotChecked.DEADLINE),),
        (Claim(-1, Span(33, 40), "Really?", "Really?", kind=Kind.QUESTION),),
        gaps=(Span(0, 2), Span(32, 40)),
        entities=(Linked(Entity("Q26876", "Taylor Swift", "singer"), (Span(2, 14),)),),
        kas=0.11,
        timing_ms={"total": 1.5},
        versions={"knowledge": "7"},
        id="grd_1",
        setting=Setting.ACCURATE,
    )
