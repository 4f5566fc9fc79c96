"""Words beside the answer: under a policy that withholds them none reaches a client, and its SDK still reads the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import openai
import orjson
import pytest

from policies.policy import load
from policies.terms import Mode, Policy
from proxy.apis.chat import ChatStream, ChatWhole
from proxy.apis.completions import CompletionWhole
from proxy.apis.messages import MessageStream, MessageWhole
from proxy.apis.responses import ResponseStream, ResponseWhole
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer, Whole
from proxy.wire.aside import emptied
from proxy.wire.surface import Surface
from tests.fakes import DONE, FakeModel, Script, chunk
from tests.playbook import cut, drive
from tests.proxy.apis.test_messages import event as message_event
from tests.proxy.apis.test_responses import event, message, part, response
from tests.proxy.servers import serving

BAD = "Somebody says so."
JSON = (("content-type", "application/json"),)
CITED = {"type": "url_citation", "url": "https://e.org/a", "title": BAD, "start_index": 0, "end_index": 2}
ITEMS: list[dict[str, Any]] = [
    {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": BAD}], "encrypted_content": "gAA="},
    {"type": "reasoning", "id": "rs", "summary": [], "content": [{"type": "reasoning_text", "text": BAD}]},
    {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search", "query": BAD}},
    {"type": "file_search_call", "id": "fs", "queries": [BAD], "results": [{"file_id": "f", "text": BAD}]},
    {"type": "code_interpreter_call", "id": "ci", "code": BAD, "outputs": [{"type": "logs", "logs": BAD}]},
    {"type": "mcp_call", "id": "mc", "name": "look_up", "server_label": "s", "arguments": BAD, "output": BAD},
    {"type": "image_generation_call", "id": "ig", "result": "iVBORw0KGgo=", "revised_prompt": BAD},
]  # fmt: skip
BLOCKS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": BAD, "signature": "c2ln"},
    {"type": "server_tool_use", "id": "st", "name": "web_search", "input": {"query": BAD}},
    {"type": "web_search_tool_result", "tool_use_id": "st", "content": [{"type": "web_search_result", "title": BAD}]},
    {"type": "bash_code_execution_tool_result", "tool_use_id": "st", "content": {"stdout": BAD, "return_code": 0}},
    {"type": "mcp_tool_result", "tool_use_id": "st", "content": [{"type": "text", "text": BAD}]},
]  # fmt: skip
KEPT = (b"gAA=", b"iVBORw0KGgo=", b"c2ln", b"https://e.org/a", b"look_up", b"web_search")


def chat(**beside: object) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": "It is true.", **beside},
        "finish_reason": "stop",
    }
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def answered(*items: dict[str, Any]) -> dict[str, Any]:
    told = response("It is true.")
    told["output"] = [*items, *told["output"]]
    return told


def blocks(*more: dict[str, Any], **fields: object) -> dict[str, Any]:
    said = {
        "type": "text",
        "text": "It is true.",
        "citations": [{"type": "char_location", "cited_text": BAD}],
    }
    return {"id": "m", "type": "message", "role": "assistant", "content": [*more, said], **fields}


WHOLE: dict[str, tuple[type[Whole], dict[str, Any]]] = {
    "reasoning": (ChatWhole, chat(reasoning=BAD)),
    "reasoning_content": (ChatWhole, chat(reasoning_content=BAD)),
    "reasoning_details": (ChatWhole, chat(reasoning_details=[{"type": "reasoning.text", "text": BAD}])),
    "thoughts in content": (
        ChatWhole,
        chat(content=[{"type": "thinking", "thinking": [{"type": "text", "text": BAD}]}, {"type": "text", "text": "It is true."}]),
    ),
    "annotations": (ChatWhole, chat(annotations=[{"type": "url_citation", "url_citation": CITED}])),
    "search results": (ChatWhole, {**chat(), "search_results": [{"title": BAD, "url": "https://e.org/a"}]}),
    "completion": (
        CompletionWhole,
        {"choices": [{"text": "It is true.", "index": 0}], "citations": [BAD]},
    ),
    **{f"item {n} {one['type']}": (ResponseWhole, answered(one)) for n, one in enumerate(ITEMS)},
    "part's annotations": (
        ResponseWhole,
        {"output": [{**message("It is true."), "content": [{**part("It is true."), "annotations": [CITED]}]}]},
    ),
    **{f"block {one['type']}": (MessageWhole, blocks(one)) for one in BLOCKS},
    "explanation": (MessageWhole, blocks(stop_details={"type": "refusal", "explanation": BAD})),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_no_word_beside_a_whole_answer_is_shown(name: str) -> None:
    """They are made empty in their places, the text and what is no word stay; without the key they pass."""
    made, body = WHOLE[name]
    shown = played(load("block"), made, body)
    assert BAD.encode() not in shown
    assert b"It is true." in shown
    assert all(one in shown for one in KEPT if one in orjson.dumps(body))
    assert shape(body) == shape(orjson.loads(shown)) or "content" in name
    assert BAD.encode() in played(replace(load("block"), beside="pass"), made, body)


def played(policy: Policy, made: type[Whole], body: dict[str, Any]) -> bytes:
    events = [Data(orjson.dumps(body)), Ended()]
    return drive(GuardedAnswer(made(), policy), events, policy, stream=False).wire


def shape(value: Any) -> Any:
    """A JSON value with all strings alike and without what is ours."""
    if isinstance(value, dict):
        return {
            key: shape(one)
            for key, one in value.items()
            if key not in ("guardrail", "annotations", "logprobs")
        }
    if isinstance(value, list):
        return [shape(one) for one in value]
    return "" if isinstance(value, str) else value


AT = {"item_id": "rs", "output_index": 0}
TEXT_AT = {"item_id": "msg_0", "output_index": 1, "content_index": 0}
TEXT = [
    event("response.output_item.added", output_index=1, item={**message(""), "content": []}),
    event("response.content_part.added", **TEXT_AT, part=part("")),
    event("response.output_text.delta", **TEXT_AT, delta="It is true.", logprobs=[]),
    event("response.output_text.annotation.added", **TEXT_AT, annotation_index=0, annotation=CITED),
    event("response.output_text.done", **TEXT_AT, text="It is true.", logprobs=[]),
    event("response.content_part.done", **TEXT_AT, part={**part("It is true."), "annotations": [CITED]}),
    event("response.output_item.done", output_index=1, item=message("It is true.")),
]


def begun(block: dict[str, Any], *deltas: dict[str, Any]) -> list[bytes]:
    return [
        message_event("content_block_start", index=0, content_block=block),
        *(message_event("content_block_delta", index=0, delta=one) for one in deltas),
        message_event("content_block_stop", index=0),
    ]


def spoken(*wire: bytes) -> list[bytes]:
    """A streamed response with these events before its text."""
    done = answered(ITEMS[0])
    return [
        event("response.created", response=response(status="in_progress")),
        *wire,
        *TEXT,
        event("response.completed", response=done),
    ]


def streamed_message(*wire: bytes) -> list[bytes]:
    return [
        message_event("message_start", message={"id": "m", "role": "assistant", "content": [], "usage": {}}),
        *wire,
        message_event("content_block_start", index=1, content_block={"type": "text", "text": ""}),
        message_event("content_block_delta", index=1, delta={"type": "text_delta", "text": "It is true."}),
        message_event(
            "content_block_delta", index=1, delta={"type": "citations_delta", "citation": {"cited_text": BAD}}
        ),
        message_event("content_block_stop", index=1),
        message_event(
            "message_delta", delta={"stop_reason": "end_turn", "stop_details": {"explanation": BAD}}
        ),
        message_event("message_stop"),
    ]


def chat_stream(*events: bytes) -> list[bytes]:
    return [*events, chunk("It is true."), chunk(finish="stop"), DONE]


SUMMARY = {**AT, "summary_index": 0}
STREAMS: dict[str, tuple[type[Surface], list[bytes]]] = {
    "reasoning": (ChatStream, chat_stream(chunk(delta={"reasoning_content": BAD}))),
    "reasoning with text": (ChatStream, chat_stream(chunk(delta={"reasoning": BAD, "content": "Yes. "}))),
    "annotations": (ChatStream, chat_stream(chunk(delta={"annotations": [{"url_citation": CITED}]}))),
    "search results": (
        ChatStream,
        chat_stream(chunk("Yes. ").replace(b'"id"', b'"search_results":[{"title":"' + BAD.encode() + b'"}],"id"', 1)),
    ),
    "summary": (
        ResponseStream,
        spoken(
            event("response.output_item.added", output_index=0, item={"type": "reasoning", "id": "rs", "summary": []}),
            event("response.reasoning_summary_part.added", **SUMMARY, part={"type": "summary_text", "text": ""}),
            event("response.reasoning_summary_text.delta", **SUMMARY, delta=BAD),
            event("response.reasoning_summary_text.done", **SUMMARY, text=BAD),
            event("response.reasoning_summary_part.done", **SUMMARY, part={"type": "summary_text", "text": BAD}),
            event("response.output_item.done", output_index=0, item=ITEMS[0]),
        ),
    ),
    "MCP": (ResponseStream, spoken(event("response.mcp_call_arguments.delta", **AT, delta=BAD))),
    "code": (ResponseStream, spoken(event("response.code_interpreter_call_code.done", **AT, code=BAD))),
    "thinking": (
        MessageStream,
        streamed_message(
            *begun(
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": BAD},
                {"type": "signature_delta", "signature": "c2ln"},
            )
        ),
    ),
    "a server's tool": (
        MessageStream,
        streamed_message(*begun(BLOCKS[1], {"type": "input_json_delta", "partial_json": f'"{BAD}"'})),
    ),
    "a result": (MessageStream, streamed_message(*begun(BLOCKS[2]))),
}  # fmt: skip


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("mode", [Mode.HOLD, Mode.BUFFER])
def test_no_word_beside_a_streamed_answer_is_shown(name: str, mode: Mode) -> None:
    """Event by event, at the beginning, at the end and where it is repeated; signatures stay."""
    made, wire = STREAMS[name]
    policy = replace(load("block"), mode=mode)
    shown = drive(GuardedStream(made(), policy), cut(b"".join(wire), ()), policy).wire
    assert BAD.encode() not in shown
    assert b"true" in shown
    assert all(one in shown for one in KEPT if any(one in piece for piece in wire))
    open_to_all = replace(policy, beside="pass")
    passed = drive(GuardedStream(made(), open_to_all), cut(b"".join(wire), ()), open_to_all).wire
    assert BAD.encode() in passed


def test_what_the_client_is_to_carry_out_stays() -> None:
    """Arguments of the client's own tools are no words beside the answer: they are checked."""
    use = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    wire = streamed_message(*begun(use, {"type": "input_json_delta", "partial_json": '{"a":"It is true."}'}))
    policy = load("block")
    machine = GuardedStream(MessageStream(calls=True), policy)
    assert b'{\\"a\\":\\"It is true.\\"}' in drive(machine, cut(b"".join(wire), ()), policy).wire


def test_what_is_no_word_stays() -> None:
    """Identifiers and addresses do, unless prose stands in their place; so does what is no string; names that are prose go."""
    told = {"id": "a-1", "url": "https://e.org", "title": "T", "n": 1, "list": ["x", None], "A b": True}
    assert emptied(told) == {"id": "a-1", "url": "https://e.org", "title": "", "n": 1, "list": ["", None]}
    assert emptied({"id": "It is so.", "status": "Ça"}) == {"id": "", "status": ""}
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    assert orjson.dumps(emptied(deep)).count(b"[") < 100


def client(root: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{root}/v1", api_key="x", max_retries=0)


async def test_the_sdk_still_puts_a_chat_stream_together(tmp_path: Path) -> None:
    """`.stream()` of openai-python gives the text, and nothing beside it."""
    asked: Any = {"model": "m", "messages": [{"role": "user", "content": "Is it?"}]}
    async with FakeModel(Script(STREAMS["reasoning"][1])).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            async with client(root) as ai, ai.chat.completions.stream(**asked) as stream:
                said = (await stream.get_final_completion()).choices[0].message
    assert said.content == "It is true."
    assert not said.model_dump().get("reasoning_content")


async def test_the_sdk_still_puts_a_response_together(tmp_path: Path) -> None:
    """`.stream()` of openai-python sees every event and item, their words beside the answer empty."""
    async with FakeModel(Script(STREAMS["summary"][1])).running() as model:
        with serving(tmp_path, upstream=model.url, policy="block") as (root, _):
            async with client(root) as ai, ai.responses.stream(model="m", input="Is it?") as stream:
                seen = [one.type async for one in stream]
                told = await stream.get_final_response()
    assert "response.reasoning_summary_text.delta" in seen
    assert told.output_text == "It is true."
    assert [(one.type, getattr(one, "encrypted_content", None)) for one in told.output] == [
        ("reasoning", "gAA="),
        ("message", None),
    ]
    assert BAD not in told.model_dump_json()
