"""The commands that change the graph, as a user meets them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from guardrail.errors import ConfigError, ImportFailed, KnowledgeError

Run = Callable[..., Result]


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
    with pytest.raises(KnowledgeError, match="--new creates it"):
        run("add", "Zorbax Inc", "owner", "Ada Zorbax")
    assert run("add", "Zorbax Inc", "owner", "Ada Zorbax", "--new").exit_code == 0
    assert "Ada Zorbax" in run("show", "Zorbax Inc").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("retract",), "either the ids"),
        (("retract", "x", "--subject", "Q76"), "either the ids"),
        (("retract", "Q76$~00"), "no such statement"),
        (("add", "Q76", "spouse", "Q937", "-q", "nonsense"), "PROPERTY=VALUE"),
        (("add", "Q76", "P569", "long ago"), "not a date"),
        (("show", "Zorbax"), "no entity 'Zorbax'"),
        (("path", "Q76", "Zorbax"), "no entity 'Zorbax'"),
        (("path", "Q76", "Obama"), "are the same: Q76"),
        (("show", "Einstien"), r"no entity 'Einstien' .*near it: Albert Einstein \(Q937\)"),
        (
            ("check", "Q937", "occuption", "physicist"),
            r"no property 'occuption' .*near it: occupation \(P106\)",
        ),
        (("check", "Q937", "born on", "soon"), "not a date"),
    ],
)
def test_mistakes_are_named(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """One line each."""
    with pytest.raises((KnowledgeError, ConfigError), match=message):
        run(*arguments)


def test_import_tells_what_it_did(run: Run, tmp_path: Path) -> None:
    """Written, bad with their lines; a second time nothing."""
    path = tmp_path / "facts.csv"
    path.write_text("subject,predicate,object\nAcme,owner,Ann\nAcme,,Bo\n")
    first = run("import", str(path), "--quiet", graph=tmp_path / "new.db")
    assert "1 written, 1 bad of 2 records" in first.output
    assert "facts.csv:3: no predicate" in first.output
    assert "was imported before" in run("import", str(path), "--quiet", graph=tmp_path / "new.db").output
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


def test_a_list_is_marked_as_complete_and_opened_again(run: Run) -> None:
    """What is on it, and how another value is met."""
    assert "complete, 1 in the graph" in run("complete", "Inception", "cast member").output
    assert "complete list" in run("show", "Inception").output
    assert run("check", "Inception", "cast member", "Barack Obama").output.startswith("conflict:")
    assert "may go on" in run("complete", "Inception", "cast member", "--no").output
    assert run("check", "Inception", "cast member", "Barack Obama").output.startswith("new:")
    assert "complete, 1 in" in run("complete", "Christopher Nolan", "director", "--incoming").output


def test_what_the_graph_does_not_know_can_be_checked(run: Run) -> None:
    """A new name is new, or in conflict; a slip of the pen is pointed at."""
    assert run("check", "Michelle Obama", "spouse", "Ada Zorbax").output.startswith("new:")
    out = run("check", "Albert Einstein", "born in", "Ulmm").output
    assert out.startswith("conflict:")
    assert "near it: Ulm (Q3012)" in out
    told = json.loads(run("check", "Albert Einstein", "born in", "Ulm", "--json").output)
    assert (told["state"], told["known"][0]["object"]["label"]) == ("redundant", "Ulm")


def test_a_file_that_is_not_there_makes_no_graph(run: Run, tmp_path: Path) -> None:
    """A slip of the pen leaves nothing behind, and nothing of the other files is imported."""
    facts, into = tmp_path / "facts.csv", tmp_path / "new.db"
    facts.write_text("subject,predicate,object\na,p,b\n")
    for missing, cause in ((tmp_path / "none.csv", "No such file"), (tmp_path / "d.csv", "directory")):
        (tmp_path / "d.csv").mkdir(exist_ok=True)
        with pytest.raises(ImportFailed, match=cause):
            run("import", str(facts), str(missing), "--quiet", graph=into)
    assert not into.exists()


def test_as_of_is_a_date(run: Run, tmp_path: Path) -> None:
    """Of whatever precision; verdicts show it, so a slip of the pen is told."""
    (tmp_path / "facts.csv").write_text("subject,predicate,object\na,p,b\n")
    for text in ("nonsense", "2025-13", "06/2025"):
        with pytest.raises(ConfigError, match="--as-of: not a date"):
            run("import", str(tmp_path / "facts.csv"), "--as-of", text, "--quiet")
    assert "1 written" in run("import", str(tmp_path / "facts.csv"), "--as-of", "2025-06", "--quiet").output
