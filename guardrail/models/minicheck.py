"""A generative checker behind an OpenAI-compatible server, such as vLLM: MiniCheck's prompt, answered with Yes or No.

Only the first token's log-probabilities are read. Such a model says whether a document supports a claim; that it refutes it,
it cannot say: No is Extrapolatory.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from guardrail.errors import ModelMalformed, ModelRefused
from guardrail.llm.http import JsonClient
from guardrail.models.nli import Pair, Rows

__all__ = ["MiniCheck"]

# Tang et al., MiniCheck (EMNLP 2024): the prompt that Bespoke-MiniCheck-7B was tuned on, word for word.
_SYSTEM = (
    "Determine whether the provided claim is consistent with the corresponding document. Consistency in this context "
    "implies that all information presented in the claim is substantiated by the document. If not, it should be considered "
    'inconsistent. Please assess the claim\'s consistency with the document by responding with either "Yes" or "No".'
)
_WINDOW = 4096
_ALTERNATIVES = 5  # tokens whose log-probabilities are asked for: yes and no in capital letters or not
_LEAST = 0.5  # that Yes and No must have together: with less the model answers something else
_ERRORS = (KeyError, TypeError, ValueError, AttributeError, IndexError)


class MiniCheck:
    """Implements `Wire`. `model`: the name that the server knows. Raises ConfigError when `url` is no HTTP URL."""

    window = _WINDOW
    most = 1  # the server makes batches of the requests that are under way

    def __init__(self, url: str, model: str, key: str | None = None) -> None:
        self._http = JsonClient(url, key)
        self._model = model
        self.name = f"minicheck:{model}"

    def greet(self, timeout_s: float) -> None:
        """Nothing to be asked: the first pair tells."""

    def ask(self, pairs: Sequence[Pair], timeout_s: float) -> Rows:
        return np.array([self._row(pair, timeout_s) for pair in pairs], np.float32).reshape(-1, 3)

    def close(self) -> None:
        self._http.close()

    def _row(self, pair: Pair, timeout_s: float) -> tuple[float, float, float]:
        answer = self._http.post("/v1/chat/completions", self._request(pair), timeout_s)
        try:
            first = answer["choices"][0]["logprobs"]["content"][0]
            shares = _shares([*first.get("top_logprobs", ()), first])
        except _ERRORS as error:
            raise ModelMalformed(
                f"the server sent no log-probabilities of a first token: {type(error).__name__}"
            ) from error
        yes, no = shares.get("yes", 0.0), shares.get("no", 0.0)
        if yes + no < _LEAST:
            raise ModelRefused("the model answered neither Yes nor No")
        return yes / (yes + no), no / (yes + no), 0.0

    def _request(self, pair: Pair) -> dict[str, Any]:
        premise, hypothesis = pair
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": _SYSTEM},
                {"role": "user", "content": f"Document: {premise}\nClaim: {hypothesis}"},
            ],
            "max_tokens": 1,
            "temperature": 0.0,
            "logprobs": True,
            "top_logprobs": _ALTERNATIVES,
        }


def _shares(tokens: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Probability by word, whatever its capital letters; the token that was chosen stands among the alternatives."""
    by_token = {str(one["token"]): _share(one["logprob"]) for one in tokens}
    shares: dict[str, float] = {}
    for token, share in by_token.items():
        word = token.strip(" ▁Ġ\n").casefold()
        shares[word] = shares.get(word, 0.0) + share
    return shares


def _share(logarithm: Any) -> float:
    share = math.exp(float(logarithm))
    if not share <= 1.001:  # NaN as well
        raise ValueError(f"{logarithm} is not a log-probability")
    return share
