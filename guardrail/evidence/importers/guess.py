"""Which column of a table is what, where nobody has said it: by the headers and the first rows.

A table with columns for a subject, a property and a value is one of statements, whatever they are called. In any other a row
is a thing: one column is its id, one its name, and every other is a property. The guess is sure where one column names each row
once and the headers are headers; otherwise somebody has to say yes to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.mapping import ALIASES, STANDARD, Relation, TableMapping
from guardrail.evidence.importers.rows import NO_ROWS, csv_rows, is_text, must_differ
from guardrail.evidence.importers.sheet import sheets
from guardrail.evidence.importers.source import Source
from guardrail.evidence.names import LONGEST_NAME
from guardrail.evidence.properties.words import said
from guardrail.values.cells import read_cell

__all__ = ["Guess", "first_rows", "guess", "guess_of"]

_ROWS = 2_000
_DELIMITERS = ",;\t|"
_STATEMENT: Final[Mapping[str, tuple[str, ...]]] = {
    "subject": ("subject", "entity", "item", "thing", "s", "head"),
    "predicate": ("predicate", "property", "attribute", "relation", "field", "key", "p"),
    "object": ("object", "value", "o", "tail"),
    "start": ("start", "since", "from", "valid from", "start date", "start time", "begin"),
    "end": ("end", "until", "to", "valid to", "valid until", "end date", "end time"),
    "source": ("source",),
    "as_of": ("as_of", "as of"),
    "complete": ("complete",),
    "qualifiers": ("qualifiers",),
    "kind": ("kind", "datatype"),
    "rank": ("rank",),
}
_IDS = frozenset("id key code no nr number identifier sku iri uri #".split())
_UNSAID = frozenset("id key no nr iri uri #".split())
"""Headers of ids that nobody says of a thing: "asset number" and "SKU" are."""
_LABELS = frozenset(("name", "label", "title", "full name", "display name"))
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*\Z")
_DATED = {
    "start": frozenset("since from start started begin began".split()),
    "end": frozenset("until till to end ended".split()),
}
"""Words of a header that make it say since when or until when what another column says."""
_LIGHT = frozenset("in on as at of the date time day held".split())
_POSTS = frozenset(("post", "position", "role", "job", "job title", "function", "office", "rank"))
"""What a column with what somebody is, which begins and ends, is called."""
_YEAR = re.compile(r"[12]\d{3}")
_LISTED = 0.3
"""Of the cells: from this on a comma with a space stands between the members of a list."""


@dataclass(frozen=True, slots=True)
class Guess:
    """`question`: "" where the guess is sure, else what is to be answered with yes."""

    mapping: TableMapping
    question: str = ""


def guess_of(source: Source) -> Guess:
    """The guess for a CSV or TSV file or a workbook. Raises ImportFailed for one without headers, or without rows."""
    lines = source.lines()
    first = next(lines, "").removeprefix("\ufeff")
    if not first.strip():
        raise ImportFailed(source.path, "is empty")
    delimiter = (
        "\t" if ".tsv" in source.suffixes else "," if source.workbook else max(_DELIMITERS, key=first.count)
    )
    header, rows = _sampled(csv_rows(chain((first,), lines), delimiter), source.path)
    found = guess(header, rows)
    if source.workbook and len(names := sheets(source.path)) > 1:
        left = ", ".join(map(repr, names[1:]))
        return Guess(
            found.mapping, f"Only the sheet {names[0]!r} is read, and not {left}. {found.question}".strip()
        )
    if delimiter in ",\t":
        return found
    return Guess(_with(found.mapping, delimiter=delimiter), found.question)


def _sampled(found: Iterator[tuple[int, list[str] | str]], path: Path) -> tuple[list[str], list[list[str]]]:
    """The header and the first rows that can be read. Raises ImportFailed where there are none, or nobody can say which column is which."""
    (line, header), *rows = list(islice(found, _ROWS + 1)) or [(1, "is empty")]
    if isinstance(header, str):
        raise ImportFailed(path, header, line=line)
    if not is_text(header):
        raise ImportFailed(path, "not UTF-8 text", line=line)
    must_differ(filter(str.strip, header), path)
    if not rows:
        raise ImportFailed(path, NO_ROWS)
    return header, [row for _, row in rows if not isinstance(row, str)]


def first_rows(source: Source, *, delimiter: str = "", count: int = 5) -> list[list[str]]:
    """The header of a CSV or TSV file or a workbook and its first rows, as they are."""
    delimiter = delimiter.replace("\\t", "\t") or ("\t" if ".tsv" in source.suffixes else ",")
    rows = (row for _, row in csv_rows(source.lines(), delimiter) if not isinstance(row, str))
    found = list(islice(rows, count + 1))
    if found and found[0]:
        found[0][0] = found[0][0].removeprefix("\ufeff")
    return found


def guess(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Guess:
    """What the columns of these names are, judged by these rows."""
    long = _statements(header)
    if long is not None:
        return Guess(long)
    columns = {
        name: [row[at].strip() if at < len(row) else "" for row in rows] for at, name in enumerate(header)
    }
    identity, label = _naming(header, columns)
    sure = bool(identity) and bool(rows) and _are_headers(header)
    identity = identity or next(filter(lambda name: _are_codes(columns[name]), header), label or header[0])
    mapping = _entities(header, columns, identity, label)
    named = mapping.columns["label"]
    empty = columns[named].count("")
    if empty and sure:
        question = f"The column {named!r} is empty in {empty} of {len(rows)} rows, which would be left out. Is that right?"
        return Guess(mapping, question)
    return Guess(mapping, "" if sure else f"Is each row a thing, called by its column {named!r}?")


def _naming(header: Sequence[str], columns: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """The column of ids and that of names, "" where none is.

    The ids are those that the table itself refers to, where it refers to its rows: either a key or the names.
    """
    naming = [name for name in header if _names_rows(columns[name])]
    keys = [name for name in naming if _is_key(name)]
    called = next((name for name in header if name.strip().casefold() in _LABELS), "")
    label = called or _of_names(header, columns, keys)
    if not keys:
        return next((name for name in (label, header[0]) if name in naming), ""), called
    if label in naming and _refers(columns, label) and not _refers(columns, keys[0]):
        return label, label
    return keys[0], label


def _of_names(header: Sequence[str], columns: Mapping[str, Sequence[str]], keys: Sequence[str]) -> str:
    """Without a header that says so, the names stand in the first column, or in the first that a key leaves."""
    places = [name for name in header if name not in keys] if keys else header[:1]
    return next((name for name in places if _are_names(columns[name])), "")


def _is_key(name: str) -> bool:
    return name.strip().casefold().split(" ")[-1] in _IDS


def _refers(columns: Mapping[str, Sequence[str]], to: str) -> bool:
    """Whether another column has a cell of this one."""
    cells = set(columns[to])
    return any(not cells.isdisjoint(others) for name, others in columns.items() if name != to)


def _are_names(cells: Sequence[str]) -> bool:
    """Whether they may be names; a few rows may have none."""
    filled = [cell for cell in cells if cell]
    return 4 * len(filled) >= 3 * len(cells) and _names_rows(filled) and _are_words(filled)


def _are_words(cells: Sequence[str]) -> bool:
    """Whether they are neither numbers nor dates, and so may be names."""
    return any(any(map(str.isalpha, cell)) and read_cell(cell) is None for cell in cells)


def _are_codes(cells: Sequence[str]) -> bool:
    """Whether they may be ids where no header says so: one for each row, and neither words nor values."""
    return _names_rows(cells) and not any(" " in cell or cell.isalpha() or read_cell(cell) for cell in cells)


def _statements(header: Sequence[str]) -> TableMapping | None:
    by_name = {name.strip().casefold(): name for name in header}
    columns = {
        role: by_name[name]
        for role, called in _STATEMENT.items()
        for name in reversed(called)
        if name in by_name
    }
    if not {"subject", "predicate", "object"} <= columns.keys():
        return None
    standard = STANDARD["statements"]
    return (
        standard
        if all(role == name for role, name in columns.items())
        else TableMapping("statements", columns)
    )


def _names_rows(cells: Sequence[str]) -> bool:
    """Whether each row has its own."""
    return (
        bool(cells) and all(cells) and len(set(cells)) == len(cells) and max(map(len, cells)) <= LONGEST_NAME
    )


def _are_headers(header: Sequence[str]) -> bool:
    names = [name.strip() for name in header]
    return all(names) and len(set(names)) == len(names) and not any(read_cell(name) for name in names)


def _entities(
    header: Sequence[str], columns: Mapping[str, Sequence[str]], identity: str, label: str
) -> TableMapping:
    roles = {"id": identity, "label": label or identity}
    terms = {name: term for name in header if (term := _term(name, header)) and _are_dates(columns[name])}
    relations: dict[str, Relation] = {}
    for name in header:
        if (role := _role(name)) is not None:
            roles[role] = name
        elif (relation := _property(name, columns[name], roles, terms)) is not None:
            relations[name] = relation
    return TableMapping("entities", roles, relations)


def _role(name: str) -> str | None:
    """What a column says of a thing beside its properties."""
    folded = name.strip().casefold()
    return "aliases" if folded in ALIASES else folded if folded == "description" else None


def _property(name: str, cells: Sequence[str], roles: Mapping[str, str], terms: _Terms) -> Relation | None:
    """The property that a column holds; None where it holds none of its own."""
    if name == roles["id"] or (_is_key(name) and _names_rows(cells)):
        own = name != roles["label"] and name.strip().casefold() not in _UNSAID
        return Relation(_called(name), "string") if own else None
    if not name.strip() or name == roles["label"] or _said_elsewhere(name, terms):
        return None
    return _relation(name, cells, _dates(name, terms))


_Terms = Mapping[str, tuple[str, str]]
"""By a column of dates, the column whose values begin or end then, and which of the two."""


def _terms(header: Sequence[str], columns: Mapping[str, Sequence[str]]) -> _Terms:
    found = {name: term for name in header if (term := _term(name, header)) is not None}
    return {name: term for name, term in found.items() if _are_dates(columns[name])}


def _dates(name: str, terms: _Terms) -> Mapping[str, str]:
    return {role: dates for dates, (of, role) in terms.items() if of == name}


def _are_dates(cells: Sequence[str]) -> bool:
    """Whether most of them are; "From" and "To" may be places, too."""
    filled = [cell for cell in cells if cell]
    dates = [
        cell
        for cell in filled
        if _YEAR.fullmatch(cell) or ((read := read_cell(cell)) and read.family == "date")
    ]
    return 2 * len(dates) >= len(filled)


def _said_elsewhere(name: str, terms: _Terms) -> bool:
    """Whether a column of dates says nothing more than another one that it belongs to: "Director since"."""
    of, role = terms.get(name, ("", ""))
    return bool(of) and _words(of) == _words(name) - _DATED[role]


def _term(name: str, header: Sequence[str]) -> tuple[str, str] | None:
    """("Director", "start") for "Director since" and "Start of director", where the table has the column "Director" too; a column
    that is called "From" alone, or "Start date", is told of the one column with a post.
    """
    said = _words(name)
    role = next((role for role, words in _DATED.items() if len(said & words) == 1), None)
    if role is None:
        return None
    rest = said - _DATED[role] - _LIGHT
    found = [other for other in header if other != name and rest and _words(other) == rest]
    found = found or [other for other in header if not rest and other.strip().casefold() in _POSTS]
    return (found[0], role) if len(found) == 1 else None


def _words(name: str) -> frozenset[str]:
    return frozenset(_BRACKETS.sub("", name).replace("_", " ").casefold().split())


def _relation(name: str, cells: Sequence[str], dates: Mapping[str, str]) -> Relation:
    told = said(name)
    unit = told.unit.words[0] if told.unit is not None and _BRACKETS.search(name) else ""
    return Relation(_called(name), "auto", _separator(cells), unit, **dates)


def _called(name: str) -> str:
    """The property of a column: "Weight (kg)" is "weight"; "Wi-Fi", "CEO" and "A" stay as they are."""
    bare = _BRACKETS.sub("", name.strip()).replace("_", " ")
    return (bare[:1].lower() + bare[1:] if bare.split(" ")[0][1:].islower() else bare) or name


def _separator(cells: Sequence[str]) -> str:
    """What stands between the members of a list in one cell; "" where there are no lists."""
    filled = [cell for cell in cells if cell]
    for separator in "|;":
        if any(separator in cell for cell in filled):
            return separator
    listed = [cell for cell in filled if ", " in cell and read_cell(cell) is None]
    return ", " if filled and len(listed) >= _LISTED * len(filled) else ""


def _with(mapping: TableMapping, *, delimiter: str) -> TableMapping:
    columns = mapping.columns
    return TableMapping(mapping.rows, columns, mapping.relations, delimiter=delimiter)
