"""Takes the steps on standard input with langchain-openai; see tests/clients/matrix.py for what goes in and out."""

from __future__ import annotations

import json
import sys
from typing import Any

import openai
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_openai import ChatOpenAI

LOOK = {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}}


def main() -> None:
    told = json.load(sys.stdin)
    for step in told["steps"]:
        found: dict[str, Any] = {}
        try:
            HOW[step["how"]](model(told["base"], step), step, found)
        except openai.APIStatusError as error:
            found["error"] = {"status": error.status_code, "code": error.code}
        except openai.APIError as error:
            found["error"] = {"status": None, "code": error.code}
        except ValueError as error:  # an answer without a word
            found["crash"] = str(error)
        print(json.dumps({"name": step["name"], **found}), flush=True)


def model(base: str, step: dict[str, Any]) -> Any:
    chat = ChatOpenAI(
        base_url=base + "/v1",
        api_key="sk-client",
        model=step["model"],
        max_retries=step.get("retries", 0),
        timeout=20,
        default_headers={"x-guardrail-policy": step["policy"]},
        stream_usage=True,
        use_responses_api=step["how"].startswith("responses"),
        **({"n": step["n"]} if step.get("n") else {}),
    )
    bound: Any = chat.bind_tools([{"type": "function", "function": LOOK}]) if step.get("tools") else chat
    return bound.bind(response_format={"type": "json_object"}) if step.get("json") else bound


def tell(message: Any, found: dict[str, Any]) -> None:
    content = message.content
    parts = [content] if isinstance(content, str) else [p["text"] for p in content if p.get("type") == "text"]
    found["texts"] = ["".join(parts)]
    told = message.response_metadata
    found["finish"] = [told.get("finish_reason") or told.get("status")]
    found["usage"] = (message.usage_metadata or {}).get("total_tokens")
    found["tools"] = [[call["name"], json.dumps(call["args"])] for call in message.tool_calls]


def whole(chat: Any, step: dict[str, Any], found: dict[str, Any]) -> None:
    if not step.get("n"):
        tell(chat.invoke("What?"), found)
        return
    result = chat.generate([[HumanMessage("What?")]])
    found["texts"] = [generation.text for generation in result.generations[0]]
    found["finish"] = [generation.generation_info["finish_reason"] for generation in result.generations[0]]
    found["usage"] = result.llm_output["token_usage"]["total_tokens"]


def stream(chat: Any, step: dict[str, Any], found: dict[str, Any]) -> None:
    total: AIMessageChunk | None = None
    for chunk in chat.stream("What?"):
        total = chunk if total is None else total + chunk
        tell(total, found)


HOW = {"whole": whole, "stream": stream, "responses": whole, "responses_stream": stream}
if __name__ == "__main__":
    main()
