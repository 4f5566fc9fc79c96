"""Tables without a mapping are imported by a guess that is shown and saved."""

from pathlib import Path

import pytest

from guardrail.errors import ConfigError, ImportFailed, KnowledgeDamaged
from tests.guardrail.cli.conftest import Run

SHIPS = (
    "Ship,Length,Top speed,Wi-Fi\nStar,128 m,21 knots,yes\nMoon,128 m,21 knots,no\nPetrel,74 m,38 knots,yes\n"
)


def put(path: Path, content: str) -> str:
    path.write_text(content)
    return str(path)


def test_a_sure_guess_is_taken_shown_and_saved_beside_the_graph(run: Run, tmp_path: Path) -> None:
    """Without a question; the facts can be checked at once."""
    graph = tmp_path / "fleet.db"
    result = run("import", put(tmp_path / "ships.csv", SHIPS), "--quiet", graph=graph)
    assert result.exit_code == 0
    assert "this is how its columns are understood" in result.output
    assert "0 bad of 3 records" in result.output
    assert "ships.csv:" in (tmp_path / "fleet.mapping.yaml").read_text()
    assert run("check", "Star", "length", "130 m", graph=graph).output.startswith("conflict:")
    assert run("check", "Star", "length", "0.128 km", graph=graph).output.startswith("redundant:")


def test_a_workbook_is_imported_like_a_table(run: Run, tmp_path: Path) -> None:
    """Its headers are guessed, and its sheet is checked at once."""
    openpyxl = pytest.importorskip("openpyxl", reason="the extra `xlsx` is not installed")
    book = openpyxl.Workbook()
    for line in SHIPS.splitlines():
        book.active.append(line.split(","))
    book.save(tmp_path / "ships.xlsx")
    graph = tmp_path / "fleet.db"
    result = run("import", str(tmp_path / "ships.xlsx"), "--quiet", graph=graph)
    assert "0 bad of 3 records" in result.output
    assert run("check", "Star", "length", "130 m", graph=graph).output.startswith("conflict:")


def test_the_saved_mapping_is_used_the_next_time(run: Run, tmp_path: Path) -> None:
    """So that it can be corrected there."""
    graph, saved = tmp_path / "fleet.db", tmp_path / "fleet.mapping.yaml"
    table = put(tmp_path / "ships.csv", SHIPS)
    run("import", table, "--quiet", graph=graph)
    saved.write_text(saved.read_text().replace("property: top speed", "property: fastest"))
    assert "as" in run("import", table, "--quiet", "--again", graph=graph).output
    assert "21 knots" in run("show", "Star", graph=graph).output
    assert run("check", "Star", "fastest", "22 knots", graph=graph).output.startswith("conflict:")


def test_an_unsure_guess_needs_a_yes(run: Run, tmp_path: Path) -> None:
    """Where nobody can be asked it is refused, and no graph is made."""
    graph = tmp_path / "visits.db"
    table = put(tmp_path / "visits.csv", "city,year,visitors\nUlm,2020,7\nUlm,2021,8\n")
    with pytest.raises(ConfigError, match="--yes"):
        run("import", table, "--quiet", graph=graph)
    assert not graph.exists()
    assert run("import", table, "--quiet", "--yes", graph=graph).exit_code == 0


def test_a_mapping_that_names_a_missing_column_says_so(run: Run, tmp_path: Path) -> None:
    """With the columns that there are."""
    mapping = put(tmp_path / "m.yaml", "rows: entities\nid: Ship\nlabel: Ship\nrelations: {Lenght: length}\n")
    with pytest.raises(Exception, match="has no column Lenght; it has Ship, Length"):
        run("import", put(tmp_path / "ships.csv", SHIPS), "-m", mapping, "--quiet", graph=tmp_path / "g.db")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("utf-16.csv", SHIPS.encode("utf-16")),
        ("noise.csv", bytes(range(14, 256)) * 4),
        ("headers.csv", b"Ship,Length\n"),
        ("twice.csv", b"Ship,Length,Length\nStar,3 m,4 m\n"),
    ],
)
def test_of_a_table_that_cannot_be_imported_no_mapping_is_saved(
    run: Run, tmp_path: Path, name: str, content: bytes
) -> None:
    """Nor is a graph made of it."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ImportFailed, match=r"not UTF-8 text|no rows|more than one column 'Length'"):
        run("import", str(tmp_path / name), "--yes", "--quiet", graph=tmp_path / "a.db")
    assert not [*tmp_path.glob("a.*")]


def test_no_mapping_is_saved_where_the_graph_cannot_be_opened(run: Run, tmp_path: Path) -> None:
    """As beside a file that is no database."""
    put(tmp_path / "a.db", "no database\n")
    with pytest.raises(KnowledgeDamaged):
        run("import", put(tmp_path / "ships.csv", SHIPS), "--quiet", graph=tmp_path / "a.db")
    assert not (tmp_path / "a.mapping.yaml").exists()
