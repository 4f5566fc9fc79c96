"""From JSON back to a report."""

from __future__ import annotations

import json

import pytest

from guardrail.report import from_dict, to_dict
from guardrail.types import Report


def test_a_report_survives_its_json_form(report: Report) -> None:
    """What is read back prints the same JSON, and has the same sides of a conflict."""
    written = to_dict(report)
    read = from_dict(json.loads(json.dumps(written)))
    assert to_dict(read) == written
    assert read.verdicts[0].by_source == report.verdicts[0].by_source
    (fact,), (known,) = read.verdicts[0].claim.facts, report.verdicts[0].claim.facts
    assert (fact.relations, fact.object_type, fact.object) == (
        known.relations,
        known.object_type,
        known.object,
    )
    (mention,) = read.verdicts[0].claim.mentions
    assert mention.entity is not None
    assert (mention.entity.id, mention.entity.types) == ("Q26876", ("Q5",))


def test_a_report_of_an_earlier_version_is_read() -> None:
    """Fields that were added later may be missing."""
    read = from_dict({"text": "x", "claims": [], "kas": 0.5})
    assert (read.text, read.setting, read.verdicts) == ("x", "zero", ())


@pytest.mark.parametrize(("data", "word"), [({}, "text"), ({"text": "x", "claims": [{}], "kas": 0.5}, "id")])
def test_what_is_no_report_is_refused_by_name(data: dict[str, object], word: str) -> None:
    """The error names the missing field."""
    with pytest.raises(ValueError, match=f"not a report: no '{word}'"):
        from_dict(data)
