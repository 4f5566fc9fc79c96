"""`guardrail check --jsonl`: a text to a line in, a report to a line out, as `/guardrail/verify` takes and gives them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from guardrail.errors import BadRequest
from guardrail.report import to_dict
from guardrail.types import Report

if TYPE_CHECKING:
    from guardrail.verifier import Verifier

__all__ = ["FIELDS", "check_given", "check_lines", "told"]

FIELDS = ("text", "question", "references", "triplets", "sources", "setting")


def check_lines(verifier: Verifier, lines: Iterable[bytes]) -> Iterator[tuple[int, Report | str]]:
    """For each line that is not blank its 1-based number and its report, or what is wrong with it."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, check_given(verifier, _given(line))
            except (BadRequest, ValueError) as error:
                yield number, str(error)


def told(number: int, found: Report | str) -> str:
    """A line of output: the report with the number of its line, or `{line, error}`. Half of a surrogate pair stays an escape."""
    body = to_dict(found) if isinstance(found, Report) else {"error": found}
    line = json.dumps({"line": number, **body}, ensure_ascii=False)
    return line.encode("utf-8", "backslashreplace").decode()


def check_given(verifier: Verifier, given: Mapping[str, Any]) -> Report:
    """The report on what a line says. Raises BadRequest, ValueError."""
    _must_be_known(given)
    return verifier.check(
        given["text"],
        question=given.get("question") or "",
        references=given.get("references") or (),
        triplets=given.get("triplets") or (),
        sources=given.get("sources"),
        setting=given.get("setting"),
    )


def _given(line: bytes) -> Mapping[str, Any]:
    """What a line says, without the `id` that a row of a batch may have. Raises BadRequest, ValueError."""
    given = json.loads(line)
    if not isinstance(given, Mapping):
        raise BadRequest("a line must be a JSON object")
    return {name: value for name, value in given.items() if name != "id"}


def _must_be_known(given: Mapping[str, Any]) -> None:
    if unknown := sorted(given.keys() - set(FIELDS)):
        raise BadRequest(f"unknown field {unknown[0]!r}; allowed: {', '.join(('id', *FIELDS))}")
    if "text" not in given:
        raise BadRequest("text is missing")
    if not isinstance(given["text"], str):
        raise BadRequest("text must be a string")
    for name in ("references", "triplets", "sources"):
        if not isinstance(given.get(name) or [], list):
            raise BadRequest(f"{name} must be a list")
