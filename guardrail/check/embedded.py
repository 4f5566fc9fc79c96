"""The checkers of the embedded tier in their order: statements compared exactly, passages read, statements read."""

from __future__ import annotations

from guardrail.check.cascade import Cascade
from guardrail.check.kg.aligned import AlignedChecker
from guardrail.check.kg.statements import StatementsChecker
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.check.text.checker import TextChecker
from guardrail.check.text.nli import NliChecker
from guardrail.nli import Classifier
from guardrail.types import Embedder

__all__ = ["embedded"]


def embedded(model: Classifier, embedder: Embedder) -> Cascade:
    """`model` reads passages, and the statements that comparing leaves open; `embedder` finds the property that a claim's words
    mean.
    """
    statements = StatementsChecker(SymbolicChecker(), AlignedChecker(embedder))
    return Cascade([statements, TextChecker(model), NliChecker(model)])
