"""What does not follow from where something lies."""

from __future__ import annotations

import pytest

from guardrail.check.kg.qualifiers.stronger import unimplied
from guardrail.claims.lexicon.relations import load_lexicon
from guardrail.types import Evidence, Label
from guardrail.types.claims import Claim
from guardrail.types.text import Span
from guardrail.verifier import Verifier

_VERIFIER = Verifier.open()
_PLACING = {"P17", "P30", "P131", "P276", "P361", "P706"}


@pytest.mark.parametrize(
    "text",
    [
        "Sydney serves as Australia's seat of government.",
        "Sydney is the seat of government of Australia.",
        "Munich is the seat of the government of Germany.",
        "Sydney is the main hub of Australia.",
        "Sydney is a state of Australia.",
        "Munich is a state of Germany.",
        "Lyon is a department of France.",
        "Sydney is a region of Australia.",
        "Sydney is Australia's district.",
        "Sydney occupies Australia.",
        "Sydney is home to the government of Australia.",
        "Sydney acts as the capital of Australia.",
        "Sydney is where Australia's parliament sits.",
        "Sydney rules Australia.",
        "Milan is the heart of Italy.",
    ],
)
def test_lying_somewhere_is_no_rank_there(text: str) -> None:
    """That a city lies in a country supports nothing of an office, a rank or another kind of place."""
    (verdict,) = _VERIFIER.check(text).verdicts
    assert verdict.label is not Label.ATTRIBUTABLE


@pytest.mark.parametrize(
    "text",
    [
        "Sydney is in Australia.",
        "Sydney is a city in Australia.",
        "Sydney is located in New South Wales.",
        "Canberra is the seat of government of Australia.",
        "Canberra serves as Australia's seat of government.",
        "Bavaria is a state of Germany.",
        "The 2012 Summer Olympics were hosted by London.",
    ],
)
def test_what_follows_is_supported(text: str) -> None:
    """A city that lies in a country is a city there, and a capital is its seat of government."""
    (verdict,) = _VERIFIER.check(text).verdicts
    assert verdict.label is Label.ATTRIBUTABLE


def test_no_noun_means_both_a_capital_and_a_part() -> None:
    """In the lexicon no phrase that names a capital or a headquarters is also read as "lies in"."""
    single = {"P36", "P1376", "P159"}
    for (noun, _), frames in load_lexicon().nominals.items():
        found = {frame.property_id for frame in frames}
        assert not (found & single and found & _PLACING), noun


def test_without_findings_nothing_is_left_open() -> None:
    """A claim that nothing supports has no words that its support would lack."""
    assert list(unimplied(Claim(0, Span(0, 1), "x", "x"), [], Evidence())) == []
