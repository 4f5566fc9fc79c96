"""The claims of a text, read in order."""

from __future__ import annotations

from guardrail.extraction import claims_of
from guardrail.types import Kind
from guardrail.verifier import Verifier

TEXT = "Taylor Swift was born in 1989. She moved to Nashville. Did you know?"


def test_a_later_sentence_knows_the_earlier_ones(verifier: Verifier) -> None:
    """Ids count through the text, spans are places of it, and a pronoun stands for who was named before."""
    claims = claims_of(TEXT, verifier.extractor, linker=verifier.linker)
    assert [claim.id for claim in claims] == list(range(len(claims)))
    assert [claim.span.of(TEXT) for claim in claims] == [claim.text for claim in claims]
    assert claims[1].resolved == "Taylor Swift moved to Nashville."
    assert claims[-1].kind is Kind.QUESTION


def test_an_answer_may_leave_its_subject_to_the_question(verifier: Verifier) -> None:
    """Whom "he" means is in the question."""
    (claim,) = claims_of(
        "He was born in Ulm.",
        verifier.extractor,
        linker=verifier.linker,
        question="Where was Albert Einstein born?",
    )
    assert claim.resolved == "Albert Einstein was born in Ulm."


def test_nothing_makes_no_claims(verifier: Verifier) -> None:
    """An empty answer is none."""
    assert claims_of("", verifier.extractor, linker=verifier.linker) == []
