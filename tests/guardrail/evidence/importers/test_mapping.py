"""A mapping file says what is wrong with it."""

from pathlib import Path

import pytest
import yaml

from guardrail.errors import ConfigError
from guardrail.evidence.importers.mapping import (
    PLAIN,
    mapping_section,
    needed_columns,
    parse_mapping,
    read_mapping,
    section_mapping,
)


def test_sections_are_chosen_by_the_files_name(tmp_path: Path) -> None:
    """A pattern per file; the first that fits."""
    path = tmp_path / "m.yaml"
    path.write_text(
        "staff*.csv:\n  rows: entities\n  id: number\n'*':\n  subject: a\n  predicate: =p\n  object: b\n"
    )
    assert read_mapping(path, "staff-2024.csv").rows == "entities"
    other = read_mapping(path, "other.csv")
    assert needed_columns(other) == ["a", "b"]


def test_the_plain_mapping_needs_three_columns() -> None:
    """The others are taken where they are."""
    assert needed_columns(PLAIN) == ["subject", "predicate", "object"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- a\n", "is a YAML mapping"),
        ("rows: entities\na: [1\n", r"m\.yaml:3: not valid YAML: expected [^\n]*\Z"),
        ("x.csv:\n  rows: entities\n  id: number\n", "no section fits a.csv"),
        ("rows: cats\n", "rows is one of"),
        ("rows: entities\nlabel: name\n", "no column for id"),
        ("subject: a\npredicate: b\n", "no column for object"),
        ("subject: a\npredicate: b\nobject: c\nobjct: d\n", "unknown key 'objct'"),
        ("subject: a\npredicate: b\nobject: 3\n", "object must be text"),
        ("rows: entities\nid: yes\n", r"not True \(quote it\)"),
        ("rows: entities\nid: a\nrelations: [b]\n", "relations maps"),
        ("rows: entities\nid: a\nrelations:\n  b: {kind: date}\n", "needs a property"),
        ("rows: entities\nid: a\nrelations:\n  b: {property: c, kind: colour}\n", "kind is one of"),
        ("subject: a\npredicate: b\nobject: c\nvalues: odd\n", "values is auto or kgtk"),
        ("subject: a\npredicate: b\nobject: c\nleave_out: d\n", "leave_out"),
    ],
)
def test_a_wrong_mapping_is_a_clear_error(tmp_path: Path, content: str, message: str) -> None:
    """The key at fault is named."""
    path = tmp_path / "m.yaml"
    path.write_text(content)
    with pytest.raises(ConfigError, match=message):
        read_mapping(path, "a.csv")


def test_a_missing_mapping_is_a_clear_error(tmp_path: Path) -> None:
    """With its name."""
    with pytest.raises(ConfigError, match=r"none\.yaml"):
        read_mapping(tmp_path / "none.yaml", "a.csv")


def test_a_mapping_in_another_encoding_is_named(tmp_path: Path) -> None:
    """In one line, as every error."""
    path = tmp_path / "m.yaml"
    path.write_bytes("subject: Prüfer\n".encode("latin-1"))
    with pytest.raises(ConfigError, match=r"m\.yaml: not UTF-8 text"):
        read_mapping(path, "a.csv")


def test_a_mapping_comes_back_as_it_was_written() -> None:
    """With all that it says."""
    section = {
        "rows": "entities",
        "id": "number",
        "label": "name",
        "separator": ";",
        "delimiter": "\t",
        "language": "de",
        "leave_out": {"kind": ["draft", "old"]},
        "relations": {"Manager": {"property": "reports to", "kind": "entity", "start": "since"}},
    }
    mapping = section_mapping(section, where="here")
    assert mapping_section(mapping) == section
    assert parse_mapping(yaml.safe_dump(section), "any.csv", where="here") == mapping
    assert parse_mapping(yaml.safe_dump({"staff-*.csv": section}), "staff-2.csv", where="here") == mapping


def test_the_text_of_a_mapping_has_no_aliases() -> None:
    """A few lines of them stand for more than fits into memory."""
    with pytest.raises(ConfigError, match="here: aliases"):
        parse_mapping("a: &x {rows: entities}\nb: *x\n", "b", where="here")
