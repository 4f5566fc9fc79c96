"""The graph from the command line, as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from guardrail.cli.kg import kg
from guardrail.errors import ConfigError, ImportFailed, KnowledgeError, KnowledgeMissing
from guardrail.evidence.graph import Graph
from tests.world import fill

Run = Callable[..., Result]


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """The small world in a file."""
    path = tmp_path / "world.db"
    fill(Graph.create(path)).close()
    return path


@pytest.fixture
def run(world: Path) -> Run:
    """Runs `guardrail kg -k world.db …`; errors of ours come through as they are."""

    def call(*arguments: str, graph: Path = world) -> Result:
        result = CliRunner().invoke(kg, ["-k", str(graph), *arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


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


def test_check_add_show_retract(run: Run) -> None:
    """The life of a fact."""
    assert run("check", "Q937", "spouse", "Michelle Obama").output.startswith("new:")
    added = run(
        "add", "Albert Einstein", "spouse", "Michelle Obama", "-q", "start time=1903", "--source", "me"
    )
    assert "version" in added.output
    assert run("check", "Q937", "spouse", "Michelle Obama").output.startswith("redundant:")
    assert "start time: 1903" in run("show", "Q937").output
    assert run("retract", "--subject", "Q937", "--predicate", "spouse").output.startswith("1 retracted")
    assert run("check", "Q937", "spouse", "Michelle Obama").output.startswith("new:")


def test_a_conflict_is_not_added_by_accident(run: Run) -> None:
    """Unless it is forced."""
    assert run("check", "Barack Obama", "born in", "Kenya").output.startswith("conflict:")
    with pytest.raises(KnowledgeError, match=r"one place of birth.*--force"):
        run("add", "Barack Obama", "born in", "Kenya")
    assert "conflict" in run("add", "Barack Obama", "born in", "Kenya", "--force").output


def test_new_things_are_made_on_request(run: Run) -> None:
    """A slip of the pen makes none."""
    with pytest.raises(KnowledgeError, match="--new makes it"):
        run("add", "Zorbax Inc", "owner", "Ada Zorbax")
    assert run("add", "Zorbax Inc", "owner", "Ada Zorbax", "--new").exit_code == 0
    assert "Ada Zorbax" in run("show", "Zorbax Inc").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("retract",), "either statements"),
        (("retract", "x", "--subject", "Q76"), "either statements"),
        (("retract", "Q76$~00"), "no such statement"),
        (("add", "Q76", "spouse", "Q937", "-q", "nonsense"), "PROPERTY=VALUE"),
        (("add", "Q76", "P569", "long ago"), "no date"),
        (("show", "Zorbax"), "no entity 'Zorbax'"),
        (("path", "Q76", "Zorbax"), "no entity 'Zorbax'"),
    ],
)
def test_mistakes_are_named(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """One line each."""
    with pytest.raises((KnowledgeError, ConfigError), match=message):
        run(*arguments)


def test_a_missing_graph_is_named(run: Run, tmp_path: Path) -> None:
    """Reading commands make none."""
    with pytest.raises(KnowledgeMissing):
        run("stats", graph=tmp_path / "none.db")


def test_import_tells_what_it_did(run: Run, tmp_path: Path) -> None:
    """Written, bad with their lines; a second time nothing."""
    path = tmp_path / "facts.csv"
    path.write_text("subject,predicate,object\nAcme,owner,Ann\nAcme,,Bo\n")
    first = run("import", str(path), "--quiet", graph=tmp_path / "new.db")
    assert "1 written, 1 bad of 2 records" in first.output
    assert "facts.csv:3: no predicate" in first.output
    assert "imported already" in run("import", str(path), "--quiet", graph=tmp_path / "new.db").output
    assert "Ann" in run("show", "Acme", graph=tmp_path / "new.db").output


def test_import_goes_into_the_graph_that_is_named(tmp_path: Path, run: Run) -> None:
    """`--into`; with a mapping, a language and a source."""
    table, mapping = tmp_path / "staff.csv", tmp_path / "m.yaml"
    table.write_text("number,name\n7,Ann Lee\n")
    mapping.write_text("rows: entities\nid: number\nlabel: name\n")
    into = tmp_path / "into.db"
    run("import", str(table), "--into", str(into), "-m", str(mapping), "--quiet")
    assert "Ann Lee" in run("search", "ann", graph=into).output


def test_import_strict_and_unknown_files(run: Run, tmp_path: Path) -> None:
    """Errors carry file and line."""
    path = tmp_path / "a.nt"
    path.write_text("<http://x/a> <http://x/b> <http://x/c> .\nnonsense\n")
    with pytest.raises(ImportFailed, match=r"a\.nt:2"):
        run("import", str(path), "--strict", "--quiet", graph=tmp_path / "g.db")
    with pytest.raises(ImportFailed, match=r"none\.nt"):
        run("import", str(tmp_path / "none.nt"), "--quiet", graph=tmp_path / "g.db")


def test_export_and_import_again(run: Run, tmp_path: Path) -> None:
    """The way from one store to another."""
    out, other = tmp_path / "all.jsonl", tmp_path / "other.db"
    run("export", str(out))
    run("import", str(out), "--quiet", graph=other)
    mine = {line.split("—")[-1] for line in run("path", "Q76", "Q30").output.splitlines()}
    theirs = {line.split("—")[-1] for line in run("path", "Q76", "Q30", graph=other).output.splitlines()}
    assert {line for line in mine if "place" in line} == {line for line in theirs if "place" in line} != set()
    assert run("export", "--format", "nt").output.startswith("<http://www.wikidata.org/entity/")
