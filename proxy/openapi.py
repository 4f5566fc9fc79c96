"""The OpenAPI page: FastAPI's own routes, and those that are plain ASGI, which FastAPI does not see."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

Json = dict[str, Any]

_REFERENCE: Json = {
    "oneOf": [
        {"type": "string"},
        {
            "type": "object",
            "required": ["text"],
            "properties": {name: {"type": "string"} for name in ("id", "text", "title", "url")},
        },
    ]
}
_GIVEN: Json = {
    "text": {"type": "string"},
    "question": {"type": "string", "description": "What the text answers: the subject of a short answer."},
    "references": {"type": "array", "items": _REFERENCE, "description": "Passages to check against."},
    "triplets": {
        "type": "array",
        "items": {
            "oneOf": [
                {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 3, "maxItems": 3},
                {"type": "object", "required": ["subject", "predicate", "object"]},
            ]
        },
        "description": "Statements to check against: [subject, predicate, object].",
    },
    "sources": {"type": "array", "items": {"enum": ["request", "kg", "corpus", "web"]}},
    "policy": {"type": "string", "description": "One of the policies that the operator allows."},
    "model": {"type": "string"},
}
_ERROR: Json = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
        }
    },
}
_PASSED = "Any field of the provider's API is passed on; `guardrail: {policy, question, references, triplets, sources}` is ours."


def _content(schema: Json, kind: str = "application/json") -> Json:
    return {kind: {"schema": schema}}


def _post(summary: str, asked: Json, answer: Json, *, description: str = "") -> Json:
    failed = {"description": "An error in OpenAI's shape", "content": _content(_ERROR)}
    return {
        "post": {
            "summary": summary,
            "description": description,
            "parameters": [
                {
                    "name": "x-guardrail-policy",
                    "in": "header",
                    "required": False,
                    "schema": {"type": "string"},
                }
            ],
            "requestBody": {"required": True, "content": asked},
            "responses": {
                "200": {"description": "", "content": answer},
                **dict.fromkeys(("400", "413", "429", "500"), failed),
            },
        }
    }


_ANY: Json = {"type": "object"}
_TEXT = {"type": "object", "required": ["text"], "additionalProperties": False, "properties": _GIVEN}
_GUARDED = {**_content(_ANY), **_content({"type": "string"}, "text/event-stream")}

PATHS: Json = {
    "/guardrail/verify": _post(
        "Check a text, or many as NDJSON",
        {**_content(_TEXT), **_content({"type": "string"}, "application/x-ndjson")},
        {**_content(_ANY), **_content({"type": "string"}, "application/x-ndjson")},
    ),
    "/guardrail/revise": _post("Correct a text", _content(_TEXT), _content(_ANY)),
    "/guardrail/extract": _post("The claims of a text", _content(_TEXT), _content(_ANY)),
    "/beta/litellm_basic_guardrail_api": _post(
        "LiteLLM's generic guardrail contract", _content(_ANY), _content(_ANY)
    ),
    "/v1/chat/completions": _post("Chat Completions, guarded", _content(_ANY), _GUARDED, description=_PASSED),
    "/v1/responses": _post("Responses, guarded", _content(_ANY), _GUARDED, description=_PASSED),
    "/v1/completions": _post("Completions, guarded", _content(_ANY), _GUARDED, description=_PASSED),
    "/v1/messages": _post("Anthropic Messages, guarded", _content(_ANY), _GUARDED, description=_PASSED),
}


def describe(app: FastAPI) -> None:
    """Adds the plain routes to what /openapi.json tells."""
    told = app.openapi

    def openapi() -> Json:
        schema = told()
        schema["paths"] = {**schema.get("paths", {}), **PATHS}
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
