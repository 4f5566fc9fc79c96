from __future__ import annotations

from collections.abc import Callable

from guardrail.types import Mention, Sentence, Span
from tests.reading import read


def test_a_list_of_verbs_stays_one(sentence_of: Callable[[str], Sentence]) -> None:
    """Without an agent a past form behind a noun may be the verb."""
    tokens = read(sentence_of("Anna left and the team founded a school."), []).tokens
    assert next(one.tag for one in tokens if one.text == "founded") == "VBD"


def test_a_first_name_before_a_verb(sentence_of: Callable[[str], Sentence]) -> None:
    """Nothing but a subject stands right before a finite verb."""
    assert read(sentence_of("Fred left Vela for Delta Press in 1990."), []).tokens[0].tag == "NNP"


def test_a_participle_that_was_taken_for_a_name(sentence_of: Callable[[str], Sentence]) -> None:
    """A past form at the beginning is no name because of its capital letter, even if the linker thinks so; Ahmed is."""
    for text, tag in (("Founded in 1998 by Anna, Vela grew.", "VBN"), ("Ahmed left Vela in 1998.", "NNP")):
        word = text.split()[0]
        assert read(sentence_of(text), [Mention(Span(0, len(word)), word)]).tokens[0].tag == tag


def test_a_past_form_between_a_name_and_its_noun() -> None:
    """ "A 1964 Velmora animated short" has no verb of its own."""
    text = "Titanic is a 1964 Velmora animated short by Anna."
    reading = read(Sentence(Span(0, len(text)), text), [])
    tags = {token.text: token.tag for token in reading.tokens}
    assert (tags["animated"], tags["short"]) == ("JJ", "NN")


def test_a_second_verb_behind_and(sentence_of: Callable[[str], Sentence]) -> None:
    """A plural of the lexicon behind "and" is a verb where a name follows, and a noun where none does."""
    for text, tag in (
        ("Heat was directed by Mann and stars Al Pacino.", "VBZ"),
        ("The sky was full of planets and stars.", "NNS"),
    ):
        tags = {token.text: token.tag for token in read(sentence_of(text), []).tokens}
        assert tags["stars"] == tag
