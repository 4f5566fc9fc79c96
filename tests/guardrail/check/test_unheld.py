"""Names and values that a claim has and the evidence has not."""

import pytest

from guardrail.check.unheld import unheld
from guardrail.types import Candidate, Claim, Entity, Mention, Span


def claim(text: str, *mentions: Mention) -> Claim:
    return Claim(0, Span(0, len(text)), text, text, mentions=mentions)


@pytest.mark.parametrize(
    ("text", "evidence", "missing"),
    [
        (
            "The mansion is the Rainbow Estate.",
            "Rainbow Terrace is now the Lullwater Estate.",
            "Rainbow Estate",
        ),
        ("The park is the Lake Erie Park.", "Presque Isle juts into Lake Erie.", "Lake Erie Park"),
        ("He was born in the 19th century.", "Born: 16 March 1911", "19th century"),
        ("It has 20 rooms.", "It has two rooms.", "20"),
        ("It opened in Austria.", "It opened in Australia.", "Austria"),
        ("It opened in October.", "It opened on 3 May 1990.", "October"),
    ],
)
def test_what_the_evidence_does_not_hold_is_named(text: str, evidence: str, missing: str) -> None:
    """Another name with some of the words, another number or another month does not hold what the claim says."""
    assert unheld(claim(text), evidence) == missing


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("It was led by Ida Holm.", "Ida Maria Holm led it."),
        ("It was led by Ida Holm.", "Holm led it from the start."),
        ("It lies in the U.S. and in Mexico.", "The United States and the Mexican side share it."),
        ("The Dutch captain took it.", "A captain from the Netherlands took it."),
        ("It was made by General Holm Works.", "GHW made it."),
        ("It opened in October.", "It opened on October 30, 2007."),
        ("It opened in 2007.", "It opened on October 30, 2007."),
        ("It costs 1.7 billion.", "It costs 1·7 billion."),
        ("Everything opened in 2007.", "All of it opened in 2007."),
    ],
)
def test_other_forms_of_a_name_or_a_value_hold_it(text: str, evidence: str) -> None:
    """A name is held by more or fewer words of it, its country, or its letters; a year by a day of it."""
    assert unheld(claim(text), evidence) == ""


def test_a_name_is_held_by_what_the_graph_calls_it() -> None:
    """Another name of the same entity holds it."""
    text = "It was sung by Prince."
    known = Mention(Span(15, 21), "Prince", (Candidate(Entity("Q1", "Rogers Nelson"), 1.0),))
    assert unheld(claim(text), "Rogers Nelson sang it.") == "Prince"
    assert unheld(claim(text, known), "Rogers Nelson sang it.") == ""
