"""What was not read is named once, and only where it matters."""

from __future__ import annotations

from proxy.surface import Place, Reading
from proxy.unread import MOST, Unread


def test_what_stands_beside_text_is_named_with_text_only() -> None:
    """Where an answer is nothing but a tool call, nothing was confirmed that this could make doubtful."""
    unread = Unread()
    for _ in range(2):
        unread.note(Reading(Place.NOW, {}, unread=("message.x",), beside=("tool calls",)))
    assert unread.beside("It is true.") == ("message.x", "tool calls")
    assert unread.beside("") == ("message.x",)


def test_a_server_cannot_fill_the_report() -> None:
    """Of names that a server makes up the first are told."""
    unread = Unread()
    unread.note(Reading(Place.NOW, {}, unread=tuple(f"message.{number}" for number in range(1000))))
    assert len(unread.beside("")) == MOST
