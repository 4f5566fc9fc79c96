"""JSON out of a model's reply, held against its schema. Pure; the reply is data and never evaluated.

Only what strict schemas use is understood: object, array, string, integer, number, boolean, enum, required,
additionalProperties, minItems, maxItems. Anything else in a schema is a programming error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["closed", "find_json", "read_json", "validate"]

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_KNOWN = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "minItems",
    "maxItems",
    "description",
}
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def closed(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object schema with exactly these keys, all required: what OpenAI's strict mode demands."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read_json(reply: str, schema: Mapping[str, Any]) -> Any:
    """The JSON value in `reply`, valid by `schema`. Raises ValueError saying where and why not."""
    value = find_json(reply)
    validate(value, schema)
    return value


def find_json(reply: str) -> Any:
    """The first JSON object or array in `reply`: as it is, in a code fence, or after some words.

    Raises ValueError when there is none, or when it breaks off.
    """
    text = reply.strip()
    if fence := _FENCE.search(text):
        text = fence.group(1).strip()
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start < 0:
        raise ValueError("the reply contains no JSON")
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise ValueError(f"the JSON breaks off or is broken at character {error.pos}: {error.msg}") from error
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    return value


def validate(value: object, schema: Mapping[str, Any], *, at: str = "reply") -> None:
    """Raise ValueError with the place when `value` is not of `schema`."""
    if unknown := set(schema) - _KNOWN:
        raise TypeError(f"schema at {at}: {sorted(unknown)} not supported")
    kind = schema["type"]
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise ValueError(f"{at} must be of type {kind}")
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{at} must be one of {', '.join(map(str, schema['enum']))}, not {value!r:.40}")
    if isinstance(value, dict):
        _validate_object(value, schema, at)
    elif isinstance(value, list):
        _validate_array(value, schema, at)


def _validate_object(value: dict[str, object], schema: Mapping[str, Any], at: str) -> None:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise ValueError(f"{at} lacks the key {name!r}")
    for name, item in value.items():
        if name in properties:
            validate(item, properties[name], at=f"{at}.{name}")
        elif schema.get("additionalProperties") is False:
            raise ValueError(f"{at} has the unknown key {name!r:.40}")


def _validate_array(value: list[object], schema: Mapping[str, Any], at: str) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        wanted = f"exactly {least}" if least == most else f"{least} to {most}"
        raise ValueError(f"{at} must have {wanted} items, not {len(value)}")
    for index, item in enumerate(value):
        validate(item, schema["items"], at=f"{at}[{index}]")
