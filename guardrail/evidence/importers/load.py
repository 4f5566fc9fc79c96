"""Writes what a reader gives into a graph, batch by batch, and remembers how far it has come.

The place in the file is written in the same transaction as the rows before it. An import that was killed therefore goes
on after its last whole batch, and doubles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson

from guardrail.errors import ImportFailed, KnowledgeError
from guardrail.evidence import names
from guardrail.evidence.importers.apart import chunks
from guardrail.evidence.importers.chunk import BadRecord, Chunk, FileReader
from guardrail.evidence.importers.source import Source
from guardrail.evidence.store.batch import Batch
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.evidence.store.packed import Known
from guardrail.types import Node, Triplet

SHOWN = 100
"""Bad records that are kept with their causes; all are counted."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import has come. `position` of `size` bytes on the disk; `read` and `written` count records."""

    file: str
    position: int
    size: int
    read: int
    written: int
    bad: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file. `resumed`: records that an earlier, interrupted run had written.

    `odd`: values of this run that were kept as text or in their own unit, as they are not of their property's type.
    `replaced`: statements of a former version of the file that were removed; `stays`: what the given source said before was not.
    """

    file: str
    read: int
    written: int
    bad: int
    bad_records: tuple[BadRecord, ...] = ()
    resumed: int = 0
    already: bool = False
    odd: int = 0
    odd_records: tuple[BadRecord, ...] = ()
    replaced: int = 0
    stays: bool = False


@dataclass(slots=True)
class _State:
    """The row of a file in the table `import`. `name`: the file's own; `source`: where its statements come from; both "" in a row of
    guardrail 0.1.
    """

    read: int = 0
    written: int = 0
    bad: int = 0
    done: bool = False
    settled: bool = False
    name: str = ""
    source: str = ""

    def packed(self) -> str:
        return orjson.dumps({name: getattr(self, name) for name in self.__slots__}).decode()


@dataclass(slots=True)
class _Told:
    """The first records of a run that were bad or odd, and how many statements it removed."""

    bad: list[BadRecord] = field(default_factory=list)
    odd: list[BadRecord] = field(default_factory=list)
    odd_in_all: int = 0
    replaced: int = 0
    stays: bool = False

    def add(self, chunk: Chunk) -> None:
        self.bad.extend(chunk.bad[: SHOWN - len(self.bad)])
        self.odd.extend(chunk.odd[: SHOWN - len(self.odd)])
        self.odd_in_all += len(chunk.odd)

    def outcome(self, path: Path, state: _State, resumed: int) -> Outcome:
        return Outcome(
            str(path),
            state.read,
            state.written - resumed,
            state.bad,
            tuple(self.bad),
            resumed,
            False,
            self.odd_in_all,
            tuple(self.odd),
            self.replaced,
            self.stays,
        )


@dataclass(slots=True)
class Loader:
    """Imports files into `graph`. `strict`: stops at the first bad record; `again`: reads finished files anew.

    `source` and `as_of` are noted at every statement that does not bring its own; the file's name where not given.
    `replace`: what comes first of a file removes what its name is noted at, as a former version of it said that; True: also what
    `source` is noted at; False: nothing. Files of one name that one loader reads are not versions of each other.
    """

    graph: Graph
    strict: bool = False
    again: bool = False
    source: str = ""
    as_of: str = ""
    replace: bool | None = None
    report: Callable[[Progress], None] = lambda _: None
    _known: Known = field(default_factory=Known)
    _read: set[str] = field(default_factory=set)  # sources of this run

    def load(self, path: Path, reader: FileReader) -> Outcome:
        """Imports one file. Raises ImportFailed with file, line and cause; what came before is kept."""
        with Source.open(path) as source:
            key = source.fingerprint()
            state = self._state(key)
            if state.done and not self.again:
                self._read |= self._sources(path)
                return Outcome(str(path), state.read, 0, state.bad, resumed=state.written, already=True)
            if state.done:
                state = _State()
            state.name, state.source = path.name, self.source
            resumed, told = state.written, _Told()
            for chunk in chunks(reader, source, skip=state.read):
                if self.strict and chunk.bad:
                    raise ImportFailed(path, chunk.bad[0].cause, line=chunk.bad[0].number)
                self._write(path, key, chunk, state, told)
                told.add(chunk)
                self.report(
                    Progress(str(path), chunk.position, source.size, state.read, state.written, state.bad)
                )
            self._mark(key, state, done=True)
        return told.outcome(path, state, resumed)

    def load_whole(
        self, path: Path, reader: FileReader, *, confirm: Callable[[Outcome], None] = lambda _: None
    ) -> Outcome:
        """Imports one file in one transaction and settles the graph: all of it is written, or nothing. For files of some MB.

        `confirm` is called before the end; what it raises undoes everything. Raises ImportFailed.
        """
        with Source.open(path) as source, self.graph.write(settle=False, known=self._known) as batch:
            state, told = _State(name=path.name, source=self.source), _Told()
            self._drop_former(batch, path, told)
            for chunk in chunks(reader, source, skip=0):
                written = _without_what_cannot_be(chunk)
                state.read, state.written = chunk.read, state.written + written.good
                state.bad += len(written.bad)
                chunk.bad = written.bad
                self._fill(batch, written, self.source or path.name)
                told.add(chunk)
            state.done = state.settled = True
            batch.note_import(source.fingerprint(), state.packed())
            batch.settle()
            outcome = told.outcome(path, state, 0)
            confirm(outcome)
        return outcome

    def settle(self) -> None:
        """Degrees, cardinality and names of relations: once after all files, unless nothing is new."""
        rows = self.graph.database.rows("SELECT file, progress FROM import")
        open_ones = [(file, orjson.loads(progress)) for file, progress in rows]
        if all(state["settled"] for _, state in open_ones):
            return
        with self.graph.write(settle=False) as batch:
            batch.settle()
            for file, state in open_ones:
                batch.note_import(file, orjson.dumps({**state, "settled": True}).decode())

    def _state(self, key: str) -> _State:
        rows = self.graph.database.rows("SELECT progress FROM import WHERE file = ?", (key,))
        return _State(**orjson.loads(rows[0][0])) if rows else _State()

    def _mark(self, key: str, state: _State, *, done: bool) -> None:
        state.done = done
        with self.graph.write(settle=False) as batch:
            batch.note_import(key, state.packed())

    def _write(self, path: Path, key: str, chunk: Chunk, state: _State, told: _Told) -> None:
        written, begins = _without_what_cannot_be(chunk), not state.read
        state.read = chunk.read
        state.written += written.good
        state.bad += len(written.bad)
        state.settled = False
        chunk.bad = written.bad
        if self.strict and written.bad:
            raise ImportFailed(path, written.bad[0].cause, line=written.bad[0].number)
        name = self.source or path.name
        try:
            with self.graph.write(settle=False, known=self._known) as batch:
                if begins:
                    self._drop_former(batch, path, told)
                self._fill(batch, written, name)
                batch.note_import(key, state.packed())
        except KnowledgeError as error:
            raise ImportFailed(
                path, f"not written after record {state.read - chunk.read}: {error}"
            ) from error

    def _sources(self, path: Path) -> set[str]:
        """Where statements of this file, or of a former version of it, come from."""
        return {path.name, self.source} - {""} if self.replace else {path.name}

    def _drop_former(self, batch: Batch, path: Path, told: _Told) -> None:
        """Removes what a former version of the file said, once in a run; such a version may then be imported again."""
        former = set() if self.replace is False else self._sources(path) - self._read
        if self.source and self.replace is None and self.source not in self._read | {path.name}:
            told.stays = bool(self.graph.database.rows("SELECT n FROM source WHERE name = ?", (self.source,)))
            self._read.add(self.source)
        self._read |= self._sources(path)
        told.replaced = batch.retract_sources(former) if former else 0
        if told.replaced:
            rows = self.graph.database.rows("SELECT file, progress FROM import")
            noted = ((file, orjson.loads(progress)) for file, progress in rows)
            batch.forget_imports(file for file, one in noted if former & {one.get("name"), one.get("source")})

    def _fill(self, batch: Batch, chunk: Chunk, name: str) -> None:
        batch.add_properties(chunk.properties)
        batch.add_entities(chunk.entities)
        if chunk.packed:
            batch.add_packed(chunk.packed, source=name, as_of=self.as_of)
        batch.add_statements(
            t if t.source else replace(t, source=name, as_of=t.as_of or self.as_of) for t in chunk.statements
        )
        batch.add_statements(chunk.as_is)
        batch.add_aliases(chunk.aliases)


def _without_what_cannot_be(chunk: Chunk) -> Chunk:
    """Names and ids that are too long, and nameless things, would spoil the whole batch: they are bad records."""
    bad = list(chunk.bad)

    def fit(what: str, *texts: str) -> bool:
        length = max(map(len, texts), default=0)
        if length > names.LONGEST_NAME:
            bad.append(BadRecord(chunk.read, f"{what[:80]}: a name of {length} characters"))
        return length <= names.LONGEST_NAME

    def is_whole(new: NewEntity) -> bool:
        if not new.entity.id:
            bad.append(BadRecord(chunk.read, ": no id"))
            return False
        foreign = (text for text, _ in new.foreign)
        return fit(new.entity.id, new.entity.id, new.entity.label, *new.aliases, *foreign)

    def joins(statement: Triplet) -> bool:
        ends = (statement.subject, statement.object)
        return fit(
            statement.subject.id, *(text for e in ends if isinstance(e, Node) for text in (e.id, e.label))
        )

    return replace(
        chunk,
        entities=[new for new in chunk.entities if is_whole(new)],
        statements=[t for t in chunk.statements if joins(t)],
        as_is=[t for t in chunk.as_is if joins(t)],
        aliases=[(thing, name) for thing, name in chunk.aliases if fit(thing, name)],
        bad=bad,
    )


def load(files: Iterable[tuple[Path, FileReader]], loader: Loader) -> list[Outcome]:
    """Imports the files in turn, and settles the graph even where one of them fails."""
    try:
        return [loader.load(path, reader) for path, reader in files]
    finally:
        loader.settle()
