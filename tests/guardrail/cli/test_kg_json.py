"""What `--json` prints is one documented object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import Result

from guardrail.evidence.store.graph import Graph
from guardrail.report.reading import triplet_from_dict

Run = Callable[..., Result]
ENTITY = ["aliases", "description", "id", "label", "popularity", "types", "url"]


def asked(run: Run, *arguments: str) -> dict[str, Any]:
    [line] = run(*arguments, "--json").output.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_every_answer_names_the_graph_and_its_version(run: Run, world: Path) -> None:
    """So that a script can tell what it was based on."""
    with Graph.open(world) as graph:
        expected = (str(world), graph.version)
    for arguments in (
        ["stats"],
        ["search", "paris"],
        ["show", "Q76"],
        ["path", "Q76", "Q30"],
        ["check", "Q76", "place of birth", "Honolulu"],
    ):
        found = asked(run, *arguments)
        assert (found["graph"], found["version"]) == expected


def test_search_gives_entities_also_none(run: Run) -> None:
    """That nothing was found is an answer, for a script."""
    found = asked(run, "search", "paris")
    assert found["entities"][0]["id"] == "Q90"
    assert sorted(found["entities"][0]) == ENTITY
    assert asked(run, "search", "zorbax")["entities"] == []


def test_show_gives_statements_as_a_report_does(run: Run, world: Path) -> None:
    """Reading them back gives what the graph says; with `--incoming` what is said about the entity."""
    found = asked(run, "show", "United States")
    assert sorted(found["entity"]) == ENTITY
    assert "USA" in found["entity"]["aliases"]
    assert found["incoming"] == []
    with Graph.open(world) as graph:
        known = graph.statements(found["entity"]["id"])
    assert [triplet_from_dict(row) for row in found["statements"]] == known
    assert any(row["qualifiers"] for row in found["statements"])
    about = asked(run, "show", "Q25191", "--incoming", "5")["incoming"]
    assert {row["object"]["id"] for row in about} == {"Q25191"}


def test_path_gives_the_statements_of_each_path(run: Run) -> None:
    """In the order of the list; none where there is none."""
    found = asked(run, "path", "Barack Obama", "Hawaii", "--words", "birth")
    assert (found["start"], found["paths"][0]["hops"]) == ("Q76", 2)
    first = found["paths"][0]["statements"]
    assert first[0]["predicate"]["label"] == "place of birth"
    assert asked(run, "path", "apple", "Hawaii")["paths"] == []


def test_check_gives_state_reason_and_what_decides(run: Run) -> None:
    """And says where a name is unknown."""
    found = asked(run, "check", "Barack Obama", "place of birth", "Honolulu")
    assert found["state"] == "redundant"
    assert found["known"][0]["object"]["label"] == "Honolulu"
    assert found["unknown"] == ""
    assert "no entity 'Zorbax'" in asked(run, "check", "Barack Obama", "place of birth", "Zorbax")["unknown"]
