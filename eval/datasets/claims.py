"""The checkable claims of a text, as the verifier finds them."""

from __future__ import annotations

from collections.abc import Iterator

from guardrail import extraction
from guardrail.types import Claim
from guardrail.verifier import Verifier

__all__ = ["claims_of"]


def claims_of(verifier: Verifier, text: str, question: str = "") -> Iterator[Claim]:
    """In order; those of later sentences may speak of what earlier ones named, and a short answer of what the question asks."""
    found = extraction.claims_of(text, verifier.extractor, linker=verifier.linker, question=question)
    return (claim for claim in found if claim.kind.checkable)
