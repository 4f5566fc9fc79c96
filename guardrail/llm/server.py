"""Any OpenAI-compatible server by its URL, without litellm: vLLM, SGLang, llama.cpp, `transformers serve`, a gateway.

Half a millisecond a call where litellm and its client take several, and nothing to install.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from guardrail.errors import ModelMalformed, ModelUnavailable
from guardrail.llm.http import JsonClient
from guardrail.llm.question import Completion, Message, Schema
from guardrail.llm.settings import LlmSettings

__all__ = ["Server", "about_the_schema", "response_format"]


class Server:
    """Implements `Backend`. Thread-safe. Raises ConfigError when the settings carry no URL."""

    def __init__(self, settings: LlmSettings) -> None:
        self.name = settings.name
        self._model = settings.model.removeprefix("openai/")
        self._http = JsonClient(settings.base_url or "", settings.api_key)
        self._schema_refused = settings.schema_mode == "off"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None,
        max_tokens: int,
        temperature: float,
        timeout_s: float,
    ) -> Completion:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        if schema is None or self._schema_refused:
            return self._ask(body, timeout_s)
        try:
            return self._ask({**body, "response_format": response_format(schema)}, timeout_s)
        except ModelUnavailable as error:
            if not about_the_schema(error):
                raise
        # This server does not know `response_format`: the prompt says the form too, and the reply is validated anyway.
        self._schema_refused = True
        return self._ask(body, timeout_s)

    def close(self) -> None:
        self._http.close()

    def _ask(self, body: Mapping[str, Any], timeout_s: float) -> Completion:
        try:
            answer = self._http.post("/v1/chat/completions", body, timeout_s)
        except ModelMalformed as error:  # an error page: the server's fault, not the model's, so no repair
            raise ModelUnavailable(str(error), transient=True) from error
        try:
            return _read(answer)
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise ModelUnavailable("the checking model sent no chat completion", transient=True) from error


def response_format(schema: Schema) -> dict[str, Any]:
    """OpenAI's request for strict JSON, which vLLM turns into guided decoding."""
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.name, "strict": True, "schema": dict(schema.body)},
    }


def about_the_schema(error: ModelUnavailable) -> bool:
    """Whether a server refused the request because of `response_format`."""
    text = str(error).casefold()
    return not error.transient and any(
        word in text for word in ("response_format", "json_schema", "guided", "structured")
    )


def _read(answer: Any) -> Completion:
    choice = answer["choices"][0]
    message = choice["message"]
    usage = answer.get("usage") or {}
    return Completion(
        text=message.get("content") or "",
        finish=choice.get("finish_reason") or "stop",
        refusal=message.get("refusal") or "",
        prompt_tokens=usage.get("prompt_tokens") or 0,
        completion_tokens=usage.get("completion_tokens") or 0,
    )
