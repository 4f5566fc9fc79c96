"""A report is made of findings."""

from __future__ import annotations

import pytest

from guardrail.report.made import made
from guardrail.types import Claim, Evidence, Kind, Label, NotChecked, Setting, Span, Unchecked, Verdict


def test_findings_stand_by_kind_and_what_is_between_them_is_a_gap() -> None:
    """Verdicts, what was not checked and what is no claim stand apart; the spans of the first two and the gaps tile the text."""
    text = "Rome is old. Is it? It fell."
    claim = Claim(0, Span(0, 12), text[:12], text[:12])
    asked = Claim(1, Span(13, 19), "Is it?", "Is it?", kind=Kind.QUESTION)
    verdict = Verdict(claim, Label.ATTRIBUTABLE, 0.9, Evidence(), "", "test")
    unchecked = Unchecked(Span(20, 28), "It fell.", NotChecked.DEADLINE)
    seconds = {"claims": 0.25, "check": 0.5}
    report = made(
        text,
        [verdict, asked, unchecked],
        mentions=(),
        seconds=seconds,
        versions={"a": "b"},
        setting=Setting.ZERO,
    )
    assert (report.verdicts, report.unchecked, report.skipped) == ((verdict,), (unchecked,), (asked,))
    assert report.gaps == (Span(12, 20),)
    assert report.timing_ms == pytest.approx({"claims": 250, "check": 500, "total": 750})
    assert report.versions == {"a": "b"}
    assert report.id.startswith("grd_")
