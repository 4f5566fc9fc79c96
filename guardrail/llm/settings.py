"""How a checking model is reached and how much of it may be used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from guardrail.errors import ConfigError
from guardrail.llm.usage import Budget

__all__ = ["LlmSettings"]


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """All limits have a safe default. Raises ConfigError when a number makes no sense.

    `model`: litellm's name ("gpt-4o-mini", "bedrock/…", "hosted_vllm/…"); with `base_url` any name that the OpenAI-compatible
    server there knows (a leading "openai/", as RefChecker wants it, is dropped).
    `timeout_s`: of one attempt. `attempts`: of one call, when the server is overloaded or unreachable.
    `concurrency`: calls under way at once; further ones wait. `temperature`: used for repeated samples; a single question is
    asked at 0, so that it can be cached and replayed.
    `client`: "direct" asks the server at `base_url` without litellm, "litellm" goes through it; "auto" is direct wherever
    there is a `base_url`.
    `schema_mode`: "auto" asks for a JSON schema and stops doing so where the server refuses it; "off" never asks.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 60.0
    attempts: int = 3
    backoff_s: float = 0.5
    concurrency: int = 8
    max_tokens: int = 1024
    temperature: float = 0.7
    client: Literal["auto", "direct", "litellm"] = "auto"
    schema_mode: Literal["auto", "off"] = "auto"
    budget: Budget = field(default_factory=Budget)

    @property
    def name(self) -> str:
        """The model and its server as reports and caches name them: without a name and password in the URL, or a query."""
        if self.base_url is None:
            return self.model
        url = urlsplit(self.base_url)
        return f"{self.model}@{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ConfigError("a checking model needs a name")
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise ConfigError(
                f"the checking model's URL must begin with http:// or https://, not {self.base_url!r}"
            )
        if self.client == "direct" and self.base_url is None:
            raise ConfigError("a checking model that is asked directly needs a URL")
        for name in ("timeout_s", "attempts", "concurrency", "max_tokens"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be more than 0, not {getattr(self, name)}")
        for name in ("backoff_s", "temperature"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must not be less than 0, but is {getattr(self, name)}")
