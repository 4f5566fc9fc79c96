from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from guardrail.claims.reading.tokens import tagged, tokenize
from guardrail.language import Doc, Token


@given(st.text(max_size=60))
def test_places_are_exact(text: str) -> None:
    """Every token is the text at its place, and tokens do not overlap."""
    at = 0
    for token in tokenize(text):
        assert token.text == text[token.start : token.end]
        assert token.start >= at
        at = token.end


def _doc(text: str, *words: tuple[str, str]) -> Doc:
    """Words and tags as a parser found them in `text`."""
    found, end = [], 0
    for at, (word, tag) in enumerate(words):
        start = text.index(word, end)
        end = start + len(word)
        found.append(Token(at, word, start, word, tag, "dep", 0))
    return Doc.of(text, found)


def test_a_word_of_several_words_is_what_the_last_one_is() -> None:
    """The parser cuts "co-founded", "50%" and "Inc." apart; each is one token, which has the tag of its last word."""
    text = "Anna co-founded 50% of Vela Inc. today"
    words = [
        ("Anna", "NNP"),
        ("co", "NN"),
        ("-", "HYPH"),
        ("founded", "VBD"),
        ("50", "CD"),
        ("%", "NN"),
        ("of", "IN"),
    ]
    doc = _doc(text, *words, ("Vela", "NNP"), ("Inc", "NNP"), (".", "."), ("today", "NN"))
    assert [(one.text, one.tag) for one in tagged(doc)] == [
        *(
            ("Anna", "NNP"),
            ("co-founded", "VBD"),
            ("50%", "CD"),
            ("of", "IN"),
            ("Vela", "NNP"),
            ("Inc.", "NNP"),
        ),
        ("today", "NN"),
    ]


def test_marks_that_hang_on_a_word_are_marks() -> None:
    """Where the parser takes a citation and a full stop into a word, the full stop is still one, as are marks by themselves."""
    text = "Born in Ulm.[2] (1879)"
    doc = _doc(
        text,
        ("Born", "VBN"),
        ("in", "IN"),
        ("Ulm.[2]", "NNP"),
        ("(", "-LRB-"),
        ("1879", "CD"),
        (")", "-RRB-"),
    )
    assert [(one.text, one.tag) for one in tagged(doc)] == [
        *(
            ("Born", "VBN"),
            ("in", "IN"),
            ("Ulm", "NNP"),
            (".", "."),
            ("(", "-LRB-"),
            ("1879", "CD"),
            (")", "-RRB-"),
        ),
    ]


def test_what_was_not_parsed_has_no_tags() -> None:
    """Of a text that the parser did not read the words are there all the same."""
    assert [(one.text, one.tag) for one in tagged(Doc.of("Anna left", ()))] == [("Anna", ""), ("left", "")]
