"""What answers cost, in the words of every API."""

from __future__ import annotations

import orjson
import pytest

from proxy.wire.sse import Event, encode
from proxy.wire.usage import Usage, added


def event(body: object, name: str = "") -> Event:
    data = orjson.dumps(body)
    return Event(encode(data, name=name), data, name)


@pytest.mark.parametrize(
    ("bodies", "tokens"),
    [
        ([{"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}], (3, 4)),
        (
            [{"type": "response.completed", "response": {"usage": {"input_tokens": 3, "output_tokens": 4}}}],
            (3, 4),
        ),
        (
            [
                {"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}},
                {"type": "message_delta", "usage": {"output_tokens": 4}},
            ],
            (3, 4),
        ),
        ([{"usage": None}], None),
        ([{"usage": {"prompt_tokens": "many"}}], None),
        ([["usage"]], None),
    ],
)
def test_tokens_are_found_wherever_an_api_tells_them(bodies: list, tokens: tuple[int, int] | None) -> None:
    """The last word holds; events are left as they came, byte for byte."""
    usage = Usage()
    for body in bodies:
        given = event(body)
        assert usage.read_event(given) is given
    assert usage.tokens == tokens


def test_what_was_spent_before_is_added_where_usage_is_told() -> None:
    """The numbers of both attempts, nested ones included, in the same place and under the same event name."""
    spent = {"input_tokens": 3, "output_tokens": 4, "details": {"cached": 1, "kind": "x"}, "only": 2}
    told = {"type": "response.completed", "response": {"usage": {"input_tokens": 10, "output_tokens": 20,
            "details": {"cached": 5, "kind": "y"}}}}  # fmt: skip
    usage = Usage(spent)
    found = usage.read_event(event(told, "response.completed"))
    assert found.name == "response.completed"
    assert orjson.loads(found.data or b"")["response"]["usage"] == {
        "input_tokens": 13,
        "output_tokens": 24,
        "details": {"cached": 6, "kind": "y"},
        "only": 2,
    }
    assert usage.tokens == (10, 20)
    assert usage.told["output_tokens"] == 24


def test_an_event_without_usage_is_not_touched() -> None:
    """Not even when its words speak of it, or it is no JSON."""
    usage = Usage({"prompt_tokens": 1})
    for given in (
        event({"delta": {"content": '"usage"'}}),
        Event(b'"usage"', None),
        Event(b'"usage" {', b'"usage" {'),
    ):
        assert usage.read_event(given) is given
    assert usage.tokens is None


def test_numbers_are_added_and_nothing_else() -> None:
    """Booleans and words of the first stay."""
    assert added({"a": 1, "b": True, "c": "x"}, {"a": 2.5, "b": True, "c": "y", "d": None}) == {
        "a": 3.5,
        "b": True,
        "c": "x",
        "d": None,
    }
