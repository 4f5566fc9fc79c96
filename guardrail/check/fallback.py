"""Asks another checker where the model of the first one cannot be asked."""

from __future__ import annotations

from collections.abc import Callable

from guardrail.errors import ModelError, ModelTimeout
from guardrail.types import Checker, Claim, Evidence, Verdict

__all__ = ["Fallback"]


class Fallback:
    """Implements `Checker`: `instead` judges where the model of `first` is away; its verdict names it. `replaced` is told.

    A model that is late is not replaced: ModelTimeout is raised, and the claim is not checked. Its time is over.
    """

    def __init__(self, first: Checker, instead: Checker, replaced: Callable[[], None]) -> None:
        self._first, self._instead, self._replaced = first, instead, replaced

    @property
    def name(self) -> str:
        return self._first.name

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        try:
            return self._first.check(claim, evidence)
        except ModelTimeout:
            raise
        except ModelError:
            self._replaced()
            return self._instead.check(claim, evidence)
