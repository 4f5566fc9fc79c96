"""Terms: the forms of one word meet, function words go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.corpus.terms import terms


@pytest.mark.parametrize(
    "forms",
    [
        "open opens opened opening",
        "city cities",
        "Beyoncé beyonce BEYONCÉ Beyoncé's",
        "stop stopped stopping stops",
        "create created creates creating",
        "U.S. US u.s.",
        "award awards awarded",
    ],
)
def test_forms_of_one_word_are_one_term(forms):
    """Number, tense, case, accents and possessives do not matter."""
    assert len(set(terms(forms))) == 1


def test_different_words_stay_different():
    """Short words and names are not cut to pieces."""
    assert len(set(terms("Paris Pari bus class glass news Texas"))) == 7


def test_function_words_are_no_terms():
    """What every sentence has tells nothing."""
    assert terms("It was the of and which") == []


def test_numbers_keep_their_form():
    """Decimals and years are terms of their own."""
    assert terms("3.5 million in 1889") == ["3.5", "million", "1889"]


def test_scripts_without_spaces_are_searched_by_pairs():
    """A name inside a Chinese sentence has terms in common with the name alone."""
    assert set(terms("埃菲尔铁塔")) & set(terms("他在埃菲尔铁塔工作"))


@given(st.text(max_size=200))
def test_any_text_has_terms_that_are_short_words(text):
    """No text breaks it, and no term is empty or longer than 64 characters."""
    assert all(0 < len(term) <= 64 * 4 for term in terms(text))
