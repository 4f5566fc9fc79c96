"""Audit records made by hand."""

from __future__ import annotations

from guardrail.audit.record import (
    Cause,
    ClaimRecord,
    ClaimWords,
    Edit,
    EntityRef,
    EvidenceRef,
    FactRef,
    Record,
    Shadow,
    SideRef,
    UncheckedRecord,
    Words,
)

CLAIM = ClaimRecord(
    id=0,
    start=0,
    end=30,
    kind="fact",
    label="contradictory",
    confidence=0.9,
    tms=0.8,
    score=-1.0,
    checker="symbolic",
    property="date of birth",
    slot_fact=0,
    slot_state="conflict",
    cardinality="single",
    facts=(FactRef("P569", "date", "date"),),
    entities=(EntityRef("Q7259", "Ada Lovelace", ("Q5",)),),
    evidence=(EvidenceRef("triplet", "s1", "starter", "P569", "date of birth", "2026-01-01"),),
    revisions=((25, 29),),
    text_hash="00",
    by_source=(
        SideRef("kg", "contradictory", 0.9, "symbolic", (EvidenceRef("triplet", "s1", "starter", "P569"),)),
        SideRef("corpus", "attributable", 0.8, "nli", (EvidenceRef("passage", "c7", "corpus"),)),
    ),
)
WORDS = Words(
    salt="5a17",
    text="Ada Lovelace was born in 1816.",
    claims={
        "0": ClaimWords(
            "Ada Lovelace was born in 1816.", "", "She was born in 1815.", "1816", "1815", ("1815",)
        )
    },
    before=("1816",),
    after=("1815",),
)


def record(number: int = 1, **changes: object) -> Record:
    """A flagged and revised answer."""
    given: dict[str, object] = {
        "id": f"grd_{number}",
        "time": f"2026-03-{1 + number // 1000 % 28:02}T12:00:00.{number % 1000:03}Z",
        "response": f"grd_{number}",
        "model": "demo",
        "policy": "revise",
        "policy_hash": "sha256:00",
        "action": "revise",
        "outcome": "flagged",
        "kas": 0.25,
        "length": 30,
        "mode": "hold",
        "store": "full",
        "flagged": (0,),
        "claims": (CLAIM,),
        "unchecked": (UncheckedRecord(31, 40, "deadline"),),
        "reasons": (Cause("contradicted", "revise", 0, 0, 30), Cause("low score", "attach")),
        "edits": (Edit(25, 29, 4, 0),),
        "shadows": (
            Shadow("strict", "sha256:11", "block", "flagged", (0,), (Cause("contradicted", "block", 0),)),
        ),
        "timing_ms": {"check": 1.5},
        "versions": {"knowledge": "7"},
        "text_hash": "11",
        "words": WORDS,
    }
    return Record(**(given | changes))  # type: ignore[arg-type]
