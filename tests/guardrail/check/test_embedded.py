"""The embedded tier asks its checkers in order."""

from __future__ import annotations

from guardrail.check.embedded import embedded
from guardrail.models.embed import Embedder
from guardrail.models.nli import Embedded
from guardrail.types import Claim, Evidence, Passage, Source, Span


def test_passages_are_judged_by_reading_them() -> None:
    """Where no statement is compared, the checker of passages has the word, and not the graph's."""
    text = "A man is sleeping."
    claim = Claim(0, Span(0, len(text)), text, text)
    for told in ("A man is asleep on a sofa.", "Bread is sold here."):
        verdict = embedded(Embedded(), Embedder()).check(
            claim, Evidence(passages=(Passage("p", told, Source.REQUEST),))
        )
        assert verdict.checker.startswith("text:")
