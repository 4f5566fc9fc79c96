"""The JSON form of a report."""

from __future__ import annotations

import json

import pytest

from guardrail.report import from_dict, to_dict
from guardrail.types import (
    Argument,
    Attribute,
    Claim,
    Entity,
    Evidence,
    Fact,
    Kind,
    Label,
    Linked,
    Node,
    NotChecked,
    Passage,
    Qualifier,
    Report,
    Revision,
    Slot,
    Source,
    Span,
    Triplet,
    Unchecked,
    Value,
    Verdict,
)

TEXT = "🎵 Taylor Swift was born in 1990. Really?"


def _report() -> Report:
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
    fact = Fact(
        Argument("Taylor Swift", Span(2, 14)),
        "was born in",
        Argument("1990", Span(27, 31)),
        attributes=(Attribute("place", Argument("Reading")),),
        question="In which year was Taylor Swift born?",
    )
    claim = Claim(0, Span(2, 31), TEXT[2:31], "Taylor Swift was born in 1990", facts=(fact,))
    verdict = Verdict(
        claim,
        Label.CONTRADICTORY,
        0.97,
        Evidence(
            (born,),
            (Passage("p", "Born 1989.", Source.REQUEST, message=1, span=Span(0, 10), marks=(Span(5, 9),)),),
        ),
        "The graph says 13 December 1989.",
        "symbolic",
        slot=Slot("date of birth", "1990", "1989-12-13", "single", "conflict", Span(27, 31)),
        tms=0.75,
        score=-1,
        revisions=(Revision(Span(27, 31), "1989", "Taylor Swift was born in 1989", "starter"),),
    )
    return Report(
        TEXT,
        (verdict,),
        (Unchecked(Span(31, 32), ".", NotChecked.DEADLINE),),
        (Claim(-1, Span(33, 40), "Really?", "Really?", kind=Kind.QUESTION),),
        gaps=(Span(0, 2), Span(32, 40)),
        entities=(Linked(Entity("Q26876", "Taylor Swift", "singer"), (Span(2, 14),)),),
        kas=0.11,
        timing_ms={"total": 1.5},
        versions={"knowledge": "7"},
        id="grd_1",
    )


def test_a_report_survives_its_json_form() -> None:
    """What is read back prints the same JSON."""
    written = to_dict(_report())
    assert to_dict(from_dict(json.loads(json.dumps(written)))) == written


def test_the_json_form_has_the_published_fields() -> None:
    """The fields of docs/wire.md are there under their names."""
    data = _report().to_dict()
    claim = json.loads(json.dumps(data))["claims"][0]
    assert claim["evidence"]["triplets"][0]["object"] == {
        "label": "13 December 1989",
        "value": "1989-12-13",
        "datatype": "date",
        "precision": 11,
        "calendar": "gregorian",
    }
    assert claim["slot"]["known"] == "1989-12-13"
    assert claim["facts"][0]["object"] == {"text": "1990", "start": 27, "end": 31}
    assert data["outcome"] == "flagged"
    assert data["gaps"] == [[0, 2], [32, 40]]


def test_utf16_offsets_point_at_the_same_words() -> None:
    """A browser, which counts UTF-16 units, finds the claim where Python finds it."""
    claim = to_dict(_report(), utf16=True)["claims"][0]
    units = TEXT.encode("utf-16-le")
    assert units[2 * claim["start"] : 2 * claim["end"]].decode("utf-16-le") == claim["text"]


@pytest.mark.parametrize(("data", "word"), [({}, "text"), ({"text": "x", "claims": [{}], "kas": 0.5}, "id")])
def test_what_is_no_report_is_refused_by_name(data: dict[str, object], word: str) -> None:
    """The error names the missing field."""
    with pytest.raises(ValueError, match=f"not a report: no '{word}'"):
        from_dict(data)
