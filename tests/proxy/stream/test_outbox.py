"""What goes out in a step, in order; and the patience that lets a block be a status."""

from __future__ import annotations

from proxy.stream.outbox import Outbox


def test_what_is_sent_goes_out_at_once_and_in_order() -> None:
    """Without patience nothing waits."""
    box = Outbox(patient=False)
    box.send(b"a")
    box.send(b"")
    box.send(b"b")
    assert not box.untouched
    assert (box.take(), box.take()) == (b"ab", b"")


def test_a_patient_box_waits_for_the_first_text() -> None:
    """Role chunks and progress wait for the first words; from then on nothing does."""
    box = Outbox(patient=True)
    box.send(b"role ")
    assert (box.untouched, box.take()) == (True, b"")
    box.send(b"words ", text=True)
    box.send(b"more")
    assert (box.untouched, box.take()) == (False, b"role words more")
    box.send(b"later")
    assert box.take() == b"later"


def test_what_waited_for_text_goes_out_when_no_error_can_come() -> None:
    """An answer without any text is not lost: once it is known to be good, all of it goes out, in order."""
    box = Outbox(patient=True)
    box.send(b"role")
    assert box.take() == b""
    box.open()
    box.send(b"end")
    assert box.take() == b"roleend"
