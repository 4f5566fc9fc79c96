"""Takes the steps on standard input with litellm as the client; see tests/clients/matrix.py for what goes in and out."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
import litellm
import openai

litellm.suppress_debug_info = True
LOOK = {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}}
ASKED = [{"role": "user", "content": "What?"}]


def main() -> None:
    told = json.load(sys.stdin)
    for step in told["steps"]:
        found: dict[str, Any] = {}
        try:
            HOW[step["how"]](asked(told["base"], step), found)
        except openai.APIStatusError as error:
            found["error"] = {"status": error.status_code, "code": error.code}
        except openai.APIError as error:
            found["error"] = {"status": None, "code": error.code}
        print(json.dumps({"name": step["name"], **found}), flush=True)


def asked(base: str, step: dict[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {
        "model": "openai/" + step["model"],
        "api_base": base + "/v1",
        "api_key": "sk-client",
        "messages": ASKED,
        "extra_headers": {"x-guardrail-policy": step["policy"]},
        "max_retries": step.get("retries", 0),
        "timeout": 20,
    }
    if step.get("tools"):
        more["tools"] = [{"type": "function", "function": LOOK}]
    if step.get("n"):
        more["n"] = step["n"]
    if step.get("json"):
        more["response_format"] = {"type": "json_object"}
    return more


def tell(answer: Any, found: dict[str, Any]) -> None:
    found["texts"] = [choice.message.content or "" for choice in answer.choices]
    found["finish"] = [choice.finish_reason for choice in answer.choices]
    found["usage"] = answer.usage.total_tokens
    calls = [call for choice in answer.choices for call in choice.message.tool_calls or []]
    found["tools"] = [[call.function.name, call.function.arguments] for call in calls]


def whole(more: dict[str, Any], found: dict[str, Any]) -> None:
    tell(litellm.completion(**more), found)


def stream(more: dict[str, Any], found: dict[str, Any]) -> None:
    words: dict[int, str] = {}
    chunks = []
    for chunk in litellm.completion(**more, stream=True, stream_options={"include_usage": True}):
        chunks.append(chunk)
        for choice in chunk.choices:
            words[choice.index] = words.get(choice.index, "") + (choice.delta.content or "")
            found["texts"] = [words[index] for index in sorted(words)]
    said = found["texts"]
    tell(litellm.stream_chunk_builder(chunks, messages=ASKED), found)
    found["texts"] = said


HOW = {"whole": whole, "stream": stream}
if __name__ == "__main__":
    main()
