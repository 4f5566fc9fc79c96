"""A pytest plugin for the own tests of openai-python: it tells the stand-in for the API what each request is to be answered
with, and writes down what the SDK made of each answer.

Runs in the environment of the SDK and imports nothing of ours. Each request gets two headers: the test that sends it, and the
name of a file with an answer of the type that the SDK expects, made from that type's own fields. So the tests run unchanged,
without OpenAI's specification, and what arrives can be compared test by test. The tests look at types and close streams
unread; so what each call gave, streams read to their end, goes into a file, to be compared by whoever runs them twice.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import openai
from openai import _base_client, _legacy_response, _response, _streaming
from openai._models import BaseModel
from typing_extensions import TypeAliasType

FOLDER = Path(os.environ.get("CONFORMANCE_ANSWERS", "."))
RESULTS = Path(os.environ.get("CONFORMANCE_RESULTS", "."))
TEXT = "Canberra is the capital of Australia. Sydney is the capital of Australia."
# Fields of optional objects are filled in down to here.
DEEP = 6
_SCALARS: dict[Any, Any] = {
    str: "string",
    int: 1,
    float: 1.5,
    bool: True,
    bytes: "c3RyaW5n",
    datetime: "2019-12-27T18:11:19.117Z",
    date: "2019-12-27",
    object: {"foo": "bar"},
    Any: {"foo": "bar"},
    NoneType: None,
}
_WORDS = {"content", "text", "output_text"}
_LEFT_OUT = {"audio"}  # nobody can read what is spoken: a policy that guards refuses it


def example(kind: Any, depth: int = 0, name: str = "") -> Any:
    """A JSON value of the type `kind`: unions by their first member, optional fields with values."""
    kind = _unwrapped(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return inner[0]
    if origin in (list, tuple) or kind is list:
        return [example((*inner, object)[0], depth + 1)]
    if origin is dict or kind is dict:
        return {"foo": example((*inner[1:], object)[0], depth + 1)}
    if kind is str and name in _WORDS:
        return TEXT
    if kind in _SCALARS:
        return _SCALARS[kind]
    return _object(origin or kind, depth)


def _unwrapped(kind: Any) -> Any:
    """A type without aliases and annotations; of a union its first member."""
    if isinstance(kind, TypeAliasType):
        return _unwrapped(kind.__value__)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _unwrapped(inner[0])
    if origin in (Union, UnionType):
        return _unwrapped(next(one for one in inner if one is not NoneType))
    return kind


def _object(model: Any, depth: int) -> Any:
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise TypeError(f"no example of {model}")
    return {
        field.alias or name: example(field.annotation, depth + 1, name)
        for name, field in model.model_fields.items()
        if field.is_required()
        or (depth < DEEP and name not in _LEFT_OUT and not _repeats(field.annotation, model))
    }


def _repeats(kind: Any, model: type) -> bool:
    """An optional field that holds its own model again, which would never end."""
    return kind is model or any(_repeats(one, model) for one in get_args(kind) if one is not kind)


def answer(cast_to: Any, stream_cls: Any) -> dict[str, Any]:
    """What the stand-in has to send: status, content type, body."""
    if stream_cls is not None:
        events = [json.dumps(example(get_args(stream_cls)[0])), "[DONE]"]
        return {"kind": "text/event-stream", "body": "".join(f"data: {event}\n\n" for event in events)}
    if cast_to is NoneType:
        return {"status": 204, "kind": "application/json", "body": ""}
    if cast_to is str:
        return {"kind": "text/plain", "body": TEXT}
    if isinstance(cast_to, type) and "BinaryResponse" in cast_to.__name__:
        return {"kind": "application/octet-stream", "body": "bytes"}
    return {"kind": "application/json", "body": json.dumps(example(cast_to))}


def _kept(found: dict[str, Any]) -> str:
    body = json.dumps(found).encode()
    name = hashlib.sha256(body).hexdigest()[:24]
    if not (FOLDER / name).exists():
        (FOLDER / f"{name}.{os.getpid()}").write_bytes(body)
        (FOLDER / f"{name}.{os.getpid()}").rename(FOLDER / name)
    return name


def _test() -> str:
    """The test that runs."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0].encode("ascii", "replace").decode()


# ── what the SDK made of it ───────────────────────────────────────────────────────────────────────────


def _note(result: Any) -> None:
    with (RESULTS / str(os.getpid())).open("a") as file:
        file.write(json.dumps({"test": _test(), "result": result}) + "\n")


def dumped(value: Any) -> Any:
    """A parsed answer as JSON, with the fields that came; of a body that is not read, its type."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    if isinstance(value, (list, tuple)):
        return [dumped(one) for one in value]
    if isinstance(value, (str, int, float, NoneType, dict)):
        return value
    try:
        return value.content.decode("latin-1")
    except (AttributeError, RuntimeError):  # httpx says RuntimeError of what is not read, or no longer there
        return type(value).__name__


def _parsing(parse: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(parse)
    def parsed(self: Any, *more: Any, **named: Any) -> Any:
        result = parse(self, *more, **named)
        if not isinstance(result, _STREAMS):
            _note(dumped(result))
        return result

    return parsed


_STREAMS = (_streaming.Stream, _streaming.AsyncStream)
_BROKEN = (openai.OpenAIError, ValueError, RuntimeError)  # what the SDK raises of events that it cannot read


def _refusal(error: Exception) -> dict[str, Any]:
    """`event`: the data that a strict client refuses, where that is what is wrong."""
    return {"refused": f"{type(error).__name__}: {error}", "event": getattr(error, "body", None)}


def _read(stream: Any) -> None:
    """Reads a stream to its end and leaves its events for whoever reads it after this."""
    found: list[Any] = []
    try:
        for event in stream:
            found.append(event)  # noqa: PERF402  what came before an error counts
    except _BROKEN as error:
        found.append(_refusal(error))
    stream._iterator = iter(found)
    _note({"events": dumped(found)})


async def _read_async(stream: Any) -> None:
    found: list[Any] = []
    try:
        async for event in stream:
            found.append(event)  # noqa: PERF401  as above
    except _BROKEN as error:
        found.append(_refusal(error))

    async def again() -> Any:
        for event in found:
            yield event

    stream._iterator = again()
    _note({"events": dumped(found)})


def _heard(result: Any) -> Any:
    if isinstance(result, _streaming.Stream):
        _read(result)
    return result


async def _heard_async(result: Any) -> Any:
    if isinstance(found := await result, _streaming.AsyncStream):
        await _read_async(found)
    return found


def _closing(close: Callable[..., Any]) -> Callable[..., Any]:
    """A stream of a raw response is closed unread: it is read before that."""

    @functools.wraps(close)
    def closed(self: Any) -> Any:
        if not self.response.is_closed:
            _read(self)
        return close(self)

    return closed


def _closing_async(close: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(close)
    async def closed(self: Any) -> Any:
        if not self.response.is_closed:
            await _read_async(self)
        return await close(self)

    return closed


def _telling(request: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(request)
    def told(self: Any, cast_to: Any, options: Any, *more: Any, **named: Any) -> Any:
        given = dict(options.headers) if isinstance(options.headers, dict) else {}
        stream_cls = named.get("stream_cls") if named.get("stream") else None
        expected = self._maybe_override_cast_to(cast_to, options.model_copy())
        options = options.model_copy()
        options.headers = {
            **given,
            "x-conformance-test": _test(),
            "x-conformance-answer": _kept(answer(expected, stream_cls)),
        }
        result = request(self, cast_to, options, *more, **named)
        return _heard_async(result) if inspect.isawaitable(result) else _heard(result)

    return told


for _client in (_base_client.SyncAPIClient, _base_client.AsyncAPIClient):
    _client.request = _telling(_client.request)  # type: ignore[method-assign]
for _answered in (_legacy_response.LegacyAPIResponse, _response.BaseAPIResponse):
    _answered._parse = _parsing(_answered._parse)  # type: ignore[method-assign]
_streaming.Stream.close = _closing(_streaming.Stream.close)  # type: ignore[method-assign]
_streaming.AsyncStream.close = _closing_async(_streaming.AsyncStream.close)  # type: ignore[method-assign]
