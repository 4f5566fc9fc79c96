"""Tables: CSV, TSV and JSONL, row by row, by a mapping of their columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Literal

import orjson

from guardrail.errors import ImportFailed
from guardrail.evidence.importers import exported
from guardrail.evidence.importers.chunk import BadRecord, Chunk
from guardrail.evidence.importers.mapping import ALIASES, PLAIN, STANDARD, TableMapping, needed_columns
from guardrail.evidence.importers.rows import NO_ROWS, csv_rows, is_text, must_differ
from guardrail.evidence.importers.source import Source
from guardrail.evidence.names import LONGEST_NAME
from guardrail.evidence.properties.columns import NOTHING, Column, column_of
from guardrail.evidence.properties.completeness import mark
from guardrail.evidence.properties.iris import is_like_wikidatas
from guardrail.evidence.properties.literals import Kind, kgtk_value, plain_value
from guardrail.evidence.properties.ontology import END, START
from guardrail.evidence.store.graph import NewEntity
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value
from guardrail.values.dates import moment_of
from guardrail.values.written_days import Order, in_order, order_of

Cells = Mapping[str, object]
_ROWS = 50_000
_SAMPLE = 5_000
"""Rows from which the types of columns are read."""
_DATATYPES = {"item": "entity", "wikibase-item": "entity", "time": "date", "globe-coordinate": "coordinate"}
_KINDS: Mapping[str, Kind] = {
    "item": "entity", "entity": "entity", "time": "date", "date": "date", "quantity": "quantity", "number": "quantity",
    "string": "string", "text": "string", "coordinate": "coordinate", "auto": "auto", "kgtk": "kgtk",
}  # fmt: skip


@dataclass(slots=True)
class TableReader:
    """Reads rows by `mapping`. Cells that are no id and no literal of the mapping's kind make the row a bad record.

    Without a mapping a JSON row may itself say what it is: {"rows": "entities", "id": …}. `kg export` writes such rows,
    in the singular (exported.py).
    """

    mapping: TableMapping = PLAIN
    _columns: dict[str, Column] = field(default_factory=dict)
    # by column: whether a date in numbers has the day first
    _orders: dict[str, Order] = field(default_factory=dict)

    def chunks(self, source: Source, *, skip: int) -> Iterator[Chunk]:
        """Records are rows: the line with the column names is none."""
        chunk, at = Chunk(), 0
        failure: ImportFailed | None = None
        rows = _json_rows(source) if _is_json(source) else self._csv_rows(source)
        try:
            sample, rows = _sampled(rows)
            self._judge(sample, chunk)
            for column in _date_columns(self.mapping):
                self._orders[column] = order_of(str(row.get(column, "")).strip() for row in sample)
            for number, row in rows:
                at += 1
                if at <= skip:
                    continue
                self._put(number, row, chunk)
                chunk.read = at
                if at % _ROWS == 0:
                    yield chunk
                    chunk = Chunk(read=at)
        except ImportFailed as error:
            failure = error
        chunk.read = max(at, skip)
        if chunk.read or failure is None:  # where nothing was read, a former version of the file stays
            yield chunk
        if failure is not None:
            raise failure

    def _put(self, number: int, row: Cells | str, chunk: Chunk) -> None:
        """What a row says, or that it is a bad one."""
        try:
            if isinstance(row, str):
                raise ValueError(row)
            self._add(number, row, chunk)
        except (ValueError, TypeError) as error:
            chunk.bad.append(BadRecord(number, str(error)[:300]))

    def _csv_rows(self, source: Source) -> Iterator[tuple[int, Cells | str]]:
        delimiter = self.mapping.delimiter.replace("\\t", "\t") or (
            "\t" if ".tsv" in source.suffixes else ","
        )
        rows = csv_rows(source.lines(), delimiter)
        _, header = next(rows, (0, None))
        if header is None:
            raise ImportFailed(source.path, "is empty")
        if isinstance(header, str):
            raise ImportFailed(source.path, header, line=1)
        if not is_text(header):
            raise ImportFailed(source.path, "not UTF-8 text", line=1)
        header[0] = header[0].removeprefix("\ufeff")
        self._examine(header, source)
        number = 0
        for number, cells in rows:
            yield number, cells if isinstance(cells, str) else _row(header, cells, fill=source.workbook)
        if not number:
            raise ImportFailed(source.path, NO_ROWS)

    def _examine(self, header: list[str], source: Source) -> None:
        missing = [column for column in needed_columns(self.mapping) if column not in header]
        if missing:
            raise ImportFailed(
                source.path, f"has no column {', '.join(missing)}; it has {', '.join(header)[:300]}", line=1
            )
        read = {*needed_columns(self.mapping), *self.mapping.columns.values()}
        must_differ((name for name in header if name in read), source.path)

    def _judge(self, sample: Iterable[Cells], chunk: Chunk) -> None:
        """Reads from the first rows what the values of each property are."""
        texts: dict[str, list[str]] = {}
        things = set()
        for row in sample:
            if self.mapping.values == "kgtk" or self.mapping.rows == "properties" or self._left_out(row):
                continue
            things.add(self._text(row, "subject" if self.mapping.rows == "statements" else "id"))
            for name, text in self._plain_cells(row):
                texts.setdefault(name, []).append(text)
        units = {
            relation.property: relation.unit for relation in self.mapping.relations.values() if relation.unit
        }
        named = {name: f"{name} ({units[name]})" if name in units else name for name in texts}
        self._columns = {
            name: column_of(named[name], cells, frozenset(things)) for name, cells in texts.items()
        }
        records = (column.record(name) for name, column in self._columns.items())
        chunk.properties += [record for record in records if record is not None]

    def _plain_cells(self, row: Cells) -> Iterator[tuple[str, str]]:
        """The cells of which nobody said what they are, each with its property."""
        if self.mapping.rows == "statements":
            if not self._text(row, "kind"):
                yield self._text(row, "predicate"), self._text(row, "object")
            return
        for column, relation in self.mapping.relations.items():
            if relation.kind == "auto":
                for text in self._cell_list(row.get(column), relation.separator):
                    yield relation.property, text

    def _left_out(self, row: Cells) -> bool:
        return any(str(row.get(column)) in values for column, values in self.mapping.leave_out.items())

    def _add(self, number: int, row: Cells, chunk: Chunk) -> None:
        if self._left_out(row):
            return
        row = self._in_one_order(row)
        named = row.get("rows")
        if named in exported.KINDS and self.mapping == PLAIN:
            exported.add(row, chunk)
        elif named != self.mapping.rows and isinstance(named, str) and self.mapping == PLAIN:
            if named not in STANDARD:
                raise ValueError(f"unknown kind of rows: {named!r}")
            TableReader(STANDARD[named])._add(number, row, chunk)
        elif self.mapping.rows == "statements":
            self._statement(number, row, chunk)
        elif self.mapping.rows == "entities":
            self._entity(number, row, chunk)
        else:
            chunk.properties.append(self._property(row))

    def _in_one_order(self, row: Cells) -> Cells:
        """The row with its days in numbers read as those of the other rows are."""
        found = ((column, row.get(column), order) for column, order in self._orders.items())
        days = {
            column: in_order(cell.strip(), order) for column, cell, order in found if isinstance(cell, str)
        }
        return {**row, **days}

    # ── what a row may be ─────────────────────────────────────────────────────────────────────────────

    def _statement(self, number: int, row: Cells, chunk: Chunk) -> None:
        subject, predicate = self._needed(row, "subject"), self._needed(row, "predicate")
        text = self._needed(row, "object")
        if predicate.casefold() in ALIASES and len(text) <= LONGEST_NAME:
            chunk.aliases.append((subject, text))
            return
        kind = _kind(self._text(row, "kind"))
        if len(text) > LONGEST_NAME and kind == "auto":
            kind = "string"  # so much is no name
        value = self._value(text, kind, predicate, number, chunk)
        item: Object = value if value is not None else Node(text, self._text(row, "object_label"))
        dates = _term(self._text(row, "start"), self._text(row, "end"))
        source, as_of = self._text(row, "source"), self._text(row, "as_of")
        rank = self._rank(row)
        sets = [*self._qualifiers(self._text(row, "qualifiers"))] or [()]
        for qualifiers in sets:
            chunk.statements.append(
                Triplet(
                    Node(subject, self._text(row, "subject_label")),
                    Node(predicate, ""),
                    item,
                    (*qualifiers, *dates),
                    source=source,
                    as_of=as_of,
                    rank=rank,
                )
            )
        if self._flag(row, "complete"):
            chunk.statements.append(mark(Node(subject, ""), predicate, source=source, as_of=as_of))

    def _rank(self, row: Cells) -> Literal["preferred", "normal", "deprecated"]:
        rank = self._text(row, "rank") or "normal"
        if rank not in ("preferred", "normal", "deprecated"):
            raise ValueError(f"unknown rank: {rank!r}")
        return rank  # type: ignore[return-value]

    def _qualifiers(self, text: str) -> Iterator[tuple[Qualifier, ...]]:
        """`P580=1990;P582=1994`, with `|` between the sets of several statements."""
        for group in text.split("|") if text else ():
            found = []
            for part in group.split(";"):
                name, equals, value = part.partition("=")
                if not equals or not name or not value:
                    raise ValueError(f"not a qualifier: {part!r}")
                literal = self._literal(value, "kgtk" if value[0] in "^@\"'" else "auto")
                found.append(Qualifier(Node(name, ""), literal if literal is not None else Node(value, "")))
            yield tuple(found)

    def _entity(self, number: int, row: Cells, chunk: Chunk) -> None:
        entity_id = self._needed(row, "id")
        gender = self._text(row, "gender")[:1].lower()
        entity = Entity(
            entity_id,
            self._called(row, entity_id),
            self._text(row, "description"),
            self._list(row, "types"),
            self._prior(row),
            gender if gender in ("m", "f") else "",  # type: ignore[arg-type]
            self._text(row, "url") or None,
        )
        statements = []
        for column, relation in self.mapping.relations.items():
            dates = _term(*(str(row.get(column) or "").strip() for column in (relation.start, relation.end)))
            for text in self._cell_list(row.get(column), relation.separator):
                if relation.kind == "auto" and text in NOTHING:
                    continue
                value = self._value(text, relation.kind, relation.property, number, chunk)
                item: Object = value if value is not None else Node(text, "")
                statements.append(Triplet(Node(entity_id, ""), Node(relation.property, ""), item, dates))
        aliases = self._list(row, "aliases") + self._code(row, entity)
        chunk.entities.append(NewEntity(entity, aliases, self.mapping.language))
        chunk.statements += statements

    def _called(self, row: Cells, entity_id: str) -> str:
        """The name of a row's thing: its id only where the table has no column for names."""
        named = self.mapping.columns.get("label") in row
        return self._needed(row, "label") if named else self._text(row, "label") or entity_id

    def _code(self, row: Cells, entity: Entity) -> tuple[str, ...]:
        """The name again where it is the id and looks like one of Wikidata's: the table says that the thing is called so, "P1"."""
        named = self.mapping.columns.get("label") in row and entity.label == entity.id
        return (entity.label,) if named and is_like_wikidatas(entity.id) else ()

    def _property(self, row: Cells) -> Property:
        datatype = self._text(row, "datatype")
        datatype = _DATATYPES.get(datatype, datatype or "entity")
        cardinality = self._text(row, "cardinality") or "unknown"
        if cardinality not in ("single", "list", "unknown"):
            raise ValueError(f"unknown cardinality: {cardinality!r}")
        flags = {name: self._flag(row, name) for name in _FLAGS}
        property_id = self._needed(row, "id")
        return Property(
            property_id,
            self._text(row, "label") or property_id,
            self._list(row, "aliases"),
            datatype if datatype in ("entity", "date", "quantity", "coordinate") else "string",  # type: ignore[arg-type]
            cardinality,  # type: ignore[arg-type]
            self._text(row, "inverse") or None,
            **flags,  # type: ignore[arg-type]
        )

    # ── cells ─────────────────────────────────────────────────────────────────────────────────────────

    def _text(self, row: Cells, name: str) -> str:
        column = self.mapping.columns.get(name, "")
        if column.startswith("="):
            return column[1:]
        cell = row.get(column)
        return "" if cell is None else str(cell).strip()

    def _needed(self, row: Cells, name: str) -> str:
        text = self._text(row, name)
        if not text:
            raise ValueError(f"no {name}")
        if len(text) > LONGEST_NAME and name != "object":
            raise ValueError(f"a {name} of {len(text):,} characters")
        return text

    def _flag(self, row: Cells, name: str) -> bool:
        return self._text(row, name).lower() in ("1", "true", "yes")

    def _list(self, row: Cells, name: str) -> tuple[str, ...]:
        return tuple(self._cell_list(row.get(self.mapping.columns.get(name, ""))))

    def _cell_list(self, cell: object, separator: str = "") -> list[str]:
        if cell is None:
            return []
        parts = cell if isinstance(cell, list) else str(cell).split(separator or self.mapping.separator)
        return [text for part in parts if (text := str(part).strip())]

    def _prior(self, row: Cells) -> float:
        pagerank, popularity = self._text(row, "pagerank"), self._text(row, "popularity")
        prior = math.log1p(float(pagerank) * 1e6) if pagerank else float(popularity or 0)
        if not math.isfinite(prior):
            raise ValueError(f"not a popularity: {pagerank or popularity!r}")
        return prior

    def _value(self, text: str, kind: Kind, relation: str, number: int, chunk: Chunk) -> Value | None:
        """What a cell says of the relation: as it is mapped, else by the other values of that."""
        if kind != "auto" or self.mapping.values == "kgtk":
            return self._literal(text, kind)
        value, odd = self._columns.get(relation, Column(relation)).read(text)
        if odd:
            chunk.odd.append(BadRecord(number, odd))
        return value

    def _literal(self, text: str, kind: Kind) -> Value | None:
        if self.mapping.values == "kgtk" and kind != "entity":
            return kgtk_value(text)
        return plain_value(text, kind)


_START, _END = Node(START[0], "start time"), Node(END[0], "end time")
_FLAGS = ("symmetric", "temporal", "hierarchical", "complete")


def _date_columns(mapping: TableMapping) -> set[str]:
    """The columns of which it is known beforehand that they hold dates."""
    named = {mapping.columns[part] for part in ("start", "end") if part in mapping.columns}
    for column, relation in mapping.relations.items():
        named |= {relation.start, relation.end, column if relation.kind == "date" else ""}
    return named - {""}


def _sampled(
    rows: Iterator[tuple[int, Cells | str]],
) -> tuple[list[Cells], Iterator[tuple[int, Cells | str]]]:
    """The first rows that can be read, and all rows."""
    first = list(islice(rows, _SAMPLE))
    return [row for _, row in first if not isinstance(row, str)], chain(first, rows)


def _term(start: str, end: str) -> tuple[Qualifier, ...]:
    """Since when and until when. Raises ValueError for a cell that is no date, and where the end is before the start ("2020", "2015"):
    one of the two is wrong, and nobody can say which.
    """
    told = ((_START, start), (_END, end))
    term = [(node, _day(text)) for node, text in told if text not in NOTHING]
    days = [moment.interval() for _, day in term if (moment := moment_of(day))]
    if len(days) == 2 and days[1][1] < days[0][0]:
        raise ValueError(f"ends before it starts: {start[:40]!r} to {end[:40]!r}")
    return tuple(Qualifier(node, day) for node, day in term)


def _day(text: str) -> Value:
    """A date, as ISO 8601 or as people write it. Raises ValueError."""
    value = plain_value(text, "date")
    if value is None:
        raise ValueError(f"not a date: {text[:40]!r}")
    return value


def _kind(text: str) -> Kind:
    return _KINDS.get(text.lower(), "string") if text else "auto"


def _row(header: list[str], cells: list[str], *, fill: bool) -> Cells | str:
    """The cells by their columns, or what is wrong with them. `fill`: what is empty at the end was left out, as in a workbook."""
    if fill:
        cells = cells + [""] * (len(header) - len(cells))
    if len(cells) != len(header):
        return f"{len(cells)} cells in {len(header)} columns"
    return dict(zip(header, cells, strict=True)) if is_text(cells) else "not UTF-8 text"


def _is_json(source: Source) -> bool:
    return any(suffix in (".jsonl", ".ndjson") for suffix in source.suffixes)


def _json_rows(source: Source) -> Iterator[tuple[int, Cells | str]]:
    number, seen = 0, False
    for block in source.line_blocks():
        for line in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            if not line.strip():
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                if not seen and number > 100:
                    raise ImportFailed(source.path, "this is not JSONL", line=1) from error
                yield number, f"not JSON: {error}"
                continue
            seen = True
            yield number, row if isinstance(row, dict) else "not a JSON object"
