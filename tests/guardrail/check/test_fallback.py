"""Another checker in the place of one whose model is away."""

from __future__ import annotations

import pytest

from guardrail.check.fallback import Fallback
from guardrail.errors import ModelError, ModelMalformed, ModelTimeout, ModelUnavailable
from guardrail.types import Claim, Evidence, Label, Verdict
from tests.scripted_nli import claim


class Judge:
    """Gives a verdict under its name, or raises."""

    def __init__(self, name: str, error: ModelError | None = None) -> None:
        self.name, self.error = name, error

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if self.error:
            raise self.error
        return Verdict(claim, Label.ATTRIBUTABLE, 0.9, evidence, "", self.name)


@pytest.mark.parametrize("error", [ModelUnavailable("away"), ModelMalformed("odd")])
def test_another_judges_under_its_own_name(error: ModelError) -> None:
    """The verdict names the checker that gave it, and the replacement is told."""
    told: list[None] = []
    verdict = Fallback(Judge("first", error), Judge("second"), lambda: told.append(None)).check(
        claim(), Evidence()
    )
    assert verdict is not None
    assert verdict.checker == "second"
    assert len(told) == 1


def test_what_works_is_not_replaced() -> None:
    """The first one's verdict stands, under its name."""
    both = Fallback(Judge("first"), Judge("second"), lambda: pytest.fail("replaced"))
    verdict = both.check(claim(), Evidence())
    assert verdict is not None
    assert (verdict.checker, both.name) == ("first", "first")


def test_what_is_late_is_not_replaced() -> None:
    """The time of a claim whose model was late is over: no other model is asked."""
    late = Judge("first", ModelTimeout("late"))
    with pytest.raises(ModelTimeout):
        Fallback(late, Judge("second"), lambda: pytest.fail("replaced")).check(claim(), Evidence())
