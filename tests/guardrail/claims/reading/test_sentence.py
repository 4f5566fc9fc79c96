from __future__ import annotations

from collections.abc import Callable

from guardrail.claims.reading.chunks import NP
from guardrail.types import Mention, Sentence, Span
from tests.reading import read


def test_numbers_in_names_are_no_values(sentence_of: Callable[[str], Sentence]) -> None:
    """The linker's names keep their numbers; a unit that the linker knows does not lose its quantity."""
    sentence = sentence_of("Boeing 737 is 39 metres long.")
    mentions = [Mention(Span(0, 10), "Boeing 737"), Mention(Span(17, 23), "metres")]
    assert [value.text for value in read(sentence, mentions).values] == ["39 metres"]


def test_a_unit_is_no_name(sentence_of: Callable[[str], Sentence]) -> None:
    """What the linker knows as a unit belongs to the quantity, whose phrase stays whole."""
    sentence = sentence_of("It boils at 90 degrees Celsius in Vela.")
    reading = read(sentence, [Mention(Span(15, 30), "degrees Celsius"), Mention(Span(34, 38), "Vela")])
    assert [value.text for value in reading.values] == ["90 degrees Celsius"]
    assert [mention.text for mention in reading.mentions] == ["Vela"]
    assert "90 degrees Celsius" in [
        reading.words(one.first, one.last) for one in reading.chunks if isinstance(one, NP)
    ]


def test_spans_count_from_the_beginning_of_the_text() -> None:
    """Tokens, values and mentions point into the whole text, not into the sentence."""
    text = "Yes. It began in 1990."
    reading = read(Sentence(Span(5, 22), text[5:]), [])
    assert reading.values[0].span is not None
    assert reading.values[0].span.of(text) == "1990"
    assert reading.span(0, 0).of(text) == "It"


def test_plural_noun_that_is_the_verb(sentence_of: Callable[[str], Sentence]) -> None:
    """ "The film stars Tom Hanks" has its verb."""
    reading = read(sentence_of("The film stars Tom Hanks."), [])
    assert [clause.vg.stem for clause in reading.clauses if clause.vg] == ["star"]


def test_first_word_is_a_name_only_if_it_is_one(sentence_of: Callable[[str], Sentence]) -> None:
    """A capital at the beginning says nothing about a known word, and everything about an unknown one."""
    tags = [
        read(sentence_of(text), []).tokens[0].tag for text in ("Born in Rome, she left.", "Xanthippe left.")
    ]
    assert tags == ["VBN", "NNP"]


def test_offices_in_capitals_are_nouns(sentence_of: Callable[[str], Sentence]) -> None:
    """ "Chief Executive Officer" names no person, even if the linker takes it for an unknown name."""
    text = "He is the CEO of Foo."
    reading = read(sentence_of(text), [Mention(Span(10, 13), "CEO")])
    assert next(token.tag for token in reading.tokens if token.text == "CEO") == "NN"


def test_participle_at_the_beginning(sentence_of: Callable[[str], Sentence]) -> None:
    """A participle that the tagger has never seen is no name where a preposition follows."""
    assert read(sentence_of("Headquartered in Rome, it grew."), []).tokens[0].tag == "VBN"
