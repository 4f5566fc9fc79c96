"""One answer, a text (none: `said` is None) and then calls of tools, as three APIs tell it, streamed and whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from policies.terms import Policy
from proxy.apis.chat import Chat
from proxy.apis.messages import Messages
from proxy.apis.responses import Responses
from proxy.relay.guarded import Api
from proxy.stream.events import Data, Ended
from proxy.stream.machine import GuardedStream
from proxy.stream.whole import GuardedAnswer
from tests.fakes import DONE, chunk, completion
from tests.playbook import Played, cut, drive
from tests.proxy.apis import test_messages as messages
from tests.proxy.apis import test_responses as responses

SAID = "It is so."


def pieces(text: str) -> list[str]:
    return [text[at : at + 7] for at in range(0, len(text), 7)]


def chat_stream(said: str | None, *calls: str) -> list[bytes]:
    wire = [chunk("", delta={"role": "assistant"}), *(chunk(one) for one in pieces(said or ""))]
    for index, arguments in enumerate(calls):
        head = {"index": index, "id": f"call_{index}", "type": "function"}
        first = {**head, "function": {"name": "send", "arguments": ""}}
        wire.append(chunk(delta={"tool_calls": [first]}))
        for piece in pieces(arguments):
            more = {"index": index, "function": {"arguments": piece}}
            wire.append(chunk(delta={"tool_calls": [more]}))
    return [*wire, chunk(finish="tool_calls"), DONE]


def chat_whole(said: str | None, *calls: str) -> bytes:
    body = orjson.loads(completion(said or ""))
    body["choices"][0]["message"]["content"] = said
    body["choices"][0]["finish_reason"] = "tool_calls"
    body["choices"][0]["message"]["tool_calls"] = [
        {"id": f"call_{i}", "type": "function", "function": {"name": "send", "arguments": one}}
        for i, one in enumerate(calls)
    ]
    return orjson.dumps(body)


def response_item(number: int, arguments: str, status: str = "completed") -> dict[str, Any]:
    head = {"id": f"fc_{number}", "type": "function_call", "status": status, "name": "send"}
    return {**head, "call_id": f"call_{number}", "arguments": arguments}


def texts(said: str | None) -> list[str]:
    return [] if said is None else [said]


def response_body(said: str | None, *calls: str) -> dict[str, Any]:
    body = responses.response(*texts(said))
    body["output"] += [response_item(number, one) for number, one in enumerate(calls)]
    return body


def response_stream(said: str | None, *calls: str) -> list[bytes]:
    *wire, _ = responses.spoken(*texts(said))
    for number, arguments in enumerate(calls):
        at = {"output_index": number + len(texts(said)), "item_id": f"fc_{number}", "sequence_number": 9}
        kind = "response.function_call_arguments"
        item = response_item(number, "", "in_progress")
        wire.append(responses.event("response.output_item.added", **at, item=item))
        wire += [responses.event(f"{kind}.delta", **at, delta=piece) for piece in pieces(arguments)]
        wire.append(responses.event(f"{kind}.done", **at, arguments=arguments, name="send"))
        wire.append(responses.event("response.output_item.done", **at, item=response_item(number, arguments)))
    end = {"response": response_body(said, *calls), "sequence_number": 99}
    return [*wire, responses.event("response.completed", **end)]


def message_body(said: str | None, *calls: str) -> dict[str, Any]:
    used = [
        {"type": "tool_use", "id": f"call_{i}", "name": "send", "input": json.loads(one)}
        for i, one in enumerate(calls)
    ]
    counted = {"input_tokens": 3, "output_tokens": 5}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "usage": counted}
    content = [*({"type": "text", "text": one} for one in texts(said)), *used]
    return {**head, "content": content, "stop_reason": "tool_use", "stop_sequence": None}


def message_stream(said: str | None, *calls: str) -> list[bytes]:
    event = messages.event
    begun = {**message_body(said), "content": [], "stop_reason": None}
    wire = [event("message_start", message=begun)]
    for index, text in enumerate(texts(said)):
        wire.append(event("content_block_start", index=index, content_block={"type": "text", "text": ""}))
        deltas = [{"type": "text_delta", "text": one} for one in pieces(text)]
        wire += [event("content_block_delta", index=index, delta=one) for one in deltas]
        wire.append(event("content_block_stop", index=index))
    for number, arguments in enumerate(calls):
        index = number + len(texts(said))
        block = {"type": "tool_use", "id": f"call_{number}", "name": "send", "input": {}}
        wire.append(event("content_block_start", index=index, content_block=block))
        deltas = [{"type": "input_json_delta", "partial_json": one} for one in pieces(arguments)]
        wire += [event("content_block_delta", index=index, delta=one) for one in deltas]
        wire.append(event("content_block_stop", index=index))
    stop = {"stop_reason": "tool_use", "stop_sequence": None}
    return [*wire, event("message_delta", delta=stop, usage={"output_tokens": 5}), event("message_stop")]


@dataclass(frozen=True)
class Spoken:
    """An API and how an answer of a text and calls looks in it."""

    api: Api
    stream: Callable[..., list[bytes]]
    whole: Callable[..., bytes]

    def streamed(self, chosen: Policy, *calls: str, said: str | None = SAID, seed: int = 0) -> Played:
        machine = GuardedStream(self.api.stream(calls=chosen.tools == "check"), chosen)
        wire = b"".join(self.stream(said, *calls))
        return drive(machine, cut(wire, range(0, len(wire), 211)), chosen, seed=seed)

    def at_once(self, chosen: Policy, *calls: str, said: str | None = SAID) -> Played:
        machine = GuardedAnswer(self.api.whole(), chosen)
        return drive(machine, [Data(self.whole(said, *calls)), Ended()], chosen, stream=False)


APIS = {
    "chat": Spoken(Chat(), chat_stream, chat_whole),
    "responses": Spoken(Responses(), response_stream, lambda *a: orjson.dumps(response_body(*a))),
    "messages": Spoken(Messages(), message_stream, lambda *a: orjson.dumps(message_body(*a))),
}
