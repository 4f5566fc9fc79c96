"""Selects what of a request may reach litellm: known fields, function tools, and no address that litellm would fetch by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from guardrail.errors import BadRequest
from proxy.wire.headers import json_object

Json = dict[str, Any]

_CHAT = frozenset(
    """audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens messages modalities
    model n parallel_tool_calls prediction presence_penalty reasoning_effort response_format seed stop stream stream_options
    temperature thinking tool_choice tools top_k top_logprobs top_p user verbosity web_search_options""".split()
)
_RESPONSES = frozenset(
    """include input instructions max_output_tokens model parallel_tool_calls reasoning stream temperature text tool_choice
    tools top_p truncation user""".split()
)
_EMBEDDINGS = frozenset("dimensions encoding_format input model user".split())
_IGNORED = frozenset("metadata prompt_cache_key safety_identifier service_tier store".split())
_MESSAGES = frozenset(
    """max_tokens messages model stop_sequences stream system temperature thinking tool_choice tools top_k top_p""".split()
)
FIELDS = {
    "/chat/completions": _CHAT,
    "/responses": _RESPONSES,
    "/messages": _MESSAGES,
    "/embeddings": _EMBEDDINGS,
}
_FUNCTIONS = {"/messages": (None, "custom")}  # how a tool says that it is a function, where not by "function"
_NEEDED = {"/messages": ("max_tokens", "messages")}  # litellm does not say what is missing
_URL = re.compile(r"(?!data:)[a-zA-Z][a-zA-Z0-9+.-]*:")
_WORDS = frozenset(
    """text input_text output_text message reasoning function_call function_call_output
    tool_use tool_result thinking redacted_thinking""".split()
)
_INLINE = frozenset(
    ("base64", "text")
)  # sources of Anthropic's pictures and documents that hold what they are


def passable(raw: bytes, path: str, *, provider: str) -> Json:
    """The fields of a request to `path` (one of `FIELDS`) that are told; raises BadRequest, which names what cannot be."""
    body = json_object(raw)
    fields = FIELDS[path]
    if unknown := sorted(body.keys() - fields - _IGNORED):
        raise BadRequest(f"{unknown[0]} cannot be passed on to the provider {provider}", param=unknown[0])
    for name in _NEEDED.get(path, ()):
        if body.get(name) is None:
            raise BadRequest(f"{name} is missing", param=name)
    _no_addresses(body, path)
    model = str(body.get("model") or "")
    if not model or "://" in model:
        raise BadRequest("model is missing or not a string", param="model")
    given = {name: value for name, value in body.items() if name in fields and value is not None}
    return {**given, "model": model.removeprefix(f"{provider}/")}


def _no_addresses(body: Mapping[str, Any], path: str) -> None:
    """Raises BadRequest where litellm would be made to call an address that stands in the request."""
    calls = _calls_source if path == "/messages" else _calls
    for name in ("messages", "input", "system"):
        for message in _dicts(body.get(name)):
            if any(map(calls, _parts(message))):
                raise BadRequest(
                    "pictures and files can be passed on to this provider only with their bytes", param=name
                )
    for tool in _dicts(body.get("tools")):
        if tool.get("type") not in _FUNCTIONS.get(path, ("function",)):
            raise BadRequest("only function tools can be passed on to this provider", param="tools")


def _parts(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A message or an item, and whatever it consists of."""
    left = [message]
    while left:
        part = left.pop()
        yield part
        for name in ("content", "output"):
            left.extend(_dicts(part.get(name)))


def _calls(part: Mapping[str, Any]) -> bool:
    """Whether a part of a message, or an item without parts, names an address."""
    if str(part.get("type") or "message") in _WORDS:
        return False
    return any(_URL.match(text) for text in _strings(part))


def _calls_source(part: Mapping[str, Any]) -> bool:
    """The same in Anthropic's form, in which a part says where its bytes come from."""
    if part.get("type") not in ("image", "document"):
        return _calls(part)
    source = part.get("source")
    return not (isinstance(source, dict) and source.get("type") in _INLINE)


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, dict)) if isinstance(value, list) else iter(())


def _strings(value: object) -> Iterator[str]:
    left = [value]  # no recursion: each string of a deep nest would be handed up through all its levels
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict | list):
            left.extend(one.values() if isinstance(one, dict) else one)
