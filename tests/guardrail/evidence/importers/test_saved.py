"""Mappings are kept beside the graph."""

from pathlib import Path

import pytest

from guardrail.errors import ConfigError
from guardrail.evidence.importers.saved import beside, has, save


def test_a_graph_in_a_file_has_a_place_for_its_mappings() -> None:
    """One behind an address has none."""
    assert beside(Path("/data/fleet.db")) == Path("/data/fleet.mapping.yaml")
    assert beside("postgresql://host/db") is None


def test_a_section_takes_the_place_of_the_one_of_its_name(tmp_path: Path) -> None:
    """What else stands in the file stays, with its comments where nothing is replaced."""
    path = tmp_path / "fleet.mapping.yaml"
    save(path, {"a.csv": {"rows": "entities", "id": "A"}})
    path.write_text(f"# by Ann\n{path.read_text()}")
    save(path, {"b.csv": {"rows": "entities", "id": "B"}})
    assert path.read_text().startswith("# by Ann")
    save(path, {"a.csv": {"rows": "entities", "id": "C"}})
    assert path.read_text() == "b.csv: {rows: entities, id: B}\na.csv: {rows: entities, id: C}\n"
    assert (has(path, "a.csv"), has(path, "c.csv"), has(tmp_path / "none.yaml", "a.csv")) == (
        True,
        False,
        False,
    )


def test_a_file_that_cannot_be_read_is_not_overwritten(tmp_path: Path) -> None:
    """Its reader shall say what is wrong with it."""
    path = tmp_path / "fleet.mapping.yaml"
    path.write_text("a: [")
    assert has(path, "a.csv")
    with pytest.raises(ConfigError, match="cannot be read"):
        save(path, {"a.csv": {}})
    assert path.read_text() == "a: ["
