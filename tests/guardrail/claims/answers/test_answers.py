from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from guardrail.types import Claim, Context, Label, Mention, NotChecked, Sentence
from guardrail.verifier import Verifier

Claims = Callable[..., list[Claim]]


def test_several_answers(claims_of: Claims) -> None:
    """Each conjunct of the answer is a fact."""
    (claim,) = claims_of("Steve Jobs and Steve Wozniak.", "Who founded Apple?")
    assert [fact.subject.text for fact in claim.facts] == ["Steve Jobs", "Steve Wozniak"]


def test_a_sentence_is_no_short_answer(claims_of: Claims) -> None:
    """A full sentence is read for itself."""
    (claim,) = claims_of("Paris is in France.", "Who directed Titanic?")
    assert claim.facts[0].subject.text == "Paris"
    text = "Bayer: It was founded in 1863."
    assert claims_of(text, "Which German companies are old?")[-1].resolved == text


def test_no_question_no_guess(claims_of: Claims) -> None:
    """A bare name without a question, or behind one that it does not answer, claims nothing."""
    assert [claim.facts for claim in claims_of("James Cameron.")] == [()]
    assert [claim.facts for claim in claims_of("James Cameron.", "Why?")] == [()]


def test_the_last_question_counts_and_only_as_far_as_it_is_read(claims_of: Claims) -> None:
    """What stands before it is no part of it; one that began too far away is not read."""
    (claim,) = claims_of("14 days.", "I bought shoes. " * 100 + "How long is the warranty?")
    assert claim.resolved == "The warranty is 14 days long."
    (claim,) = claims_of("14 days.", "if " * 1000 + "how long is the warranty?")
    assert claim.resolved == "14 days."


def test_a_correction_changes_the_words_of_the_answer(verifier: Verifier) -> None:
    """The words of the question are understood, and nothing is written in their place."""
    report = verifier.check("Steven Spielberg.", question="Who directed Titanic?")
    (verdict,) = report.verdicts
    assert verdict.claim.text == "Steven Spielberg."
    assert [one.text for one in verdict.revisions] == ["James Cameron."]


def test_a_wrong_yes_has_no_correction(verifier: Verifier) -> None:
    """What would have to be changed stands in the question."""
    (verdict,) = verifier.check("Yes.", question="Is Sydney the capital of Australia?").verdicts
    assert verdict.label is Label.CONTRADICTORY
    assert verdict.revisions == ()


def test_a_greeting_answers_nothing(claims_of: Claims) -> None:
    """What is said before the answer itself is no answer."""
    claims = claims_of("Good question! Warsaw.", "Where was Marie Curie born?")
    assert [claim.resolved for claim in claims] == ["Good question!", "Marie Curie was born in Warsaw."]


def test_an_answer_in_another_language_is_named_and_not_read_as_english(verifier: Verifier) -> None:
    """Its language is told as that of any other text."""
    report = verifier.check("Nach zwei Wochen bei uns.", question="How long do I have to return shoes?")
    assert [one.reason for one in report.unchecked] == [NotChecked.LANGUAGE]
    assert report.verdicts == ()


class WholeSentences:
    """An extractor of a user, which knows nothing of short answers."""

    def extract(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, *, first_id: int = 0
    ) -> list[Claim]:
        return [Claim(first_id, sentence.span, sentence.text, sentence.text)]


def test_an_extractor_that_reads_no_answers_still_works(verifier: Verifier) -> None:
    """Its claims are judged as they are."""
    own = replace(verifier, extractor=WholeSentences())
    report = own.check("Warsaw.", question="Where was Marie Curie born?")
    assert [one.claim.resolved for one in report.verdicts] == ["Warsaw."]
    assert report.unchecked == ()
