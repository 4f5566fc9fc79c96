from __future__ import annotations

from guardrail.claims.reading.degrees import abbreviated


def test_degrees_are_written_in_capitals() -> None:
    """ "MBA" and "Ph.D." are degrees, "ma" and "Paris" are none."""
    assert abbreviated("MBA")
    assert abbreviated("Ph.D.")
    assert not abbreviated("ma")
    assert not abbreviated("Paris")
