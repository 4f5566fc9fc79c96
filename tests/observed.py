"""Answers as telemetry is told of them."""

from __future__ import annotations

from guardrail.telemetry import Observed
from guardrail.types import NotChecked, Span
from tests.findings import RIGHT, SECOND, report, unchecked, verdict

STARTED = 1_700_000_000_000_000_000


def observed(**changes: object) -> Observed:
    """A flagged answer that took two seconds."""
    whole = report(
        verdict(),
        verdict(1, SECOND, **RIGHT),
        unchecked=(unchecked(NotChecked.DEADLINE, Span(62, 90)),),
        kas=0.25,
    )
    object.__setattr__(whole, "timing_ms", {"claims": 1.0, "evidence": 2.0, "check": 3.0, "total": 6.0})
    given: dict[str, object] = {
        "id": "grd_1",
        "model": "gpt-9",
        "policy": "annotate",
        "policy_hash": "sha256:00",
        "mode": "observe",
        "action": "annotate",
        "outcome": "flagged",
        "started": STARTED,
        "ended": STARTED + 2_000_000_000,
        "report": whole,
        "flagged": (0,),
        "response_model": "gpt-9-2026",
        "stream": True,
        "server": ("model.example.org", 443),
        "finish_reasons": ("stop",),
        "tokens": (12, 345),
        "first_chunk_ms": 150.0,
        "stages_ms": {"upstream": 1900.0, "verify": 6.0, "audit": 1.5, "hold": 0.0, "queue": 0.2},
    }
    return Observed(**(given | changes))  # type: ignore[arg-type]
