"""`guardrail kg import` tells what it made of a file."""

from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.store.graph import Graph
from guardrail.types import Label
from guardrail.verifier import Verifier
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


PRICES = "Product,Price\nAlpha,€10\nBeta,€20\nGamma,€30\n"
LATER = "Product,Price\nAlpha,€12\nBeta,€20\n"


def test_a_new_version_of_a_file_takes_the_place_of_the_former(run: Run, tmp_path: Path) -> None:
    """What it does not say any more is gone, what others say stays, and a former version may come back."""
    graph, table = tmp_path / "a.db", tmp_path / "prices.csv"
    run("import", put(table, PRICES), "--quiet", "--yes", graph=graph)
    run("import", put(tmp_path / "other.csv", "subject,predicate,object\nAlpha,colour,red\n"), graph=graph)
    told = run("import", put(table, LATER), "--quiet", graph=graph).output
    assert "prices.csv: 3 former statements of it were removed; --keep keeps them" in told
    assert "2 properties: 2 single-valued" in told
    shown = run("show", "Alpha", graph=graph).output
    assert ("€12" in shown, "€10" in shown, "red" in shown) == (True, False, True)
    assert "€30" not in run("show", "Gamma", graph=graph).output
    assert "2 former statements" in run("import", put(table, PRICES), "--quiet", graph=graph).output
    assert "€10" in run("show", "Alpha", graph=graph).output


def test_a_former_version_is_kept_where_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    """Then both values stand; so they do for two files of one name that are imported together."""
    table, other = tmp_path / "prices.csv", tmp_path / "other" / "prices.csv"
    other.parent.mkdir()
    run("import", put(table, PRICES), "--quiet", "--yes", graph=tmp_path / "a.db")
    run("import", put(table, LATER), "--quiet", "--keep", graph=tmp_path / "a.db")
    put(table, PRICES)
    run("import", str(table), put(other, LATER), "--quiet", "--yes", graph=tmp_path / "b.db")
    for name in ("a.db", "b.db"):
        shown = run("show", "Alpha", graph=tmp_path / name).output
        assert "€10" in shown
        assert "€12" in shown


def test_a_source_that_was_given_is_replaced_where_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    """Other files may have the same source, so what it said before stays, and that is told."""
    graph, table = tmp_path / "a.db", tmp_path / "prices.csv"
    given = ("--quiet", "--yes", "--source", "the shop")
    assert "stays" not in run("import", put(table, PRICES), *given, graph=graph).output
    told = run("import", put(table, LATER), *given, graph=graph).output
    assert "what its source said before stays; --replace removes it" in told
    assert "€10" in run("show", "Alpha", graph=graph).output
    told = run("import", str(table), *given, "--again", "--replace", graph=graph).output
    assert "4 former statements" in told
    assert "€10" not in run("show", "Alpha", graph=graph).output


def test_an_id_is_a_fact_too(run: Run, tmp_path: Path) -> None:
    """It tells the rows apart, and it is said of the thing; another thing's is not confirmed."""
    table = put(tmp_path / "shop.csv", "Product,SKU,Price\nAlpha,A-1,€10\nBeta,B-2,€20\nGamma,C-3,€30\n")
    run("import", table, "--quiet", graph=tmp_path / "a.db")
    verifier = Verifier.open(tmp_path / "a.db")
    report = verifier.check("The SKU of the Alpha is A-1. The SKU of the Alpha is B-2.")
    assert [one.label is Label.ATTRIBUTABLE for one in report.verdicts] == [True, False]


def test_a_row_that_is_not_whole_is_a_bad_one(run: Run, tmp_path: Path) -> None:
    """One with too few cells as one with too many, and one without a name; the others are imported."""
    rows = "Alpha,A-1,€10\nBad,x\n,B-2,€20\nToo long,C-3,€30,7\n\nDelta,D-4,\n"
    table = put(tmp_path / "shop.csv", f"Product,SKU,Price\n{rows}")
    result = run("import", table, "--quiet", "--yes", graph=tmp_path / "a.db")
    assert result.exit_code == 1
    assert "3 bad of 5 records" in result.output
    for told in ("3: 2 cells in 3 columns", "4: no label", "5: 4 cells in 3 columns"):
        assert f"shop.csv:{told}" in result.output
    with Graph.open(tmp_path / "a.db") as graph:
        assert {t.subject.label for facts in graph.subjects() for t in facts} == {"Alpha", "Delta"}


def test_a_cell_that_is_too_long_is_a_bad_row(run: Run, tmp_path: Path) -> None:
    """Its line is named, and the others are imported."""
    table = put(tmp_path / "wards.csv", f"Ward,Beds\nA,4\nB,{'x' * 140_000}\nC,6\n")
    result = run("import", table, "--quiet", graph=tmp_path / "a.db")
    assert result.exit_code == 1
    assert "1 bad of 3 records" in result.output
    assert "wards.csv:3: a cell of more than 131,072 characters" in result.output
    assert "6" in run("show", "C", graph=tmp_path / "a.db").output


def test_things_without_a_name_are_told(run: Run, tmp_path: Path) -> None:
    """Nobody says in a long table that "P1" is a name; a table of things says so, and texts can speak of it."""
    long = put(tmp_path / "a.csv", "subject,predicate,object\nP1,price,€10\n7,price,€12\nAcme,price,€9\n")
    told = run("import", long, "--quiet", graph=tmp_path / "a.db")
    assert told.exit_code == 0
    assert "2 things have an id and no name, so that no text is found to speak of it: P1, 7" in told.output
    table = put(tmp_path / "b.csv", "Product,Price\nP1,€10\nP2,€12\nP3,€15\n")
    assert "no name" not in run("import", table, "--quiet", graph=tmp_path / "b.db").output
    run("export", str(tmp_path / "b.jsonl"), graph=tmp_path / "b.db")
    run("import", str(tmp_path / "b.jsonl"), "--quiet", graph=tmp_path / "c.db")
    for graph in ("b.db", "c.db"):
        report = Verifier.open(tmp_path / graph).check("The price of P2 is €13. The price of P3 is €15.")
        assert [one.label for one in report.verdicts] == [Label.CONTRADICTORY, Label.ATTRIBUTABLE]


def test_a_table_that_cannot_be_read_leaves_the_former_one(run: Run, tmp_path: Path) -> None:
    """Without rows, without a column that was mapped, or with a column twice: nothing is removed."""
    graph, table = tmp_path / "a.db", tmp_path / "prices.csv"
    run("import", put(table, PRICES), "--quiet", graph=graph)
    for content, cause in (
        ("Product,Price\n", "no rows"),
        ("Product,Cost\nAlpha,€9\n", "no column Price"),
        ("Product,Price,Price\nAlpha,€9,€8\n", "more than one column 'Price'"),
    ):
        with pytest.raises(ImportFailed, match=cause):
            run("import", put(table, content), "--quiet", graph=graph)
        assert "€10" in run("show", "Alpha", graph=graph).output


def test_abbreviated_units_in_the_plural_are_understood(run: Run, tmp_path: Path) -> None:
    """As people write them beside the others."""
    rows = ("A,14 kg,3 h", "B,12 kgs,4 hrs", "C,11 lbs,30 mins")
    table = put(tmp_path / "a.csv", "Item,Weight,Charging\n" + "\n".join(rows) + "\n")
    assert "0 values not understood" in run("import", table, "--quiet", graph=tmp_path / "a.db").output
