"""YAML with line numbers, against the published schema."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.errors import PolicyError
from policies.reader import read, schema


def test_every_key_knows_its_line() -> None:
    """Lines are kept by path, lists by index."""
    documents, problems = read("name: a\nclaims:\n- when:\n    label: contradictory\n  then: attach\n", "p")
    assert not problems
    lines = documents[0].lines
    assert {key: lines[key] for key in ("name", "claims", "claims[0].when.label", "claims[0].then")} == {
        "name": 1,
        "claims": 2,
        "claims[0].when.label": 4,
        "claims[0].then": 5,
    }


def test_several_documents_are_read_in_order() -> None:
    """Empty documents between them are passed over."""
    documents, problems = read("name: a\n---\n---\nname: b\n", "p")
    assert not problems
    assert [document.value["name"] for document in documents] == ["a", "b"]


def test_all_problems_are_found_in_one_reading() -> None:
    """A file with five mistakes takes one round to mend, not five."""
    _, problems = read("mod: hold\nshadow: 1\ndeadline_ms: x\non_flag: no\nclaims: 3\n", "p")
    assert [problem.line for problem in problems] == [1, 2, 3, 4, 5]


_leaf = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 700000),
    st.floats(-1, 2),
    st.sampled_from(["hold", "block", "x", ""]),
)
_keys = st.sampled_from([*schema()["properties"], "nonsense"])
_values = st.recursive(
    _leaf,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_keys, inner, max_size=3)),
    max_leaves=6,
)


@given(st.dictionaries(_keys, _values, max_size=4))
def test_the_reader_agrees_with_a_json_schema_validator(value: dict[str, object]) -> None:
    """Whatever is written, we refuse it exactly when the published schema does."""
    import yaml

    text = yaml.safe_dump(value, allow_unicode=True) if value else "{}"
    valid = jsonschema.Draft202012Validator(schema()).is_valid(yaml.safe_load(text))
    documents, problems = read(text, "p")
    assert (not problems) is valid
    assert bool(documents) is True


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_as_a_policy_error(text: str) -> None:
    """No input makes the reader fail in another way."""
    try:
        documents, problems = read(text, "p")
    except PolicyError:
        return
    assert problems or documents


def test_an_unknown_tag_is_no_value() -> None:
    """Tags cannot construct anything."""
    _, problems = read("description: !!python/object/apply:os.getcwd []\nname: !x y\n", "p")
    assert [problem.line for problem in problems] == [1, 2]


@pytest.mark.parametrize(
    "text", ["deadline_ms: 0x10", "deadline_ms: 1:30", "deadline_ms: 010.5", "deadline_ms: 1e3"]
)
def test_numbers_are_plain_decimals(text: str) -> None:
    """YAML 1.1's hexadecimal, sexagesimal and exponent forms are no whole numbers."""
    assert read(text, "p")[1]
