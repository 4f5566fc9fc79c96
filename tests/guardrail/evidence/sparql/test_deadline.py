"""One time for a whole exchange, however it is spent."""

import socket

import pytest

from guardrail.evidence.sparql.deadline import Deadline


def test_a_socket_that_says_nothing_is_ended() -> None:
    """Whoever reads from it gets an end, not a wait."""
    ours, theirs = socket.socketpair()
    with ours, theirs, Deadline(0.05) as deadline:
        deadline.holds(ours)
        assert ours.recv(1) == b""
        assert deadline.passed


def test_what_is_over_in_time_is_left_alone() -> None:
    """Nothing is ended after the block."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        with Deadline(60) as deadline:
            deadline.holds(ours)
            theirs.sendall(b"in time")
            assert ours.recv(10) == b"in time"
        assert not deadline.passed
        theirs.sendall(b"later")
        assert ours.recv(10) == b"later"


def test_a_socket_that_comes_after_its_time_is_ended_too() -> None:
    """As when connecting took longer than it may."""
    ours, theirs = socket.socketpair()
    late, nobody = socket.socketpair()
    with ours, theirs, late, nobody, Deadline(0.01) as deadline:
        deadline.holds(ours)
        assert ours.recv(1) == b""
        deadline.holds(late)
        assert late.recv(1) == b""


def test_an_error_inside_comes_through() -> None:
    """And the watch ends with it."""
    with pytest.raises(ZeroDivisionError), Deadline(60):
        raise ZeroDivisionError
