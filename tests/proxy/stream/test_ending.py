"""How a stream ends: broken upstreams, clients that leave, refusals, records that cannot be written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrail.errors import AuditError, UpstreamBroken
from policies.terms import Action, Block, Mode
from proxy.stream.events import (
    Audit,
    Data,
    Ended,
    Finish,
    Idle,
    Left,
    Recorded,
    Refuse,
    Send,
    Summarise,
    Verify,
)
from tests.fakes import DONE, chunk, spoken
from tests.playbook import Playbook, cut, drive
from tests.proxy.streams import (
    MODES,
    TEXT,
    chunks,
    judged,
    machine,
    policy,
    reported,
    reports_of,
    sentence,
    text_of,
)


@pytest.mark.parametrize("mode", MODES)
def test_an_upstream_that_breaks_off_is_told_and_what_came_is_reported(mode: Mode) -> None:
    """The judged part is shown, the report says it is interrupted, an error event ends the stream, the record is written."""
    chosen = policy("annotate", mode)
    events = [
        *cut(chunk("It is true. It is wr"), ())[:-1],
        Ended(UpstreamBroken("the model server broke off its answer", begun=True)),
    ]
    played = drive(machine(chosen), events, chosen)
    if mode is not Mode.BUFFER:
        assert text_of(played.wire) == "It is true. It is wr"
        assert reports_of(played.wire)[0]["interrupted"] is True
        assert chunks(played.wire)[-1]["error"]["code"] == "upstream_error"
    else:
        assert [r.failure.code for r in played.refused] == ["upstream_error"]
    assert DONE not in played.wire
    assert [a.error for a in played.audits if a.part is None] == ["the model server broke off its answer"]
    assert played.finished == 1


@pytest.mark.parametrize(
    "bad", [b"data: {not json}\n\n", b"data: [1]\n\n", b'data: {"choices":[7,8]}\n\n', b"data: \xff\n\n"]
)
@pytest.mark.parametrize("mode", MODES)
def test_malformed_events_end_in_a_clear_error(mode: Mode, bad: bytes) -> None:
    """What is no chunk of this API is not passed on; the answer ends with an error and is on record."""
    chosen = policy("annotate", mode)
    played = drive(machine(chosen), cut(chunk("It is true. ") + bad + chunk("More."), ()), chosen)
    assert bad not in played.wire
    errors = [c["error"]["code"] for c in chunks(played.wire) if "error" in c] + [
        r.failure.code for r in played.refused
    ]
    assert errors == ["upstream_error"]
    assert played.finished == 1
    assert len([a for a in played.audits if a.part is None]) == 1


def test_an_error_event_of_the_upstream_goes_through() -> None:
    """An error that the upstream tells in mid-stream reaches the client as it is, behind the text that was released."""
    told = b'data: {"error":{"message":"overheated","type":"server_error"}}\n\n'
    for mode in MODES:
        chosen = policy("annotate", mode)
        played = drive(machine(chosen), cut(chunk("It is true. ") + told, ()), chosen)
        assert played.wire.endswith(told)
        assert played.audits[-1].error == "overheated"


def test_an_empty_answer_is_an_error_and_has_a_record() -> None:
    """A stream that ends before it began is refused with a status, and recorded."""
    played = drive(machine(policy("annotate")), [Ended()], policy("annotate"))
    assert [r.failure.status for r in played.refused] == [502]
    assert len(played.audits) == 1


def test_an_answer_without_text_is_complete() -> None:
    """A tool call needs no sentence: it passes, its report says that nothing was checkable."""
    wire = chunk(delta={"tool_calls": []}) + chunk(finish="tool_calls") + DONE
    played = drive(machine(policy("annotate")), cut(wire, ()), policy("annotate"))
    assert reports_of(played.wire)[0]["outcome"] == "not_checkable"
    assert played.wire.endswith(DONE)


def test_leaving_marks_what_was_not_checked_and_records_it() -> None:
    """A client that hangs up ends the work: open sentences are marked, the record is written, then all is over."""
    one = sentence("It is true.")
    book = Playbook(machine(policy("annotate")))
    book >> Data(chunk("It is true. It")) << (lambda c: isinstance(c, Send)) << Verify(0, one)
    book >> Left() << Summarise(0, "It is true. It", (one,))
    book >> judged(one)
    report = reported("It is true. It")
    book >> report << Audit(reports=(report,))
    book >> Data(chunk("late"))
    book >> Recorded() << (lambda c: isinstance(c, Send)) << Finish()
    book.done()


def test_silence_is_filled_with_comments() -> None:
    """While text is held, a comment keeps the connection alive; after the end nothing does."""
    book = Playbook(machine(policy("annotate", Mode.HOLD)))
    book >> Data(chunk("It is"))
    book >> Idle() << Send(b": checking\n\n")
    book.done()
    played = drive(machine(policy("annotate")), [Ended(), Idle()], policy("annotate"))
    assert played.sent == []


def test_late_verdicts_change_nothing() -> None:
    """A verdict on a sentence that is already settled is ignored."""
    book = Playbook(machine(policy("annotate")))
    one = sentence("It is true.")
    book >> Data(chunk("It is true. It")) << (lambda c: isinstance(c, Send)) << Verify(0, one)
    book >> judged(one) << (lambda c: isinstance(c, Send))
    book >> judged(one)
    book.done()


def test_shadow_changes_nothing_that_the_client_sees() -> None:
    """Under a shadow policy the client gets the upstream's bytes and nothing else, but the record tells the decision."""
    wire = b"".join(spoken(TEXT, usage=True))
    for mode in MODES:
        chosen = policy("shadow", mode)
        played = drive(machine(chosen), cut(wire, ()), chosen)
        assert played.wire == wire
        assert played.audits[-1].reports[0].decision.action is Action.REVISE


def test_a_refusal_is_never_followed_by_text() -> None:
    """After Refuse nothing is sent."""
    chosen = policy("annotate", Mode.BUFFER)
    played = drive(
        machine(chosen), [Data(chunk("It is")), Ended(UpstreamBroken("broke", begun=True))], chosen
    )
    assert (played.sent, [type(r) for r in played.refused]) == ([], [Refuse])
    with_error = Playbook(machine(chosen))
    with_error >> Ended() << (lambda c: isinstance(c, Audit))
    with_error >> Recorded(AuditError("full")) << (lambda c: isinstance(c, Refuse)) << Finish()
    with_error.done()


def test_an_endless_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """An upstream that never stops cannot fill the memory: the answer ends with an error, on record."""
    monkeypatch.setattr("proxy.stream.machine.LARGEST", 100)
    for mode in MODES:
        chosen = policy("annotate", mode)
        played = drive(machine(chosen), cut(b"".join(spoken("It is true. " * 50)), ()), chosen)
        assert "too large" in played.audits[-1].error
        assert DONE not in played.wire
        assert played.finished == 1


def test_an_answer_without_text_is_not_lost_where_a_block_would_be_an_error() -> None:
    """With `block.with: error` a tool call, or text without a sentence, comes through whole."""
    chosen = replace(policy("block", Mode.HOLD), block=Block(form="error"))
    call = chunk(delta={"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]})
    for first in (call, chunk("  ")):
        played = drive(machine(chosen), cut(first + chunk(finish="stop") + DONE, ()), chosen)
        assert played.wire.startswith(first)
        assert played.wire.endswith(DONE)
