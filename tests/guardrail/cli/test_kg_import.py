"""`guardrail kg import` tells what it made of a file."""

from pathlib import Path

import pytest

from tests.guardrail.cli.conftest import Run


def put(path: Path, content: str) -> str:
    path.write_text(content)
    return str(path)


def test_bad_rows_end_with_an_exit_code_unless_told_otherwise(run: Run, tmp_path: Path) -> None:
    """The others are in the graph, and each bad one is named with its cause."""
    table = put(tmp_path / "facts.csv", "subject,predicate,object\nAcme,owner,Ann\nAcme,,Bo\n")
    result = run("import", table, "--quiet", graph=tmp_path / "a.db")
    assert result.exit_code == 1
    assert "facts.csv:3: no predicate" in result.output
    assert "Ann" in run("show", "Acme", graph=tmp_path / "a.db").output
    assert run("import", table, "--quiet", "--allow-bad", graph=tmp_path / "b.db").exit_code == 0
    assert (
        run(
            "import",
            put(tmp_path / "good.csv", "subject,predicate,object\nAcme,owner,Ann\n"),
            graph=tmp_path / "c.db",
        ).exit_code
        == 0
    )


def test_a_value_that_is_not_of_its_column_is_kept_and_told(run: Run, tmp_path: Path) -> None:
    """As text, with its row; a mass among lengths keeps its unit."""
    rows = "".join(f"Ship {n},length,{n} m\n" for n in range(10, 50))
    table = put(
        tmp_path / "ships.csv",
        f"subject,predicate,object\n{rows}Ship 50,length,quite long\nShip 51,length,3 kg\n",
    )
    result = run("import", table, "--quiet", graph=tmp_path / "a.db")
    assert result.exit_code == 0
    assert (
        "1 property: 1 single-valued, 0 lists, 0 change over time; 2 values not understood" in result.output
    )
    assert "ships.csv:42: length: 'quite long'" in result.output
    assert "ships.csv:43: length: '3 kg' is in another unit" in result.output
    for ship, value in (("Ship 50", "quite long"), ("Ship 51", "3 kg")):
        assert value in run("show", ship, graph=tmp_path / "a.db").output


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            'ex:Acme ex:motto "Be good" , "Be better" .',
            "motto is declared to have one value, and Acme has 2: ",
        ),
        (
            "ex:A ex:within ex:B . ex:B ex:within ex:C . ex:C ex:within ex:A .",
            "within goes round in a circle: ",
        ),
    ],
)
def test_what_cannot_be_true_at_once_is_told(run: Run, tmp_path: Path, more: str, told: str) -> None:
    """Several values of what was declared to have one, and a hierarchy that bites its tail; both stay in the graph."""
    prefixes = "@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    axioms = "ex:motto a owl:FunctionalProperty . ex:within a owl:TransitiveProperty .\n"
    result = run(
        "import", put(tmp_path / "a.ttl", prefixes + axioms + more), "--quiet", graph=tmp_path / "a.db"
    )
    assert told in result.output
    assert result.exit_code == 0
