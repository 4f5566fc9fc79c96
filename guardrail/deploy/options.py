"""What an operator may choose of the application on Ray Serve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from guardrail.errors import ConfigError

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """`model`: what the classifier runs, as `guardrail.models.place` describes it; not one on a server. `knowledge` is under the
    same path or address on every machine.

    `verifiers`, `classifiers`: least and most replicas; between them Serve keeps about `queue` requests for each one.
    `gpus`: of a classifier, a part of one is enough (0.25). `batch_requests`, `batch_wait_ms`: of how many requests at most the
    classifier makes one batch, and how long it waits for them. `timeout_s`: of the classifier's answer; `attempts`: how
    often a text is handed out whose replica died.
    """

    model: str = ""
    knowledge: tuple[str, ...] = ()
    recognizer: str = ""
    verifiers: tuple[int, int] = (1, 4)
    verifier_cpus: float = 1.0
    classifiers: tuple[int, int] = (1, 1)
    classifier_cpus: float = 1.0
    gpus: float = 0.0
    queue: float = 4.0
    batch_requests: int = 64
    batch_wait_ms: float = 2.0
    timeout_s: float = 2.0
    attempts: int = 3
    max_text: int = 200_000

    def __post_init__(self) -> None:
        if self.model.startswith(("tei+", "minicheck+")):
            raise ConfigError(
                "model: the classifier runs on this cluster; name a folder, a hub id or embedded"
            )
        for name in ("verifiers", "classifiers"):
            least, most = getattr(self, name)
            if not 0 <= least <= most or most < 1:
                raise ConfigError(
                    f"{name}: {least} to {most} replicas: the most must be 1 or more, and not less than the fewest"
                )
        for name in ("queue", "batch_requests", "timeout_s", "attempts", "max_text"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be more than 0, not {getattr(self, name)}")
        for name in ("verifier_cpus", "classifier_cpus", "gpus", "batch_wait_ms"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must not be less than 0, but is {getattr(self, name)}")

    @classmethod
    def read(cls, args: Mapping[str, Any]) -> Options:
        """The `args` of a Serve config file. Raises ConfigError for an unknown name or a value of another type."""
        known = {field.name: getattr(cls(), field.name) for field in fields(cls)}
        if unknown := sorted(args.keys() - known):
            raise ConfigError(f"unknown option {unknown[0]!r}; known are {', '.join(sorted(known))}")
        return cls(**{name: _like(name, value, known[name]) for name, value in args.items()})


def _like(name: str, value: Any, usual: Any) -> Any:
    try:
        if isinstance(usual, tuple):
            if isinstance(value, (str, int)):
                value = (value,) if name == "knowledge" else (value, value)
            kind = str if name == "knowledge" else int
            found = tuple(kind(one) for one in value)
            if name != "knowledge" and len(found) != 2:
                raise ValueError
            return found
        return type(usual)(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name}: must be of type {type(usual).__name__}, not {value!r}") from error
