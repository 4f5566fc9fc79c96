"""What the checking model has cost, and when to stop asking it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from guardrail.errors import BudgetSpent
from guardrail.llm.question import Completion

__all__ = ["Budget", "Meter", "Usage"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Upper limits over the life of one `Llm`; None: no limit. `cost` in US dollars."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Counted so far. `calls` went over the wire (retries and repairs included); `cached` were answered without one."""

    calls: int = 0
    cached: int = 0
    retries: int = 0
    repairs: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Meter:
    """Thread-safe count with limits."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._usage = Usage()
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        with self._lock:
            return self._usage

    def admit(self, *, retry: bool = False, repair: bool = False) -> None:
        """Count a call that is about to go out. Raises BudgetSpent instead when a limit is reached.

        Tokens and cost are known afterwards only, so calls that run side by side can overshoot by one call each.
        """
        with self._lock:
            used, limit = self._usage, self._budget
            if limit.calls is not None and used.calls >= limit.calls:
                raise BudgetSpent(f"all {limit.calls} calls of the checking model are used up")
            if limit.tokens is not None and used.tokens >= limit.tokens:
                raise BudgetSpent(f"all {limit.tokens} tokens of the checking model are used up")
            if limit.cost is not None and used.cost >= limit.cost:
                raise BudgetSpent(f"the checking model's budget of ${limit.cost:g} is used up")
            self._usage = replace(
                used, calls=used.calls + 1, retries=used.retries + retry, repairs=used.repairs + repair
            )

    def spend(self, completion: Completion) -> None:
        with self._lock:
            used = self._usage
            self._usage = replace(
                used,
                prompt_tokens=used.prompt_tokens + completion.prompt_tokens,
                completion_tokens=used.completion_tokens + completion.completion_tokens,
                cost=used.cost + completion.cost,
            )

    def hit(self) -> None:
        with self._lock:
            self._usage = replace(self._usage, cached=self._usage.cached + 1)

    def fail(self) -> None:
        with self._lock:
            self._usage = replace(self._usage, failures=self._usage.failures + 1)
