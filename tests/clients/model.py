"""The model at the far end of the client matrix: what it says is in the name that a client asks for, `SCRIPT.STEP`.

It speaks Chat Completions, Responses and Messages, whole and streamed, byte for byte as their providers do.
"""

from __future__ import annotations

from itertools import pairwise

import orjson

from tests.fakes import DONE, Request, Script, chunk, completion, spoken

Json = dict[str, object]
TEXT = "It is true. It is wrong."
REVISED = "It is true. It is right."
FIRST = "It is true."
OTHER = "All of it is true."
VALUES = '{"answer": "It is wrong.", "count": 1}'
ARGUMENTS = '{"city": "It is wrong."}'
USAGE = 10
_JSON = [("content-type", "application/json")]


def answer(request: Request) -> Script:
    """The script for one request, as FakeModel wants it."""
    asked = request.json
    script = str(asked["model"]).partition(".")[0]
    streamed = asked.get("stream") is True
    if script == "down":
        error = {
            "error": {"message": "the engine is down", "type": "server_error", "code": None, "param": None}
        }
        return Script([orjson.dumps(error)], status=500, headers=_JSON)
    make = {"/v1/responses": _responses, "/v1/messages": _messages}.get(request.path, _chat)
    wire = make(script, streamed=streamed)
    cut = script == "cut"
    if cut:
        wire = wire[: len(wire) // 2] if streamed else [wire[0][: len(wire[0]) // 2]]
    return Script(wire, cut=cut) if streamed else Script(wire, headers=_JSON, cut=cut)


# ── Chat Completions ──────────────────────────────────────────────────────────────────────────────────


def _chat(script: str, *, streamed: bool) -> list[bytes]:
    if script == "tools":
        return _chat_tools(streamed=streamed)
    if script == "two":
        return _chat_two() if streamed else [completion(TEXT, OTHER)]
    text = VALUES if script == "json" else TEXT
    return spoken(text, usage=True) if streamed else [completion(text)]


def _chat_tools(*, streamed: bool) -> list[bytes]:
    called: Json = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": ARGUMENTS}}
    if not streamed:
        body = orjson.loads(completion(""))
        body["choices"][0] |= {
            "message": {"role": "assistant", "content": None, "tool_calls": [called]},
            "finish_reason": "tool_calls",
        }
        return [orjson.dumps(body)]
    begun = {**called, "index": 0, "function": {"name": "look", "arguments": ""}}
    wire = [chunk(delta={"role": "assistant", "content": None, "tool_calls": [begun]})]
    for a, b in pairwise([*range(0, len(ARGUMENTS), 5), len(ARGUMENTS)]):
        more = {"index": 0, "function": {"arguments": ARGUMENTS[a:b]}}
        wire.append(chunk(delta={"tool_calls": [more]}))
    *_, usage, done = spoken("", usage=True)
    return [*wire, chunk(finish="tool_calls"), usage, done]


def _chat_two() -> list[bytes]:
    texts = (TEXT, OTHER)
    wire = [chunk("", index=i, delta={"role": "assistant"}) for i in range(2)]
    for at in range(0, max(map(len, texts)), 4):
        wire += [chunk(text[at : at + 4], index=i) for i, text in enumerate(texts) if text[at:]]
    *_, usage, _ = spoken("", usage=True)
    return [*wire, chunk(index=0, finish="stop"), chunk(index=1, finish="stop"), usage, DONE]


# ── Responses ─────────────────────────────────────────────────────────────────────────────────────────


def _event(kind: str, **more: object) -> bytes:
    return f"event: {kind}\ndata: ".encode() + orjson.dumps({"type": kind, **more}) + b"\n\n"


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _message(*content: Json, status: str = "completed") -> Json:
    return {"id": "msg_1", "type": "message", "role": "assistant", "status": status, "content": list(content)}


def _response(*output: Json, status: str = "completed") -> Json:
    usage = {
        "input_tokens": 3,
        "output_tokens": 7,
        "total_tokens": USAGE,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "output": list(output),
        "usage": usage if status == "completed" else None,
    }


def _responses(script: str, *, streamed: bool) -> list[bytes]:
    text = VALUES if script == "json" else TEXT
    item = _called() if script == "tools" else _message(_part(text))
    whole = _response(item)
    if not streamed:
        return [orjson.dumps(whole)]
    middle = _call_events(item) if script == "tools" else _text_events(text)
    begun = _event("response.created", response=_response(status="in_progress"))
    numbered = [begun, *middle, _event("response.completed", response=whole)]
    return [_numbered(wire, number) for number, wire in enumerate(numbered)]


def _numbered(wire: bytes, number: int) -> bytes:
    head, _, data = wire.partition(b"\ndata: ")
    return head + b"\ndata: " + orjson.dumps({**orjson.loads(data), "sequence_number": number}) + b"\n\n"


def _text_events(text: str) -> list[bytes]:
    at: Json = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    wire = [
        _event("response.output_item.added", output_index=0, item=_message(status="in_progress")),
        _event("response.content_part.added", **at, part=_part("")),
    ]
    wire += [
        _event("response.output_text.delta", **at, delta=text[a:b], logprobs=[])
        for a, b in pairwise([*range(0, len(text), 5), len(text)])
    ]
    return [
        *wire,
        _event("response.output_text.done", **at, text=text, logprobs=[]),
        _event("response.content_part.done", **at, part=_part(text)),
        _event("response.output_item.done", output_index=0, item=_message(_part(text))),
    ]


def _called(arguments: str = ARGUMENTS, status: str = "completed") -> Json:
    head: Json = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "look"}
    return {**head, "arguments": arguments, "status": status}


def _call_events(item: Json) -> list[bytes]:
    at: Json = {"item_id": "fc_1", "output_index": 0}
    return [
        _event("response.output_item.added", output_index=0, item=_called("", "in_progress")),
        *(
            _event("response.function_call_arguments.delta", **at, delta=ARGUMENTS[a:b])
            for a, b in pairwise([*range(0, len(ARGUMENTS), 5), len(ARGUMENTS)])
        ),
        _event("response.function_call_arguments.done", **at, name="look", arguments=ARGUMENTS),
        _event("response.output_item.done", output_index=0, item=item),
    ]


# ── Messages ──────────────────────────────────────────────────────────────────────────────────────────


def _messages(script: str, *, streamed: bool) -> list[bytes]:
    tool = script == "tools"
    text = VALUES if script == "json" else TEXT
    block: Json = (
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": orjson.loads(ARGUMENTS)}
        if tool
        else {"type": "text", "text": text}
    )
    stop = "tool_use" if tool else "end_turn"
    head: Json = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
    if not streamed:
        usage = {"input_tokens": 3, "output_tokens": 7}
        return [orjson.dumps({**head, "content": [block], "stop_reason": stop, "usage": usage})]
    begun = {**head, "content": [], "stop_reason": None, "usage": {"input_tokens": 3, "output_tokens": 1}}
    said, kind, name = (
        (ARGUMENTS, "input_json_delta", "partial_json") if tool else (text, "text_delta", "text")
    )
    empty = {**block, "input": {}} if tool else {**block, "text": ""}
    return [
        _event("message_start", message=begun),
        _event("content_block_start", index=0, content_block=empty),
        _event("ping"),
        *(
            _event("content_block_delta", index=0, delta={"type": kind, name: said[a:b]})
            for a, b in pairwise([*range(0, len(said), 5), len(said)])
        ),
        _event("content_block_stop", index=0),
        _event(
            "message_delta",
            delta={"stop_reason": stop, "stop_sequence": None},
            usage={"output_tokens": 7},
        ),
        _event("message_stop"),
    ]
