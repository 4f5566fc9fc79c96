"""The wire of text-embeddings-inference: POST /predict with pairs, GET /info. Ray Serve's classifier speaks it, too.

{"inputs": [["premise", "hypothesis"], …], "truncate": false}
[[{"label": "entailment", "score": 0.98}, …], …]                    sorted by score, one list for each pair
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from guardrail.errors import ConfigError, ModelMalformed
from guardrail.llm.http import JsonClient
from guardrail.models.labels import ORDER, label_of, roles
from guardrail.models.nli import Pair, Rows

__all__ = ["Tei"]

_WINDOW, _MOST = 512, 32  # where the server does not say: its defaults
_NUMBERED = re.compile(r"LABEL_(\d{1,3})")
_ERRORS = (KeyError, TypeError, ValueError, AttributeError, IndexError)


class Tei:
    """Implements `Wire`. `labels`: what the outputs mean, in output order, where the server calls them LABEL_0 and so on.

    Raises ConfigError when `url` is no HTTP URL.
    """

    def __init__(self, url: str, key: str | None = None, *, labels: Sequence[str] = ()) -> None:
        self._http = JsonClient(url, key)
        self._labels = dict(enumerate(labels))
        self.name = "tei"
        self.window, self.most = _WINDOW, _MOST

    def greet(self, timeout_s: float) -> None:
        info = self._http.get("/info", timeout_s)
        try:
            model, kind = str(info["model_id"]), info["model_type"]
            self.window = int(info.get("max_input_length") or _WINDOW)
            self.most = max(1, int(info.get("max_client_batch_size") or _MOST))
            outputs = _outputs(kind)
        except _ERRORS as error:
            raise ModelMalformed(f"/info answered in another form: {type(error).__name__}") from error
        if outputs is None:
            raise ConfigError(f"{model}: the server's model is not a classifier of pairs but {_kind(kind)}")
        roles(self._labels or outputs, outputs=len(outputs), model=model)
        self.name = f"tei:{model}"

    def ask(self, pairs: Sequence[Pair], timeout_s: float) -> Rows:
        rows: list[Rows] = []
        for at in range(0, len(pairs), self.most):
            part = [list(pair) for pair in pairs[at : at + self.most]]
            answer = self._http.post("/predict", {"inputs": part, "truncate": False}, timeout_s)
            try:
                found = [self._row(predictions) for predictions in answer]
            except _ERRORS as error:
                raise ModelMalformed(f"/predict answered in another form: {error}") from error
            if len(found) != len(part):
                raise ModelMalformed(f"/predict answered {len(found)} of {len(part)} pairs")
            rows += found
        return np.array(rows, np.float32).reshape(-1, 3)

    def close(self) -> None:
        self._http.close()

    def _row(self, predictions: Sequence[Mapping[str, Any]]) -> Rows:
        row = np.zeros(3, np.float32)
        for one in predictions:
            row[self._column(str(one["label"]))] += _share(one["score"])
        if not math.isclose(float(row.sum()), 1.0, abs_tol=0.05):
            raise ValueError(f"scores that add up to {float(row.sum()):.2f}")
        normal: Rows = row / row.sum()
        return normal

    def _column(self, name: str) -> int:
        numbered = _NUMBERED.fullmatch(name)
        label = label_of(self._labels.get(int(numbered[1]), "") if numbered else name)
        if label is None:
            raise ValueError(f"an output is called {name!r}, which names no label; state `labels`")
        return ORDER.index(label)


def _share(score: Any) -> float:
    share = float(score)
    if not -0.001 <= share <= 1.001:  # NaN as well
        raise ValueError(f"{score} is not a probability")
    return share


def _outputs(kind: Any) -> dict[int, str] | None:
    """The names of a classifier's outputs; None for another kind of model."""
    if not isinstance(kind, Mapping) or "classifier" not in kind:
        return None
    return {int(at): str(name) for at, name in kind["classifier"]["id2label"].items()}


def _kind(kind: Any) -> str:
    return next(iter(kind), "unknown") if isinstance(kind, Mapping) else str(kind)
