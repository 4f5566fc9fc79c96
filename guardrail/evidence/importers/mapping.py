"""Which column of a table is what: the mapping that a user writes for CSV, TSV and JSONL files.

A mapping is a YAML file, one section per file or pattern of names, or one section for all. `rows` says what a row is:

    rows: statements          subject, predicate, object, and optionally kind, subject_label, object_label,
                              qualifiers, start, end, source, as_of, rank; `predicate: =works for` is the same for all;
                              complete: "yes" where the rows of this subject and predicate are all there are
    rows: entities            id, label, description, aliases, types, popularity, pagerank, url, and `relations`:
                              column -> {property, kind, separator, unit, start, end}: every such cell becomes a
                              statement of the row's entity
    rows: properties          id, label, aliases, datatype, inverse, cardinality, symmetric, temporal, hierarchical

`leave_out: {column: [value, …]}` passes over rows. `values: kgtk` reads literals as KGTK writes them (^1989-12-13T00:00:00Z/11, +42Q11573, 'Gabon'@fr).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from guardrail.errors import ConfigError
from guardrail.evidence.properties.literals import Kind

Rows = Literal["statements", "entities", "properties"]
ALIASES = frozenset(
    "also called|also known as|aka|alias|aliases|nickname|nicknames|other names|synonyms|short name|abbreviation|acronym".split(
        "|"
    )
)
"""What columns are called, and the properties of a long table, whose values are other names of a thing, in small letters."""
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "statements": (
        "subject", "predicate", "object", "kind", "subject_label", "object_label", "qualifiers", "start", "end",
        "source", "as_of", "rank", "complete",
    ),
    "entities": ("id", "label", "description", "aliases", "types", "popularity", "pagerank", "url", "gender"),
    "properties": (
        "id", "label", "aliases", "datatype", "inverse", "cardinality", "symmetric", "temporal", "hierarchical",
        "complete",
    ),
}  # fmt: skip
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "statements": ("subject", "predicate", "object"),
    "entities": ("id",),
    "properties": ("id",),
}
_MORE = ("separator", "unit", "start", "end")
_TEXTS = ("values", "separator", "delimiter", "language")
_OPTIONS = ("rows", "leave_out", *_TEXTS, "relations")


@dataclass(frozen=True, slots=True)
class Relation:
    """A column of an entity table whose cells are objects of `property`.

    `separator`: between several values of a cell, where it is another than the table's. `unit`: of bare numbers. `start`, `end`:
    the columns that say since when and until when it was so.
    """

    property: str
    kind: Kind = "entity"
    separator: str = ""
    unit: str = ""
    start: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class TableMapping:
    """One section of a mapping file. `columns`: what is wanted -> name of the column, or "=constant"."""

    rows: Rows = "statements"
    columns: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    leave_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    values: Literal["auto", "kgtk"] = "auto"
    separator: str = "|"
    delimiter: str = ""
    language: str = "en"


STANDARD: Mapping[str, TableMapping] = {
    rows: TableMapping(rows, {name: name for name in _COLUMNS[rows]}) for rows in get_args(Rows)
}
"""For files that call their columns by the names used here."""
PLAIN = STANDARD["statements"]


def needed_columns(mapping: TableMapping) -> list[str]:
    """Columns that a table must have: those needed for its kind of rows, and those named otherwise than their role."""
    needed = _NEEDED[mapping.rows]
    named = [c for name, c in mapping.columns.items() if name in needed or c != name]
    dates = (c for relation in mapping.relations.values() for c in (relation.start, relation.end) if c)
    return [c for c in (*named, *mapping.relations, *dates) if not c.startswith("=")]


def read_mapping(path: Path, name: str) -> TableMapping:
    """The section of the mapping file for a table of this name. Raises ConfigError."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 text: {error.reason}") from error
    return parse_mapping(text, name, where=str(path))


def parse_mapping(text: str, name: str, *, where: str) -> TableMapping:
    """The section for a table of this name in the text of a mapping file. Raises ConfigError, which begins with `where`."""
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise ConfigError(f"{where}: aliases (*name) are not supported in a mapping")
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise ConfigError(
            f"{where}{line}: not valid YAML: {getattr(error, 'problem', None) or error}"
        ) from error
    if not isinstance(content, dict):
        raise ConfigError(f"{where}: a mapping file is a YAML mapping")
    if all(isinstance(section, dict) for section in content.values()):
        for pattern, section in content.items():
            if fnmatch(name, str(pattern)):
                return section_mapping(section, where=f"{where}: {pattern}")
        raise ConfigError(f"{where}: no section fits {name} (there are: {', '.join(map(str, content))})")
    return section_mapping(content, where=where)


def section_mapping(section: Mapping[str, Any], *, where: str) -> TableMapping:
    """A section as it stands in YAML. Raises ConfigError naming the key that is wrong."""
    rows = section.get("rows", "statements")
    if rows not in get_args(Rows):
        raise ConfigError(f"{where}: rows is one of {', '.join(get_args(Rows))}, not {rows!r}")
    _check_keys(section, (*_COLUMNS[rows], *_OPTIONS), where)
    columns = {name: str(section[name]) for name in _COLUMNS[rows] if name in section}
    missing = [name for name in _NEEDED[rows] if name not in columns]
    if missing:
        raise ConfigError(f"{where}: names no column for {', '.join(missing)}")
    values = section.get("values", "auto")
    if values not in ("auto", "kgtk"):
        raise ConfigError(f"{where}: values is auto or kgtk, not {values!r}")
    return TableMapping(
        rows=rows,
        columns=columns,
        relations=_relations(section.get("relations") or {}, where),
        leave_out=_left_out(section.get("leave_out") or {}, where),
        values=values,
        separator=section.get("separator", "|"),
        delimiter=section.get("delimiter", ""),
        language=section.get("language", "en"),
    )


def _check_keys(section: Mapping[str, Any], allowed: Sequence[str], where: str) -> None:
    for name, value in section.items():
        if name not in allowed:
            raise ConfigError(f"{where}: unknown key {name!r}; known are {', '.join(allowed)}")
        if name not in ("relations", "leave_out") and not isinstance(value, str):
            raise ConfigError(f"{where}: {name} must be text, not {value!r} (quote it)")


def _left_out(given: Any, where: str) -> dict[str, frozenset[str]]:
    if not isinstance(given, dict) or not all(isinstance(values, list) for values in given.values()):
        raise ConfigError(f"{where}: leave_out maps columns to lists of values")
    return {str(column): frozenset(map(str, values)) for column, values in given.items()}


def _relations(given: Any, where: str) -> dict[str, Relation]:
    if not isinstance(given, dict):
        raise ConfigError(f"{where}: relations maps columns to properties")
    return {str(column): _relation(column, relation, where) for column, relation in given.items()}


def _relation(column: Any, relation: Any, where: str) -> Relation:
    """A property by itself, or with what is to be known of its values."""
    parts = {"property": relation} if isinstance(relation, str) else relation
    if not isinstance(parts, dict) or not isinstance(parts.get("property"), str):
        raise ConfigError(f"{where}: relation {column!r} needs a property")
    kind = parts.get("kind", "entity")
    if kind not in get_args(Kind):
        raise ConfigError(f"{where}: kind is one of {', '.join(get_args(Kind))}, not {kind!r}")
    for name, value in parts.items():
        if name not in ("property", "kind", *_MORE) or not isinstance(value, str):
            raise ConfigError(f"{where}: relation {column!r}: unknown, or not a text: {name}: {value!r}")
    return Relation(parts["property"], kind, **{name: parts[name] for name in _MORE if name in parts})


def mapping_section(mapping: TableMapping) -> dict[str, Any]:
    """The mapping as a section of a mapping file, from which `section_mapping` makes the same one."""
    section: dict[str, Any] = {"rows": mapping.rows, **mapping.columns}
    section |= {n: value for n in _TEXTS if (value := getattr(mapping, n)) != getattr(PLAIN, n)}
    if mapping.leave_out:
        section["leave_out"] = {column: sorted(values) for column, values in mapping.leave_out.items()}
    relations = {}
    for column, relation in mapping.relations.items():
        more = {name: value for name in _MORE if (value := getattr(relation, name))}
        relations[column] = {"property": relation.property, "kind": relation.kind, **more}
    return {**section, "relations": relations} if relations else section
