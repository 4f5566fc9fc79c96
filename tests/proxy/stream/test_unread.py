"""What was not read is named once, and only where it matters."""

from __future__ import annotations

from proxy.stream.unread import MOST, Unread
from proxy.wire.surface import EventPlace, EventReading


def test_what_stands_beside_text_is_named_with_it() -> None:
    """And not once more by a part of the same answer that has no text."""
    unread = Unread()
    for _ in range(2):
        unread.note(EventReading(EventPlace.NOW, {}, unread=("message.x",), beside=("tool calls",)))
    assert unread.beside("It is true.") == ("message.x", "tool calls")
    assert unread.beside("") == ("message.x",)


def test_an_answer_of_nothing_else_names_it_too() -> None:
    """A call alone leaves its trace in the report; a choice without text is not spoken for by another one's text."""
    calls = EventReading(EventPlace.NOW, {}, beside=("tool calls",))
    alone, apart = Unread(), Unread(ordered=False)
    alone.note(calls)
    assert alone.beside("") == ("tool calls",)
    apart.note(calls)
    assert apart.beside("It is true.") == apart.beside("") == ("tool calls",)


def test_a_server_cannot_fill_the_report() -> None:
    """Of names that a server makes up the first are told."""
    unread = Unread()
    unread.note(EventReading(EventPlace.NOW, {}, unread=tuple(f"message.{number}" for number in range(1000))))
    assert len(unread.beside("")) == MOST


def test_what_comes_behind_the_last_text_is_told_by_one_more_report() -> None:
    """Where no report of a text could name it; reasoning is not the answer, and nothing is told twice."""
    unread = Unread(calls=True)
    assert not unread.lacks_report(coming=False)
    assert unread.beside("It is true.") == ()
    unread.note(EventReading(EventPlace.NOW, {}, beside=("reasoning",)))
    assert not unread.lacks_report(coming=False)
    unread.note(EventReading(EventPlace.NOW, {}, beside=("tool calls",)))
    assert not unread.lacks_report(coming=True)
    assert unread.lacks_report(coming=False)
    assert unread.beside("") == ("tool calls",)
    assert not unread.lacks_report(coming=False)
    unread.note(EventReading(EventPlace.NOW, {}, unread=("message.x",)))
    assert unread.lacks_report(coming=False)


def test_where_calls_are_not_to_be_checked_no_report_is_made_for_them() -> None:
    """One that comes behind the last text is the policy's choice."""
    unread = Unread()
    assert unread.beside("It is true.") == ()
    unread.note(EventReading(EventPlace.NOW, {}, beside=("tool calls",)))
    assert not unread.lacks_report(coming=False)


def test_an_answer_without_text_has_a_report_for_what_was_not_read() -> None:
    """One more, also behind that of a part that says nothing."""
    unread = Unread()
    assert unread.beside("") == ()
    unread.note(EventReading(EventPlace.NOW, {}, beside=("tool calls",)))
    assert unread.anything
    assert unread.lacks_report(coming=False)
    assert unread.beside("") == ("tool calls",)
    assert not unread.lacks_report(coming=False)
