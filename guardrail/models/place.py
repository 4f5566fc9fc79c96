"""The one setting that says which model judges pairs of texts.

embedded                                             the one that ships (default)
FOLDER                                               one in the project's own files (FOLDER/nli.onnx), on onnxruntime
NAME[?…]                                             any other folder or a hub id, on torch (extra `gpu`)
tei+http://HOST:PORT[?…]                             a server that speaks text-embeddings-inference's /predict
minicheck+http://HOST:PORT/v1?model=NAME[&…]         a generative checker on vLLM or another OpenAI-compatible server
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl

from guardrail.errors import ConfigError

__all__ = ["ModelPlace", "place"]

Kind = Literal["embedded", "exported", "torch", "tei", "minicheck"]
_WIRE = re.compile(r"(?:(?P<kind>[a-z]+)\+)?(?P<url>https?://\S+)")
_JUDGING = {"temperature", "attributable", "contradictory"}
_SERVER = _JUDGING | {"timeout", "in_flight", "fallback"}
OPTIONS: Mapping[Kind, frozenset[str]] = {
    "embedded": frozenset(),
    "exported": frozenset(),
    "torch": frozenset(_JUDGING | {"labels", "device", "precision", "tokens", "compile"}),
    "tei": frozenset(_SERVER | {"labels"}),
    "minicheck": frozenset(_SERVER | {"model"}),
}


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """`where`: a folder, a hub id or a URL without its options."""

    kind: Kind
    where: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def on_server(self) -> bool:
        """Whether it is waited for while it judges."""
        return self.kind in ("tei", "minicheck")

    def number(self, name: str, default: float) -> float:
        """Raises ConfigError where the option is no number above 0."""
        given = self.options.get(name)
        try:
            value = default if given is None else float(given)
        except ValueError:
            value = 0.0
        if not 0 < value < float("inf"):
            raise ConfigError(f"the model's option {name} must be a number above 0, not {given!r}")
        return value

    def choice(self, name: str, *allowed: str) -> str:
        """The first of `allowed` where nothing is said. Raises ConfigError."""
        given = self.options.get(name, allowed[0])
        if given not in allowed:
            raise ConfigError(f"the model's option {name} is {' or '.join(allowed)}, not {given!r}")
        return given


def place(text: str) -> ModelPlace:
    """Reads the setting. Raises ConfigError for an unknown wire or option."""
    if text.strip() in ("", "embedded"):
        return ModelPlace("embedded")
    where, _, query = text.strip().partition("?")
    kind: Kind = "exported" if (Path(where) / "nli.onnx").is_file() else "torch"
    if url := _WIRE.fullmatch(where):
        if url["kind"] not in ("tei", "minicheck"):
            raise ConfigError(f"a model on a server is tei+{url['url']} or minicheck+{url['url']}?model=NAME")
        kind, where = ("tei" if url["kind"] == "tei" else "minicheck"), url["url"]
    options = dict(parse_qsl(query, keep_blank_values=True))
    if unknown := sorted(options.keys() - OPTIONS[kind]):
        known = ", ".join(sorted(OPTIONS[kind])) or "none for this kind of model"
        raise ConfigError(f"the model has no option {unknown[0]!r}; known are {known}")
    if kind == "minicheck" and not options.get("model"):
        raise ConfigError("minicheck+http://… needs ?model=NAME: the name that the server knows")
    return ModelPlace(kind, where, options)
