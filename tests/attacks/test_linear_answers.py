"""Answers that are written to be slow to read: what they cost grows with their length, sentence by sentence."""

from __future__ import annotations

import time

import pytest

from eval.benchmarks.attacks import prose
from eval.benchmarks.hostile_texts import KINDS, hostile
from guardrail.findings import LONGEST_SENTENCE
from guardrail.types import NotChecked, Sentence, Span, Unchecked
from guardrail.verifier import Verifier

SHORT, LONG = 1_000, 4_000
TIMES = 20.0  # what ordinary prose costs
GROWTH = 16.0  # four times as long; what is quadratic without a bound would cost that much on an idle machine
NOISE_S = 0.1


def cost(verifier: Verifier, text: str) -> float:
    """Seconds of CPU for checking a text."""
    began = time.process_time()
    verifier.check(text)
    return time.process_time() - began


@pytest.fixture(scope="module")
def of_prose(verifier: Verifier) -> float:
    """The same for a long text that is not hostile."""
    return min(cost(verifier, prose(LONG)) for _ in range(2))


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_answer_costs_what_its_length_costs(verifier: Verifier, of_prose: float, kind: str) -> None:
    """Brackets, lists, digits, marks, quotes, tables, markup and chains of clauses: at most twenty times as much as prose."""
    few, many = (cost(verifier, hostile(kind, length)) for length in (SHORT, LONG))
    assert many < GROWTH * (few + NOISE_S)
    assert many < TIMES * of_prose


@pytest.mark.parametrize("length", [LONGEST_SENTENCE + 1, 16_000, 1_000_000])
def test_a_sentence_that_is_too_long_is_not_read(verifier: Verifier, length: int) -> None:
    """It is told as not checked at once, whatever it says."""
    text = hostile("clauses", length)
    began = time.process_time()
    (found,) = verifier.session().check(Sentence(Span(0, length), text))
    assert isinstance(found, Unchecked)
    assert found.reason is NotChecked.OVERLOAD
    assert time.process_time() - began < 1
