"""What the demo model knows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

__all__ = ["Sample", "reply", "samples"]

_WORD = re.compile(r"\w+")
_OFFERED = 3
_UNKNOWN = (
    "I am a demo model and know only a few questions, so I cannot answer that. One thing I do know: the capital of Australia "
    "is Canberra.\n\nAsk me one of these, or write `verify: ` and a text of your own:\n\n"
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A question that the demo model knows. `wrong`: what kind of error its first answer holds."""

    question: str
    answers: tuple[str, ...]
    wrong: str


@cache
def samples() -> tuple[Sample, ...]:
    text = resources.files("proxy.demo").joinpath("samples.yaml").read_text(encoding="utf-8")
    return tuple(Sample(s["question"], tuple(s["answers"]), s["wrong"]) for s in yaml.safe_load(text))


def reply(question: str, choice: int = 0) -> str:
    """What the demo model says to `question`; `choice`: the how manieth answer to the same question, from 0."""
    head, _, text = question.partition(":")
    if head.strip().lower() == "verify" and text.strip():
        return text.strip()
    words = _words(question)
    for sample in samples():
        if _words(sample.question) == words:
            return sample.answers[choice % len(sample.answers)]
    return _UNKNOWN + "\n".join(f"- {sample.question}" for sample in samples()[:_OFFERED])


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))
