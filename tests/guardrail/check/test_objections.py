"""What speaks against support: each objection is told in words that a reader can check."""

import pytest

from guardrail.check.objections import objection
from guardrail.types import Claim, Passage, Source, Span


def claim(text: str) -> Claim:
    return Claim(0, Span(0, len(text)), text, text)


def passage(text: str, title: str = "") -> Passage:
    return Passage("p", text, Source.REQUEST, title=title)


@pytest.mark.parametrize(
    ("text", "evidence", "why"),
    [
        ("It opened in Ulm.", "It opened in Kiel.", "it does not hold “Ulm”"),
        ("Berg beat Holm.", "Holm beat Berg.", "it says “Berg” where the claim says “Holm”"),
        (
            "It costs more than that.",
            "It costs less than that.",
            "it says “less” where the claim says “more”",
        ),
        ("It took all of the firm.", "It took 50 % of the firm.", "it does not say “all”"),
        ("It was never sold.", "It was sold in Ulm.", "it does not say “never”"),
        (
            "It was called lawn tennis.",
            "It meant real tennis, not lawn tennis.",
            "it says “not lawn” where the claim says “lawn”",
        ),
    ],
)
def test_an_objection_says_what_differs(text: str, evidence: str, why: str) -> None:
    """The clause names the words of the claim, and those of the evidence where it has others."""
    assert objection(claim(text), evidence, [passage(evidence)]) == why


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("It opened in Ulm.", "The doors of Ulm's new hall were opened."),
        ("Berg was beaten by Holm.", "Holm beat Berg."),
        ("It did not open.", "It failed to open."),
        ("Most of the people left.", "A majority of the people left."),
        ("It is not red.", "It is not red but green."),
    ],
)
def test_nothing_is_objected_to_what_is_said(text: str, evidence: str) -> None:
    """Other words for the same thing stand."""
    assert objection(claim(text), evidence, [passage(evidence)]) == ""


def test_names_may_stand_in_the_title_or_in_another_passage() -> None:
    """A part of a passage need not name again what it is about."""
    text = "It opened in 1990."
    assert objection(claim("Blue Hall opened in 1990."), text, [passage(text, title="Blue Hall")]) == ""
    assert (
        objection(claim("The Blue Hall opened in 1990."), text, [passage(text), passage("Blue Hall is big.")])
        == ""
    )
    assert (
        objection(claim("The Blue Hall opened in 1990."), text, [passage(text)])
        == "it does not hold “Blue Hall”"
    )
