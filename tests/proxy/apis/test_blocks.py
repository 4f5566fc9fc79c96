"""Messages whose words stand elsewhere than in text deltas: they are read before they are shown."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from policies.policy import load
from policies.terms import Mode
from proxy.apis.blocks import BlockReader
from proxy.apis.messages import Messages, MessageWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.playbook import Played, cut, drive
from tests.proxy.apis.test_messages import event
from tests.proxy.apis.test_plain import GUARDING
from tests.proxy.streams import policy

BAD = "It is wrong."
START = event("message_start", message={"id": "msg_1", "type": "message", "role": "assistant", "content": []})
ENDS = [
    event(
        "message_delta", delta={"stop_reason": "end_turn", "stop_sequence": None}, usage={"output_tokens": 9}
    ),
    event("message_stop"),
]


def block(index: int, text: str, *deltas: str, **more: object) -> list[bytes]:
    return [
        event("content_block_start", index=index, content_block={"type": "text", "text": text, **more}),
        *(
            event("content_block_delta", index=index, delta={"type": "text_delta", "text": one})
            for one in deltas
        ),
        event("content_block_stop", index=index),
    ]


def streamed(name: str, mode: Mode, *wire: bytes, calls: bool = False) -> Played:
    chosen = policy(name, mode)
    machine = GuardedStream(Messages().stream(calls=calls), chosen)
    return drive(machine, cut(b"".join(wire), ()), chosen)


def told(wire: bytes) -> list[dict]:
    return [orjson.loads(one.data) for one in Decoder().decode(wire) if one.data]


def said(wire: bytes, index: int = 0) -> str:
    """What a client shows of a block: what it begins with, and its deltas."""
    words = ""
    for one in told(wire):
        if one.get("index") == index:
            words += one.get("content_block", {}).get("text", "") + one.get("delta", {}).get("text", "")
    return words


@pytest.mark.parametrize(
    "wire", [block(0, BAD), block(0, "It is ", "wrong."), block(0, "It is wr", "ong", "."), block(0, "", BAD)]
)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_words_that_a_block_begins_with_are_its_words(wire: list[bytes], name: str, mode: Mode) -> None:
    """They are judged with those that follow, and shown once."""
    played = streamed(name, mode, START, *wire, *ENDS)
    shown = said(played.wire)
    assert {"attach": "[1]" in shown, "revise": shown == "It is right.", "block": "wrong" not in shown}[name]
    kinds = [one["type"] for one in told(played.wire) if "index" in one]
    assert (kinds[0], kinds[-1]) == ("content_block_start", "content_block_stop")
    observed = streamed("annotate", Mode.OBSERVE, START, *wire, *ENDS)
    assert observed.wire.startswith(b"".join([START, *wire]))
    assert told(observed.wire)[-2]["guardrail"]["outcome"] == "flagged"


UNREADABLE = {
    "a number": event("content_block_delta", index=0, delta={"type": "text_delta", "text": 5}),
    "a list": event("content_block_start", index=0, content_block={"type": "text", "text": [BAD]}),
    "an unknown delta": event("content_block_delta", index=0, delta={"type": "poem_delta", "poem": BAD}),
    "an unknown block": event("content_block_start", index=0, content_block={"type": "poem", "poem": BAD}),
    "no number": event("content_block_delta", index="0", delta={"type": "text_delta", "text": BAD}),
    "the first event": event("message_start", message={"content": [{"type": "text", "text": BAD}]}),
}
UNKNOWN = {
    "an event": event("poem", poem=BAD),
    "a field": event("ping", poem=BAD),
    "a field of a block": event(
        "content_block_start", index=7, content_block={"type": "text", "text": "", "x": BAD}
    ),
    "a field of a delta": event(
        "content_block_delta", index=7, delta={"type": "thinking_delta", "text": BAD}
    ),
}


@pytest.mark.parametrize("form", UNREADABLE)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_what_cannot_be_read_ends_the_answer(form: str, name: str, mode: Mode) -> None:
    """Shapes that are not understood are an error where text is held; in observe they pass, and are named."""
    wire = [START, *block(1, "", "It is true."), UNREADABLE[form], *ENDS]
    played = streamed(name, mode, *wire)
    assert b"wrong" not in played.wire
    assert b"cannot read" in played.wire + b"".join(one.failure.json() for one in played.refused)
    observed = streamed("annotate", Mode.OBSERVE, *wire)
    assert observed.wire.startswith(b"".join(wire[:-2]))
    assert told(observed.wire)[-2]["guardrail"]["outcome"] == "not_checked"


@pytest.mark.parametrize("form", UNKNOWN)
@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_unknown_events_and_fields_with_words_are_left_out(form: str, name: str, mode: Mode) -> None:
    """They break no answer, and what they say does not pass where text is held."""
    wire = [START, *block(1, "", "It is true."), UNKNOWN[form], *ENDS]
    played = streamed(name, mode, *wire)
    assert b"wrong" not in played.wire
    assert b"message_stop" in played.wire
    observed = streamed("annotate", Mode.OBSERVE, *wire)
    assert observed.wire.startswith(b"".join(wire[:-2]))
    assert told(observed.wire)[-2]["guardrail"]["outcome"] == "not_checked"


def test_text_in_the_use_of_a_tool_is_not_passed() -> None:
    """Where calls are checked, a block is either a call or text."""
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    odd = event("content_block_delta", index=0, delta={"type": "text_delta", "text": BAD})
    wire = [START, event("content_block_start", index=0, content_block=use), odd, *ENDS]
    for name, mode in GUARDING:
        assert b"wrong" not in streamed(name, mode, *wire, calls=True).wire


@pytest.mark.parametrize("name", ["attach", "revise", "block"])
def test_whole_messages_are_read_alike(name: str) -> None:
    """Fields that nobody knows do not pass; odd shapes are an error; thinking and the use of tools stay, if the policy lets them."""
    chosen = replace(load(name), beside="pass")

    def whole(*content: object, **more: object) -> Played:
        body = {"id": "m", "type": "message", "role": "assistant", "content": list(content), **more}
        machine = GuardedAnswer(MessageWhole(), chosen)
        return drive(machine, [Data(orjson.dumps(body)), Ended()], chosen, stream=False)

    kept = {"type": "web_search_tool_result", "tool_use_id": "t", "content": [{"title": "What is said"}]}
    answer = orjson.loads(whole({"type": "text", "text": "It is true.", "x": BAD}, kept, poem=BAD).wire)
    assert "poem" not in answer
    assert "x" not in answer["content"][0]
    assert answer["content"][1] == kept
    assert answer["guardrail"]["outcome"] == "not_checked"
    for odd in ({"type": "text", "text": [BAD]}, {"type": "poem", "poem": BAD}, BAD, [BAD]):
        played = whole(odd)
        assert b"wrong" not in played.wire
        assert [one.failure.status for one in played.refused] == [502]


def test_known_blocks_and_deltas_are_told_apart() -> None:
    """Text is read; thinking and tools are named as not read."""
    found = BlockReader(strict=True)
    for kind in ("thinking", "redacted_thinking", "tool_use", "server_tool_use", "mcp_tool_result"):
        given = {"type": kind, "data": "some words"}
        assert found.block(given) == (given, "")
    assert found.beside == ["reasoning", "reasoning", "tool calls", "tool calls", "tool calls"]
    assert found.block({"type": "text", "text": "a", "citations": []})[1] == "a"


CITED = {"type": "char_location", "cited_text": "Somebody says so.", "document_index": 0}


@pytest.mark.parametrize(("name", "mode"), GUARDING)
def test_one_sentence_over_several_blocks_is_judged_as_one(name: str, mode: Mode) -> None:
    """Blocks that are cut within a sentence, as for citations, become one; blocks behind them keep their places in line."""
    cite = event("content_block_delta", index=1, delta={"type": "citations_delta", "citation": CITED})
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    call = [
        event("content_block_start", index=3, content_block=use),
        event("content_block_delta", index=3, delta={"type": "input_json_delta", "partial_json": "{}"}),
        event("content_block_stop", index=3),
    ]
    second = block(1, "", "wro", "ng")
    wire = [START, *block(0, "", "It is "), event("ping"), *second[:-1], cite, second[-1], *block(2, ".")]
    played = streamed(name, mode, *wire, *call, *ENDS)
    shown = said(played.wire)
    assert {"attach": "[1]" in shown, "revise": shown == "It is right.", "block": "wrong" not in shown}[name]
    events = told(played.wire)
    kinds = [
        (one["index"], one["type"])
        for one in events
        if one["type"].endswith(("_start", "_stop")) and "index" in one
    ]
    assert kinds == [(n, f"content_block_{kind}") for n in (0, 1) for kind in ("start", "stop")]
    cited = {**CITED, "cited_text": ""} if name == "block" else CITED
    assert any(one.get("delta", {}).get("citation") == cited and one["index"] == 0 for one in events)
    assert any(one.get("content_block", {}).get("type") == "tool_use" and one["index"] == 1 for one in events)
    apart = streamed(name, mode, START, *block(0, "", "It is true."), *block(1, "More is true."), *ENDS)
    assert said(apart.wire, 1) == "More is true."


@pytest.mark.parametrize("name", ["attach", "revise", "block"])
def test_one_sentence_over_several_blocks_of_a_whole_message_is_one(name: str) -> None:
    """Their citations stay with the words."""
    chosen = load(name)
    content = [{"type": "text", "text": "It is "}, {"type": "text", "text": "wrong.", "citations": [CITED]}]
    body = {"id": "m", "type": "message", "role": "assistant", "content": content}
    events = [Data(orjson.dumps(body)), Ended()]
    played = drive(GuardedAnswer(MessageWhole(), chosen), events, chosen, stream=False)
    (one,) = orjson.loads(played.wire)["content"]
    assert {
        "attach": "[1]" in one["text"],
        "revise": one["text"] == "It is right.",
        "block": "wrong" not in one["text"],
    }[name]
    assert one["citations"] == [{**CITED, "cited_text": ""} if name == "block" else CITED]
