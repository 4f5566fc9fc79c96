"""What nli.json says of a cross-encoder, whoever runs it: its name, its window, its temperature and its thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guardrail.errors import ConfigError
from guardrail.models.encoder import settings_of

__all__ = ["Settings", "Thresholds"]

_SPECIALS = 3  # tokens around a premise and a hypothesis: [CLS] premise [SEP] hypothesis [SEP]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least probability at which a label is given; between them lies the abstain band."""

    attributable: float = 0.7
    contradictory: float = 0.8


@dataclass(frozen=True, slots=True)
class Settings:
    """`window`: the most tokens of a pair, None where only the model itself tells; `begin`: tokens of the shortest pair that a second
    body takes; `thresholds`: by the kind of premise.
    """

    name: str = ""
    window: int | None = None
    specials: int = _SPECIALS
    temperature: float = 1.0
    begin: int | None = None
    thresholds: Mapping[str, Thresholds] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, body: str = "nli") -> Settings:
        """From `folder`; nothing but what is usual where it has no such file. Raises ConfigError for one that cannot be understood."""
        told: Mapping[str, Any] = settings_of(folder, body)
        try:
            known = {name: convert(told[name]) for name, convert in _FIELDS.items() if name in told}
        except (AttributeError, TypeError, ValueError) as error:
            raise ConfigError(f"{folder / body}.json: {error}") from error
        return cls(**known)


def _limits(given: Mapping[str, Mapping[str, float]]) -> dict[str, Thresholds]:
    return {kind: Thresholds(**values) for kind, values in given.items()}


_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "name": str,
    "window": int,
    "specials": int,
    "temperature": float,
    "begin": int,
    "thresholds": _limits,
}
