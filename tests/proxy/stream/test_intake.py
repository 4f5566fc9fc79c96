"""The upstream's bytes become events, or words that need no parsing, in order and without loss."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.apis.chat import ChatStream
from proxy.stream.intake import CUT, NO_STREAM, Intake, Words
from proxy.wire.usage import Usage
from tests.fakes import spoken


@settings(deadline=None, max_examples=40)
@given(edges=st.sets(st.integers(1, 3000), max_size=6), whole=st.booleans())
def test_nothing_is_lost_and_nothing_comes_twice(edges: set[int], whole: bool) -> None:
    """Whatever way the bytes are cut; where every event is wanted for itself, every one is given out."""
    wire = b"".join(spoken("It is true. It is wrong. And so it goes on and on."))
    surface, marks = ChatStream(), [0, *sorted(edge for edge in edges if edge < len(wire)), len(wire)]
    intake = Intake(surface, Usage(), whole=whole)
    found = []
    for start, end in pairwise(marks):
        for one in intake.read(wire[start:end]):
            found.append(one)
            if not isinstance(one, Words):
                intake.learn(one, surface.read(one))
    found += intake.flush()
    assert b"".join(one.raw for one in found) == wire
    assert not (whole and any(isinstance(one, Words) for one in found))


def test_what_is_no_event_is_not_given_out() -> None:
    """A page is not, nor is a comment that was cut off, behind which nothing else could be told."""
    intake = Intake(ChatStream(), Usage(), whole=False)
    (one,) = intake.read(b": ping\n\n: pi")
    assert (one.raw, list(intake.flush()), intake.cut) == (b": ping\n\n", [], CUT)
    assert list(intake.read(b"<html>\n\n<p>busy</p>")) == list(intake.flush()) == []
    assert intake.cut == NO_STREAM
