"""A report as JSON."""

from __future__ import annotations

import json

from guardrail.report import to_dict
from guardrail.types import Report


def test_the_json_form_has_the_published_fields(report: Report) -> None:
    """The fields of docs/wire.md are there under their names."""
    data = report.to_dict()
    claim = json.loads(json.dumps(data))["claims"][0]
    assert claim["evidence"]["triplets"][0]["object"] == {
        "label": "13 December 1989",
        "value": "1989-12-13",
        "datatype": "date",
        "precision": 11,
        "calendar": "gregorian",
    }
    assert claim["slot"]["known"] == "1989-12-13"
    value = {"label": "1990", "value": "1990", "datatype": "date", "precision": 9}
    assert claim["facts"][0]["object"] == {"text": "1990", "start": 27, "end": 31, "value": value}
    assert (claim["facts"][0]["relations"], claim["facts"][0]["object_type"]) == (["P569"], "year")
    assert claim["entities"] == [{"id": "Q26876", "label": "Taylor Swift", "types": ["Q5"]}]
    assert (data["outcome"], data["setting"]) == ("flagged", "accurate")
    assert data["counts"]["contradictory"] == 1
    assert data["gaps"] == [[0, 2], [32, 40]]


def test_both_sides_of_a_conflict_are_written(report: Report) -> None:
    """Each source has its label and its evidence with source, place and date."""
    claim = to_dict(report)["claims"][0]
    assert claim["conflict"] is True
    assert [(one["source"], one["label"]) for one in claim["by_source"]] == [
        ("kg", "contradictory"),
        ("request", "attributable"),
    ]
    (passage,) = claim["by_source"][1]["evidence"]["passages"]
    where = {name: passage[name] for name in ("source", "message", "start", "end", "marks", "as_of")}
    assert where == {
        "source": "request",
        "message": 1,
        "start": 0,
        "end": 10,
        "marks": [[5, 9]],
        "as_of": "2025",
    }
    (triplet,) = claim["by_source"][0]["evidence"]["triplets"]
    assert (triplet["id"], triplet["source"], triplet["as_of"]) == ("s1", "starter", "2026")


def test_utf16_offsets_point_at_the_same_words(report: Report) -> None:
    """A browser, which counts UTF-16 units, finds the claim where Python finds it."""
    claim = to_dict(report, utf16=True)["claims"][0]
    units = report.text.encode("utf-16-le")
    assert units[2 * claim["start"] : 2 * claim["end"]].decode("utf-16-le") == claim["text"]
