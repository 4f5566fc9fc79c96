"""Anthropic Messages through the machine: text blocks are guarded, events keep their names and order."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from policies.policy import load
from policies.terms import Block, Mode
from proxy.apis.messages import Messages, MessageStream, MessageWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.playbook import cut, drive

TEXT = "It is true. It is wrong."


def event(kind: str, **more: object) -> bytes:
    return f"event: {kind}\ndata: ".encode() + orjson.dumps({"type": kind, **more}) + b"\n\n"


def spoken(*texts: str) -> list[bytes]:
    """A message with thinking, one text block for each text, and a tool call."""
    wire = [
        event("message_start", message={"id": "msg_1", "content": [], "usage": {"input_tokens": 3}}),
        event("ping"),
    ]
    wire += [
        event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}),
        event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "That is wrong."}),
        event("content_block_stop", index=0),
    ]
    for index, text in enumerate(texts, 1):
        wire.append(event("content_block_start", index=index, content_block={"type": "text", "text": ""}))
        wire += [
            event("content_block_delta", index=index, delta={"type": "text_delta", "text": text[i : i + 5]})
            for i in range(0, len(text), 5)
        ]
        wire.append(event("content_block_stop", index=index))
    last = len(texts) + 1
    wire += [
        event(
            "content_block_start", index=last, content_block={"type": "tool_use", "name": "f", "input": {}}
        ),
        event(
            "content_block_delta",
            index=last,
            delta={"type": "input_json_delta", "partial_json": '{"a":"It is wrong."}'},
        ),
        event("content_block_stop", index=last),
    ]
    return [
        *wire,
        event(
            "message_delta",
            delta={"stop_reason": "end_turn", "stop_sequence": None},
            usage={"output_tokens": 9},
        ),
        event("message_stop"),
    ]


@pytest.mark.parametrize(
    ("preset", "mode"),
    [
        ("annotate", Mode.OBSERVE),
        ("attach", Mode.OBSERVE),
        ("attach", Mode.HOLD),
        ("revise", Mode.HOLD),
        ("revise", Mode.BUFFER),
        ("block", Mode.HOLD),
        ("block", Mode.BUFFER),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_streams_are_guarded_in_order(preset: str, mode: Mode, seed: int) -> None:
    """Each block begins, speaks and ends before the next; thinking and tool calls are untouched; the report comes last."""
    policy = replace(load(preset), mode=mode, tools="pass", beside="pass")
    wire = spoken(TEXT, "More is true.")
    played = drive(
        GuardedStream(MessageStream(), policy), cut(b"".join(wire), [20, 777, 1200]), policy, seed=seed
    )
    events = [orjson.loads(e.data) for e in Decoder().decode(played.wire) if e.data]
    assert played.finished == 1
    order = [e["index"] for e in events if "index" in e]
    assert order == sorted(order)
    for index in range(4):
        kinds = [e["type"] for e in events if e.get("index") == index]
        assert (kinds[0], kinds[-1]) == ("content_block_start", "content_block_stop")
    texts = {
        i: "".join(
            e["delta"]["text"] for e in events if e.get("index") == i and e["type"] == "content_block_delta"
        )
        for i in (1, 2)
    }
    assert ("wrong" in texts[1]) is (preset in ("annotate", "attach"))
    assert texts[2] == "More is true."
    assert wire[3] in played.wire
    assert wire[-4] in played.wire
    assert [e["type"] for e in events[-2:]] == ["message_delta", "message_stop"]
    assert events[-2]["guardrail"]["outcome"] == "flagged"
    assert events[-2]["usage"] == {"output_tokens": 9}
    assert events[-2]["guardrail_blocks"].keys() == {"1", "2"}


def test_a_block_has_a_stop_reason_of_this_api() -> None:
    """`stop` is end_turn here, `content_filter` is refusal."""
    for reason, told in (("stop", "end_turn"), ("content_filter", "refusal")):
        policy = replace(load("block"), block=Block(finish_reason=reason))  # type: ignore[arg-type]
        played = drive(GuardedStream(MessageStream(), policy), cut(b"".join(spoken(TEXT)), ()), policy)
        events = [orjson.loads(e.data) for e in Decoder().decode(played.wire) if e.data]
        assert events[-2]["delta"]["stop_reason"] == told


def test_errors_have_the_shape_of_this_api() -> None:
    """An upstream's error event goes through; ours is named `error` too."""
    policy = load("annotate")
    told = event("error", error={"type": "overloaded_error", "message": "busy"})
    played = drive(GuardedStream(MessageStream(), policy), [Data(spoken()[0] + told), Ended()], policy)
    assert played.wire.endswith(told)
    assert played.audits[-1].error == "busy"
    broken = drive(
        GuardedStream(MessageStream(), policy), [Data(spoken(TEXT)[0]), Data(b"data: x\n\n"), Ended()], policy
    )
    last = Decoder().decode(broken.wire)[-1]
    assert last.name == "error"
    assert orjson.loads(last.data or b"")["error"]["code"] == "upstream_error"


@pytest.mark.parametrize("preset", ["annotate", "revise", "block"])
def test_whole_messages_are_guarded(preset: str) -> None:
    """Text blocks are judged and rewritten in place."""
    policy = replace(load(preset), beside="pass")
    body = {
        "id": "m",
        "content": [{"type": "thinking", "thinking": "wrong"}, {"type": "text", "text": TEXT}],
        "stop_reason": "end_turn",
        "usage": {"output_tokens": 1},
    }
    played = drive(
        GuardedAnswer(MessageWhole(), policy), [Data(orjson.dumps(body)), Ended()], policy, stream=False
    )
    answer = orjson.loads(played.wire)
    assert answer["content"][0] == body["content"][0]
    text = answer["content"][1]["text"]
    assert {
        "annotate": text == TEXT,
        "revise": text == "It is true. It is right.",
        "block": text == policy.words().block,
    }[preset]
    assert answer["guardrail"]["outcome"] == answer["content"][1]["guardrail"]["outcome"] == "flagged"


def test_the_question_is_the_users_last_text() -> None:
    """Text parts of the last user message are the question."""
    asked = {
        "messages": [{"role": "user", "content": [{"type": "text", "text": "What?"}, {"type": "image"}]}]
    }
    assert Messages().question(asked) == "What?"


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
def test_a_block_as_an_error_is_a_status_here_too(mode: Mode) -> None:
    """With `block.with: error` nothing is sent of a message that is blocked at its first sentence, but the status."""
    policy = replace(load("block"), mode=mode, block=Block(form="error", status=422))
    played = drive(GuardedStream(MessageStream(), policy), cut(b"".join(spoken("It is wrong.")), ()), policy)
    assert played.sent == []
    assert [(one.failure.status, one.failure.code) for one in played.refused] == [(422, "content_blocked")]
