"""The commands that read the graph, as a user meets them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from guardrail.errors import KnowledgeDamaged, KnowledgeError, KnowledgeMissing
from guardrail.evidence.store.graph import Graph

Run = Callable[..., Result]


def test_show_prints_facts_with_qualifiers(run: Run) -> None:
    """In a readable table."""
    out = run("show", "United States").output
    assert "head of state (P35)" in out
    assert "start time: 2009-01-20; end time: 2017-01-20" in " ".join(out.split())
    assert "also known as: U.S., US, USA" in out


def test_show_incoming_and_ids(run: Run) -> None:
    """What points at it, and the ids that retract takes."""
    out = run("show", "Q25191", "--incoming", "5", "--ids").output
    assert "Inception" in out
    assert "Q25188$~" in out


def test_search_finds_and_says_when_it_does_not(run: Run) -> None:
    """Best known first."""
    out = run("search", "paris").output
    assert out.index("Q90") < out.index("Q830149")
    with pytest.raises(KnowledgeError, match="nothing is called 'zorbax'"):
        run("search", "zorbax")


def test_classes_are_listed_with_their_names_and_sizes(run: Run) -> None:
    """The largest first, or those with a word in their names; as JSON for scripts."""
    lines = run("classes").output.splitlines()
    assert lines[1].split() == ["Q5", "human", "3"]
    assert "human" not in run("classes", "film").output
    found = json.loads(run("classes", "--json").output)["classes"]
    assert found[0] == {"id": "Q5", "label": "human", "aliases": [], "entities": 3}
    with pytest.raises(KnowledgeError, match="no class has 'zorbax'"):
        run("classes", "zorbax")


def test_stats_as_json(run: Run, world: Path) -> None:
    """For scripts."""
    found = json.loads(run("stats", "--json").output)
    assert found["entities"] == 35
    assert found["graph"] == str(world)
    assert "statements" in run("stats").output


def test_path_between_names(run: Run) -> None:
    """And what is said when there is none."""
    out = run("path", "Barack Obama", "Hawaii", "--words", "birth").output
    assert "Barack Obama — place of birth → Honolulu" in out
    assert "no path" in run("path", "apple", "Hawaii").output


def test_a_missing_graph_is_named(run: Run, tmp_path: Path) -> None:
    """Reading commands make none."""
    with pytest.raises(KnowledgeMissing):
        run("stats", graph=tmp_path / "none.db")


def test_an_export_that_fails_leaves_no_file(run: Run, world: Path, tmp_path: Path) -> None:
    """A statement that cannot be read ends it; what stood under the name stays."""
    out = tmp_path / "all.jsonl"
    out.write_text("before")
    with Graph.open(world, read_only=False) as graph, graph.database.transaction() as cursor:
        cursor.rows("UPDATE statement SET value = 'no JSON' WHERE value IS NOT NULL")
    with pytest.raises(KnowledgeDamaged, match="cannot be read"):
        run("export", str(out))
    assert out.read_text() == "before"
    assert not list(tmp_path.glob(".*"))


def test_export_and_import_again(run: Run, tmp_path: Path) -> None:
    """The way from one store to another."""
    out, other = tmp_path / "all.jsonl", tmp_path / "other.db"
    run("export", str(out))
    run("import", str(out), "--quiet", graph=other)
    mine = {line.split("—")[-1] for line in run("path", "Q76", "Q30").output.splitlines()}
    theirs = {line.split("—")[-1] for line in run("path", "Q76", "Q30", graph=other).output.splitlines()}
    assert {line for line in mine if "place" in line} == {line for line in theirs if "place" in line} != set()
    assert run("export", "--format", "nt").output.startswith("<http://www.wikidata.org/entity/")


def test_an_export_says_what_it_leaves_out(run: Run, tmp_path: Path) -> None:
    """By property; what it writes is read back as it was."""
    rows = "Dish,range,1–18 GHz\nDish,visitors,2-3 million\nDish,guides,14\n"
    (tmp_path / "a.csv").write_text("subject,predicate,object\n" + rows, encoding="utf-8")
    run("import", str(tmp_path / "a.csv"), "--quiet", graph=tmp_path / "a.db")
    told = run("export", str(tmp_path / "a.nt"), graph=tmp_path / "a.db")
    assert "1 values are left out, which N-Triples cannot hold: visitors (1)" in told.stderr
    run("import", str(tmp_path / "a.nt"), "--quiet", graph=tmp_path / "b.db")
    shown = run("show", "Dish", graph=tmp_path / "b.db").output
    assert "1–18 GHz" in shown
    assert "million" not in shown
