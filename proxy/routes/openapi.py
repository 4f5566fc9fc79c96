"""The OpenAPI page: FastAPI's own routes, and those that are plain ASGI, which FastAPI does not see."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from guardrail.types import Label, Outcome

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
    "setting": {"enum": ["detect", "zero", "noisy", "accurate"], "description": "What the references are."},
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
_PASSED = "Any field of the provider's API is passed on; `guardrail: {policy, question, references, triplets, sources, setting, report}` is ours."


def _object(required: str, **properties: Json) -> Json:
    """An object whose required fields are the words of `required`; others may come."""
    return {"type": "object", "required": required.split(), "properties": properties}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


_NUMBER: Json = {"type": "number"}
_INTEGER: Json = {"type": "integer", "minimum": 0}
_TEXT_OR_NONE: Json = {"type": ["string", "null"]}
_PLACE: Json = {"start": _INTEGER, "end": _INTEGER}
_OUTCOME: Json = {
    "enum": [outcome.value for outcome in Outcome],
    "description": "flagged: something is wrong; not_checked: something could not be checked; unconfirmed: not every claim is attributable; confirmed: every claim is; not_checkable: there is no claim.",
}
_COUNTS = _object(
    "claims attributable extrapolatory contradictory unchecked",
    **dict.fromkeys(("claims", *(label.value for label in Label), "unchecked"), _INTEGER),
)
_ACTION: Json = {"enum": ["pass", "annotate", "attach", "revise", "regenerate", "block"]}
# Of a blocked answer only these of a claim are told; otherwise its words, facts, evidence and revisions are, too.
_CLAIM = _object(
    "id start end label confidence score reason",
    id=_INTEGER,
    **_PLACE,
    label={"enum": [label.value for label in Label]},
    confidence={**_NUMBER, "minimum": 0, "maximum": 1},
    score=_NUMBER,
    reason=_TEXT_OR_NONE,
    text={"type": "string"},
    resolved={"type": "string"},
    rationale={"type": "string"},
    pointer={"type": "string", "description": "JSON Pointer of the value, where the text is JSON."},
)
_EDIT = _object("start end replacement", **_PLACE, replacement={"type": "string"})
_REPORT = _object(
    "id text outcome counts kas claims unchecked skipped gaps entities timing_ms versions setting policy mode action flagged edits",
    id={"type": "string"},
    text={**_TEXT_OR_NONE, "description": "What was checked; null where it was blocked."},
    outcome=_OUTCOME,
    counts={
        **_COUNTS,
        "description": "How many claims there are, how many have which label, and how many passages were not checked.",
    },
    kas=_NUMBER,
    claims=_list(_CLAIM),
    unchecked=_list(_object("start end reason", **_PLACE, reason={"type": "string"})),
    skipped=_list(_object("start end text kind", **_PLACE)),
    gaps=_list(_list(_INTEGER)),
    entities=_list(_object("id label spans", spans=_list(_list(_INTEGER)))),
    timing_ms={"type": "object", "additionalProperties": _NUMBER},
    versions={"type": "object", "additionalProperties": {"type": "string"}},
    setting={"enum": ["zero", "noisy", "accurate"]},
    policy={"type": "string"},
    mode={"enum": ["observe", "hold", "buffer"]},
    action=_ACTION,
    flagged=_list(_INTEGER),
    edits=_list(_EDIT),
    truncated={
        **_INTEGER,
        "description": "How many claims are told without facts and evidence, for want of room.",
    },
    left_out={
        "type": "object",
        "additionalProperties": _INTEGER,
        "description": "How many entries of `unchecked`, `skipped`, `entities` and `edits` are not told: the first 1,000 of each are.",
    },
)
_REVISED = _object("text edits report", text={"type": "string"}, edits=_list(_EDIT), report=_REPORT)
_EXTRACTED = _object(
    "text claims",
    text={"type": "string"},
    claims=_list(
        _object(
            "id start end text resolved kind facts entities",
            id=_INTEGER,
            **_PLACE,
            facts=_list({"type": "object"}),
            entities=_list(_object("id label")),
        )
    ),
)
_GENERIC_ASKED = _object(
    "input_type",
    input_type={"enum": ["request", "response"]},
    texts={"type": ["array", "null"], "items": {"type": "string"}},
    model=_TEXT_OR_NONE,
    litellm_call_id=_TEXT_OR_NONE,
)
_GENERIC = _object(
    "action",
    action={"enum": ["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]},
    blocked_reason={"type": "string"},
    texts=_list({"type": "string"}),
    stream_holdback_chars=_list(_INTEGER),
)
_REPORTS = _object("id reports", id={"type": "string"}, reports=_list(_REPORT))


def _content(schema: Json, kind: str = "application/json") -> Json:
    return {kind: {"schema": schema}}


_FAILED: Json = {"description": "An error in OpenAI's shape", "content": _content(_ERROR)}
_STATUSES = ("400", "401", "403", "405", "408", "413", "429", "500")


def _post(
    summary: str, asked: Json, answer: Json, *, description: str = "", more: Json | None = None
) -> Json:
    """`more`: what else it may answer."""
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
                **dict.fromkeys(_STATUSES, _FAILED),
                **(more or {}),
            },
        }
    }


_ANY: Json = {"type": "object"}
_TEXT = {"type": "object", "required": ["text"], "additionalProperties": False, "properties": _GIVEN}
_FROM_UPSTREAM: Json = {
    **dict.fromkeys(("422", "502", "504"), _FAILED),
    "default": {"description": "Any other status of the model's server, as it came"},
}
_GUARDED = {**_content(_ANY), **_content({"type": "string"}, "text/event-stream")}

PATHS: Json = {
    "/guardrail/verify": _post(
        "Check a text, or many as NDJSON",
        {**_content(_TEXT), **_content({"type": "string"}, "application/x-ndjson")},
        {**_content(_REPORT), **_content({"type": "string"}, "application/x-ndjson")},
    ),
    "/guardrail/revise": _post("Correct a text", _content(_TEXT), _content(_REVISED)),
    "/guardrail/extract": _post("The claims of a text", _content(_TEXT), _content(_EXTRACTED)),
    "/beta/litellm_basic_guardrail_api": _post(
        "LiteLLM's generic guardrail contract", _content(_GENERIC_ASKED), _content(_GENERIC)
    ),
    **{
        path: _post(f"{name}, guarded", _content(_ANY), _GUARDED, description=_PASSED, more=_FROM_UPSTREAM)
        for path, name in (
            ("/v1/chat/completions", "Chat Completions"),
            ("/v1/responses", "Responses"),
            ("/v1/completions", "Completions"),
            ("/v1/messages", "Anthropic Messages"),
        )
    },
}


_ANSWERS: Json = {  # of routes that FastAPI knows, but not what they answer
    "/guardrail/reports/{identifier}": _content(_REPORTS),
    "/guardrail/insight/labels": _content({"type": "string"}, "application/x-ndjson"),
}


def describe(app: FastAPI) -> None:
    """Adds the plain routes to what /openapi.json tells."""
    told = app.openapi

    def openapi() -> Json:
        schema = told()
        routed: Json = schema.get("paths", {})
        for path, operations in routed.items():
            for operation in operations.values():
                # Whatever is wrong with a request of ours is told in OpenAI's shape.
                operation["responses"] = {**operation["responses"], "4XX": _FAILED}
                operation["responses"].pop("422", None)
                if path in _ANSWERS:
                    operation["responses"]["200"]["content"] = _ANSWERS[path]
        schema["paths"] = {**routed, **PATHS}
        for unused in ("HTTPValidationError", "ValidationError"):
            schema.get("components", {}).get("schemas", {}).pop(unused, None)
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
