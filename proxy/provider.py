"""Any provider that litellm knows, as an upstream that speaks OpenAI's Chat Completions, Responses and Embeddings.

Nothing of a request decides where it is sent or what is loaded: only the fields below reach litellm, tools are functions, and
a picture comes as a `data:` URL, since litellm would fetch any other by itself. litellm takes seconds to import; only a server
that is told to use it pays for that.
"""

from __future__ import annotations

import asyncio
import os
import re
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import orjson

from guardrail.errors import BadRequest, ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.access import shown
from proxy.sse import encode
from proxy.upstream import Answer, Call, Timeouts
from proxy.wire import Failure, Headers

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
_PATHS = {
    "/chat/completions": ("acompletion", _CHAT),
    "/responses": ("aresponses", _RESPONSES),
    "/embeddings": ("aembedding", _EMBEDDINGS),
}
_NEEDS = {"/responses": "mcp"}  # litellm imports it on the way, whether tools are used or not
_URL = re.compile(r"(?!data:)[a-zA-Z][a-zA-Z0-9+.-]*:")
_SAID = re.compile(r'"message"\s*:\s*("(?:[^"\\]|\\.)*")')
_LONGEST = 300  # characters of a provider's message
_OWN_WORDS = {
    401: "the provider refused the key",
    403: "the provider does not allow this",
    429: "the provider's rate limit is reached",
}


class Provider:
    """Implements `Upstream` over one of litellm's providers, such as "anthropic".

    `base`: its server where that is not the usual one. `key`: else the client's Authorization is used, else the provider's
    environment variable. Raises ConfigError when litellm is not installed or does not know the provider.
    """

    def __init__(
        self, provider: str, *, base: str = "", key: str = "", timeouts: Timeouts | None = None
    ) -> None:
        self._litellm = _loaded()
        if provider not in {str(getattr(one, "value", one)) for one in self._litellm.provider_list}:
            raise ConfigError(f"litellm:{provider}: litellm knows no such provider")
        self._provider = provider
        self._base = base
        self._key = key
        self._timeouts = timeouts or Timeouts()

    async def open(self) -> None:
        """Connects on the first call."""

    async def close(self) -> None:
        await self._litellm.close_litellm_async_clients()

    async def send(self, call: Call) -> Answer:
        """Raises BadRequest for what is not passed on to a provider, and as `Upstream`."""
        path = call.target.partition("?")[0]
        if call.method != "POST" or path not in _PATHS:
            told = f"the provider {self._provider} serves {', '.join(_PATHS)} only"
            return _failure(Failure(404, told, code="not_found"))
        if (module := _NEEDS.get(path)) and find_spec(module) is None:
            told = f"{path} through litellm needs the extra `responses` of this server"
            return _failure(Failure(404, told, code="not_found"))
        function, fields = _PATHS[path]
        asked = self._asked(call, fields)
        try:
            async with asyncio.timeout(self._timeouts.first):
                found = await getattr(self._litellm, function)(**asked)
        except TimeoutError as error:
            raise UpstreamUnreachable("the model server did not answer in time") from error
        except self._litellm.exceptions.openai.OpenAIError as error:
            return self._refused(error)
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            raise UpstreamBroken("litellm could not make sense of the answer") from error
        if asked.get("stream"):
            kind = _StreamedResponse if path == "/responses" else _Streamed
            return kind(found, self._litellm.exceptions.openai.OpenAIError)
        return _Whole(200, orjson.dumps(_completion(found.model_dump(mode="json", exclude_none=True))))

    def _asked(self, call: Call, fields: frozenset[str]) -> Json:
        body = _body(call.body)
        if unknown := sorted(body.keys() - fields - _IGNORED):
            raise BadRequest(
                f"{unknown[0]} is not passed on to the provider {self._provider}", param=unknown[0]
            )
        _no_addresses(body)
        given = {name: value for name, value in body.items() if name in fields and value is not None}
        model = str(body.get("model") or "")
        if not model or "://" in model:
            raise BadRequest("model is missing or no name of a model", param="model")
        given |= {
            "model": model.removeprefix(f"{self._provider}/"),
            "custom_llm_provider": self._provider,
            "timeout": self._timeouts.read,
            "max_retries": 0,  # who asks again, and whom, is for `routing` to decide
            "num_retries": 0,
        }
        if self._base:
            given["api_base"] = self._base
        if key := self._key or shown(call.headers):
            given["api_key"] = key
        return given

    def _refused(self, error: Any) -> Answer:
        """A provider's error as an answer, so that another server may be asked, or the client can read it."""
        known = self._litellm.exceptions
        if isinstance(error, known.Timeout):
            raise UpstreamUnreachable("the model server did not answer in time") from error
        if isinstance(error, known.APIConnectionError):
            raise UpstreamUnreachable("the model server cannot be reached") from error
        status = getattr(error, "status_code", None)
        status = status if isinstance(status, int) and 400 <= status < 600 else 502
        code = None
        if isinstance(error, known.ContextWindowExceededError):
            code = "context_length_exceeded"
        elif isinstance(error, known.ContentPolicyViolationError):
            code = "content_filter"
        kind = "invalid_request_error" if status < 500 else "api_error"
        headers: Headers = []
        if status == 429:
            kind, code = "rate_limit_error", "rate_limit_exceeded"
            wait = str(getattr(getattr(error, "response", None), "headers", {}).get("retry-after") or "1")
            headers = [(b"retry-after", wait.encode("latin-1", "replace"))]
        return _failure(Failure(status, _words(error, status), kind, code), headers)


class _Whole:
    server: tuple[str, int | None] = ("", None)

    def __init__(self, status: int, body: bytes, headers: Headers | None = None) -> None:
        self.status = status
        self.headers: Headers = [(b"content-type", b"application/json"), *(headers or [])]
        self._body = body

    async def body(self) -> AsyncIterator[bytes]:
        yield self._body

    def close(self) -> None:
        """Nothing is open."""


class _Streamed:
    server: tuple[str, int | None] = ("", None)  # litellm does not tell

    def __init__(self, stream: Any, failures: type[Exception]) -> None:
        self.status = 200
        self.headers: Headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        self._stream = stream
        self._failures = failures
        self._ended = False
        self._closing: asyncio.Task[None] | None = None

    async def body(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._stream:
                yield b"data: " + orjson.dumps(_chunk(chunk.model_dump(exclude_none=True))) + b"\n\n"
        except self._failures as error:
            raise _broken_off(error) from error
        self._ended = True
        yield b"data: [DONE]\n\n"

    def close(self) -> None:
        if not self._ended and self._closing is None:
            self._closing = asyncio.create_task(self._inner().aclose())

    def _inner(self) -> Any:
        return self._stream


class _StreamedResponse(_Streamed):
    """Named events, the last of which ends the answer. litellm wraps the provider's stream, which is what has to be closed."""

    async def body(self) -> AsyncIterator[bytes]:
        try:
            async for event in self._stream:
                told = event.model_dump(mode="json", exclude_none=True)
                yield encode(orjson.dumps(told), name=str(told.get("type", "")))
        except self._failures as error:
            raise _broken_off(error) from error
        self._ended = True

    def _inner(self) -> Any:
        within = getattr(self._stream, "litellm_custom_stream_wrapper", None)
        return within or self._stream.response


def _loaded() -> ModuleType:
    """litellm, offline and quiet. Raises ConfigError."""
    if find_spec("litellm") is None:
        raise ConfigError("litellm: needs the extra `llm`: pip install 'claim-guardrail[llm]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own deprecations, not ours to act on
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # it would fetch a price list
        litellm: Any = import_module("litellm")
        if find_spec("mcp") is not None:
            with suppress(ImportError):  # what the first response would load, for seconds, in the event loop
                import_module("litellm.responses.mcp.litellm_proxy_mcp_handler")
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    module: ModuleType = litellm
    return module


def _body(raw: bytes) -> Json:
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"the request body is no valid JSON: {error}", code="invalid_json") from error
    if not isinstance(body, dict):
        raise BadRequest("the request body must be a JSON object", code="invalid_json")
    return body


def _no_addresses(body: Mapping[str, Any]) -> None:
    """Raises BadRequest where litellm would be made to call an address that stands in the request."""
    for name in ("messages", "input"):
        for message in _dicts(body.get(name)):
            for part in (*_dicts(message.get("content")), *_dicts(message.get("output")), message):
                if _calls(part):
                    raise BadRequest(
                        "pictures and files are passed on to this provider as data: URLs only", param=name
                    )
    for tool in _dicts(body.get("tools")):
        if tool.get("type") != "function":
            raise BadRequest("tools are passed on to this provider as functions only", param="tools")


_WORDS = frozenset(
    ("text", "input_text", "output_text", "message", "reasoning", "function_call", "function_call_output")
)


def _calls(part: Mapping[str, Any]) -> bool:
    """Whether a part of a message, or an item without parts, names an address."""
    if str(part.get("type") or "message") in _WORDS:
        return False
    return any(_URL.match(text) for text in _strings(part))


def _dicts(value: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in value if isinstance(one, dict)) if isinstance(value, list) else iter(())


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _completion(body: Json) -> Json:
    """With the fields that OpenAI always tells and litellm leaves out when they are null."""
    for choice in body.get("choices", ()):
        if "message" in choice:
            choice["message"] = {"role": "assistant", "content": None, "refusal": None, **choice["message"]}
    return body


def _chunk(body: Json) -> Json:
    """As OpenAI streams it: usage comes in a chunk of its own, without a choice."""
    choices = [{"delta": {}, "finish_reason": None, **choice} for choice in body.get("choices", ())]
    if "usage" in body and not any(choice["delta"] or choice["finish_reason"] for choice in choices):
        choices = []
    return {**body, "object": "chat.completion.chunk", "choices": choices}


def _words(error: Any, status: int) -> str:
    """The provider's own message where it speaks of the request; else ours, as it might quote keys."""
    if status in _OWN_WORDS or status >= 500:
        return _OWN_WORDS.get(status, "the provider failed")
    text = str(getattr(error, "message", ""))
    said = _SAID.findall(text)
    try:
        found = str(orjson.loads(said[-1])) if said else text.splitlines()[0].partition(": ")[2]
    except (orjson.JSONDecodeError, IndexError):
        found = ""
    return found[:_LONGEST] or "the provider refused the request"


def _broken_off(error: Exception) -> UpstreamError:
    if "timeout" in type(error).__name__.lower():
        return UpstreamUnreachable("the model server did not answer in time", begun=True)
    return UpstreamBroken("the model server broke off its answer", begun=True)


def _failure(failure: Failure, headers: Headers | None = None) -> Answer:
    return _Whole(failure.status, failure.json(), headers)
