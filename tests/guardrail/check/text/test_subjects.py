"""Whether passages speak of a claim's subject: names in every spelling, and what a pronoun stands for."""

from __future__ import annotations

import pytest

from guardrail.check.text.subjects import spoken_of
from guardrail.language import parser
from guardrail.types import Label
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Wilson-Reed Hall closes at 8 p.m.", "Carter-Holm Hall closes at 9 p.m."),
        ("The O'Neil & Sons office closes at 8 p.m.", "The D'Arcy & Co. office closes at 9 p.m."),
        ("Line No. 4-B runs until 8 p.m.", "Line No. 5-C runs until 9 p.m."),
        ("The day shift starts at 6 a.m.", "The night shift starts at 10 p.m."),
        (
            "Under the 2014 lease, the tenant pays 110 euros.",
            "Under the 2009 lease, the tenant pays 75 euros.",
        ),
    ],
)
def test_another_thing_refutes_nothing(verifier: Verifier, claim: str, passage: str) -> None:
    """Whatever marks stand in the names."""
    (verdict,) = verifier.check(claim, references=[passage]).verdicts
    assert verdict.label is Label.EXTRAPOLATORY


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Wilson-Reed Hall closes at 8 p.m.", "Wilson-Reed Hall closes at 9 p.m."),
        ("Let the dough rest for 50 minutes.", "Let the dough rest for 15 minutes."),
        ("Dr Anna Berg was born in 1950.", "Anna Berg was born in 1962."),
    ],
)
def test_the_same_thing_does(verifier: Verifier, claim: str, passage: str) -> None:
    """A title more, or a number that counts, makes no other thing."""
    (verdict,) = verifier.check(claim, references=[passage]).verdicts
    assert verdict.label is Label.CONTRADICTORY


def test_a_number_that_is_part_of_a_name_is_known_by_it(verifier: Verifier) -> None:
    """ "Windows 8" in the passage has the "8" of "Windows 8" in the claim, and a title the number behind a hyphen."""
    passage = {
        "title": "Test report W-2207",
        "text": "The sample had been kept at 5 °C. Windows 8 is not supported.",
    }
    for claim in ("The sample W-2207 had been kept at 15 °C.", "Windows 8 is supported."):
        (verdict,) = verifier.check(claim, references=[passage]).verdicts
        assert verdict.label is Label.CONTRADICTORY


def test_a_pronoun_stands_for_the_subject_or_a_name() -> None:
    """What else the sentence says is not said of it again."""
    parse = parser().read
    assert spoken_of("Jonas Whitlow served as treasurer from 2003 to 2011.", parse) == "Jonas Whitlow"
    assert "Petrel" in spoken_of("They bought the Petrel in May.", parse)
    assert spoken_of("", parse) == ""
