"""How words are found in JSON of any shape."""

from __future__ import annotations

import orjson
import pytest

from proxy.wire.shapes import (
    BODY,
    Content,
    cannot_read,
    content_of,
    holds_words,
    joined,
    unfinished,
    without_words,
    words_in,
)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (None, Content()),
        ("a", Content("a")),
        ([], Content()),
        (
            ["a", {"text": "b"}, {"type": "text", "text": "c"}, {"type": "refusal", "refusal": "d"}],
            Content("abcd"),
        ),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "x"}]}, "a"], Content("a", "textx")),
        ([{"type": "reference", "reference_ids": [1, 2]}], Content()),
        (5, Content(strange="content that is a number or a truth value")),
        ({"text": "a"}, Content(strange="content that is an object")),
        ([{"type": ["text"], "text": "a"}], Content(strange="a content part of type \"['text']\"")),
    ],
)
def test_content_is_read_from_strings_and_parts(content: object, found: Content) -> None:
    """Text and thoughts are told apart; what is neither and holds words is named."""
    read = content_of(content)
    assert (read.text, read.strange) == (found.text, found.strange)
    assert bool(read.thoughts) is bool(found.thoughts)


def test_words_are_found_at_any_depth() -> None:
    """Identifiers and addresses are words, too, but no prose; names of fields are prose only where they have blanks."""
    assert words_in([{"a": "x", "b": ["y", {"c": "z"}]}, 5, None]) == ["x", "y", "z"]
    assert holds_words({"a": [1, {"b": "x"}]})
    assert not holds_words({"a": [1, None, True, ""]})
    assert not holds_words({"a": "req_1-b:c/d?e=f"}, prose=True)
    assert holds_words({"a": ["two words"]}, prose=True)
    assert holds_words({"two words": 1}, prose=True)
    assert holds_words({"a": "héhé"}, prose=True)
    deep = orjson.loads("[" * 900 + '"a"' + "]" * 900)
    assert holds_words(deep)


def test_unknown_names_with_words_are_left_out() -> None:
    """What is known stays whatever it holds, and so does what holds no words."""
    told = {"id": "a b", "score": 1, "more": {"say": "a b"}, "ref": "x"}
    kept, strange = without_words(told, BODY, prose=True)
    assert (kept, strange) == ({"id": "a b", "score": 1, "ref": "x"}, ["more"])
    assert without_words(kept, BODY, prose=True) == (kept, [])


def test_what_cannot_be_read_is_said_clearly() -> None:
    """The error names the server that sent it and what it was."""
    assert str(cannot_read("audio")) == "the model server sent audio, which this server cannot read"


def test_an_unfinished_sentence_is_told_from_a_finished_one() -> None:
    """As the sentences of an answer are: a mark at the end, or a paragraph."""
    assert not any(
        map(unfinished, ("", " \n", "It is so.", "Is it? ", "真。", "So it goes\n\n", "x" * 9999 + "."))
    )
    assert all(
        map(
            unfinished,
            ("It is", "It is so, ", "Ask Dr.", "In the U.S.", "In no. 5.", "These are:", "x" * 9999),
        )
    )


def test_parts_are_joined_where_a_sentence_goes_on() -> None:
    """What is no text ends it; a blank part between changes nothing."""

    def says(part: object) -> str | None:
        return part if isinstance(part, str) else None

    told = ["It is", "so it.", "It goes.", "And", 5, "on", " ", "so", []]
    groups = [["It is", "so it."], ["It goes."], ["And"], [5], ["on", " ", "so"], [[]]]
    assert joined(told, says) == groups
