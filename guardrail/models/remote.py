"""A classifier on a server: what a wire says, within a time limit, in batches, with a bounded number of requests at a time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Protocol

import numpy as np

from guardrail.batch import Batcher
from guardrail.errors import ModelError, ModelRefused, ModelTimeout, ModelUnavailable
from guardrail.models.encoder import Encoder
from guardrail.models.nli import Classifier, Pair, Rows
from guardrail.models.settings import Thresholds
from guardrail.models.standing import Standing

__all__ = ["Remote", "Wire"]

_TRIED: tuple[Pair, ...] = (("Rome is old.", "Rome is old."),)
# Tokens are counted by the tokenizer that ships, without asking the server: another one makes up to so many times as many
# of the same English text. What is too long all the same the server refuses.
_MARGIN = 1.25


class Wire(Protocol):
    """A way to a model on a server. Blocking, called from several threads."""

    @property
    def name(self) -> str:
        """The model, as reports name it."""
        ...

    @property
    def window(self) -> int:
        """Tokens that a pair may have there, special ones included."""
        ...

    @property
    def most(self) -> int:
        """Pairs of one request."""
        ...

    def greet(self, timeout_s: float) -> None:
        """Asks the server what it serves. Raises ModelError, or ConfigError where that is no such model."""
        ...

    def ask(self, pairs: Sequence[Pair], timeout_s: float) -> Rows:
        """float32 `[len(pairs), 3]`. Raises ModelError; ModelRefused where only these pairs have no answer."""
        ...

    def close(self) -> None: ...


class Remote:
    """Implements `Classifier`. Thread-safe.

    A batch is what waits when a request comes back; `in_flight` requests are under way at most. What is not answered within
    `timeout_s`, the waiting included, is ModelTimeout. A model that failed is not asked before it answers again
    (`standing`); meanwhile ModelUnavailable is raised at once. `instead`: the model to be used in its place; None: none.
    """

    specials = 4

    def __init__(
        self,
        wire: Wire,
        *,
        timeout_s: float = 2.0,
        in_flight: int = 8,
        thresholds: Thresholds | None = None,
        temperature: float = 1.0,
        instead: Classifier | None = None,
    ) -> None:
        self._wire, self._timeout_s = wire, timeout_s
        self._thresholds, self._temperature = thresholds, temperature
        self._tokenizer = Encoder("nli")
        self.instead = instead
        self.standing = Standing(lambda: wire.name, self._attempt)
        self._begin()
        self._batcher = Batcher(
            self._asked, budget=wire.most, workers=in_flight, divisible=_divisible, name="remote-model"
        )

    @property
    def name(self) -> str:
        return self._wire.name

    @property
    def judging(self) -> str:
        """The model that judges at this moment: this one, or what stands in its place."""
        if not self.standing.trouble:
            return self.name
        return f"{self.instead.name if self.instead else 'no model'} ({self.name} is away)"

    @property
    def folder(self) -> None:
        return None

    @property
    def window(self) -> int:
        return int(self._wire.window / _MARGIN)

    def thresholds(self, kind: str) -> Thresholds:
        return self._thresholds or Thresholds()

    def lengths(self, texts: Sequence[str]) -> list[int]:
        return [len(tokens) - 2 for tokens in self._tokenizer.tokenise(texts)]

    def probabilities(self, pairs: Sequence[Pair]) -> Rows:
        if not pairs:
            return np.zeros((0, 3), np.float32)
        if self.standing.trouble:
            raise ModelUnavailable(f"the model {self.name} is away")
        try:
            return np.array(self._batcher.ask(pairs, timeout=self._timeout_s), np.float32)
        except (TimeoutError, ModelTimeout) as error:
            late = ModelTimeout(f"the model {self.name} gave no answer within {self._timeout_s:g} s")
            self.standing.doubt(late)
            raise late from error
        except (CancelledError, RuntimeError) as error:
            raise ModelUnavailable(f"the model {self.name} was closed") from error
        except ModelError as error:
            if not isinstance(error, ModelRefused):
                self.standing.doubt(error)
            raise

    def close(self) -> None:
        self.standing.close()
        self._wire.close()
        self._batcher.close()

    def _begin(self) -> None:
        """A server that is away at the start may come later. Raises ConfigError where what it serves is of no use."""
        try:
            self._attempt()
        except ModelError as error:
            self.standing.doubt(error)

    def _attempt(self) -> None:
        self._wire.greet(self._timeout_s)
        self._wire.ask(_TRIED, self._timeout_s)

    def _asked(self, pairs: Sequence[Pair]) -> list[Rows]:
        rows = self._wire.ask(pairs, self._timeout_s)
        return list(rows if self._temperature == 1.0 else _tempered(rows, self._temperature))


def _divisible(error: Exception) -> bool:
    """Whether one pair of a batch may be the cause."""
    return isinstance(error, ModelRefused) or (
        isinstance(error, ModelUnavailable) and error.about_the_request
    )


def _tempered(rows: Rows, temperature: float) -> Rows:
    """p^(1/T), normalised: temperature scaling of the logits that the probabilities came from."""
    powers = rows ** (1.0 / temperature)
    shares: Rows = powers / powers.sum(axis=1, keepdims=True)
    return shares
