"""CPU time of a check, by stage: `python -m eval.benchmarks.cpu`, in about ten seconds.

Answers as chat models write them, over the starter knowledge. Each is checked once, after statements about other things, so that
the names of properties are known and the answers are not. Figures are for 1,200 characters of answer. The time of a stage is
without the stages that it calls: the claims are without the parse.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import click

from eval.datasets.files import json_lines
from eval.suites.chat import HERE
from guardrail.check.cascade import Cascade
from guardrail.claims.rules import RuleExtractor
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.language import Parser
from guardrail.models.embed import Embedder, PropertyEmbedder
from guardrail.models.nli import Embedded
from guardrail.verifier import Session, Verifier
from proxy.demo import samples

_LENGTH = 1200
_STATEMENTS = HERE.parent / "statements" / "statements_true.tsv"
_STAGES: tuple[tuple[str, type, str], ...] = (
    ("parse", Parser, "read"),
    ("claims", RuleExtractor, "extract"),
    ("linking", AliasLinker, "link"),
    ("evidence", GraphRetriever, "retrieve"),
    ("checks", Cascade, "check"),
    ("likeness of properties", PropertyEmbedder, "embed"),
    ("evidence read by a model", Embedded, "probabilities"),
    ("scores", Embedder, "embed"),
    ("revisions and the rest", Session, "check"),
)


class Clock:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = time.process_time()

    def timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, whose time counts for `stage` and not for the stage that calls it."""

        def counted(*given: Any, **named: Any) -> Any:
            self._switch()
            self._open.append(stage)
            try:
                return call(*given, **named)
            finally:
                self._switch()
                self._open.pop()

        return counted

    def _switch(self) -> None:
        """Books the time since the last switch."""
        now = time.process_time()
        if self._open:
            self.spent[self._open[-1]] += now - self._since
        self._since = now


def fresh() -> list[tuple[str, str]]:
    """Answers with their questions."""
    chat = [(exchange["answer"], exchange["question"]) for exchange in json_lines(HERE / "written.jsonl")]
    return chat + [(sample.answers[0], sample.question) for sample in samples()]


def warm(verifier: Verifier) -> None:
    """What a server has long done: the weights are loaded, and the properties have been compared."""
    lines = (line.split("\t") for line in _STATEMENTS.read_text("utf-8").splitlines())
    for fields in lines:
        if len(fields) > 1:
            verifier.check(fields[1])


def measured(verifier: Verifier, answers: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Milliseconds of CPU for `_LENGTH` characters of answer, by stage."""
    clock = Clock()
    for stage, owner, name in _STAGES:
        setattr(owner, name, clock.timed(stage, getattr(owner, name)))
    for answer, question in answers:
        verifier.check(answer, question=question)
    share = _LENGTH / sum(len(answer) for answer, _ in answers)
    return {stage: clock.spent[stage] * share * 1e3 for stage, *_ in _STAGES}


@click.command()
@click.option("--threads", default=1, show_default=True, help="Of each model.")
def main(threads: int) -> None:
    """Print the table of stages."""
    verifier = Verifier.open(threads=threads)
    warm(verifier)
    found = measured(verifier, fresh())
    print(f"| stage | ms of CPU for {_LENGTH:,} characters |\n|---|---|")
    for stage, spent in found.items():
        print(f"| {stage} | {spent:.1f} |")
    print(f"| **all** | {sum(found.values()):.1f} |")


if __name__ == "__main__":
    main()
