"""What is asked of a model and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

__all__ = ["Answer", "Backend", "Completion", "Message", "Question", "Schema"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Schema:
    """The JSON schema of an answer, closed and with every key required (OpenAI's strict mode, vLLM's guided decoding)."""

    name: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One call. `read` turns the reply into what the caller wants and raises ValueError with a reason a model understands.

    `sample`: equal questions with different numbers are asked separately (FLEEK's majority vote).
    """

    messages: tuple[Message, ...]
    read: Callable[[str], T]
    schema: Schema | None = None
    max_tokens: int | None = None
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply of a backend. `finish`: OpenAI's finish_reason. `cost` in US dollars, 0 where the price is unknown."""

    text: str
    finish: str = "stop"
    refusal: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """What was read from the reply. `calls`: how many went out for it (0: from the cache; 2: one repair)."""

    value: T_co
    calls: int
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


class Backend(Protocol):
    """A way to a model. `name` goes into cache keys and verdicts: it names model and server."""

    name: str

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None,
        max_tokens: int,
        temperature: float,
        timeout_s: float,
    ) -> Completion:
        """Blocking, called from several threads. Raises ModelUnavailable, ModelTimeout or ModelRefused."""
        ...

    def close(self) -> None: ...
