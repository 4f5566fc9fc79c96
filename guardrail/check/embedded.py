"""The checkers of the embedded tier in their order: statements compared exactly, passages read, statements read."""

from __future__ import annotations

from guardrail.check.cascade import Cascade
from guardrail.check.nli import NliChecker
from guardrail.check.symbolic import SymbolicChecker
from guardrail.check.text import TextChecker
from guardrail.nli import Classifier

__all__ = ["embedded"]


def embedded(model: Classifier) -> Cascade:
    """`model` reads passages, and the statements that comparing leaves open."""
    return Cascade([SymbolicChecker(), TextChecker(model), NliChecker(model)])
