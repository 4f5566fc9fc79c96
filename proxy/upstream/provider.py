"""Any provider that litellm supports, as an upstream for Chat Completions, Responses, Anthropic's Messages and Embeddings.

Nothing of a request decides where it is sent or what is loaded: `passable` says what reaches litellm. litellm takes seconds to
import; only a server that is told to use it pays for that.
"""

from __future__ import annotations

import asyncio
import os
import re
import warnings
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import orjson

from guardrail.errors import ConfigError, UpstreamBroken, UpstreamError, UpstreamUnreachable
from proxy.server.bodies import SHORT
from proxy.upstream.http import Answer, Call, Timeouts
from proxy.upstream.passable import Json, passable
from proxy.wire.fields import own_key
from proxy.wire.headers import Failure, Headers
from proxy.wire.sse import encode

_FUNCTIONS = {
    "/chat/completions": "acompletion",
    "/responses": "aresponses",
    "/messages": "anthropic_messages",
    "/embeddings": "aembedding",
}
_NEEDS = {"/responses": "mcp"}  # litellm imports it on the way, whether tools are used or not
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
        if told := self._unserved(call.method, path):
            return _failure(Failure(404, told, code="not_found"))
        # A long request is looked through where it keeps nobody waiting.
        asked = (
            await asyncio.to_thread(self._asked, call, path)
            if len(call.body) > SHORT
            else self._asked(call, path)
        )
        try:
            async with asyncio.timeout(self._timeouts.first):
                found = await getattr(self._litellm, _FUNCTIONS[path])(**asked)
        except TimeoutError as error:
            raise UpstreamUnreachable("the model server did not answer in time") from error
        except self._litellm.exceptions.openai.OpenAIError as error:
            return self._refused(error)
        except ImportError:  # a provider's own Messages are streamed by way of litellm's proxy server
            told = (
                f"litellm cannot do this for {self._provider} here: name the provider's own address as `url`"
            )
            return _failure(Failure(501, told, code="not_implemented"))
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
            raise UpstreamBroken("litellm could not read the answer") from error
        if asked.get("stream"):
            return _STREAMS.get(path, _Streamed)(found, self._litellm.exceptions.openai.OpenAIError)
        body = found if isinstance(found, dict) else found.model_dump(mode="json", exclude_none=True)
        return _Whole(200, orjson.dumps(_completion(body)))

    def _unserved(self, method: str, path: str) -> str:
        """Why a request cannot be passed on; "" where it can."""
        if method != "POST" or path not in _FUNCTIONS:
            return f"the provider {self._provider} serves {', '.join(_FUNCTIONS)} only"
        if (module := _NEEDS.get(path)) and find_spec(module) is None:
            return f"{path} through litellm needs the extra `responses` of this server"
        return ""

    def _asked(self, call: Call, path: str) -> Json:
        given = passable(call.body, path, provider=self._provider) | {
            "custom_llm_provider": self._provider,
            "timeout": self._timeouts.read,
            "max_retries": 0,  # who asks again, and whom, is for `routing` to decide
            "num_retries": 0,
        }
        if self._base:
            given["api_base"] = self._base
        if key := self._key or own_key(call.headers):
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


class _Whole(Answer):
    server: tuple[str, int | None] = ("", None)

    def __init__(self, status: int, body: bytes, headers: Headers | None = None) -> None:
        self.status = status
        self.headers: Headers = [(b"content-type", b"application/json"), *(headers or [])]
        self._body = body

    async def body(self) -> AsyncIterator[bytes]:
        yield self._body

    def close(self) -> None:
        """Nothing is open."""


class _Streamed(Answer):
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


class _StreamedMessage(_Streamed):
    """Events that litellm has written by itself."""

    async def body(self) -> AsyncIterator[bytes]:
        try:
            async for event in self._stream:
                yield event
        except self._failures as error:
            raise _broken_off(error) from error
        self._ended = True


_STREAMS = {"/responses": _StreamedResponse, "/messages": _StreamedMessage}


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
    litellm.use_chat_completions_url_for_anthropic_messages = (
        True  # few of "openai"'s servers have the Responses API
    )
    module: ModuleType = litellm
    return module


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
