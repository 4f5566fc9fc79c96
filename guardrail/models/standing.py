"""Whether a model on a server can be asked. While it cannot, a thread of its own tries again, so that no claim has to."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from guardrail.errors import GuardrailError, ModelUnavailable
from guardrail.telemetry import names

__all__ = ["Standing"]

PAUSE_S = 1.0  # between two tries
LONGEST_S = 30.0  # that a server which asks for patience is left alone

log = logging.getLogger(__name__)


class Standing:
    """Thread-safe. `attempt` asks the model something small, and raises GuardrailError where that fails.

    `trouble`: why the model is not asked at present; empty while it is.
    """

    def __init__(self, name: Callable[[], str], attempt: Callable[[], object]) -> None:
        self._name, self._attempt = name, attempt
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._replaced = 0
        self.trouble = ""

    def doubt(self, error: GuardrailError) -> None:
        """The model failed: it is not asked again before an attempt went well."""
        with self._lock:
            if self.trouble or self._closed.is_set():
                return
            self.trouble = str(error)
        wait = _patience(error)
        if wait:
            log.warning("the model %s is away: %s", self._name(), error)
        threading.Thread(
            target=self._watch, args=(wait, bool(wait)), name="guardrail-model", daemon=True
        ).start()

    def replaced(self) -> None:
        """A claim was judged by another model in its place."""
        with self._lock:
            self._replaced += 1

    def measures(self) -> Mapping[str, float]:
        """By metric name."""
        return {names.MODEL_AWAY: float(bool(self.trouble)), names.MODEL_REPLACED: self._replaced}

    def close(self) -> None:
        self._closed.set()

    def _watch(self, wait: float, told: bool) -> None:
        while not self._closed.wait(wait):
            try:
                self._attempt()
            except GuardrailError as error:
                if not told:
                    log.warning("the model %s is away: %s", self._name(), error)
                self.trouble, told, wait = str(error), True, _patience(error) or PAUSE_S
            else:
                self.trouble = ""
                if told:
                    log.warning("the model %s is back", self._name())
                return


def _patience(error: GuardrailError) -> float:
    """Seconds until the next attempt: none where a request was refused for what stood in it."""
    if isinstance(error, ModelUnavailable) and error.about_the_request:
        return 0.0
    asked = error.retry_after if isinstance(error, ModelUnavailable) else 0.0
    return min(max(asked, PAUSE_S), LONGEST_S)
