"""Events and commands are values."""

from __future__ import annotations

import dataclasses

import pytest

from proxy.stream import events


def test_events_and_commands_compare_by_value_and_cannot_be_changed() -> None:
    """Tests write them down and compare; nobody alters them on the way."""
    assert events.Send(b"a") == events.Send(b"a") != events.Send(b"b")
    with pytest.raises(dataclasses.FrozenInstanceError):
        events.Data(b"a").data = b"b"  # type: ignore[misc]
