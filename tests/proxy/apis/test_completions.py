"""Legacy Completions through the machine and through the SDK."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import openai
import orjson
import pytest

from policies.policy import load
from policies.terms import Mode
from proxy.apis.completions import CompletionStream, CompletionWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from proxy.wire.sse import Decoder
from tests.fakes import DONE, FakeModel, Script
from tests.playbook import cut, drive
from tests.proxy.servers import serving

TEXT = "It is true. It is wrong."


def chunk(text: str, finish: str | None = None) -> bytes:
    choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": finish}
    return (
        b"data: "
        + orjson.dumps(
            {"id": "cmpl", "object": "text_completion", "created": 1, "model": "m", "choices": [choice]}
        )
        + b"\n\n"
    )


WIRE = [*(chunk(TEXT[i : i + 4]) for i in range(0, len(TEXT), 4)), chunk("", "stop"), DONE]
WHOLE = orjson.dumps(
    {
        "id": "cmpl",
        "object": "text_completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "text": TEXT, "finish_reason": "stop", "logprobs": None}],
    }
)


@pytest.mark.parametrize(
    ("preset", "mode", "shown"),
    [
        ("annotate", Mode.OBSERVE, TEXT),
        ("revise", Mode.HOLD, "It is true. It is right."),
        ("revise", Mode.BUFFER, "It is true. It is right."),
        ("block", Mode.BUFFER, None),
    ],
)
def test_streams_are_guarded(preset: str, mode: Mode, shown: str | None) -> None:
    """Text stands in `text`; our chunks carry the report and no words."""
    policy = replace(load(preset), mode=mode)
    played = drive(GuardedStream(CompletionStream(), policy), cut(b"".join(WIRE), [10, 333]), policy)
    events = [orjson.loads(e.data) for e in Decoder().decode(played.wire) if e.data != b"[DONE]" and e.data]
    assert "".join(c["text"] for e in events for c in e["choices"]) == (shown or policy.words().block)
    assert [e["guardrail"]["outcome"] for e in events if "outcome" in e.get("guardrail", {})] == ["flagged"]
    assert played.wire.endswith(DONE)


def test_whole_completions_are_guarded() -> None:
    """The report stands on the choice and on the response."""
    policy = load("revise")
    played = drive(GuardedAnswer(CompletionWhole(), policy), [Data(WHOLE), Ended()], policy, stream=False)
    answer = orjson.loads(played.wire)
    assert answer["choices"][0]["text"] == "It is true. It is right."
    assert answer["choices"][0]["guardrail"]["id"] == answer["guardrail"]["id"]


async def test_the_sdk_reads_them(tmp_path: Path) -> None:
    """completions.create works streamed and not."""

    def script(request):
        if request.json.get("stream"):
            return Script(WIRE)
        return Script([WHOLE], headers=(("content-type", "application/json"),))

    async with FakeModel(script).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            async with openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="k", max_retries=0) as client:
                whole = await client.completions.create(model="m", prompt="What?")
                assert whole.choices[0].text == TEXT
                assert whole.guardrail["outcome"] == "flagged"  # type: ignore[attr-defined]
                stream = await client.completions.create(model="m", prompt="What?", stream=True)
                assert "".join([c.choices[0].text async for c in stream]) == TEXT


@pytest.mark.parametrize("name", ["attach", "revise", "block"])
def test_texts_are_read_in_other_forms_too(name: str) -> None:
    """A list of strings is text; what cannot be read, fields that nobody knows and lone logprobs do not pass."""
    chosen = load(name)

    def event(**choice: object) -> bytes:
        told = {"index": 0, "finish_reason": None, **choice}
        return b"data: " + orjson.dumps({"id": "c", "model": "m", "choices": [told]}) + b"\n\n"

    def streamed(*wire: bytes) -> bytes:
        data = b"".join(wire) + b"data: [DONE]\n\n"
        return drive(GuardedStream(CompletionStream(), chosen), cut(data, ()), chosen).wire

    end = event(text="", finish_reason="stop")
    said = streamed(event(text=["It is ", "wrong."]), end)
    assert {"attach": b"[1]" in said, "revise": b"right" in said, "block": b'"text":"It is' not in said}[name]
    for odd in (
        event(text={"a": "It is wrong."}),
        event(text="", essay="wrong"),
        event(logprobs={"tokens": ["wrong"]}),
    ):
        assert b"wrong" not in streamed(event(text="Good. "), odd, end)
    late = streamed(event(text="Good."), end, event(text=" It is wrong."))
    assert b"wrong" not in late
    body = {
        "id": "c",
        "choices": [{"index": 0, "text": ["It is wrong."], "finish_reason": "stop"}],
        "essay": "a b",
    }
    events = [Data(orjson.dumps(body)), Ended()]
    answer = orjson.loads(drive(GuardedAnswer(CompletionWhole(), chosen), events, chosen, stream=False).wire)
    text = answer["choices"][0]["text"]
    assert {"attach": "[1]" in text, "revise": text == "It is right.", "block": "It is" not in text}[name]
    assert "essay" not in answer
