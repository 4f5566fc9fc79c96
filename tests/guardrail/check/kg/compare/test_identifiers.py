"""Identifiers that a claim cites."""

from __future__ import annotations

import pytest

from guardrail.check.kg.compare.identifiers import fabricated, identifiers
from guardrail.types import Label
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://example.org/a/b, please.", ("https://example.org/a/b",)),
        ("It is doi 10.1000/182.", ("10.1000/182",)),
        ("The ISBN of Hamlet is 978-3-16-148410-0.", ("978-3-16-148410-0",)),
        ("Its number is 978-3-16-148410-0.", ()),
        ("Hamlet (ISBN 978-3-16-148410-0) is a play.", ("978-3-16-148410-0",)),
        ("It is arXiv:2404.06579 of 2024.", ("arXiv:2404.06579",)),
        ("Call os.path.join() twice.", ("os.path.join()",)),
        ("Call 030 1234567890 or 555-123-4567 in 1999.", ()),
        ("The Boeing 737 flew (1967).", ()),
    ],
)
def test_identifiers_are_found_and_numbers_are_not(text: str, found: tuple[str, ...]) -> None:
    """A long number is an ISBN only where it is called one."""
    assert identifiers(text) == found


@pytest.mark.parametrize(
    ("claim", "evidence", "missing"),
    [
        ("See https://www.example.org/1/.", "It is at http://example.org/1 since.", False),
        ("See https://example.org/1.", "It is at https://example.org/12.", True),
        ("It is ISBN 9783161484100.", "Hamlet, ISBN 978-3-16-148410-0.", False),
        ("It is ISBN 9783161484100.", "Hamlet, ISBN 978-3-16-148410-1.", True),
        ("It is doi 10.1000/182.", "doi:10.1000/182", False),
        ("It is doi 10.1000/182.", "The DOI is 10.1000/182.", False),
        ("No identifier.", "", False),
    ],
)
def test_what_does_not_stand_in_the_evidence_is_fabricated(claim: str, evidence: str, missing: bool) -> None:
    """The very same one must stand there; how it is written is not compared."""
    assert bool(fabricated(claim, evidence)) is missing


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
