"""What does not follow from where something lies."""

from __future__ import annotations

from guardrail.check.kg.qualifiers.entailment import not_entailed
from guardrail.claims.lexicon.relations import load_lexicon
from guardrail.types import Evidence
from guardrail.types.claims import Claim
from guardrail.types.text import Span

_PLACING = {"P17", "P30", "P131", "P276", "P361", "P706"}


def test_no_noun_means_both_a_capital_and_a_part() -> None:
    """In the lexicon no phrase that names a capital or a headquarters is also read as "lies in"."""
    single = {"P36", "P1376", "P159"}
    for (noun, _), frames in load_lexicon().nominals.items():
        found = {frame.property_id for frame in frames}
        assert not (found & single and found & _PLACING), noun


def test_without_findings_nothing_is_left_open() -> None:
    """A claim that nothing supports has no words that its support would lack."""
    assert list(not_entailed(Claim(0, Span(0, 1), "x", "x"), [], Evidence())) == []
