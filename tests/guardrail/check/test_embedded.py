"""The embedded tier asks its checkers in order."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.check.embedded import embedded
from guardrail.check.passages import Read
from guardrail.claims.rules import RuleExtractor
from guardrail.embed import Embedder
from guardrail.nli import Embedded
from guardrail.segment import segment
from guardrail.types import Claim, Context, Evidence, Label, Passage, Sentence, Source


def claims_of(sentence: Sentence) -> tuple[Claim, ...]:
    return tuple(RuleExtractor().extract(sentence, [], Context()))


def read(passage: Passage) -> Sequence[Read]:
    return [Read(sentence, claims_of(sentence)) for sentence in segment(passage.text)]


def test_what_is_exact_comes_before_the_model() -> None:
    """One passage, two passages, and at last the model: each decides what those before it leave open."""
    checker = embedded(read, Embedded(), Embedder())
    for text, references, name in (
        ("Anna Holm was born in Ribe.", ("Anna Holm was born in Ribe in 1950.",), "symbolic:passages"),
        (
            "Anna Holm was born in Fraland.",
            ("Anna Holm was born in Ribe.", "Ribe is a town in Fraland."),
            "symbolic:chained",
        ),
        ("A man is sleeping.", ("A man is asleep on a sofa.",), f"nli:{Embedded().name}"),
    ):
        (claim,) = claims_of(segment(text)[0])
        passages = tuple(Passage(f"p{n}", one, Source.REQUEST) for n, one in enumerate(references))
        verdict = checker.check(claim, Evidence(passages=passages))
        assert verdict.checker == name
        assert name.startswith("nli") or verdict.label is Label.ATTRIBUTABLE
