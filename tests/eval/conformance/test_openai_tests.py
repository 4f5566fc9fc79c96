"""How runs of openai-python's tests are compared."""

from __future__ import annotations

import json
import runpy
from typing import Any

import pytest

from eval.conformance.likeness import said
from eval.conformance.openai_tests import other_answers

CHUNK = {"id": "c", "choices": [{"index": 0, "delta": {"content": "Canberra."}, "finish_reason": "stop"}]}
OURS = {
    "id": "c",
    "choices": [{"index": 0, "delta": {"guardrail": {}}, "finish_reason": None}],
    "guardrail": {},
}
WHOLE = {"id": "c", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Canberra."}}]}


def told(direct: Any, through: Any) -> list[str]:
    one, other = ({"test": [said(json.dumps(given).encode())]} for given in (direct, through))
    return list(other_answers(one, other))


def test_what_is_added_is_no_difference() -> None:
    """Reports in an answer, and events with nothing but a report, are what docs/wire.md says."""
    reported = {**WHOLE, "guardrail": {"outcome": "confirmed"}}
    assert told(WHOLE, reported) == []
    assert told({"events": [CHUNK]}, {"events": [CHUNK, OURS]}) == []


@pytest.mark.parametrize("content", [None, "", "Sydney."])
def test_another_text_is_a_difference(content: str | None) -> None:
    """A content that is null, empty or other is told, whatever the SDK's own tests say of its type."""
    message = {"role": "assistant", "content": content}
    (found,) = told(WHOLE, {**WHOLE, "choices": [{"index": 0, "message": message}]})
    assert found.startswith(f"test: answers[0].choices[0].message.content is {content!r}")


SPEAKING = {**OURS, "choices": [{"index": 0, "delta": {"content": "Sydney."}, "finish_reason": None}]}
REFUSED = {"refused": "JSONDecodeError: …", "event": None}


@pytest.mark.parametrize("events", [[], [OURS], [CHUNK, CHUNK], [REFUSED], [CHUNK, SPEAKING]])
def test_another_stream_is_a_difference(events: list[Any]) -> None:
    """Text that is dropped or doubled, garbage, and words in an event of ours are told."""
    assert len(told({"events": [CHUNK]}, {"events": events})) == 1


def test_an_answer_that_is_missing_is_a_difference() -> None:
    """A test that got fewer answers than directly is told."""
    assert list(other_answers({"test": [1, 2]}, {"test": [1]})) == ["test: answers has 1 members, not 2"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # runpy says that the module is loaded already
def test_run_as_a_program_it_is_the_suite(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m eval.conformance.openai_tests` runs the suite; where no client is installed, it says so and fails."""
    monkeypatch.setattr("eval.suites.openai_tests.installed", lambda _: None)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("eval.conformance.openai_tests", run_name="__main__")
    assert ended.value.code == 3
    assert "python -m eval.conformance.environments" in capsys.readouterr().out
