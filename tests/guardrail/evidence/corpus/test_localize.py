"""Localization: which words of the evidence carry a verdict."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.corpus.localize import marks

EVIDENCE = "The Eiffel Tower, built by Gustave Eiffel's company, was opened on 31 March 1889."


def marked(claim: str, evidence: str = EVIDENCE) -> list[str]:
    return [mark.of(evidence) for mark in marks(claim, evidence)]


def test_shared_words_are_marked_as_phrases():
    """Words of the claim are marked by stem, and neighbours are joined."""
    assert marked("Gustave Eiffel built the tower") == ["Eiffel Tower, built by Gustave Eiffel's"]


def test_a_differing_number_is_marked_too():
    """A claim with a wrong year shows the year that the evidence has."""
    assert "31 March 1889" in marked("The tower opened in 1899")[-1]


def test_what_shares_nothing_is_not_marked():
    """Numbers alone do not make evidence bear on a claim."""
    assert marked("Whales lay 12 eggs") == []
    assert marked("the of and") == []
    assert marked("", "") == []


def test_phrases_do_not_run_over_lines():
    """A mark ends at the end of its line."""
    assert marked("tower Paris", "the tower\nParis") == ["tower", "Paris"]


@given(st.text(max_size=80), st.text(max_size=200))
def test_marks_are_disjoint_in_order_and_within_the_text(claim, evidence):
    """Whatever the texts, marks can be drawn."""
    end = 0
    for mark in marks(claim, evidence):
        assert end <= mark.start < mark.end <= len(evidence)
        end = mark.end
