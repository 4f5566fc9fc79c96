"""The Responses API through the machine and through the SDK: parts are guarded, no event of ours is sent."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import openai
import orjson
import pytest

from policies.policy import load
from policies.terms import Block, Mode
from proxy.apis.messages import MessageStream
from proxy.apis.responses import Responses, ResponseStream, ResponseWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.fakes import FakeModel, Script
from tests.playbook import cut, drive
from tests.proxy.servers import serving

TEXT = "It is true. It is wrong."


def event(kind: str, **more: object) -> bytes:
    return f"event: {kind}\ndata: ".encode() + orjson.dumps({"type": kind, **more}) + b"\n\n"


def part(text: str) -> dict:
    return {"type": "output_text", "text": text, "annotations": []}


def message(text: str, number: int = 0) -> dict:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part(text)],
    }


def response(*texts: str, status: str = "completed") -> dict:
    head = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": status,
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
    }
    return {
        **head,
        "output": [message(text, number) for number, text in enumerate(texts)],
        "usage": {
            "input_tokens": 1,
            "output_tokens": 2,
            "total_tokens": 3,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def spoken(*texts: str, size: int = 5) -> list[bytes]:
    """The events of a streamed response with one message for each text."""
    wire = [event("response.created", response=response(status="in_progress"))]
    for number, text in enumerate(texts):
        at = {"item_id": f"msg_{number}", "output_index": number}
        wire.append(
            event(
                "response.output_item.added", output_index=number, item={**message("", number), "content": []}
            )
        )
        wire.append(event("response.content_part.added", **at, content_index=0, part=part("")))
        marks = [*range(0, len(text), size), len(text)]
        wire += [
            event("response.output_text.delta", **at, content_index=0, delta=text[a:b], logprobs=[])
            for a, b in pairwise(marks)
        ]
        wire.append(event("response.output_text.done", **at, content_index=0, text=text, logprobs=[]))
        wire.append(event("response.content_part.done", **at, content_index=0, part=part(text)))
        wire.append(event("response.output_item.done", output_index=number, item=message(text, number)))
    return [*wire, event("response.completed", response=response(*texts))]


def play(preset: str, mode: Mode, *texts: str, seed: int = 0, size: int = 5) -> list[dict]:
    policy = replace(load(preset), mode=mode)
    played = drive(
        GuardedStream(ResponseStream(), policy),
        cut(b"".join(spoken(*texts, size=size)), [9, 700, 901]),
        policy,
        seed=seed,
    )
    assert played.finished == 1
    return [orjson.loads(e.data) for e in Decoder().decode(played.wire) if e.data]


def said(events: list[dict], number: int = 0) -> str:
    return "".join(
        e["delta"]
        for e in events
        if e["type"] == "response.output_text.delta" and e["output_index"] == number
    )


@pytest.mark.parametrize(
    ("preset", "mode"),
    [
        ("annotate", Mode.OBSERVE),
        ("attach", Mode.OBSERVE),
        ("revise", Mode.HOLD),
        ("revise", Mode.BUFFER),
        ("block", Mode.HOLD),
        ("block", Mode.BUFFER),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_all_places_that_hold_the_text_agree(preset: str, mode: Mode, seed: int) -> None:
    """Deltas, done events, items and the final response tell the same text; the kinds of events stay in order."""
    events = play(preset, mode, TEXT, "More is true.", seed=seed)
    for number in (0, 1):
        shown = said(events, number)
        mine = [e for e in events if e.get("output_index") == number]
        (done,) = [e for e in mine if e["type"] == "response.output_text.done"]
        (ended,) = [e for e in mine if e["type"] == "response.content_part.done"]
        (item,) = [e for e in mine if e["type"] == "response.output_item.done"]
        final = events[-1]["response"]["output"][number]["content"][0]
        assert {
            shown,
            done["text"],
            ended["part"]["text"],
            item["item"]["content"][0]["text"],
            final["text"],
        } == {shown}
        kinds = [e["type"].removeprefix("response.") for e in mine if "delta" not in e["type"]]
        assert kinds == [
            "output_item.added",
            "content_part.added",
            "output_text.done",
            "content_part.done",
            "output_item.done",
        ]
    assert "wrong" not in said(events) or mode is Mode.OBSERVE
    assert said(events, 1) == "More is true."
    indices = [e["output_index"] for e in events if "output_index" in e]
    assert indices == sorted(indices)
    assert events[-1]["type"] == "response.completed"
    assert events[-1]["response"]["guardrail"]["outcome"] == "flagged"
    known = {
        e.split("\n")[0].removeprefix("event: ") for e in b"".join(spoken("a")).decode().split("\n\n") if e
    }
    assert {e["type"] for e in events} <= known


def test_observe_changes_nothing_but_the_last_event() -> None:
    """In observe every event before the last is the upstream's, byte for byte."""
    policy, wire = load("annotate"), spoken(TEXT)
    played = drive(GuardedStream(ResponseStream(), policy), cut(b"".join(wire), ()), policy)
    assert played.wire.startswith(b"".join(wire[:-1]))


@pytest.mark.parametrize("surface", [ResponseStream, MessageStream])
def test_names_of_events_that_are_no_words_go_through(surface: type[ResponseStream | MessageStream]) -> None:
    """A server may send any JSON: what cannot be read is passed on."""
    told = b'data: {"type":["a"],"index":["b"]}\n\ndata: {"type":"content_block_stop","index":[1]}\n\n'
    policy = load("annotate")
    assert told in drive(GuardedStream(surface(), policy), [Data(told), Ended()], policy).wire


def test_failures_of_the_upstream_go_through() -> None:
    """response.failed and error events are passed on and are on record."""
    policy = load("annotate")
    for told in (
        event("error", message="overheated", code="x"),
        event("response.failed", response={"error": {"message": "overheated"}, "output": []}),
    ):
        played = drive(
            GuardedStream(ResponseStream(), policy), [Data(spoken(TEXT)[0] + told), Ended()], policy
        )
        assert b"overheated" in played.wire
        assert played.audits[-1].error == "overheated"


@pytest.mark.parametrize("preset", ["annotate", "attach", "revise", "block"])
def test_whole_responses_are_guarded(preset: str) -> None:
    """Text parts are judged and rewritten in place; other items stay."""
    policy = replace(load(preset), tools="pass")
    body = response(TEXT)
    body["output"].append({"type": "function_call", "name": "f", "arguments": '{"a": "It is wrong."}'})
    played = drive(
        GuardedAnswer(ResponseWhole(), policy), [Data(orjson.dumps(body)), Ended()], policy, stream=False
    )
    answer = orjson.loads(played.wire)
    text = answer["output"][0]["content"][0]["text"]
    assert {
        "annotate": text == TEXT,
        "attach": "[1]" in text,
        "revise": text == "It is true. It is right.",
        "block": "true" not in text,
    }[preset]
    assert answer["output"][1] == body["output"][1]
    assert answer["guardrail"]["outcome"] == "flagged"
    cited = answer["output"][0]["content"][0]["annotations"]
    assert preset == "block" or {"type", "start_index", "end_index", "url", "title"} <= cited[0].keys()


async def test_the_sdk_streams_and_helps(tmp_path: Path) -> None:
    """create, create(stream=True) and .stream() of the official client keep the report on response and parts."""

    def script(request):
        if request.json.get("stream"):
            return Script(spoken(TEXT))
        return Script([orjson.dumps(response(TEXT))], headers=(("content-type", "application/json"),))

    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url, policy="revise") as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                whole = await client.responses.create(
                    model="m", input="What?", extra_body={"previous_response_id": "resp_0"}
                )
                assert whole.output_text == "It is true. It is right."
                assert whole.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]
                assert model.requests[0].json["previous_response_id"] == "resp_0"
                async with client.responses.stream(model="m", input="What?") as stream:
                    kinds = [e.type async for e in stream]
                    final = await stream.get_final_response()
                assert kinds[-1] == "response.completed"
                assert final.output_text == "It is true. It is right."
                assert final.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        ("a", "a"),
        ([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}], "a"),
        ([{"role": "user", "content": [{"type": "input_text", "text": "a"}]}], "a"),
        (None, ""),
        ([5], ""),
    ],
)
def test_the_question_is_the_users_last_input(asked: object, question: str) -> None:
    """Strings, messages and parts are read; anything else is no question."""
    assert Responses().question({"input": asked}) == question


@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
def test_a_block_as_an_error_is_a_status_here_too(mode: Mode) -> None:
    """With `block.with: error` nothing is sent of an answer that is blocked at its first sentence, but the status."""
    policy = replace(load("block"), mode=mode, block=Block(form="error", status=422))
    played = drive(
        GuardedStream(ResponseStream(), policy), cut(b"".join(spoken("It is wrong.", "More.")), ()), policy
    )
    assert played.sent == []
    assert [(one.failure.status, one.failure.code) for one in played.refused] == [(422, "content_blocked")]


def test_a_sentence_over_two_messages_of_a_response_is_judged_as_one() -> None:
    """SDKs put the texts of all messages together, whatever stands between them: so are they read."""
    body = response("It is ")
    body["output"] += [{"type": "reasoning", "id": "rs", "summary": []}, message("wrong.")]
    for name in ("revise", "block"):
        events = [Data(orjson.dumps(body)), Ended()]
        answer = orjson.loads(
            drive(GuardedAnswer(ResponseWhole(), load(name)), events, load(name), stream=False).wire
        )
        assert answer["guardrail"]["outcome"] == "flagged"
        assert [one["type"] for one in answer["output"]] == ["message", "reasoning", "message"]
        assert "wrong" not in "".join(
            part["text"] for one in answer["output"] for part in one.get("content", ())
        )


def test_a_call_has_one_text() -> None:
    """Arguments that are repeated in other words are refused where calls are held: a client may take either."""
    item = {"type": "function_call", "id": "f", "call_id": "c", "name": "f", "arguments": ""}
    at = {"item_id": "f", "output_index": 0}
    wire = [
        event("response.created", response=response(status="in_progress")),
        event("response.output_item.added", output_index=0, item=item),
        event("response.function_call_arguments.delta", **at, delta='{"a":"It is true."}'),
        event("response.function_call_arguments.done", **at, arguments='{"a":"It is wrong."}'),
        event("response.completed", response=response()),
    ]
    policy = load("block")
    machine = GuardedStream(ResponseStream(calls=True), policy)
    played = drive(machine, [Data(b"".join(wire)), Ended()], policy)
    assert b"wrong" not in played.wire
    assert [one.failure.status for one in played.refused] == [502]
