"""The checkers of the embedded tier in their order: statements, then passages compared exactly, then the model."""

from __future__ import annotations

from guardrail.check.cascade import Cascade
from guardrail.check.chained import ChainedChecker
from guardrail.check.nli import NliChecker
from guardrail.check.passages import PassageChecker, Reader
from guardrail.check.symbolic import SymbolicChecker
from guardrail.nli import Classifier

__all__ = ["embedded"]


def embedded(read: Reader, model: Classifier) -> Cascade:
    """`read`: reads passages as answers are read; `model`: is asked for what comparing leaves open."""
    return Cascade([SymbolicChecker(), PassageChecker(read), ChainedChecker(read), NliChecker(model)])
