"""Which of our labels a model's outputs mean, read from what they are called."""

from __future__ import annotations

import re
from collections.abc import Mapping

from guardrail.errors import ConfigError
from guardrail.types import Label

__all__ = ["ORDER", "label_of", "roles"]

ORDER = (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY)  # of the columns of all probabilities

# The first pattern that fits wins: "not_entailment" holds "entailment".
_NAMES = (
    (r"contradict|refut|conflict", Label.CONTRADICTORY),
    (
        r"not[ _-]?entail|non[ _-]?entail|not[ _-]|unsupport|inconsist|hallucin|unfaithful|unattrib",
        Label.EXTRAPOLATORY,
    ),
    (r"neutral|not ?enough|\bnei\b|extrapol|unknown|unverif|insufficient|baseless", Label.EXTRAPOLATORY),
    (r"entail|support|consist|attribut|faithful|factual|grounded|verified", Label.ATTRIBUTABLE),
)


def label_of(name: str) -> Label | None:
    """The label that an output's name means; None where it says nothing ("LABEL_0")."""
    return next((label for pattern, label in _NAMES if re.search(pattern, name, re.IGNORECASE)), None)


def roles(names: Mapping[int, str], *, outputs: int, model: str) -> tuple[int, ...]:
    """For each output of a model the place of its label in our order, read from what the outputs are called.

    Raises ConfigError where a name says nothing ("LABEL_0"), or no output means Attributable.
    """
    places = []
    for at in range(outputs):
        name = str(names.get(at, f"LABEL_{at}"))
        label = label_of(name)
        if label is None:
            raise ConfigError(
                f"{model}: output {at} is called {name!r}, which names no label; state `labels`"
            )
        places.append(ORDER.index(label))
    if ORDER.index(Label.ATTRIBUTABLE) not in places or len(set(places)) < 2:
        raise ConfigError(f"{model}: outputs {dict(names)} do not tell supported from not supported")
    return tuple(places)
