"""What the properties of a graph are taken for, and how a user changes it."""

import json
from pathlib import Path

import pytest

from guardrail.errors import ConfigError
from tests.guardrail.cli.conftest import Run

FACTS = """\
subject,predicate,object,start,end
Ward 1,beds,12,,
Ward 2,beds,20,,
Ward 1,open on Sundays,no,,
Ward 1,visiting hours,14:00-20:00,,
Ward 1,head,Ann Lee,2011,2019
Ward 1,head,Bo Ek,2019,
Ward 1,board member,Ann Lee,,
Ward 1,price,£2.80 per hour,,
"""


@pytest.fixture
def facts(run: Run, tmp_path: Path) -> Path:
    """A graph of a company's own."""
    table, into = tmp_path / "facts.csv", tmp_path / "company.db"
    table.write_text(FACTS)
    assert "6 properties: 4 single-valued, 1 list, 1 changes over time; 0 values not understood" in (
        run("import", str(table), "--quiet", graph=into).output
    )
    return into


def test_each_property_is_shown_with_what_it_is_taken_for(run: Run, facts: Path) -> None:
    """Type, values and who said so; in JSON likewise."""
    told = json.loads(run("properties", "--json", graph=facts).output)["properties"]
    by_label = {
        one["label"]: (one["type"], one["cardinality"], one["temporal"], one["declared"]) for one in told
    }
    assert by_label["beds"] == ("number", "single", False, False)
    assert by_label["head"] == ("thing", "single", True, False)
    assert by_label["board member"] == ("thing", "unknown", False, False)
    shown = run("properties", graph=facts).output
    assert "one at a time" in shown
    assert "6 properties: 4 single-valued, 1 list, 1 changes over time" in shown


def test_what_a_user_says_of_a_property_goes_before_what_was_inferred(
    run: Run, facts: Path, tmp_path: Path
) -> None:
    """Also when more is imported."""
    assert run("check", "Ward 1", "beds", "13", graph=facts).output.startswith("conflict:")
    assert (
        "beds: a list, also called places"
        in run("property", "beds", "--cardinality", "list", "-a", "places", graph=facts).output
    )
    (tmp_path / "more.csv").write_text("subject,predicate,object\nWard 3,beds,7\n")
    run("import", str(tmp_path / "more.csv"), "--quiet", graph=facts)
    assert run("check", "Ward 1", "places", "13", graph=facts).output.startswith("new:")
    assert "one" in run("property", "board member", "--cardinality", "single", graph=facts).output
    assert run("check", "Ward 1", "board member", "Bo Ek", graph=facts).output.startswith("conflict:")


def test_a_flag_can_be_taken_back(run: Run, facts: Path) -> None:
    """A list that was declared to name all members may go on after all."""
    assert "a complete list" in run("property", "board member", "--complete", graph=facts).output
    assert run("check", "Ward 1", "board member", "Bo Ek", graph=facts).output.startswith("conflict:")
    assert "a complete list" not in run("property", "board member", "--open", graph=facts).output
    assert run("check", "Ward 1", "board member", "Bo Ek", graph=facts).output.startswith("new:")


def test_nothing_to_change_is_a_mistake(run: Run, facts: Path) -> None:
    """And is told as one."""
    with pytest.raises(ConfigError, match="nothing to change"):
        run("property", "beds", graph=facts)
