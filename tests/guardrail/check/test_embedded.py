"""The embedded tier asks its checkers in order."""

from __future__ import annotations

from guardrail.check.embedded import embedded
from guardrail.language import Doc, Parser
from guardrail.models.embed import Embedder
from guardrail.models.nli import Embedded
from guardrail.models.opened import open_statement_reader
from guardrail.types import Claim, Evidence, Passage, Source, Span


def test_passages_are_judged_by_reading_them() -> None:
    """Where no statement is compared, the checker of passages has the word, and not the graph's."""
    text = "A man is sleeping."
    claim = Claim(0, Span(0, len(text)), text, text)
    for told in ("A man is asleep on a sofa.", "Bread is sold here."):
        verdict = embedded(Embedded(), open_statement_reader(), Embedder(), Embedder()).check(
            claim, Evidence(passages=(Passage("p", told, Source.REQUEST),))
        )
        assert verdict.checker.startswith("text:")


class Recording(Parser):
    """Remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def read(self, text: str) -> Doc:
        self.texts.append(text)
        return super().read(text)


def test_claims_and_passages_are_parsed_by_the_parser_that_is_given() -> None:
    text, told = "The contract ends on 3 May 2021.", "The contract with the supplier ends on 4 June 2021."
    claim = Claim(0, Span(0, len(text)), text, text)
    recording = Recording()
    embedded(Embedded(), open_statement_reader(), Embedder(), Embedder(), recording).check(
        claim, Evidence(passages=(Passage("p", told, Source.REQUEST),))
    )
    assert {text, told} <= set(recording.texts)
