"""Endpoints that answer with label probabilities instead of text.

    decisions   POST /v1/decisions   vLLM, SGLang, OpenAI: one `choice` question per claim, read at the next token
    systemone   POST /v1/systemone   `transformers serve`, TypeSafe: the same, other field names
    classify    POST /classify       vLLM with a sequence classifier (our own checkpoint, any NLI model)
    predict     POST /predict        text-embeddings-inference, likewise
    score       POST /score          vLLM with a one-label cross-encoder: how well a claim is supported, and no more

Plain HTTP and JSON; what comes back is checked before it is used.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from guardrail.errors import ConfigError, ModelMalformed, ModelUnavailable
from guardrail.llm.http import JsonClient
from guardrail.llm.provider import Decisions
from guardrail.types import Label

__all__ = ["Decider", "EndpointKind", "Probabilities"]

EndpointKind = Literal["decisions", "systemone", "classify", "predict", "score"]
Probabilities = Mapping[Label, float]

_MEANING = {
    Label.ATTRIBUTABLE: "The evidence supports the whole claim.",
    Label.EXTRAPOLATORY: "The evidence neither supports the claim nor rules it out.",
    Label.CONTRADICTORY: "The evidence rules the claim out.",
}
# Names that classifiers give to the three labels, lower case.
_ALIASES = {
    "attributable": Label.ATTRIBUTABLE,
    "entailment": Label.ATTRIBUTABLE,
    "entail": Label.ATTRIBUTABLE,
    "supported": Label.ATTRIBUTABLE,
    "supports": Label.ATTRIBUTABLE,
    "extrapolatory": Label.EXTRAPOLATORY,
    "neutral": Label.EXTRAPOLATORY,
    "not enough info": Label.EXTRAPOLATORY,
    "not_enough_info": Label.EXTRAPOLATORY,
    "contradictory": Label.CONTRADICTORY,
    "contradiction": Label.CONTRADICTORY,
    "contradict": Label.CONTRADICTORY,
    "refuted": Label.CONTRADICTORY,
    "refutes": Label.CONTRADICTORY,
}
_MOST_QUESTIONS = 64  # transformers serve takes 64, litellm 128, vLLM 200


@dataclass(frozen=True, slots=True)
class Decider:
    """One endpoint. Thread-safe. Raises ConfigError when `url` is no HTTP URL.

    `url`: the server's root, with or without "/v1"; None: a provider's /v1/decisions through litellm. `order`: the labels by class number, for /classify servers.
    `separator`: what stands between evidence and claim where a server takes one text (" [SEP] " for BERT, "</s></s>" for
    RoBERTa). `temperature`: calibration, fitted on labelled records; 1 leaves the probabilities as they are.
    """

    url: str | None
    model: str
    kind: EndpointKind = "decisions"
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 30.0
    attempts: int = 3
    order: tuple[Label, Label, Label] = (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY)
    separator: str = " [SEP] "
    temperature: float = 1.0
    _http: JsonClient | Decisions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.url is None and self.kind != "decisions":
            raise ConfigError(f"the checking method {self.kind} needs the URL of a server")
        client = Decisions(self.api_key) if self.url is None else JsonClient(self.url, self.api_key)
        object.__setattr__(self, "_http", client)
        if self.temperature <= 0:
            raise ConfigError(f"temperature must be more than 0, not {self.temperature}")

    def decide(self, evidence: str, claims: Sequence[str]) -> list[Probabilities]:
        """The labels' probabilities of each claim, given the evidence. Raises ModelError."""
        found: list[Probabilities] = []
        for at in range(0, len(claims), _MOST_QUESTIONS):
            found += self._decide(evidence, claims[at : at + _MOST_QUESTIONS])
        return [_tempered(item, self.temperature) for item in found]

    def _decide(self, evidence: str, claims: Sequence[str]) -> list[Probabilities]:
        path, body = self.request(evidence, claims)
        answer = self._post(path, body)
        try:
            found = self._read(answer, len(claims))
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            raise ModelMalformed(
                f"{path} answered in another form: {type(error).__name__}: {error}"
            ) from error
        if len(found) != len(claims):
            raise ModelMalformed(f"{path} answered {len(found)} of {len(claims)} questions")
        return found

    def request(self, evidence: str, claims: Sequence[str]) -> tuple[str, dict[str, Any]]:
        """Path and JSON body of one call."""
        if self.kind == "decisions":
            questions = [
                {
                    "type": "choice",
                    "name": str(number),
                    "instructions": _asking(claim),
                    "choices": [
                        {"value": label.value, "description": text} for label, text in _MEANING.items()
                    ],
                }
                for number, claim in enumerate(claims)
            ]
            return "/v1/decisions", {"model": self.model, "input": evidence, "questions": questions}
        if self.kind == "systemone":
            criteria = {label.value: text for label, text in _MEANING.items()}
            asked = {
                str(number): {"type": "choice", "instructions": _asking(claim), "criteria": criteria}
                for number, claim in enumerate(claims)
            }
            return "/v1/systemone", {"model": self.model, "state": evidence, "questions": asked}
        if self.kind == "classify":
            texts = [f"{evidence}{self.separator}{claim}" for claim in claims]
            return "/classify", {"model": self.model, "input": texts}
        if self.kind == "predict":
            return "/predict", {"inputs": [[evidence, claim] for claim in claims], "truncate": False}
        return "/score", {"model": self.model, "text_1": evidence, "text_2": list(claims)}

    def _read(self, answer: Any, count: int) -> list[Probabilities]:
        if self.kind == "decisions":
            return [
                _three({item["value"]: item["probability"] for item in given["probabilities"]})
                for given in answer["answers"]
            ]
        if self.kind == "systemone":
            return [_three(answer["answers"][str(number)]["probabilities"]) for number in range(count)]
        if self.kind == "classify":
            rows = sorted(answer["data"], key=lambda row: row["index"])
            return [_three(dict(zip(self.order, row["probs"], strict=True))) for row in rows]
        if self.kind == "predict":
            return [_three({self._name(item["label"]): item["score"] for item in row}) for row in answer]
        rows = sorted(answer["data"], key=lambda row: row["index"])
        # One number says how well the claim is supported; that it is ruled out no such model can say.
        return [
            _three({Label.ATTRIBUTABLE: row["score"], Label.EXTRAPOLATORY: 1.0 - row["score"]})
            for row in rows
        ]

    def _name(self, label: str) -> Label:
        """A classifier's own name for a label: a word, or "LABEL_2" by class number."""
        if label.upper().startswith("LABEL_"):
            return self.order[int(label[6:])]
        return _ALIASES[label.casefold()]

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        retrying = Retrying(
            stop=stop_after_attempt(self.attempts),
            wait=wait_exponential(0.2, max=5.0),
            retry=retry_if_exception(lambda error: isinstance(error, ModelUnavailable) and error.transient),
            reraise=True,
        )
        return retrying(self._http.post, path, body, self.timeout_s)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def _asking(claim: str) -> str:
    return f"Judge this claim by the input alone, not by what you know. Claim: {json.dumps(claim, ensure_ascii=False)}"


def _three(given: Mapping[Any, float]) -> Probabilities:
    """Probabilities of the three labels, adding up to 1. Raises ValueError for what are none."""
    known = {Label(name): float(value) for name, value in given.items()}
    values = {label: known.get(label, 0.0) for label in Label}
    total = math.fsum(values.values())
    if any(not 0.0 <= value <= 1.0 for value in values.values()) or not 0.5 < total < 1.5:
        raise ValueError(f"not probabilities: {list(given.values())}")
    return {label: value / total for label, value in values.items()}


def _tempered(given: Probabilities, temperature: float) -> Probabilities:
    """p^(1/T), normalised: temperature scaling of the logits that the probabilities came from."""
    if temperature == 1.0:
        return given
    powers = {label: value ** (1.0 / temperature) for label, value in given.items()}
    total = math.fsum(powers.values())
    return {label: value / total for label, value in powers.items()}
