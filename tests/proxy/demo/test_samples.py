"""The demo model answers its questions, says texts back, and is honest about others."""

from __future__ import annotations

from guardrail.types import Label
from guardrail.verifier import Verifier
from proxy.demo import reply, samples


def test_there_are_twenty_questions_with_every_kind_of_error() -> None:
    """Entity, date, number, negation and unsupported addition are all planted somewhere, and some answers are right."""
    assert len(samples()) >= 20
    assert {s.wrong for s in samples()} == {"entity", "date", "number", "negation", "addition", "none"}


def test_questions_are_known_however_they_are_written() -> None:
    """Case and punctuation do not matter."""
    assert reply("what is THE capital of australia") == reply("What is the capital of Australia?")
    assert reply("verify: The moon is round.") == "The moon is round."


def test_an_unknown_question_gets_a_sentence_that_can_be_checked(verifier: Verifier) -> None:
    """The answer says that it does not know, states one true thing and offers questions."""
    answer = reply("Something else?")
    labels = [verdict.label for verdict in verifier.check(answer).verdicts]
    assert labels.count(Label.ATTRIBUTABLE) == 1
    assert Label.CONTRADICTORY not in labels
    assert samples()[0].question in answer
