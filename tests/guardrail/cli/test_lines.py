"""Texts by the line, in Python: what a line may say and what is said of one at fault."""

from __future__ import annotations

import json

import pytest

from guardrail.cli.lines import check_lines, told
from guardrail.types import Report
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "Expecting"),
        (b"[]", "must be a JSON object"),
        (b'{"text": 3}', "text must be a string"),
        (b"{}", "text is missing"),
        (b'{"text": "x", "reference": ["y"]}', "unknown field 'reference'; allowed: id, text, "),
        (b'{"text": "x", "references": "y"}', "references must be a list"),
        (b'{"text": "x", "references": [3]}', r"references[0]"),
        (b'{"text": "x", "triplets": [["a", "b"]]}', r"triplets[0]"),
        (b'{"text": "x", "sources": ["moon"]}', "sources"),
        (b'{"text": "x", "setting": "loud"}', "setting"),
        (b'{"text": "\xff"}', "utf-8"),
    ],
)
def test_a_line_at_fault_is_named_and_the_others_go_on(verifier: Verifier, line: bytes, reason: str) -> None:
    """Its number and what is wrong with it stand in its place."""
    (first, error), (second, report) = check_lines(verifier, [line, b'{"text": "Hello!"}'])
    assert (first, second) == (1, 2)
    assert isinstance(error, str)
    assert reason in error
    assert isinstance(report, Report)
    assert json.loads(told(1, error)) == {"line": 1, "error": error}


def test_rows_of_a_batch_are_lines_too(verifier: Verifier) -> None:
    """With their ids; half a surrogate pair, in the text or in a reference, stops nothing."""
    row = b'{"id": "a", "text": "It opened \\ud800 in 1889.", "references": ["The tower \\ud800 opened in 1889."]}'
    [(_, report)] = check_lines(verifier, [row])
    assert isinstance(report, Report)
    assert report.unchecked == ()
    assert told(1, report).encode().count(b"\\ud800") >= 1
    assert json.loads(told(1, report))["text"] == report.text
