"""The checkers of the embedded tier in their order: statements compared exactly, passages read, statements read."""

from __future__ import annotations

from guardrail.check.cascade import Cascade
from guardrail.check.fallback import Fallback
from guardrail.check.kg.aligned import AlignedChecker
from guardrail.check.kg.statements import StatementsChecker
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.check.kg.unaccounted_words import UnaccountedWordsChecker
from guardrail.check.nli.records import RecordsChecker
from guardrail.check.text.checker import TextChecker
from guardrail.language import Parser, parser
from guardrail.models.nli import Classifier
from guardrail.models.remote import Remote
from guardrail.types import Checker, Embedder

__all__ = ["embedded"]


def embedded(
    model: Classifier,
    statement_reader: Classifier,
    sentence_embedder: Embedder,
    property_embedder: Embedder,
    language_parser: Parser | None = None,
) -> Cascade:
    """`model` reads passages, `statement_reader` the statements that comparing leaves open; `sentence_embedder` finds sentences by
    meaning, `property_embedder` the property that a claim's words mean; `language_parser` parses claims and passages (None: the pipeline
    that ships). A model on a server has another in its place while it is away, if it has one.
    """
    language_parser = language_parser or parser()
    statements = StatementsChecker(SymbolicChecker(), AlignedChecker(property_embedder, language_parser.read))
    return Cascade(
        [
            UnaccountedWordsChecker(statements, language_parser),
            _of_passages(model, sentence_embedder, language_parser),
            UnaccountedWordsChecker(RecordsChecker(statement_reader), language_parser, property_embedder),
        ]
    )


def _of_passages(model: Classifier, embedder: Embedder, language_parser: Parser) -> Checker:
    checker = TextChecker(model, embedder=embedder, parse=language_parser.read)
    if not isinstance(model, Remote) or model.instead is None:
        return checker
    return Fallback(checker, _of_passages(model.instead, embedder, language_parser), model.standing.replaced)
