"""Pointers lead to the string values that they name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire.json_pointer import Pointers

KEYS = st.text(alphabet='ab~/"\\é🙂 {}[],:', max_size=4)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(alphabet='x"\\{}[],:é🙂', max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=15,
)


def resolved(value: Any, pointer: str) -> Any:
    """What a pointer leads to, by RFC 6901."""
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@given(value=VALUES, ascii_only=st.booleans(), indent=st.sampled_from([None, 2]))
def test_every_offset_of_a_string_leads_to_that_string(
    value: object, ascii_only: bool, indent: int | None
) -> None:
    """For all JSON: the pointer at a place within a string value names a value that is written there."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found, pointers = 0, Pointers(text)
    for at in range(len(text)):
        if (pointer := pointers.at(at)) is not None:
            told = json.dumps(resolved(value, pointer), ensure_ascii=ascii_only)
            assert told[1:-1] in text
            assert text[at] in told
            found += 1
    assert found == sum(map(len, strings(json.loads(text), ascii_only=ascii_only)))


def strings(value: Any, *, ascii_only: bool) -> list[str]:
    """All string values as they are written."""
    if isinstance(value, str):
        return [json.dumps(value, ensure_ascii=ascii_only)[1:-1]]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for each in inner for one in strings(each, ascii_only=ascii_only)]


def test_keys_have_no_pointer_and_are_escaped_in_those_of_others() -> None:
    """Slashes and tildes of a key are written as RFC 6901 wants them."""
    text = '{"a/b~c": ["x", {"d": "y"}], "": "z"}'
    pointers = Pointers(text)
    assert pointers.at(text.index("a/b")) is None
    assert [pointers.at(text.index(f'"{one}"') + 1) for one in "xyz"] == ["/a~1b~0c/0", "/a~1b~0c/1/d", "/"]
    assert Pointers('"alone"').at(1) == ""


@pytest.mark.parametrize("text", ["", "prose", '}"a"', '{"a": "b', '{"\\q": "b"}', ',"a"', "[" * 10_000])
def test_what_is_no_json_breaks_nothing(text: str) -> None:
    """There may be no pointer, but never an error."""
    assert [Pointers(text).at(at) for at in (0, len(text) // 2, len(text) + 5)]
