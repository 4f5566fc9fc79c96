"""RefChecker's extraction: triplets and sub-sentences, in JSON and in the fine-tuned model's own lines."""

from __future__ import annotations

import json
import time

import pytest

from guardrail.claims.llm.refchecker import question, without_model
from guardrail.extraction import claims_of
from guardrail.types import Argument, Candidate, Claim, Entity, Fact, Kind, Mention, Span
from guardrail.verifier import Verifier

RESPONSE = 'Richard Mulligan played Mr. Kincaid on The Partridge Family. He won an Emmy for "Empty Nest".'


def read(reply: str, response: str = RESPONSE, **options: str) -> list[list[str] | str]:
    return [claim.content for claim in question(response, **options).read(reply)]  # type: ignore[arg-type]


def test_claims_read_by_rules_become_triplets_that_stand_alone() -> None:
    """A pronoun gets its name, a negation stays, and a claim without facts is a sub-sentence; nothing comes twice."""
    ada = Mention(Span(0, 3), "Ada", (Candidate(Entity("Q1", "Ada"), 0.0),))
    she = Argument("She", Span(10, 13), (ada,))
    fact = Fact(she, "moved to", Argument("Rome", Span(23, 27)), negated=True, predicate_span=Span(14, 22))
    read = Claim(0, Span(10, 28), "She moved to Rome.", "Ada moved to Rome.", facts=(fact, fact))
    plain = Claim(1, Span(29, 40), "It is nice.", "Rome is nice.")
    asked = Claim(2, Span(41, 50), "Is it so?", "Is it so?", kind=Kind.QUESTION)
    first, second = without_model([read, plain, asked])
    assert first.content == ["Ada", "not moved to", "Rome"]
    assert first.places == (Span(10, 13), Span(14, 22), Span(23, 27))
    assert second.content == "Rome is nice."
    whole = without_model([read, plain, asked], form="subsentence")
    assert [one.content for one in whole] == ["Ada moved to Rome.", "Rome is nice."]


@pytest.mark.parametrize(
    ("text", "triplets"),
    [
        (
            "Taylor Swift won a Grammy Award in 2010 for Fearless.",
            [["Taylor Swift", "won", "Grammy Award in 2010 for Fearless"]],
        ),
        (
            "Taylor Swift was born in 1989 in West Reading.",
            [["Taylor Swift", "was born in", "1989"], ["Taylor Swift", "was born in", "West Reading"]],
        ),
        ("Barack Obama was not born in Kenya.", [["Barack Obama", "was not born in", "Kenya"]]),
        ("Marie Curie won seven Nobel Prizes.", [["Marie Curie", "won", "seven Nobel Prizes"]]),
        ("Adele won fourteen Grammy Awards.", [["Adele", "won", "fourteen Grammy Awards"]]),
        ("Adele won one Grammy Award.", [["Adele", "won", "one Grammy Award"]]),
        ("The tower is 61 m wide.", [["tower", "is", "61 m wide"]]),
        (
            "The Lunde Array was opened by the king in 1991.",
            [["Lunde Array", "was opened by", "king"], ["Lunde Array", "was opened in", "1991"]],
        ),
    ],
)
def test_an_event_of_several_parts_is_one_triplet(
    verifier: Verifier, text: str, triplets: list[list[str]]
) -> None:
    """To have won in 2010 is another statement than to have won a prize in 2010; a negation is said once."""
    read = claims_of(text, verifier.extractor, linker=verifier.linker)
    claims = without_model(read)
    assert [claim.content for claim in claims] == triplets
    for claim in claims:
        head, verb, tail = (place.of(text) for place in claim.places if place)
        assert (head, tail) == (claim.parts[0], claim.parts[2])
        assert claim.parts[1].startswith(verb)


def test_triplets_in_json_with_their_places() -> None:
    """Each part is located in the response where it stands there literally."""
    reply = json.dumps(
        {"triplets": [["Richard Mulligan", "played", "Mr. Kincaid"], ["Kincaid", "character in", "Soap"]]}
    )
    first, second = question(RESPONSE).read(reply)
    assert [place.of(RESPONSE) if place else None for place in first.places] == list(first.parts)
    assert [place is None for place in second.places] == [False, True, True]
    assert first.text == "Richard Mulligan played Mr. Kincaid"


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ('("Richard Mulligan", "played", "Mr. Kincaid")', ["Richard Mulligan", "played", "Mr. Kincaid"]),
        ("('Grey's Anatomy', 'airs on', 'ABC')", ["Grey's Anatomy", "airs on", "ABC"]),
        ('("He", \'won\', "an Emmy, twice")', ["He", "won", "an Emmy, twice"]),
        ('("A \\"quoted\\" name", "is", "here")', ['A "quoted" name', "is", "here"]),
    ],
)
def test_lines_of_tuples_are_parsed_and_never_evaluated(line: str, parts: list[str]) -> None:
    """The form of RefChecker's fine-tuned extractor, mixed quotes included."""
    assert read(f"### Triplets\n{line}\n{line}") == [parts]


@pytest.mark.parametrize(
    "reply",
    [
        '(__import__("os"), "x", "y")',
        '("a", "b")',
        "no triplets",
        json.dumps({"triplets": [["a", "b"]]}),
        json.dumps({"triplets": [["a", "b", 3]]}),
    ],
)
def test_what_is_no_triplet_is_an_error(reply: str) -> None:
    """Nothing runs, nothing is padded."""
    with pytest.raises(ValueError, match="reply"):
        read(reply)


def test_a_response_without_claims_has_none() -> None:
    """An empty list is the answer of a response that declines: Abstain, not an error."""
    assert read('{"triplets": []}') == []
    assert read("[]") == []


def test_equal_and_empty_triplets_are_dropped() -> None:
    """Duplicates count once; a triplet with an empty part is none."""
    assert read('{"triplets": [["a", "b", "c"], ["a", "b", "c"], ["a", "", "c"]]}') == [["a", "b", "c"]]


def test_subsentences_work_without_a_question() -> None:
    """RefChecker has no sub-sentences without a question; here they carry the places of their sentences."""
    asked = question(RESPONSE, form="subsentence")
    assert "[2] He won an Emmy" in asked.messages[0].content
    claims = asked.read('{"claims": [{"text": "Richard Mulligan won an Emmy.", "sentences": [2, 9]}]}')
    assert claims[0].content == "Richard Mulligan won an Emmy."
    assert claims[0].sentences == (2,)
    place = claims[0].places[0]
    assert place is not None
    assert place.of(RESPONSE) == 'He won an Emmy for "Empty Nest".'


@pytest.mark.parametrize(
    "reply",
    ['{"claims": [{"text": "x", "sentences": [9]}]}', '{"claims": [{"text": " ", "sentences": [1]}]}'],
)
def test_a_subsentence_from_nowhere_is_an_error(reply: str) -> None:
    """Every claim comes from a sentence that exists."""
    with pytest.raises(ValueError, match="number of a sentence"):
        read(reply, form="subsentence")


def test_the_question_goes_in() -> None:
    """It is shown where it is given, and "none" where it is not."""
    assert '"Who played?"' in question(RESPONSE, asked="Who played?").messages[0].content
    assert "Question:\nnone" in question(RESPONSE).messages[0].content


@pytest.mark.parametrize(
    "reply", ['("a' * 10_000, "('" * 10_000, '("a", "b" ' * 10_000, '("a", "b", "' + " " * 50_000]
)
def test_a_hostile_reply_is_read_in_linear_time(reply: str) -> None:
    """A model cannot hold a thread by what it writes."""
    started = time.monotonic()
    with pytest.raises(ValueError):
        read(reply)
    assert time.monotonic() - started < 3.0
