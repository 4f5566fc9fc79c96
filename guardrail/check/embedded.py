"""The checkers of the embedded tier in their order: statements, then passages compared exactly, then the model."""

from __future__ import annotations

from guardrail.check.aligned import AlignedChecker
from guardrail.check.cascade import Cascade
from guardrail.check.chained import ChainedChecker
from guardrail.check.nli import NliChecker
from guardrail.check.passages import PassageChecker, Reader
from guardrail.check.statements import StatementsChecker
from guardrail.check.symbolic import SymbolicChecker
from guardrail.nli import Classifier
from guardrail.types import Embedder

__all__ = ["embedded"]


def embedded(read: Reader, model: Classifier, embedder: Embedder) -> Cascade:
    """`read`: reads passages as answers are read; `model`: is asked for what comparing leaves open; `embedder`: finds the
    property that a claim's words mean.
    """
    statements = StatementsChecker(SymbolicChecker(), AlignedChecker(embedder))
    return Cascade([statements, PassageChecker(read), ChainedChecker(read), NliChecker(model)])
