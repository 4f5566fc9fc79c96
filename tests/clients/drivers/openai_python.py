"""Takes the steps on standard input with the installed openai-python; see tests/clients/matrix.py for what goes in and out."""

from __future__ import annotations

import json
import sys
from typing import Any

import openai

LOOK = {"name": "look", "description": "Look.", "parameters": {"type": "object", "properties": {}}}
ASKED = [{"role": "user", "content": "What?"}]


def main() -> None:
    told = json.load(sys.stdin)
    for step in told["steps"]:
        client = openai.OpenAI(
            base_url=told["base"] + "/v1",
            api_key="sk-client",
            max_retries=step.get("retries", 0),
            timeout=20,
            default_headers={"x-guardrail-policy": step["policy"]},
        )
        found: dict[str, Any] = {}
        try:
            HOW[step["how"]](client, step, found)
        except openai.APIStatusError as error:
            found["error"] = {"status": error.status_code, "code": error.code}
        except openai.APIError as error:
            found["error"] = {"status": None, "code": error.code}
        except RuntimeError as error:
            if "response.completed" not in str(error):  # how the helper for Responses says that no end came
                raise
            found["error"] = {"status": None, "code": None}
        print(json.dumps({"name": step["name"], **found}), flush=True)


def asked(step: dict[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {"model": step["model"], "messages": ASKED}
    if step.get("tools"):
        more["tools"] = [{"type": "function", "function": LOOK}]
    if step.get("n"):
        more["n"] = step["n"]
    if step.get("json"):
        more["response_format"] = {"type": "json_object"}
    return more


def whole(client: openai.OpenAI, step: dict[str, Any], found: dict[str, Any]) -> None:
    tell(client.chat.completions.create(**asked(step)), found)


def tell(completion: Any, found: dict[str, Any]) -> None:
    choices = completion.choices
    found["texts"] = [choice.message.content or "" for choice in choices]
    found["finish"] = [choice.finish_reason for choice in choices]
    found["usage"] = completion.usage.total_tokens if completion.usage else None
    calls = [call for choice in choices for call in choice.message.tool_calls or []]
    found["tools"] = [[call.function.name, call.function.arguments] for call in calls]
    report = (choices[0].message.model_extra or {}).get("guardrail")
    found["report"] = (report or {}).get("outcome")


def stream(client: openai.OpenAI, step: dict[str, Any], found: dict[str, Any]) -> None:
    texts, finish, names, reports = found.setdefault("texts", []), {}, {}, {}
    words: dict[int, str] = {}
    for chunk in client.chat.completions.create(
        **asked(step), stream=True, stream_options={"include_usage": True}
    ):
        if chunk.usage:
            found["usage"] = chunk.usage.total_tokens
        for choice in chunk.choices:
            words[choice.index] = words.get(choice.index, "") + (choice.delta.content or "")
            texts[:] = [words[index] for index in sorted(words)]
            finish |= {choice.index: choice.finish_reason} if choice.finish_reason else {}
            for call in choice.delta.tool_calls or []:
                name, said = names.get(call.index, ("", ""))
                names[call.index] = (
                    name + (call.function.name or ""),
                    said + (call.function.arguments or ""),
                )
            report = (choice.delta.model_extra or {}).get("guardrail")
            reports |= {choice.index: report} if report else {}
    found["finish"] = [finish[index] for index in sorted(finish)]
    found["tools"] = [list(call) for call in names.values()]
    found["report"] = reports[0]["outcome"] if reports else None


def helper(client: openai.OpenAI, step: dict[str, Any], found: dict[str, Any]) -> None:
    api = (
        client.chat.completions
        if hasattr(client.chat.completions, "stream")
        else client.beta.chat.completions
    )
    with api.stream(**asked(step), stream_options={"include_usage": True}) as events:
        for event in events:
            if event.type == "content.delta":
                found["texts"] = [event.snapshot]
        tell(events.get_final_completion(), found)


def tell_response(response: Any, found: dict[str, Any]) -> None:
    found["texts"] = [response.output_text] if response.output_text else []
    found["finish"] = [response.status]
    found["usage"] = response.usage.total_tokens if response.usage else None
    calls = [item for item in response.output if item.type == "function_call"]
    found["tools"] = [[call.name, call.arguments] for call in calls]
    found["report"] = ((response.model_extra or {}).get("guardrail") or {}).get("outcome")


def of_response(step: dict[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {"model": step["model"], "input": "What?"}
    if step.get("tools"):
        more["tools"] = [{"type": "function", "strict": False, **LOOK}]
    if step.get("json"):
        more["text"] = {"format": {"type": "json_object"}}
    return more


def responses(client: openai.OpenAI, step: dict[str, Any], found: dict[str, Any]) -> None:
    tell_response(client.responses.create(**of_response(step)), found)


def responses_stream(client: openai.OpenAI, step: dict[str, Any], found: dict[str, Any]) -> None:
    text = ""
    for event in client.responses.create(**of_response(step), stream=True):
        if event.type == "response.output_text.delta":
            text += event.delta
            found["texts"] = [text]
        if event.type == "response.completed":
            tell_response(event.response, found)
            assert not text or [text] == found["texts"], "the deltas are not the text"


def responses_helper(client: openai.OpenAI, step: dict[str, Any], found: dict[str, Any]) -> None:
    with client.responses.stream(**of_response(step)) as events:
        for _ in events:
            pass
        tell_response(events.get_final_response(), found)


HOW = {
    "whole": whole,
    "stream": stream,
    "helper": helper,
    "responses": responses,
    "responses_stream": responses_stream,
    "responses_helper": responses_helper,
}
if __name__ == "__main__":
    main()
