from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import spacy

from guardrail.errors import ConfigError
from guardrail.language import LONGEST, Doc, Parser, parser
from guardrail.language.pipeline import MODEL

SENTENCES = [
    "The Kestrel K2 runs for 40 hours on one charge and refills in about two hours.",
    "Antibiotics don't work against colds, because colds are caused by viruses.",
    "It is 1,642 metres deep, which makes it the deepest lake on Earth.",
    "Claims must be reported within 48 hours by phone or on the website.",
]


def shown(doc: Doc) -> list[tuple[str, str, str, int]]:
    return [(token.text, token.tag, token.dep, token.head) for token in doc.tokens]


def test_a_plain_sentence_is_read() -> None:
    """Tokens have places in the text, tags, relations, lemmas and heads."""
    doc = parser().read("The cat saw two mice.")
    verb = doc.tokens[2]
    assert [doc.text[token.start : token.end] for token in doc.tokens] == [token.text for token in doc.tokens]
    assert (verb.tag, verb.lemma, verb.dep, verb.head) == ("VBD", "see", "ROOT", 2)
    assert {token.dep: token.text for token in doc.kids(2)} == {"nsubj": "cat", "obj": "mice", "punct": "."}


def test_citations_and_markdown_are_no_words() -> None:
    """What is around them is read as if they were not there, and every token keeps its place."""
    plain, marked = parser().read("She lived in Paris."), parser().read("She lived in **Paris**[1].[^2]")
    assert [(token.text, token.tag, token.dep) for token in marked.tokens] == [
        (token.text, token.tag, token.dep) for token in plain.tokens
    ]
    assert all(marked.text[token.start : token.end] == token.text for token in marked.tokens)


@pytest.mark.parametrize(
    "text",
    [
        "He acted bold**ly**.",
        "It introduces **R**einforcement **L**earning.",
        "That is 2**10[3]x.",
        "**4**.**5** or `a`",
    ],
)
def test_every_token_stands_where_it_says(text: str) -> None:
    """Marks within words, too."""
    assert all(text[token.start : token.end] == token.text for token in parser().read(text).tokens)


def test_all_share_one_parser() -> None:
    """The pipeline that ships is loaded once, whether it is asked for by the empty name or by none."""
    assert parser("") is parser()


def test_threads_read_as_one_does() -> None:
    """Several threads that read at once get what one alone gets."""
    texts = [
        f"Room {number} costs {number + 40} euros a night and has a balcony, which is new."
        for number in range(40)
    ]
    alone, shared = Parser(), Parser()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(shared.read, [*texts, *reversed(texts)]))
    wanted = [shown(alone.read(text)) for text in texts]
    assert [shown(doc) for doc in found] == [*wanted, *reversed(wanted)]


def test_words_that_were_never_seen_are_forgotten() -> None:
    """What a pipeline remembers does not grow with the words that it reads."""
    reading = Parser()
    reading.read(SENTENCES[0])
    nlp = reading._nlp
    assert nlp is not None
    for text in SENTENCES:
        reading.read(text)

    def known(numbers: range) -> int:
        for number in numbers:
            reading.read(f"The zorb{number}ly qux{number}s the blor{number}t.")
        return len(set(nlp.vocab.strings)) + sum(1 for _ in nlp.vocab)

    first = known(range(50))
    assert known(range(50, 400)) == first


def test_readings_that_are_kept_are_few() -> None:
    """Of what was read only the last readings are kept."""
    reading = Parser()
    for number in range(600):
        reading.read(f"Room {number}.")
    assert len(reading._read) <= 256


@pytest.mark.parametrize(
    "text",
    ["x" * (LONGEST + 1), "", "   \n ", "word " * 400],
    ids=["one endless word", "empty", "blank", "without a stop"],
)
def test_what_is_no_sentence_is_not_read(text: str) -> None:
    """Nothing is read of a text that is too long or holds no word."""
    assert len(parser().read(text)) == 0


@pytest.mark.parametrize(
    "text",
    [
        "x" * LONGEST,
        "🎉" * 300,
        "שלום לעולם, זה מבחן.",
        "(" * 900,
        "a-" * 450,
        "\u202eabc\u202c def",
        "é́́́" * 200,
        "\n\n a \n\n b",
    ],
)
def test_hostile_texts_are_read(text: str) -> None:
    """Whatever the characters, the tokens lie in order within the text and their heads form trees."""
    doc = parser().read(text)
    places = [(token.start, token.end) for token in doc.tokens]
    assert places == sorted(places)
    assert all(text[token.start : token.end] == token.text for token in doc.tokens)
    assert sum(len(children) for children in doc.children) + len(list(doc.roots())) == len(doc)


def test_pipeline_that_is_not_installed_is_refused() -> None:
    """A pipeline that nobody installed is told of by its name."""
    with pytest.raises(ConfigError, match="xx_no_such"):
        Parser("xx_no_such").read("Hello there.")


def test_pipeline_without_a_parser_is_refused(tmp_path: Path) -> None:
    """A pipeline that knows no relations of words cannot stand in the place of ours."""
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ConfigError, match="parser"):
        Parser(str(tmp_path / "blank")).read("Hello there.")


def test_pipeline_without_penn_tags_is_refused(tmp_path: Path) -> None:
    """A pipeline that has no tags of the Penn treebank cannot stand in the place of ours."""
    nlp = spacy.load(MODEL)
    nlp.remove_pipe("tagger")
    nlp.to_disk(tmp_path / "untagged")
    with pytest.raises(ConfigError, match="tagger"):
        Parser(str(tmp_path / "untagged")).read("Hello there.")


def test_a_long_text_is_read_in_parts() -> None:
    """Whatever its length, a text has its words, each at its place, with a head that stands near it."""
    text = "The cat saw two mice in the old barn. " * 60
    assert len(parser().read(text)) == 0
    doc = parser().read_long(text)
    assert [token.text for token in doc.tokens] == text.replace(".", " .").split()
    assert all(text[token.start : token.end] == token.text for token in doc.tokens)
    assert all(abs(token.head - token.at) < 12 for token in doc.tokens)
    assert parser().read_long(SENTENCES[0]) == parser().read(SENTENCES[0])


def test_a_long_word_is_read_in_parts() -> None:
    """A text without a blank has a part for each thousand characters."""
    text = "x" * (2 * LONGEST + 5)
    doc = parser().read_long(text)
    assert "".join(token.text for token in doc.tokens) == text


def test_another_pipeline_stands_in_the_place_of_ours(tmp_path: Path) -> None:
    """A pipeline in a folder reads what ours would."""
    spacy.load(MODEL).to_disk(tmp_path / "other")
    text = SENTENCES[3]
    assert shown(Parser(str(tmp_path / "other")).read(text)) == shown(parser().read(text))
