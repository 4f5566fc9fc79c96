"""/openapi.json: the routes that FastAPI knows, those that are plain ASGI, and an example of each."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from guardrail.types import Label, Outcome
from proxy.access.login import Admin
from proxy.manual.sample_calls import Call, sample_calls

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
    "question": {
        "type": "string",
        "description": "The question that the text answers. It gives a short answer its subject.",
    },
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
    "sources": {
        "type": "array",
        "items": {"enum": ["request", "kg", "corpus", "web"]},
        "description": "The sources of evidence to use.",
    },
    "setting": {
        "enum": ["detect", "zero", "noisy", "accurate"],
        "description": "How the references are used: accurate (they are complete and right), noisy (search results), zero (none), detect (by their number).",
    },
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
_PASSED = (
    "The request is that of the provider's API; all its fields are passed on, and the answer is checked."
)
_OWN: Json = {
    **{name: _GIVEN[name] for name in ("policy", "question", "references", "triplets", "sources", "setting")},
    "report": {
        "enum": ["full", "compact", "none"],
        "description": "How much of the report is in the answer.",
    },
}


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
# A claim of a blocked answer has only these fields; otherwise it also has its words, facts, evidence and revisions.
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
    text={**_TEXT_OR_NONE, "description": "The text that was checked; null if it was blocked."},
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
        "description": "How many claims are given without facts and evidence, to keep the report small.",
    },
    left_out={
        "type": "object",
        "additionalProperties": _INTEGER,
        "description": "How many entries of `unchecked`, `skipped`, `entities` and `edits` are left out; the first 1,000 of each are kept.",
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
                    "description": "Asks for a policy by name.",
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
    "default": {"description": "Any other status of the model's server, unchanged"},
}
_MODEL_ASKED: Json = {
    "type": "object",
    "properties": {
        "model": {"type": "string"},
        "guardrail": {"type": "object", "additionalProperties": False, "properties": _OWN},
    },
}
_EVENTS: Json = {"description": "Server-sent events of the model's API, with a report beside or behind them"}
_GUARDED = {**_content(_ANY), **_content(_EVENTS, "text/event-stream")}

PATHS: Json = {
    "/guardrail/verify": _post(
        "Check a text, or many as NDJSON",
        {**_content(_TEXT), **_content({"type": "string"}, "application/x-ndjson")},
        {**_content(_REPORT), **_content({"type": "string"}, "application/x-ndjson")},
    ),
    "/guardrail/revise": _post("Correct a text", _content(_TEXT), _content(_REVISED)),
    "/guardrail/extract": _post(
        "List the claims of a text, without verdicts", _content(_TEXT), _content(_EXTRACTED)
    ),
    "/beta/litellm_basic_guardrail_api": _post(
        "Check texts for LiteLLM, by its generic guardrail contract",
        _content(_GENERIC_ASKED),
        _content(_GENERIC),
    ),
    **{
        path: _post(name, _content(_MODEL_ASKED), _GUARDED, description=_PASSED, more=_FROM_UPSTREAM)
        for path, name in (
            ("/v1/chat/completions", "Ask a model: OpenAI's chat completions"),
            ("/v1/responses", "Ask a model: OpenAI's Responses"),
            ("/v1/completions", "Ask a model: OpenAI's completions (legacy)"),
            ("/v1/messages", "Ask a model: Anthropic's Messages"),
        )
    },
}


_ANSWERS: Json = {  # of routes that FastAPI knows, but not what they answer
    "/guardrail/reports/{identifier}": _content(_REPORTS),
    "/guardrail/insight/labels": _content({"type": "string"}, "application/x-ndjson"),
}


_CHAPTERS = {  # by how a path begins; the others are about texts
    "/v1/": "Chat models",
    "/guardrail/knowledge": "Knowledge graph",
    "/guardrail/corpus": "Documents",
    "/guardrail/policies": "Policies",
    "/guardrail/audit": "Audit log",
    "/guardrail/insight": "Audit log",
    "/healthz": "Server",
    "/readyz": "Server",
}
_SECURITY: Json = {
    "admin": {"type": "http", "scheme": "bearer", "description": "The token of `serve --admin-token`."},
    "key": {"type": "http", "scheme": "bearer", "description": "A virtual key, with `serve --require-key`."},
}


def describe(app: FastAPI) -> None:
    """Completes /openapi.json: adds the plain routes, chapters, who may call what, and examples."""
    routed = app.openapi

    def openapi() -> Json:
        schema = routed()
        paths: Json = {path: _routed(path, found) for path, found in schema.get("paths", {}).items()}
        paths |= deepcopy(PATHS)
        admins = _of_admin(app)
        for path, operations in paths.items():
            for method, operation in operations.items():
                operation["tags"] = [_chapter(path)]
                if (method.upper(), path) in admins:
                    operation["security"] = [{"admin": []}]
                elif path not in ("/healthz", "/readyz"):
                    operation["security"] = [{}, {"key": []}]
        for call in sample_calls():
            _add_example(paths, call)
        components = schema.setdefault("components", {})
        for unused in ("HTTPValidationError", "ValidationError"):
            components.get("schemas", {}).pop(unused, None)
        return {**schema, "paths": paths, "components": {**components, "securitySchemes": _SECURITY}}

    app.openapi = openapi  # type: ignore[method-assign]


def _routed(path: str, operations: Json) -> Json:
    """What FastAPI knows of a path, with its summaries from the docstrings and errors in OpenAI's shape."""
    found: Json = deepcopy(operations)
    for operation in found.values():
        operation["summary"] = re.split(r"\.\s", operation["description"], maxsplit=1)[0].rstrip(".")
        operation["responses"]["4XX"] = deepcopy(_FAILED)
        operation["responses"].pop("422", None)
        if path in _ANSWERS:
            operation["responses"]["200"]["content"] = deepcopy(_ANSWERS[path])
    return found


def _of_admin(app: FastAPI) -> set[tuple[str, str]]:
    """Method and path of the routes that only the admin may call."""
    return {
        (method, route.path)
        for route in app.routes
        if isinstance(route, APIRoute)
        and any(getattr(one.dependency, "__func__", None) is Admin.require for one in route.dependencies)
        for method in route.methods or ()
    }


def _chapter(path: str) -> str:
    return next((name for start, name in _CHAPTERS.items() if path.startswith(start)), "Texts")


def _add_example(paths: Json, call: Call) -> None:
    """Puts a call beside the request and the answer that it is an example of."""
    operation = paths[call.operation.partition(" ")[2]][call.method.lower()]
    name = call.title or "example"
    if call.body is not None:
        asked = operation["requestBody"]["content"][call.type]
        asked.setdefault("examples", {})[name] = {"value": call.body}
    answers = operation["responses"]
    code = str(call.status)
    answer = answers.setdefault(code, deepcopy(answers.get(f"{code[0]}XX", {"description": ""})))
    if call.answer:
        told = answer["content"].setdefault(call.answer_type, {})
        told.setdefault("examples", {})[name] = {"value": call.answer}
