"""A report's JSON is bounded: what matters most is told in full, and what is left out is counted."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from guardrail.report import from_dict, to_dict
from guardrail.types import Evidence, Label, Passage, Source, Span
from proxy.judging.report_json import FULL, LISTED, encoded
from tests.findings import FOUND, report, verdict

TEXT = "It is so. " * 3000


def told(
    count: int, *, wrong: int = -1, flagged: int = -1, evidence: Evidence = FOUND, full: int = FULL
) -> dict[str, Any]:
    """The report on `count` claims as it is sent; one of them is contradicted, one flagged."""
    found = (
        verdict(
            n,
            Span(10 * n, 10 * n + 9),
            text=TEXT,
            label=Label.CONTRADICTORY if n == wrong else Label.ATTRIBUTABLE,
            evidence=evidence,
        )
        for n in range(count)
    )
    body = {**to_dict(report(*found, text=TEXT)), "flagged": [flagged]}
    read: dict[str, Any] = orjson.loads(encoded(body, full=full))
    return read


def in_full(claim: dict[str, Any]) -> bool:
    return bool(claim["facts"] and claim["entities"] and claim["evidence"]["triplets"])


def test_a_short_report_is_told_in_full() -> None:
    """Nothing is left out, and nothing is said of it."""
    found = told(3)
    assert "truncated" not in found
    assert all(map(in_full, found["claims"]))


def test_a_report_without_claims_is_as_it_was() -> None:
    """There is nothing that could be told in short."""
    assert told(0)["claims"] == []


def test_of_very_many_claims_most_are_told_in_short() -> None:
    """Each keeps its place, label and reason; facts and evidence go where there is no room, and it is said of how many."""
    found = told(3000, full=50_000)
    short = [one for one in found["claims"] if not in_full(one)]
    assert found["truncated"] == len(short) > 2000
    assert in_full(found["claims"][0])
    assert [one["id"] for one in found["claims"]] == list(range(3000))
    assert all(one.keys() == found["claims"][0].keys() for one in short)
    assert all(one["label"] == "attributable" and one["rationale"] and one["text"] for one in short)
    assert len(from_dict(found).verdicts) == 3000


@pytest.mark.parametrize("given", [{"wrong": 2999}, {"flagged": 2999}])
def test_what_is_wrong_is_told_in_full_first(given: dict[str, int]) -> None:
    """A contradicted or flagged claim at the end of a long answer keeps its evidence."""
    assert in_full(told(3000, full=10_000, **given)["claims"][2999])


@pytest.mark.parametrize("name", ["unchecked", "skipped", "edits", "entities"])
def test_of_a_long_list_the_first_are_told_and_the_rest_is_counted(name: str) -> None:
    """Beside the true counts, which are those of all."""
    entries = [{"start": n, "end": n + 1} for n in range(LISTED + 7)]
    body = {**to_dict(report(verdict(), text=TEXT)), name: entries}
    found = orjson.loads(encoded(body))
    assert (found[name], found["left_out"]) == (entries[:LISTED], {name: 7})
    assert orjson.loads(encoded({**body, "claims": []}))["left_out"] == {name: 7}
    assert "left_out" not in orjson.loads(encoded({**body, name: entries[:LISTED]}))


def test_evidence_of_any_size_is_bounded() -> None:
    """Long passages that many claims cite are not sent once for each of them."""
    large = Evidence(passages=(Passage("p", "x" * 20_000, Source.REQUEST),))
    assert len(orjson.dumps(told(1000, evidence=large))) < 2 * FULL
