"""Identifiers that a claim cites."""

from __future__ import annotations

import pytest

from guardrail.types import Label
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("address", "label"),
    [("https://example.org/curie", Label.ATTRIBUTABLE), ("https://example.org/pierre", Label.EXTRAPOLATORY)],
)
def test_a_claim_that_cites_another_address_is_not_supported(
    verifier: Verifier, address: str, label: Label
) -> None:
    """The graph knows the birth, and the reference names another address: neither supports the one that is cited."""
    text = "Marie Curie was born in Warsaw (https://example.org/curie)."
    told = text.replace("https://example.org/curie", address)
    (verdict,) = verifier.check(text, references=[told, "Marie Curie was born in Warsaw."]).verdicts
    assert verdict.label is label
