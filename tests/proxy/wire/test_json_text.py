"""From answer text to sentences: JSON as long as it is JSON, prose otherwise."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.segment import segment
from guardrail.types import Sentence
from proxy.wire.json_strings import Quoted
from proxy.wire.json_text import TextReader

PIECES = [
    *'{}[],:"\\ \n*',
    "\\n",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\u",
    " true",
    "null",
    "12.5e3",
    "It is wrong. ",
    "name",
    "```json\n",
    "真。",
    json.dumps({"k": 'It is wrong. He said "no".'}),
]


def read(text: str, cuts: tuple[int, ...] = (), *, asked: bool = False) -> list[Sentence]:
    reader, found = TextReader(asked=asked), []
    for start, end in pairwise([0, *sorted(cuts), len(text)]):
        found += reader.feed(text[start:end])
        assert all(one.span.end <= reader.committed for one in found)
    found += reader.flush()
    assert reader.committed == len(text)
    return found


def words(text: str, *, asked: bool = False) -> list[tuple[str, bool]]:
    return [(one.text, isinstance(one, Quoted)) for one in read(text, asked=asked)]


@given(
    st.lists(st.sampled_from(PIECES), max_size=10).map("".join), st.lists(st.integers(0, 60)), st.booleans()
)
def test_any_chunking_gives_the_same_sentences(text: str, cuts: list[int], asked: bool) -> None:
    """Whatever the text and however it is cut, the sentences are those of the whole, in order, where they say they are."""
    whole = read(text, asked=asked)
    assert read(text, tuple(min(cut, len(text)) for cut in cuts), asked=asked) == whole
    assert all(one.span.of(text) == one.text for one in whole)
    assert all(a.span.end <= b.span.start for a, b in pairwise(whole))


def test_strings_of_json_are_sentences() -> None:
    """Numbers, literals and keys of a word or two are none; values at any depth are cut into sentences of their own."""
    text = '{"It is a key.": 1, "a": "It is true. It is wrong.", "b c": [true, {"c": "Deep."}, -2.5e3, null]}'
    assert words(text) == [
        ("It is a key.", True),
        ("It is true.", True),
        ("It is wrong.", True),
        ("Deep.", True),
    ]


def test_an_escaped_line_end_ends_a_paragraph() -> None:
    r"""Values are cut as they read: `\n\n` between words parts them, and the words stay as they stand."""
    assert words(r'["A heading\n\nHe said \"no\"."]') == [("A heading", True), (r"He said \"no\".", True)]


@pytest.mark.parametrize(
    "text", ["It is prose.", "[1] It is cited.", "[a](b) is a link.", "{braces} are prose.", "  [x] done."]
)
def test_prose_is_read_as_ever(text: str) -> None:
    """What only begins like JSON is prose from its beginning."""
    assert read(text) == segment(text)


def test_what_follows_json_is_not_lost() -> None:
    """Words behind or within broken JSON are prose, so they are checked too."""
    assert words('{"a": "It is true."} It is wrong.')[1] == ("It is wrong.", False)
    assert words('{"a": "It is true.", It is wrong.')[1] == ("It is wrong.", False)


def test_asked_for_json_may_be_a_string_or_fenced() -> None:
    """Where JSON was asked for, a lone string and a fence around the JSON are read; elsewhere they are prose and code."""
    assert words('"It is wrong."', asked=True) == [("It is wrong.", True)]
    assert words('```json\n{"a": "It is wrong."}\n```', asked=True)[0] == ("It is wrong.", True)
    assert not any(quoted for _, quoted in words('"It is wrong."') + words('```json\n{"a": "Wrong."}\n```'))


def test_a_string_that_never_ends_is_still_read() -> None:
    """An answer cut off within a string gives what came of it."""
    assert words('{"a": "It is true. It is wro') == [("It is true.", True), ("It is wro", True)]
