"""JSON out of replies: wherever it stands, and only if it is what was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from guardrail.llm.reply import closed, find_json, read_json, validate

ITEM = closed(name={"type": "string"}, count={"type": "integer"})
SCHEMA = closed(items={"type": "array", "items": ITEM, "minItems": 1, "maxItems": 2})


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": 1}',
        '  {"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Here it is:\n```\n{"a": 1}\n```\nAnything else?',
        'Sure! {"a": 1} Hope that helps {"b": 2}',
    ],
)
def test_json_is_found_wherever_it_stands(reply: str) -> None:
    """Bare, fenced, or between words: the first value counts."""
    assert find_json(reply) == {"a": 1}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "no JSON"),
        ("None of this", "no JSON"),
        ('{"a": 1', "breaks off"),
        ("{'a': 1}", "broken"),
        ('__import__("os").system("true")', "no JSON"),
        ("[" * 100_000, "deeply|breaks off"),
    ],
)
def test_what_is_no_json_says_why(reply: str, reason: str) -> None:
    """Nothing is guessed and nothing is evaluated."""
    with pytest.raises(ValueError, match=reason):
        find_json(reply)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "reply must be of type object"),
        ({}, "lacks the key 'items'"),
        ({"items": [], "more": 1}, "items must have 1 to 2 items"),
        ({"items": [{"name": "x", "count": 1}], "more": 1}, "unknown key 'more'"),
        ({"items": [{"name": "x"}]}, r"items\[0\] lacks the key 'count'"),
        ({"items": [{"name": "x", "count": True}]}, r"items\[0\].count must be of type integer"),
        ({"items": [{"name": None, "count": 1}]}, r"items\[0\].name must be of type string"),
        ({"items": [{"name": "x", "count": 1}] * 3}, "1 to 2 items, not 3"),
    ],
)
def test_a_value_that_does_not_fit_says_where(value: Any, reason: str) -> None:
    """The reason names the place, so that a model can repair it."""
    with pytest.raises(ValueError, match=reason):
        validate(value, SCHEMA)


def test_a_value_that_fits_is_returned() -> None:
    """`read_json` gives the value as it is."""
    assert read_json('{"items": [{"name": "x", "count": 1}]}', SCHEMA) == {
        "items": [{"name": "x", "count": 1}]
    }


def test_an_enum_names_what_is_allowed() -> None:
    """The allowed values are in the reason; a long wrong value is cut."""
    with pytest.raises(ValueError, match="one of yes, no, not 'm"):
        validate("m" * 500, {"type": "string", "enum": ["yes", "no"]})


def test_a_schema_beyond_the_subset_is_a_programming_error() -> None:
    """An unsupported keyword is not silently ignored."""
    with pytest.raises(TypeError, match="anyOf"):
        validate(1, {"anyOf": []})
