"""Entries that are no answers, as bytes and back."""

from __future__ import annotations

import orjson
import pytest

from guardrail.audit.events import Change, Erasure, Event, Opened, PolicyText, Review, read_event


@pytest.mark.parametrize(
    "event",
    [
        Review("rev_1", "2026", "grd_1", 3, "ada", "wrong_label", "attributable", "why"),
        Erasure("era_1", "2026", (3, 1, 2), "request", "bo"),
        PolicyText("pol_ab", "2026", "strict", "sha256:ab", "{}"),
        Change("chg_1", "2026", "added", "Q1 P1 Q2", "a — is → b", "the register", "ada"),
        Opened("opn_1", "2026", "log2", "log1", 77, "ab" * 32),
    ],
)
def test_an_event_comes_back_as_it_was_written(event: Event) -> None:
    """Each by its kind."""
    assert read_event(orjson.dumps(event)) == event
