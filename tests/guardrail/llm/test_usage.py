"""Counting and limits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from guardrail.errors import BudgetSpent
from guardrail.llm.question import Completion
from guardrail.llm.usage import Budget, Meter


def test_everything_is_counted() -> None:
    """Calls, retries, repairs, hits, failures, tokens and cost add up."""
    meter = Meter(Budget())
    meter.admit()
    meter.admit(retry=True)
    meter.admit(repair=True)
    meter.hit()
    meter.fail()
    meter.spend(Completion("x", prompt_tokens=3, completion_tokens=2, cost=0.5))
    usage = meter.usage
    assert (usage.calls, usage.retries, usage.repairs, usage.cached, usage.failures) == (3, 1, 1, 1, 1)
    assert (usage.tokens, usage.cost) == (5, 0.5)


@pytest.mark.parametrize(
    ("budget", "word"),
    [(Budget(calls=1), "calls"), (Budget(tokens=5), "tokens"), (Budget(cost=0.5), r"\$0.5")],
)
def test_a_limit_stops_the_next_call(budget: Budget, word: str) -> None:
    """The call after the limit is not admitted and not counted."""
    meter = Meter(budget)
    meter.admit()
    meter.spend(Completion("x", prompt_tokens=3, completion_tokens=2, cost=0.5))
    with pytest.raises(BudgetSpent, match=word):
        meter.admit()
    assert meter.usage.calls == 1


def test_no_limit_is_no_limit() -> None:
    """A budget of nothing admits nothing; a budget without limits admits everything."""
    with pytest.raises(BudgetSpent):
        Meter(Budget(calls=0)).admit()
    meter = Meter(Budget())
    for _ in range(1000):
        meter.admit()
    assert meter.usage.calls == 1000


def test_threads_do_not_lose_counts() -> None:
    """Many threads counting at once come to the sum."""
    meter = Meter(Budget())
    with ThreadPoolExecutor(8) as threads:
        for _ in range(2000):
            threads.submit(meter.admit)
    assert meter.usage.calls == 2000
