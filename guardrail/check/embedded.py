"""The checkers of the embedded tier in their order: statements compared exactly, passages read, statements read."""

from __future__ import annotations

from guardrail.check.cascade import Cascade
from guardrail.check.fallback import Fallback
from guardrail.check.kg.aligned import AlignedChecker
from guardrail.check.kg.statements import StatementsChecker
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.check.kg.untold import WholeChecker
from guardrail.check.nli.checker import NliChecker
from guardrail.check.nli.records import RecordsChecker
from guardrail.check.text.checker import TextChecker
from guardrail.language import Parser, parser
from guardrail.models.nli import Classifier
from guardrail.models.remote import Remote
from guardrail.types import Checker, Embedder

__all__ = ["embedded"]


def embedded(
    model: Classifier, embedder: Embedder, properties: Embedder, reader: Parser | None = None
) -> Cascade:
    """`model` reads passages, and the statements that comparing leaves open; `embedder` finds sentences by meaning, `properties` the
    property that a claim's words mean; `reader` parses claims and passages (None: the pipeline that ships). A model on a server
    has another in its place while it is away, if it has one.
    """
    reader = reader or parser()
    statements = StatementsChecker(SymbolicChecker(), AlignedChecker(properties, reader.read))
    return Cascade([WholeChecker(statements, reader), *_reading(model, embedder, reader)])


def _reading(model: Classifier, embedder: Embedder, reader: Parser) -> list[Checker]:
    instead = _reading(model.instead, embedder, reader) if isinstance(model, Remote) and model.instead else []
    first: list[Checker] = [
        TextChecker(model, embedder=embedder, parse=reader.read),
        WholeChecker(NliChecker(model), reader),
        WholeChecker(RecordsChecker(model, *instead[-1:]), reader),
    ]
    if not isinstance(model, Remote) or not instead:
        return first
    replaced = model.standing.replaced
    return [Fallback(one, other, replaced) for one, other in zip(first, instead, strict=True)]
