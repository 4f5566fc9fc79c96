"""Any provider that litellm knows. A server of one's own needs no litellm (see `server`), but can be had through it, too.

litellm takes two seconds to import and starts by fetching a price list from the network; here it is imported on the first
call and told to use the list that it carries.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from guardrail.errors import ConfigError, ModelRefused, ModelTimeout, ModelUnavailable
from guardrail.llm.question import Completion, Message, Schema
from guardrail.llm.server import about_the_schema, response_format
from guardrail.llm.settings import LlmSettings

__all__ = ["Decisions", "Provider"]

_OVERLOADED = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_LOCK = threading.Lock()
_MISSING = "a provider's model needs the extra `llm`: pip install 'claim-guardrail[llm]'"
_FOREIGN = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def _litellm() -> ModuleType:
    """litellm, offline and quiet."""
    with _LOCK:  # the threads of one `Llm` come here together
        return _loaded()


@cache
def _loaded() -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own deprecations, not ours to act on
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        # It imports half of itself on the first call, and warns. A mocked call goes nowhere.
        nothing = [{"role": "user", "content": ""}]
        litellm.completion(model="openai/none", messages=nothing, api_key="none", mock_response="-")
    module: ModuleType = litellm
    return module


class Provider:
    """Implements `Backend`. Thread-safe. Raises ConfigError when litellm is not installed.

    To be called on threads, as `Llm` does: on the main thread litellm would leave an event loop open behind it.
    """

    def __init__(self, settings: LlmSettings) -> None:
        if find_spec("litellm") is None:  # said at start, not at the first claim
            raise ConfigError(_MISSING)
        self.name = settings.name
        self._settings = settings
        self._schema_refused = settings.schema_mode == "off"
        self._client: Any = None

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None,
        max_tokens: int,
        temperature: float,
        timeout_s: float,
    ) -> Completion:
        asked = schema if not self._schema_refused else None
        call = self._call(messages, asked, max_tokens, temperature, timeout_s)
        try:
            return _read(_send(call))
        except ModelUnavailable as error:
            if asked is None or not about_the_schema(error):
                raise
        # This server does not know `response_format`: the prompt says the form too, and the reply is validated anyway.
        self._schema_refused = True
        return _read(_send(self._call(messages, None, max_tokens, temperature, timeout_s)))

    def close(self) -> None:
        """Close the connections to a server of one's own; those to providers are litellm's."""
        if self._client is not None:
            self._client.close()

    def _own_client(self) -> Any:
        """One client per server, ours to close; litellm would make one per combination of arguments and leave it open."""
        with _LOCK:
            if self._client is None:
                self._client = _loaded().exceptions.openai.OpenAI(
                    base_url=self._settings.base_url,
                    api_key=self._settings.api_key
                    or "none",  # the client insists on one, local servers do not look
                    max_retries=0,
                )
            return self._client

    def _call(
        self,
        messages: Sequence[Message],
        schema: Schema | None,
        max_tokens: int,
        temperature: float,
        timeout_s: float,
    ) -> dict[str, Any]:
        settings = self._settings
        call: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "timeout": timeout_s,
            "max_retries": 0,  # ours to do: they are counted and bounded by the deadline
            "num_retries": 0,
            # A provider without response_format gets the prompt alone. Not for our own servers: after a 422 litellm would
            # ask again behind our back.
            "drop_params": settings.base_url is None,
        }
        if settings.api_key is not None:
            call["api_key"] = settings.api_key
        if settings.base_url is not None:
            call["api_base"] = settings.base_url
            call["custom_llm_provider"] = "openai"
            call["model"] = settings.model.removeprefix("openai/")
            call["client"] = self._own_client()
        if schema is not None:
            call["response_format"] = response_format(schema)
        return call


class Decisions:
    """litellm's way to the typed-decision endpoints of providers, with the face of `http.JsonClient`.

    Raises ConfigError when litellm is not installed.
    """

    def __init__(self, api_key: str | None = None) -> None:
        if find_spec("litellm") is None:
            raise ConfigError(_MISSING)
        self._api_key = api_key

    def post(self, path: str, body: Mapping[str, Any], timeout_s: float) -> Any:
        """The answer to a /v1/decisions body in OpenAI's form. Raises ModelUnavailable or ModelTimeout."""
        call = {**body, "timeout": timeout_s}
        if self._api_key is not None:
            call["api_key"] = self._api_key
        return _send(call, "decisions").model_dump()

    def close(self) -> None:
        """Nothing is held open."""


def _send(call: Mapping[str, Any], what: str = "completion") -> Any:
    litellm = _litellm()
    try:
        return getattr(litellm, what)(**call)
    except litellm.Timeout as error:
        raise ModelTimeout(f"no answer within {call['timeout']:g} s") from error
    except litellm.ContentPolicyViolationError as error:
        raise ModelRefused("the provider's content filter stopped the question") from error
    except litellm.exceptions.openai.OpenAIError as error:  # litellm's own are all children of it
        raise _unavailable(error) from error
    except _FOREIGN as error:  # a bug in a provider's adapter must not take the answer under check with it
        raise ModelUnavailable(f"litellm failed: {type(error).__name__}: {_short(str(error))}") from error


def _unavailable(error: Any) -> ModelUnavailable:
    status = getattr(error, "status_code", None)
    response = getattr(error, "response", None)
    wait = getattr(response, "headers", {}).get("retry-after", "")
    lost = type(error).__name__ in ("APIConnectionError", "ServiceUnavailableError", "InternalServerError")
    return ModelUnavailable(
        f"the checking model answered {status or 'nothing'}: {_short(str(error))}",
        transient=lost or status in _OVERLOADED,
        retry_after=float(wait) if wait.replace(".", "", 1).isdigit() else 0.0,
    )


def _short(text: str) -> str:
    """One line that fits a log; a provider's error page may be long and may quote the prompt back."""
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:197] + "…"


def _read(response: Any) -> Completion:
    """What litellm hands back, in every provider's shape, as ours. Raises ModelUnavailable when there is no choice in it."""
    choices = getattr(response, "choices", None)
    if not choices:
        raise ModelUnavailable("the checking model sent no choices", transient=True)
    choice = choices[0]
    usage = getattr(response, "usage", None)
    cost = getattr(response, "_hidden_params", {}).get("response_cost")
    # litellm before 1.110 keeps it among the provider's own fields.
    extras = getattr(choice.message, "provider_specific_fields", None) or {}
    return Completion(
        text=choice.message.content or "",
        finish=choice.finish_reason or "stop",
        refusal=getattr(choice.message, "refusal", None) or extras.get("refusal") or "",
        prompt_tokens=getattr(usage, "prompt_tokens", 0) or 0,
        completion_tokens=getattr(usage, "completion_tokens", 0) or 0,
        cost=float(cost or 0.0),
    )
