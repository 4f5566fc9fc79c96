"""Verdicts and reports made by hand, and drawn by hypothesis, for tests of what is done about them."""

from __future__ import annotations

from hypothesis import strategies as st

from guardrail.types import (
    Argument,
    Candidate,
    Claim,
    Entity,
    Evidence,
    Fact,
    Kind,
    Label,
    Mention,
    Node,
    NotChecked,
    Passage,
    Reason,
    Report,
    Revision,
    Slot,
    Source,
    SourceVerdict,
    Span,
    Triplet,
    Unchecked,
    Value,
    Verdict,
    tile,
)

TEXT = "Ada Lovelace was born in 1816. She wrote notes on the engine. She died in 1852, in London."
ADA = Entity("Q7259", "Ada Lovelace", types=("Q5",))
BORN = Triplet(
    Node("Q7259", "Ada Lovelace"),
    Node("P569", "date of birth"),
    Value("10 December 1815", "1815-12-10", "date", precision=11),
    id="s1",
    source="starter",
    as_of="2026-01-01",
)

FIRST, SECOND = Span(0, 30), Span(30, 61)
YEAR = Value("1816", "1816", "date", precision=9)
PROOF = Slot("date of birth", "1816", "1815", "single", "conflict")
FOUND = Evidence(triplets=(BORN,))


def claim(
    number: int = 0,
    span: Span = FIRST,
    *,
    text: str = TEXT,
    kind: Kind = Kind.FACT,
    entity: Entity = ADA,
    value: Value | None = YEAR,
    relation: str = "P569",
    object_type: str = "date",
) -> Claim:
    """A claim about one entity with one fact."""
    mention = Mention(Span(span.start, span.start), "", (Candidate(entity, 0.0),))
    fact = Fact(
        Argument("Ada", mentions=(mention,)),
        "was born in",
        Argument("1816", value=value),
        relations=(relation,),
        object_type=object_type,
    )
    return Claim(number, span, span.of(text), span.of(text), facts=(fact,), mentions=(mention,), kind=kind)


def verdict(
    number: int = 0,
    span: Span = FIRST,
    *,
    label: Label = Label.CONTRADICTORY,
    confidence: float = 0.9,
    tms: float = 0.8,
    reason: Reason | None = None,
    checker: str = "symbolic",
    evidence: Evidence = FOUND,
    revisions: tuple[Revision, ...] = (),
    slot: Slot | None = PROOF,
    by_source: tuple[SourceVerdict, ...] = (),
    **more: object,
) -> Verdict:
    """A verdict on `claim(number, span, **more)`."""
    return Verdict(
        claim(number, span, **more),  # type: ignore[arg-type]
        label,
        confidence,
        evidence,
        "Ada Lovelace was born in 1815.",
        checker,
        slot=slot,
        reason=reason,
        tms=tms,
        score=-1.0,
        revisions=revisions,
        by_source=by_source,
    )


BETTER = Revision(Span(25, 29), "1815", "Ada Lovelace was born in 1815.", "starter")
RIGHT = {"label": Label.ATTRIBUTABLE, "slot": None}


def report(
    *verdicts: Verdict, text: str = TEXT, unchecked: tuple[Unchecked, ...] = (), kas: float = 0.5
) -> Report:
    """A report whose gaps are what the findings leave."""
    gaps = tile(text, [v.claim.span for v in verdicts] + [u.span for u in unchecked])
    return Report(
        text, tuple(verdicts), unchecked, gaps=gaps, kas=kas, id="grd_1", versions={"knowledge": "1"}
    )


def unchecked(reason: NotChecked = NotChecked.ERROR, span: Span = SECOND, text: str = TEXT) -> Unchecked:
    return Unchecked(span, span.of(text), reason)


_words = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Zs", "So")), min_size=4, max_size=40
)
_scores = st.floats(0, 1, allow_nan=False)
_entities = st.sampled_from(
    [ADA, Entity("Q84", "London", types=("Q515",)), Entity("Q188724", "ibuprofen", types=("Q12140",))]
)
_values = st.sampled_from(
    [
        None,
        Value("1816", "1816", "date", precision=9),
        Value("12", "12", "quantity"),
        Value("x", "x", "string"),
    ]
)
_evidence = st.builds(
    Evidence,
    triplets=st.lists(
        st.sampled_from([BORN, Triplet(Node("", ""), Node("p", "p"), Node("", ""), source="request")]),
        max_size=3,
    ).map(tuple),
    passages=st.lists(
        st.builds(Passage, st.just("p1"), st.just("…"), st.sampled_from(list(Source))), max_size=2
    ).map(tuple),
)
_sides = st.lists(
    st.builds(
        SourceVerdict,
        st.sampled_from(list(Source)),
        st.sampled_from(list(Label)),
        _scores,
        _evidence,
        st.just("It says so."),
        st.just("nli"),
    ),
    max_size=2,
).map(tuple)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Any report: sentences of any script, each judged, unchecked or left alone."""
    text, verdicts, gaps = "", [], []
    for _ in range(draw(st.integers(0, 6))):
        span = Span(len(text), len(text) + len(words := draw(_words)))
        text += words + " "
        found = draw(st.sampled_from(["verdict", "verdict", "verdict", "unchecked", "nothing"]))
        if found == "unchecked":
            gaps.append(Unchecked(span, words, draw(st.sampled_from(list(NotChecked)))))
        elif found == "verdict":
            verdicts.append(draw(_verdicts(len(verdicts), span, text)))
    return report(*verdicts, text=text, unchecked=tuple(gaps), kas=draw(_scores))


@st.composite
def _verdicts(draw: st.DrawFn, number: int, span: Span, text: str) -> Verdict:
    label = draw(st.sampled_from(list(Label)))
    revision = Revision(Span(span.start + 1, span.start + 3), draw(_words), "", "starter")
    return verdict(
        number,
        span,
        text=text,
        label=label,
        confidence=draw(_scores),
        tms=draw(_scores),
        reason=draw(st.sampled_from(list(Reason))) if label is Label.EXTRAPOLATORY else None,
        checker=draw(st.sampled_from(["symbolic", "nli"])),
        kind=draw(st.sampled_from([Kind.FACT, Kind.HEDGED])),
        entity=draw(_entities),
        value=draw(_values),
        evidence=draw(_evidence),
        revisions=draw(st.sampled_from([(), (revision,)])),
        slot=draw(st.sampled_from([None, PROOF])),
        by_source=draw(_sides),
    )
