"""Takes the steps on standard input with the installed Anthropic SDK; see tests/clients/matrix.py for what goes in and out."""

from __future__ import annotations

import json
import sys
from typing import Any

import anthropic

LOOK = {"name": "look", "description": "Look.", "input_schema": {"type": "object", "properties": {}}}


def main() -> None:
    told = json.load(sys.stdin)
    for step in told["steps"]:
        client = anthropic.Anthropic(
            base_url=told["base"],
            api_key="sk-client",
            max_retries=step.get("retries", 0),
            timeout=20,
            default_headers={"x-guardrail-policy": step["policy"]},
        )
        found: dict[str, Any] = {}
        try:
            HOW[step["how"]](client, step, found)
        except anthropic.APIStatusError as error:
            body = error.body if isinstance(error.body, dict) else {}
            found["error"] = {"status": error.status_code, "code": (body.get("error") or {}).get("code")}
        except anthropic.APIError:
            found["error"] = {"status": None, "code": None}
        except AssertionError as error:  # the helper saw no message at all
            found["crash"] = str(error)
        print(json.dumps({"name": step["name"], **found}), flush=True)


def asked(step: dict[str, Any]) -> dict[str, Any]:
    messages = [{"role": "user", "content": "What?"}]
    more: dict[str, Any] = {"model": step["model"], "max_tokens": 100, "messages": messages}
    return more | ({"tools": [LOOK]} if step.get("tools") else {})


def tell(message: Any, found: dict[str, Any]) -> None:
    found["texts"] = [block.text for block in message.content if block.type == "text"]
    found["finish"] = ["stop" if message.stop_reason == "end_turn" else message.stop_reason]
    found["usage"] = message.usage.input_tokens + message.usage.output_tokens
    calls = [block for block in message.content if block.type == "tool_use"]
    found["tools"] = [[call.name, json.dumps(call.input)] for call in calls]
    found["report"] = ((message.model_extra or {}).get("guardrail") or {}).get("outcome")


def whole(client: anthropic.Anthropic, step: dict[str, Any], found: dict[str, Any]) -> None:
    tell(client.messages.create(**asked(step)), found)


def stream(client: anthropic.Anthropic, step: dict[str, Any], found: dict[str, Any]) -> None:
    text, said, names, used = "", "", [], 0
    for event in client.messages.create(**asked(step), stream=True):
        if event.type == "message_start":
            used = event.message.usage.input_tokens
        elif event.type == "content_block_start" and event.content_block.type == "tool_use":
            names.append(event.content_block.name)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            text += event.delta.text
            found["texts"] = [text]
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            said += event.delta.partial_json
        elif event.type == "message_delta":
            stop = event.delta.stop_reason
            found["finish"] = ["stop" if stop == "end_turn" else stop]
            found["usage"] = used + event.usage.output_tokens
            found["report"] = ((event.model_extra or {}).get("guardrail") or {}).get("outcome")
    found["tools"] = [[name, said] for name in names]


def helper(client: anthropic.Anthropic, step: dict[str, Any], found: dict[str, Any]) -> None:
    report = None
    with client.messages.stream(**asked(step)) as events:
        for event in events:
            if event.type == "text":
                found["texts"] = [event.snapshot]
            if event.type == "message_delta":
                report = ((event.model_extra or {}).get("guardrail") or {}).get("outcome")
        tell(events.get_final_message(), found)
    found["report"] = report


HOW = {"whole": whole, "stream": stream, "helper": helper}
if __name__ == "__main__":
    main()
