"""The queueing model says what theory says where theory knows, and its plans hold what they promise."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from eval.benchmarks.capacity import TOKENS, Costs, main, plan, simulate

ONE = replace(Costs(), answer=0.1, sentences=1)


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
def test_one_queue_waits_as_theory_says(load: float) -> None:
    """Answers of one sentence are an M/G/1 queue: the mean time is that of Pollaczek and Khinchine, and the core is as busy as its load."""
    waits = simulate(ONE, load / ONE.answer, answers=60_000)
    # The cost of a sentence is half its mean and an exponential part of the other half: its square is 1.25 times the mean's.
    expected = ONE.answer + load * ONE.answer * 1.25 / (2 * (1 - load))
    assert sum(waits.answers) / len(waits.answers) == pytest.approx(expected, rel=0.08)
    assert waits.busy == pytest.approx(load, rel=0.03)


def test_turns_let_a_short_answer_pass_a_long_one() -> None:
    """Many sentences a turn each: half of the answers are nearer to their own time than where one waits for the whole of another."""
    turns = simulate(replace(ONE, sentences=30), 6.0, answers=20_000)
    queue = simulate(ONE, 6.0, answers=20_000)
    assert turns.sentence(0.5) < queue.sentence(0.5)


def test_a_stream_waits_less_than_an_answer_that_comes_at_once() -> None:
    """Its sentences come one after the other, and are judged meanwhile."""
    costs = Costs()
    assert simulate(costs, 2.0, stream_s=15.0).answer(0.9) < simulate(costs, 2.0).answer(0.9)


def test_processes_share_the_load() -> None:
    """Twice the processes for twice the rate: the same waits."""
    one, two = simulate(Costs(), 2.0, processes=1), simulate(Costs(), 4.0, processes=2)
    assert one == two


def test_an_event_loop_that_needs_more_than_its_core_is_told() -> None:
    """There is no time left for checks, so there is no answer."""
    costs = Costs()
    with pytest.raises(ValueError, match="more than the core"):
        simulate(costs, 2 / (TOKENS * costs.token), stream_s=15.0)


@pytest.mark.parametrize("rate", [0.5, 10.0, 200.0])
def test_a_plan_holds(rate: float) -> None:
    """No core is busier than three quarters, sentences are judged in time, and one process fewer would not do."""
    costs = Costs()
    made = plan(costs, rate)
    assert made.waits.sentence(0.99) <= 1.0
    assert made.waits.busy <= 0.8
    assert rate * costs.of_a_core / 0.75 <= made.processes
    assert made.processes == 1 or rate * costs.of_a_core / 0.75 > made.processes - 1


def test_records_ask_for_chains() -> None:
    """One chain writes so many records a second, and half of them are planned for."""
    costs = Costs()
    assert plan(costs, 100.0).chains == 1
    assert plan(replace(costs, answer=0.001, records=100), 100.0).chains == 2


def test_the_table_has_a_line_for_each_rate() -> None:
    """A slower machine needs more processes."""
    lines = []
    for cost in ("80", "160"):
        told = CliRunner().invoke(
            main, ["plan", "--rate", "100", "--answer-ms", cost], catch_exceptions=False
        )
        lines.append(told.output.splitlines()[-1].split(" | "))
    assert [line[0] for line in lines] == ["| 100", "| 100"]
    assert int(lines[0][1]) < int(lines[1][1])
