"""Negation and quantifiers."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.qualifiers.polarity import negated, with_polarity
from guardrail.values import State


@pytest.mark.parametrize(
    ("state", "expected"), [("agree", "conflict"), ("conflict", "agree"), ("unknown", "unknown")]
)
def test_denial_turns_states_round(make: Any, state: State, expected: str) -> None:
    """What is not known stays unknown when it is denied."""
    fact = make.fact(make.argument("A", "A"), "was not born in", make.argument("B", "B"), negated=True)
    finding = with_polarity(FactFinding(0, state, "r", fact.object), fact, "A was not born in B")
    assert (finding.state, finding.negated) == (expected, True)


def test_denying_what_is_over_is_left_open(make: Any) -> None:
    """That something is still so does not make its denial true without more."""
    fact = make.fact(make.argument("A", "A"), "is no longer", make.argument("B", "B"), negated=True)
    finding = FactFinding(0, "conflict", "r", fact.object, note="current")
    assert with_polarity(finding, fact, "").state == "unknown"


@pytest.mark.parametrize("text", ["All of them won.", "Only A won."])
def test_one_example_proves_neither_all_nor_only(make: Any, text: str) -> None:
    """Universals need a closed set."""
    fact = make.fact(make.argument("A", "A"), "won", make.argument("B", "B"), universal=True)
    assert with_polarity(FactFinding(0, "agree", "r", fact.object), fact, text).state == "unknown"


def test_never_is_a_denial(make: Any) -> None:
    """A universal fact with "never" in its predicate denies even where nobody marked it."""
    a, b = make.argument("A", "A"), make.argument("B", "B")
    assert negated(make.fact(a, "never won", b, universal=True))
    assert not negated(make.fact(a, "always won", b, universal=True))
    assert not negated(make.fact(a, "never won", b))


def test_a_quantifier_in_a_name_quantifies_nothing(make: Any) -> None:
    """The film "Every Girl Should Be Married" is one film."""
    text = "Every Girl Should Be Married was directed by Hartman."
    subject = make.argument("Every Girl Should Be Married", text)
    fact = make.fact(subject, "was directed by", make.argument("Hartman", text), universal=True)
    assert with_polarity(FactFinding(0, "agree", "r", fact.object), fact, text).state == "agree"


@pytest.mark.parametrize(
    ("text", "state"), [("Not everyone won it.", "unknown"), ("Nobody won it.", "conflict")]
)
def test_not_everyone_is_not_nobody(make: Any, text: str, state: str) -> None:
    """One who did refutes "nobody" and agrees with "not everyone"."""
    fact = make.fact(make.argument("A", "A"), "won", make.argument("B", "B"), negated=True)
    assert with_polarity(FactFinding(0, "agree", "r", fact.object), fact, text).state == state
