"""What a claim says beyond its facts."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.types import Label, Reason
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    "text",
    [
        "Mercury is the strangest planet in the Solar System.",
        "Paris is a very beautiful city.",
        "Albert Einstein was the greatest physicist of all time.",
        "Paris is the second largest city in France.",
        "Brad Pitt was the best man at James Cameron's wedding.",
    ],
)
def test_agreement_of_a_part_does_not_support_the_whole(verifier: Verifier, text: str) -> None:
    """A superlative, an ordinal or a name that no fact took up leaves the claim open."""
    (verdict,) = verifier.check(text).verdicts
    assert verdict.label is Label.EXTRAPOLATORY
    assert verdict.reason in (Reason.INSUFFICIENT, Reason.NO_PROPERTY)


@pytest.mark.parametrize(
    "text",
    [
        "Pride and Prejudice was first published in 1813.",
        "Brazil is a country in South America.",
        "Abraham Lincoln died in 1865.",
        "Paris, in northern Europe's west, is the capital of France.",
    ],
)
def test_words_that_restrict_nothing_take_nothing_away(verifier: Verifier, text: str) -> None:
    """Adverbs like "first published", common nouns and "west" are no restrictions."""
    assert Label.CONTRADICTORY not in {verdict.label for verdict in verifier.check(text).verdicts}
    if "Europe" not in text:
        assert [verdict.label for verdict in verifier.check(text).verdicts] == [Label.ATTRIBUTABLE]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Tokyo is no longer the capital of Japan.", Label.CONTRADICTORY),
        ("Lyon is no longer the capital of France.", Label.EXTRAPOLATORY),
    ],
)
def test_no_longer_needs_an_end(verifier: Verifier, text: str, label: Label) -> None:
    """What still holds refutes "no longer"; that something else holds now does not prove that this once did."""
    assert [verdict.label for verdict in verifier.check(text).verdicts] == [label]


def test_the_place_in_a_series_is_compared(verifier: Verifier) -> None:
    """The 44th president was not the 45th, and the proof says so."""
    assert [
        v.label for v in verifier.check("Obama was the 44th president of the United States.").verdicts
    ] == [Label.ATTRIBUTABLE]
    (wrong,) = verifier.check("Barack Obama was the 45th president of the United States.").verdicts
    assert wrong.label is Label.CONTRADICTORY
    assert wrong.slot is not None
    assert (wrong.slot.property, wrong.slot.claimed, wrong.slot.known) == ("series ordinal", "45th", "44")


@pytest.mark.parametrize(
    ("when", "label"),
    [
        ("from 2001 to 2009", Label.ATTRIBUTABLE),
        ("from 2001 to 2012", Label.CONTRADICTORY),
        ("in 2005", Label.ATTRIBUTABLE),
        ("in 1990", Label.CONTRADICTORY),
    ],
)
def test_a_date_that_no_fact_took_up_is_compared_with_the_statement(
    make: Any, when: str, label: Label
) -> None:
    """The time of a claim is checked against the qualifiers of what was cited, though the reader missed it."""
    text = f"Bush was president {when}."
    fact = make.fact(
        make.argument("Bush", text), "was", make.argument("president", text), "P39", tense="past"
    )
    statement = make.statement("Bush", "P39", "president", P580="2001-01-20", P582="2009-01-20")
    verdict = SymbolicChecker().check(
        make.claim(text, fact), make.evidence(make.answer("Bush", "P39", [statement]))
    )
    assert verdict.label is label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Mount Everest stands at 8,849 metres (29,032 feet).", Label.ATTRIBUTABLE),
        ("Mount Everest stands at 8,849 metres (39,032 feet).", Label.EXTRAPOLATORY),
        ("Germany is a landlocked country.", Label.EXTRAPOLATORY),
        ("Germany is a famous country.", Label.ATTRIBUTABLE),
        ("The official language of Australia is English.", Label.ATTRIBUTABLE),
        ("Germany borders at least five countries.", Label.ATTRIBUTABLE),
        ("Germany borders more than twenty countries.", Label.CONTRADICTORY),
    ],
)
def test_words_besides_the_facts(verifier: Verifier, text: str, label: Label) -> None:
    """The same length in another unit is read, another one is not; an adjective is part of the claim, praise is not."""
    assert [verdict.label for verdict in verifier.check(text).verdicts] == [label]


@pytest.mark.parametrize(
    "text",
    [
        "Egypt is bordered by the Mediterranean Sea.",
        "There are people in the United States who speak Spanish.",
        "Jane Doe was born in Victoria, Australia.",
        "Microsoft was not a technology company.",
        "Mount Everest is 29,029 feet high.",
    ],
)
def test_true_sentences_of_chat_models_are_not_refuted(verifier: Verifier, text: str) -> None:
    """Seas border countries, people speak more than official languages, places share names, heights are measured again."""
    assert all(verdict.label is not Label.CONTRADICTORY for verdict in verifier.check(text).verdicts)
