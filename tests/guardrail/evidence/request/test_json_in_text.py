"""JSON in the middle of a text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.evidence.request import json_in_text
from guardrail.evidence.request.json_in_text import Literals, values
from guardrail.evidence.request.windows import Windows

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(JSON) | st.dictionaries(st.text(), JSON), st.booleans(), st.sampled_from([None, 1]))
def test_a_value_is_found_as_it_was_written(value, plain, indent):
    """Whatever it holds and however it is written, between other words; each of its strings has its place."""
    written = json.dumps(value, ensure_ascii=plain, indent=indent)
    text = f"Results:\n{written} and more"
    first = next(values(Windows(text)))
    assert first.value == value
    assert first.span.of(text) == written
    for start, end in first.strings:
        assert text[start - 1] + text[end] == '""'


@pytest.mark.parametrize(
    "text", ["[see below]", '["a', '{"a": b}', "[1 2]", "[" * 200 + "]" * 200, "[1, 2", "[}"]
)
def test_what_only_begins_like_json_is_none(text):
    """No value, and no error."""
    assert list(values(Windows(text))) == []


def test_a_value_that_is_too_long_is_said_to_be_unread(monkeypatch):
    """It is not passed over in silence."""
    monkeypatch.setattr(json_in_text, "_LONGEST", 2000)
    for text in ("[" + "1," * 2000 + "1]", '["' + "a" * 4000 + '"]'):
        with pytest.raises(TimeoutError):
            list(values(Windows(text)))


def test_strings_are_found_in_their_order():
    """Each is found once, behind the one before it; one that is not there is not found."""
    text = '["a", "\\u0062", "a"]'
    (value,) = values(Windows(text))
    literals = Literals(text, value.strings)
    assert [literals.find(word) for word in ("a", "b", "a")] == [
        json_in_text.Span(2, 3),
        json_in_text.Span(7, 13),
        json_in_text.Span(17, 18),
    ]
    assert literals.find("a") is None
