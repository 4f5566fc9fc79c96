"""The stream machine: what goes out when, in each mode; and that nothing depends on how or when things arrive."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.errors import AuditError, UpstreamBroken
from guardrail.types import Sentence, Span
from policies.decide import Decision
from policies.policy import load
from policies.terms import Action, Block, Mode, Policy
from proxy.chat import ChatStream
from proxy.events import (
    Audit,
    Data,
    Ended,
    Finish,
    Idle,
    Judged,
    Left,
    Recorded,
    Refuse,
    Reported,
    Send,
    Summarise,
    Verify,
)
from proxy.sse import Decoder
from proxy.stream import GuardedStream
from tests.fakes import DONE, FakeVerifier, chunk, judge, spoken
from tests.playbook import Playbook, cut, drive

TEXT = "This is true 🙂. This is wrong. Is it? Nobody knows\u0301. 真 is a word."
NOTHING = Decision()
MODES = [Mode.OBSERVE, Mode.HOLD, Mode.BUFFER]


@cache
def policy(name: str, mode: Mode | None = None) -> Policy:
    found = load(name)
    return replace(found, mode=mode) if mode else found


def machine(chosen: Policy) -> GuardedStream:
    return GuardedStream(ChatStream(), chosen)


def chunks(wire: bytes) -> list[dict]:
    decoder = Decoder()
    events = decoder.decode(wire) + decoder.flush()
    return [orjson.loads(e.data) for e in events if e.data not in (None, b"[DONE]")]


def text_of(wire: bytes, choice: int = 0) -> str:
    return "".join(
        c["delta"].get("content") or ""
        for found in chunks(wire)
        for c in found.get("choices", ())
        if c["index"] == choice
    )


def reports_of(wire: bytes) -> dict[int, dict]:
    found: dict[int, dict] = {}
    for one in chunks(wire):
        for choice in one.get("choices", ()):
            if "guardrail" in choice["delta"]:
                assert choice["index"] not in found, "the report came twice"
                assert one["guardrail"] == choice["delta"]["guardrail"]
                found[choice["index"]] = one["guardrail"]
    return found


def sentence(text: str, start: int = 0) -> Sentence:
    return Sentence(Span(start, start + len(text)), text)


def judged(one: Sentence, decision: Decision = NOTHING, **more: object) -> Judged:
    return Judged(0, one, (judge(one),), decision, **more)  # type: ignore[arg-type]


def reported(text: str, decision: Decision = NOTHING, **more: object) -> Reported:
    report = FakeVerifier().session().report(text)
    return Reported(0, report, decision, **more)  # type: ignore[arg-type]


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
    book >> verdict << Audit(part=verdict, text="It is wrong. And")
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


# ── faults ────────────────────────────────────────────────────────────────────────────────────────────


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


# ── what must hold for every chunking and every order of events ───────────────────────────────────────


PRESETS = [
    ("annotate", Mode.OBSERVE),
    ("attach", Mode.HOLD),
    ("attach", Mode.BUFFER),
    ("revise", Mode.HOLD),
    ("revise", Mode.BUFFER),
    ("block", Mode.HOLD),
    ("block", Mode.BUFFER),
]
WORDS = st.lists(
    st.sampled_from(
        [
            "This is true. ",
            "This is wrong. ",
            "Wrong?",
            " fail. ",
            "\n\n- item ",
            "🙂",
            "e\u0301",
            "真。",
            "Dr. No ",
            "```\ncode\n```\n",
            "1.5 ",
        ]
    ),
    min_size=1,
    max_size=8,
).map("".join)


@settings(deadline=None, max_examples=150)
@given(
    text=WORDS,
    cuts=st.lists(st.integers(1, 4000), max_size=30),
    size=st.integers(1, 9),
    which=st.sampled_from(PRESETS),
    seed=st.integers(0, 10**6),
)
def test_any_chunking_and_order_gives_the_batch_result(
    text: str, cuts: list[int], size: int, which: tuple[str, Mode], seed: int
) -> None:
    """However the bytes are cut and whenever verdicts come, the client ends with the same text and the same report."""
    chosen = policy(*which)
    wire = b"".join(spoken(text, size=size, usage=True))
    calm = drive(machine(chosen), cut(b"".join(spoken(text, size=10_000, usage=True)), ()), chosen)
    wild = drive(machine(chosen), cut(wire, cuts), chosen, seed=seed)
    assert text_of(wild.wire) == text_of(calm.wire)
    left, right = ({**reports_of(p.wire)[0], "id": ""} for p in (calm, wild))
    assert left == right
    assert wild.finished == calm.finished == 1
    assert wild.wire.endswith(DONE)
    if which[0] == "annotate":
        assert text_of(wild.wire) == text
        assert b"".join(e.raw for e in Decoder().decode(wild.wire) if b"guardrail" not in e.raw) == wire


@settings(deadline=None, max_examples=60)
@given(text=WORDS, cuts=st.lists(st.integers(1, 2000), max_size=20), seed=st.integers(0, 10**6))
def test_check_offset_never_goes_back_and_claims_come_once(text: str, cuts: list[int], seed: int) -> None:
    """Progress only moves forward, and every claim of the report was told on the way, once."""
    chosen = policy("annotate")
    played = drive(machine(chosen), cut(b"".join(spoken(text)), cuts), chosen, seed=seed)
    progress = [c["guardrail"] for c in chunks(played.wire) if "check_offset" in c.get("guardrail", {})]
    offsets = [p["check_offset"] for p in progress]
    assert offsets == sorted(offsets)
    told = [(c["start"], c["end"]) for p in progress for c in p["claims"]]
    report = reports_of(played.wire)[0]
    assert sorted(told) == sorted((c["start"], c["end"]) for c in [*report["claims"], *report["unchecked"]])


@settings(deadline=None, max_examples=100)
@given(
    wire=st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from(
                [
                    *spoken("It is true. wrong.", size=4),
                    b"\r\n",
                    b"data: ",
                    b"\n\n",
                    b'data: {"choices":[{}]}\n\n',
                    b'data: {"choices":[{"index":-1,"delta":[]}]}\n\n',
                    b'data: {"choices":[{"index":1e99,"delta":{"content":5}}]}\n\n',
                ]
            ),
        ),
        max_size=20,
    ).map(b"".join),
    which=st.sampled_from(PRESETS),
    seed=st.integers(0, 10**6),
)
def test_hostile_bytes_never_break_the_machine(wire: bytes, which: tuple[str, Mode], seed: int) -> None:
    """Whatever an upstream sends, the exchange ends once, on record, and what goes out can be decoded."""
    chosen = policy(*which)
    played = drive(machine(chosen), cut(wire, [7, 31, 64]), chosen, seed=seed)
    assert played.finished == 1
    assert played.audits
    if which[0] != "annotate":
        chunks(played.wire)


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
    monkeypatch.setattr("proxy.stream.LARGEST", 100)
    for mode in MODES:
        chosen = policy("annotate", mode)
        played = drive(machine(chosen), cut(b"".join(spoken("It is true. " * 50)), ()), chosen)
        assert "too large" in played.audits[-1].error
        assert DONE not in played.wire
        assert played.finished == 1
