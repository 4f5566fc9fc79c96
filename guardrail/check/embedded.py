"""The checkers of the embedded tier in their order: statements compared exactly, passages read, statements read."""

from __future__ import annotations

from guardrail.check.aligned import AlignedChecker
from guardrail.check.cascade import Cascade
from guardrail.check.nli import NliChecker
from guardrail.check.statements import StatementsChecker
from guardrail.check.symbolic import SymbolicChecker
from guardrail.check.text import TextChecker
from guardrail.models.nli import Classifier
from guardrail.types import Embedder

__all__ = ["embedded"]


def embedded(model: Classifier, embedder: Embedder) -> Cascade:
    """`model` reads passages, and the statements that comparing leaves open; `embedder` finds the property that a claim's words
    mean.
    """
    statements = StatementsChecker(SymbolicChecker(), AlignedChecker(embedder))
    return Cascade([statements, TextChecker(model), NliChecker(model)])
