"""Where answers are checked: in threads of this process, or in processes beside it (`proxy.verifiers`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from policies.terms import Mode
from proxy.judging.judge import Checking
from proxy.judging.pool import Pool
from proxy.stream.exchange import Exchange

if TYPE_CHECKING:
    from guardrail.verifier import Verifier

__all__ = ["CheckPlace", "Checks", "InThreads", "both_ends", "session_options"]

LONGEST_QUESTION = 8000  # characters of a question that are read for what an answer refers to


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """Where one choice is checked: the threads that do its turns, and what opens its session."""

    pool: Pool
    open_session: Callable[[Exchange], Checking]


class Checks(Protocol):
    """What checks the answers of this server."""

    def place(self) -> CheckPlace:
        """Where another choice is checked."""
        ...

    def judges(self) -> Mapping[str, str]:
        """The versions of what judges at this moment, without the knowledge."""
        ...

    def trouble(self) -> Mapping[str, str]:
        """What does not work as it should, with the reason; an empty reason: it does."""
        ...

    def lost(self) -> str:
        """Why nothing can be checked; empty: something can."""
        ...

    def measures(self) -> Mapping[str, float]:
        """By metric name (`guardrail.telemetry.instruments.GAUGES`)."""
        ...

    def close(self) -> None: ...


class InThreads:
    """Implements `Checks`: the threads of `pool` check with `verifier`."""

    def __init__(self, verifier: Verifier, pool: Pool) -> None:
        self._verifier = verifier
        self._place = CheckPlace(pool, lambda exchange: verifier.session(**session_options(exchange)))

    def place(self) -> CheckPlace:
        return self._place

    def judges(self) -> Mapping[str, str]:
        return self._verifier.judges()

    def trouble(self) -> Mapping[str, str]:
        return trouble_of(self._verifier)

    def lost(self) -> str:
        return ""

    def measures(self) -> Mapping[str, float]:
        return measures_of(self._verifier)

    def close(self) -> None:
        """The pool's threads end before, with whoever made it."""
        if self._verifier.reviewer is not None:
            self._verifier.reviewer.close()
        if self._verifier.remote is not None:
            self._verifier.remote.close()


def trouble_of(verifier: Verifier) -> dict[str, str]:
    """What of a verifier's parts does not work as it should, with the reason."""
    return {
        "model": verifier.remote.standing.trouble if verifier.remote else "",
        "checking model's cache": verifier.reviewer.trouble if verifier.reviewer else "",
    }


def measures_of(verifier: Verifier) -> dict[str, float]:
    """What a verifier's models have cost, and whether they are away, by metric name."""
    found: dict[str, float] = {}
    if verifier.reviewer is not None:
        found |= verifier.reviewer.measures()
    if verifier.remote is not None:
        found |= verifier.remote.standing.measures()
    return found


def session_options(exchange: Exchange) -> dict[str, Any]:
    """The arguments of `Verifier.session`: evidence in the policy's order, of its sources those that the request wants."""
    policy, wanted = exchange.policy, exchange.sources
    return {
        "question": both_ends(exchange.question),
        "references": exchange.references,
        "triplets": exchange.triplets,
        "sources": [source for source in policy.sources if wanted is None or source in wanted],
        "setting": policy.setting or exchange.setting,
        "whole": exchange.mode is Mode.BUFFER,
        "patience_s": policy.deadline_ms / 1000,
    }


def both_ends(question: str) -> str:
    """A long message of the user without its middle: what is asked stands before or behind what it is asked of."""
    if len(question) <= LONGEST_QUESTION:
        return question
    half = LONGEST_QUESTION // 2
    return f"{question[:half]}\n{question[-half:]}"
