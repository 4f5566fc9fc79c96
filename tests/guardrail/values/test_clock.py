"""Times of day."""

from __future__ import annotations

from guardrail.values.clock import opening


def test_stored_hours_may_stand_beside_words() -> None:
    """Two ranges are no single one."""
    assert opening("Mo-Fr 09:00-17:30") == (540, 1050)
    assert opening("22:30:00") == (1350, None)
    assert opening("09:00-12:00, 13:00-17:00") is None
    assert opening("diesel") is None
