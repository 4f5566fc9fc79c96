"""docs/reference/http.md from the OpenAPI document: each operation with its fields and with calls that were really made."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proxy.app import create_app
from proxy.manual.sample_calls import Call, sample_calls
from proxy.services import Services
from proxy.settings import Settings

__all__ = ["http"]

Json = Mapping[str, Any]
CHAPTERS = ("Chat models", "Texts", "Knowledge graph", "Documents", "Policies", "Audit log", "Server")
WIDTH = 110
INTRODUCTION = """# HTTP, path by path

[On the wire](../wire.md) explains what the fields mean; `GET /openapi.json` gives this page to programs. Every example on this page
is a call that the tests make, to a server with the demo model and the starter knowledge. In answers, `…` marks what is left out.

Operations marked *admin* need the token of `serve --admin-token`, as `Authorization: Bearer TOKEN` or by logging in on the pages. The
others are open, unless the server runs with `--require-key`; then they need a virtual key, given in the same way.

An error always has the same shape, `{"type": "error", "error": {"message", "type", "param", "code"}}`: `message` says what to do, `param` names the field.
"""


def http() -> str:
    """The page, without the line that says how it is made."""
    document = _document()
    lines = [INTRODUCTION]
    for chapter in CHAPTERS:
        lines += [f"## {chapter}", ""]
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                if operation["tags"] == [chapter]:
                    lines += _operation(method.upper(), path, operation, document)
    return "\n".join(lines).rstrip() + "\n"


def _document() -> Json:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(audit=str(Path(home) / "audit.db"))
        services = Services.open(settings)
        document: Json = create_app(settings, services=services).openapi()
        services.close()
    return document


def _operation(method: str, path: str, operation: Json, document: Json) -> Iterator[str]:
    said = [operation.get("description", "")]
    if operation["summary"] not in said[0]:
        said.insert(0, operation["summary"] + ".")
    admin = " *admin*" if operation.get("security") == [{"admin": []}] else ""
    yield from (f"### {method} {path}", "", " ".join(filter(None, said)).replace("\n\n", " ") + admin, "")
    rows = [
        _row(one["name"], {**one["schema"], **_said(one)}, one["in"], one["required"])
        for one in operation.get("parameters", ())
    ]
    asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    fields, notes = _fields(asked, document)
    if rows or fields:
        yield from ("| parameter or field | in | type | |", "|---|---|---|---|", *rows, *fields, "")
    yield from (line for note in notes for line in (note, ""))
    for call in sample_calls():
        if call.operation == f"{method} {path}":
            yield from _example(call)


def _said(parameter: Json) -> Json:
    return {"description": parameter["description"]} if "description" in parameter else {}


def _fields(schema: Json, document: Json, inside: str = "") -> tuple[list[str], list[str]]:
    """The rows of a body's fields, those of objects in it too, and what is said of it as a whole."""
    schema = _resolved(schema, document)
    rows, notes = [], [_joined(schema["description"])] if "description" in schema else []
    for name, field in schema.get("properties", {}).items():
        rows.append(_row(inside + name, field, "body", name in schema.get("required", ())))
        if "properties" in field:
            rows += _fields(field, document, f"{inside}{name}.")[0]
    return rows, notes


def _resolved(schema: Json, document: Json) -> Json:
    found: Any = document
    for step in schema.get("$ref", "#").split("/")[1:]:
        found = found[step]
    return found if "$ref" in schema else schema


def _row(name: str, schema: Json, place: str, required: bool) -> str:
    told = [_joined(schema.get("description", ""))]
    if required:
        told.append("Required.")
    elif schema.get("default") not in (None, "", False):
        told.append(f"Default: `{json.dumps(schema['default'])}`.")
    return f"| `{name}` | {place} | {_type(schema)} | {' '.join(filter(None, told))} |"


def _type(schema: Json) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    either = [one for one in schema.get("anyOf", schema.get("oneOf", ())) if one.get("type") != "null"]
    if either:
        return " or ".join(dict.fromkeys(map(_type, either)))
    if "items" in schema:
        return f"list of: {_type(schema['items'])}"
    kind = schema.get("type", "object")
    return str(kind) if isinstance(kind, str) else str(kind[0])


def _example(call: Call) -> Iterator[str]:
    if call.title:
        yield from (f"**{call.title[0].upper()}{call.title[1:]}**", "")
    head = [f"{call.method} {call.target}", *(f"{name}: {value}" for name, value in call.headers.items())]
    body: list[str] = []
    if call.body is not None:
        head += [f"content-type: {call.type}", ""]
        body = [call.body.rstrip() if isinstance(call.body, str) else _pretty(call.body)]
    yield from ("```http", *head, *body, "```", "")
    answer = call.answer.rstrip() if isinstance(call.answer, str) else _pretty(call.answer)
    yield from (f"{call.status}:" if answer else f"{call.status}, without a body.", "")
    if answer:
        yield from ("```text" if isinstance(call.answer, str) else "```json", answer, "```", "")


def _pretty(value: object, indent: str = "") -> str:
    """JSON that puts on one line what fits there; a field … : … becomes a mere …."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) > WIDTH and isinstance(value, dict | list) and value:
        deeper = indent + "  "
        if isinstance(value, dict):
            inner = [
                f"{json.dumps(name, ensure_ascii=False)}: {_pretty(one, deeper)}"
                for name, one in value.items()
            ]
        else:
            inner = [_pretty(one, deeper) for one in value]
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        lines = ",\n".join(deeper + one for one in inner)
        flat = f"{opening}\n{lines}\n{indent}{closing}"
    return re.sub(r'"…": "…"|(?<=[\s\[])"…"(?=[\s\]])', "…", flat)


def _joined(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
