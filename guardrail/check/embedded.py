"""The checkers of the embedded tier in their order: statements compared exactly, passages read, statements read."""

from __future__ import annotations

from guardrail.check.cascade import Cascade
from guardrail.check.kg.aligned import AlignedChecker
from guardrail.check.kg.statements import StatementsChecker
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.check.text.checker import TextChecker
from guardrail.check.text.fallback import Fallback
from guardrail.check.text.nli import NliChecker
from guardrail.models.nli import Classifier
from guardrail.models.remote import Remote
from guardrail.types import Checker, Embedder

__all__ = ["embedded"]


def embedded(model: Classifier, embedder: Embedder) -> Cascade:
    """`model` reads passages, and the statements that comparing leaves open; `embedder` finds the property that a claim's words
    mean. A model on a server has another in its place while it is away, if it has one.
    """
    statements = StatementsChecker(SymbolicChecker(), AlignedChecker(embedder))
    return Cascade([statements, *_reading(model)])


def _reading(model: Classifier) -> list[Checker]:
    first: list[Checker] = [TextChecker(model), NliChecker(model)]
    if not isinstance(model, Remote) or model.instead is None:
        return first
    instead = _reading(model.instead)
    replaced = model.standing.replaced
    return [Fallback(one, other, replaced) for one, other in zip(first, instead, strict=True)]
