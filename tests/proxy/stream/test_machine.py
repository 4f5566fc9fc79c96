"""The stream machine: what goes out when, in each mode."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from policies.decide import Decision
from policies.terms import Action, Block, Mode
from proxy.stream.events import (
    Audit,
    Data,
    Ended,
    Finish,
    Judged,
    Recorded,
    Send,
    Summarise,
    Verify,
)
from tests.fakes import DONE, chunk, judge, spoken
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

# ── observe ───────────────────────────────────────────────────────────────────────────────────────────


def test_observe_passes_bytes_on_at_once_and_the_end_when_all_is_on_record() -> None:
    """In observe every event goes out as it came; the end mark waits for the report, the report for its record."""
    first, second, stop = chunk("It is true. "), chunk("Yes."), chunk(finish="stop")
    one, two = sentence("It is true."), sentence("Yes.", 12)
    book = Playbook(machine(policy("annotate")))
    book >> Data(first) << Send(first)
    book >> Data(second) << Send(second) << Verify(0, one)
    book >> Data(stop + DONE) << Send(stop) << Verify(0, two)
    book >> Ended()
    book >> judged(one, claims=b'["c"]')
    (progress,) = chunks(book.take().data)  # type: ignore[union-attr]
    assert progress["guardrail"] == {"choice_index": 0, "check_offset": 12, "claims": ["c"]}
    assert progress["choices"] == [{"index": 0, "delta": {}, "finish_reason": None}]
    book >> judged(two) << (lambda c: isinstance(c, Send)) << Summarise(0, "It is true. Yes.")
    report = reported("It is true. Yes.", body=b'{"id":"x"}')
    book >> report << Audit(reports=(report,))
    (
        book
        >> Recorded()
        << (lambda c: c.data.endswith(DONE) and b'"guardrail":{"id":"x"}' in c.data)
        << Finish()
    )
    book.done()


def test_a_partial_event_waits_for_its_rest() -> None:
    """Our chunks stand between the upstream's events, never inside one."""
    event = chunk("It is true. ")
    book = Playbook(machine(policy("annotate")))
    book >> Data(event[:20])
    book >> Data(event[20:]) << Send(event)
    book.done()


def test_what_is_not_text_passes_untouched() -> None:
    """Reasoning, tool calls, refusals and unknown fields are neither checked nor changed, in any mode."""
    tool = chunk(
        delta={"tool_calls": [{"index": 0, "function": {"arguments": '{"a": "It is wrong. "}'}}]},
        x_unknown=[1, {"y": None}],
    )
    reasoning = chunk(delta={"reasoning_content": "That is wrong. Or not."})
    for mode in MODES:
        book = Playbook(machine(policy("annotate", mode)))
        book >> Data(tool) << Send(tool)
        book >> Data(reasoning) << Send(reasoning)
        book.done()


def test_nothing_behind_the_end_mark_is_sent() -> None:
    """What an upstream says after [DONE] reaches nobody."""
    played = drive(
        machine(policy("annotate")), cut(b"".join(spoken("A.")) + chunk("leak"), ()), policy("annotate")
    )
    assert b"leak" not in played.wire
    assert played.wire.endswith(DONE)


# ── hold and buffer ───────────────────────────────────────────────────────────────────────────────────


def test_hold_releases_a_sentence_when_it_is_judged() -> None:
    """In hold a sentence goes out with its verdict, not a character of the next one with it."""
    first, second = chunk("It is true. It is"), chunk(" wrong. And")
    one, two = sentence("It is true."), sentence("It is wrong.", 12)
    book = Playbook(machine(policy("annotate", Mode.HOLD)))
    book >> Data(first) << Verify(0, one)
    book >> judged(one)
    assert text_of(book.take().data) == "It is true. "  # type: ignore[union-attr]
    book >> Data(second) << Verify(0, two)
    book.done()


def test_hold_waits_for_the_record_of_a_flagged_sentence() -> None:
    """A flagged sentence is released when its record is durable, and not before."""
    one = sentence("It is wrong.")
    book = Playbook(machine(policy("annotate", Mode.HOLD)))
    book >> Data(chunk("It is wrong. And")) << Verify(0, one)
    found = judge(one)
    decision = Decision(Action.ANNOTATE, flagged=(0,), reasons=("because",))  # type: ignore[arg-type]
    verdict = Judged(0, one, (found,), decision)
    book >> verdict << Audit(part=verdict, length=16)
    book >> Recorded()
    assert text_of(book.take().data) == "It is wrong. "  # type: ignore[union-attr]
    book.done()


def test_a_record_that_cannot_be_written_stops_a_closed_policy() -> None:
    """With audit closed, flagged text whose record failed is not shown, and the stream ends with an error."""
    for mode in (Mode.HOLD, Mode.BUFFER):
        chosen = policy("annotate", mode)
        played = drive(
            machine(chosen),
            cut(b"".join(spoken("It is true. It is wrong. More.")), ()),
            chosen,
            audit_fails=True,
        )
        assert "wrong" not in text_of(played.wire)
        assert DONE not in played.wire
        failed = [c for c in chunks(played.wire) if "error" in c] + [
            orjson.loads(r.failure.json()) for r in played.refused
        ]
        assert [f["error"]["code"] for f in failed] == ["audit_failed"]
        assert played.finished == 1


def test_a_record_that_cannot_be_written_is_said_where_the_policy_continues() -> None:
    """With audit continue, the answer comes and its report says that it is not on record."""
    chosen = replace(policy("annotate"), audit=replace(policy("annotate").audit, on_failure="continue"))
    played = drive(machine(chosen), cut(b"".join(spoken("It is wrong.")), ()), chosen, audit_fails=True)
    assert reports_of(played.wire)[0]["not_audited"] is True


def test_hold_replaces_wrong_words() -> None:
    """Revised text reads as if the model had said it so, and the report keeps the original."""
    chosen = policy("revise")
    played = drive(machine(chosen), cut(b"".join(spoken(TEXT)), ()), chosen)
    assert text_of(played.wire) == TEXT.replace("wrong", "right")
    report = reports_of(played.wire)[0]
    assert report["text"] == TEXT
    start = TEXT.index("wrong")
    assert report["edits"] == [{"start": start, "end": start + 5, "replacement": "right"}]


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_no_character_of_a_blocked_sentence_leaks(mode: Mode, size: int) -> None:
    """A blocked answer shows nothing of the flagged sentence or what follows, nor does its report; usage stays real."""
    chosen = policy("block", mode)
    wire = b"".join(spoken("It is true. The secret wrong thing. More of it.", size=size, usage=True))
    played = drive(machine(chosen), cut(wire, ()), chosen)
    shown = text_of(played.wire)
    message = chosen.words().block
    assert shown == (f"It is true. {message}" if mode is Mode.HOLD else message)
    assert b"secret" not in played.wire
    assert b"More" not in played.wire
    stops = [c["choices"][0]["finish_reason"] for c in chunks(played.wire) if c.get("choices")]
    assert [s for s in stops if s] == [chosen.block.finish_reason]
    assert [c["usage"]["total_tokens"] for c in chunks(played.wire) if c.get("usage")] == [10]


def test_a_block_in_error_form_is_a_status_as_long_as_nothing_was_sent() -> None:
    """With `block.with: error`, an answer blocked at its first sentence is an HTTP error; later, an error event."""
    chosen = replace(policy("block", Mode.HOLD), block=Block(form="error", status=422))
    early = drive(machine(chosen), cut(b"".join(spoken("It is wrong. More.")), ()), chosen)
    assert early.sent == []
    assert [r.failure.status for r in early.refused] == [422]
    late = drive(machine(chosen), cut(b"".join(spoken("It is true. It is wrong. More.")), ()), chosen)
    assert late.refused == []
    assert text_of(late.wire) == "It is true. "
    (error,) = [c["error"] for c in chunks(late.wire) if "error" in c]
    assert error["code"] == "content_blocked"
    assert DONE not in late.wire


def test_notes_stand_under_the_text_before_the_finish_reason() -> None:
    """Footnotes come as text, behind the answer and before its end, in observe too."""
    for mode in MODES:
        chosen = policy("attach", mode)
        played = drive(machine(chosen), cut(b"".join(spoken("It is wrong. Yes.")), ()), chosen)
        shown = text_of(played.wire)
        number = "" if mode is Mode.OBSERVE else " [1]"
        assert shown.startswith(f"It is wrong.{number} Yes.\n\n---\n")
        found = chunks(played.wire)
        ends = [i for i, c in enumerate(found) if c.get("choices") and c["choices"][0]["finish_reason"]]
        words = [
            i for i, c in enumerate(found) if c.get("choices") and c["choices"][0]["delta"].get("content")
        ]
        assert len(ends) == 1
        assert ends[0] > words[-1]


def test_content_in_the_last_chunk_is_guarded_too() -> None:
    """A server that sends its last words together with the finish reason is held like any other."""
    wire = chunk("It is wr") + chunk("ong.", finish="stop") + DONE
    for mode in MODES:
        chosen = policy("revise", mode) if mode is not Mode.OBSERVE else policy("annotate", mode)
        played = drive(machine(chosen), cut(wire, ()), chosen)
        assert text_of(played.wire) == ("It is wrong." if mode is Mode.OBSERVE else "It is right.")
        stops = [c["choices"][0]["finish_reason"] for c in chunks(played.wire) if c.get("choices")]
        assert [s for s in stops if s] == ["stop"]


def test_a_role_is_said_once_although_its_chunk_is_split() -> None:
    """A chunk with a role and two sentences is split without saying the role twice."""
    wire = chunk("It is true. It is wrong.", delta={"role": "assistant"}) + chunk(finish="stop") + DONE
    chosen = policy("revise")
    played = drive(machine(chosen), cut(wire, ()), chosen)
    roles = [c["choices"][0]["delta"].get("role") for c in chunks(played.wire) if c.get("choices")]
    assert [r for r in roles if r] == ["assistant"]
    assert text_of(played.wire) == "It is true. It is right."


def test_untouched_text_is_released_as_the_bytes_it_came_in() -> None:
    """In hold and buffer, chunks that lie inside one sentence keep logprobs and unknown fields byte for byte."""
    strange = b'data: {"choices":[{"index":0,"delta":{"content":"It is"},"finish_reason":null,"logprobs":{"content":[ ]}}], "z" : 1e2}\n\n'
    wire = strange + chunk(" true.") + chunk(finish="stop") + DONE
    for mode in (Mode.HOLD, Mode.BUFFER):
        chosen = policy("annotate", mode)
        assert strange in drive(machine(chosen), cut(wire, ()), chosen).wire


# ── several choices ───────────────────────────────────────────────────────────────────────────────────


def test_each_choice_is_judged_for_itself() -> None:
    """With n=2 one choice can be blocked while the other is shown, each with its own report."""
    wire = chunk("", index=0) + chunk("It is", index=0) + chunk("It is", index=1) + chunk(" true.", index=0)
    wire += chunk(" wrong.", index=1) + chunk(index=1, finish="stop") + chunk(index=0, finish="length") + DONE
    chosen = policy("block")
    played = drive(machine(chosen), cut(wire, ()), chosen)
    assert text_of(played.wire, 0) == "It is true."
    assert text_of(played.wire, 1) == chosen.words().block
    assert {i: r["action"] for i, r in reports_of(played.wire).items()} == {0: "pass", 1: "block"}


def test_a_chunk_with_two_choices_is_split_when_text_is_held() -> None:
    """A chunk that speaks for two choices at once is guarded for both."""
    both = {
        "id": "c",
        "choices": [
            {"index": i, "delta": {"content": t}, "finish_reason": None}
            for i, t in enumerate(("It is true.", "It is wrong."))
        ],
    }
    wire = (
        b"data: "
        + orjson.dumps(both)
        + b"\n\n"
        + chunk(index=0, finish="stop")
        + chunk(index=1, finish="stop")
        + DONE
    )
    chosen = policy("revise")
    played = drive(machine(chosen), cut(wire, ()), chosen)
    assert [text_of(played.wire, i) for i in (0, 1)] == ["It is true.", "It is right."]
