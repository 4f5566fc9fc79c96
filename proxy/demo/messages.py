"""Anthropic's Messages."""

from __future__ import annotations

from proxy.demo.samples import reply
from proxy.demo.speech import Json, Steps, last_said, named_event, new_id, tokens, words_of

__all__ = ["Messages"]


class Messages:
    """POST /v1/messages. Implements `Api`."""

    def whole(self, request: Json) -> Json:
        asked = last_said(request.get("messages"))
        text = reply(asked)
        return {
            **_head(request),
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": tokens(asked), "output_tokens": tokens(text)},
        }

    def stream(self, request: Json) -> Steps:
        asked = last_said(request.get("messages"))
        text = reply(asked)
        begun: Json = {"input_tokens": tokens(asked), "output_tokens": 1}
        message = {
            **_head(request),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": begun,
        }
        block: Json = {"type": "text", "text": ""}
        yield [
            named_event({"type": "message_start", "message": message}),
            named_event({"type": "content_block_start", "index": 0, "content_block": block}),
        ]
        for word in words_of(text):
            delta: Json = {"type": "text_delta", "text": word}
            yield [named_event({"type": "content_block_delta", "index": 0, "delta": delta})]
        end: Json = {"stop_reason": "end_turn", "stop_sequence": None}
        used: Json = {"output_tokens": tokens(text)}
        yield [
            named_event({"type": "content_block_stop", "index": 0}),
            named_event({"type": "message_delta", "delta": end, "usage": used}),
            named_event({"type": "message_stop"}),
        ]


def _head(request: Json) -> Json:
    return {"id": new_id("msg_"), "type": "message", "role": "assistant", "model": request["model"]}
