"""RDF: N-Triples and N-Quads line by line, Turtle, TriG, RDF/XML and JSON-LD as wholes. pyoxigraph does the parsing.

Labels, alternative labels and descriptions become names of entities; what an ontology says of a property (functional,
symmetric, transitive, inverse, a restriction or shape) becomes the property's flags; everything else is a statement. Wikidata's IRIs become
their ids, so that its truthy dump and its JSON dump make the same graph.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from sys import intern
from typing import Any, Final, Literal

import pyoxigraph as ox

from guardrail.errors import ImportFailed
from guardrail.evidence import names
from guardrail.evidence.importers.axioms import AXIOMS, Axioms
from guardrail.evidence.importers.chunk import CHUNK, BadRecord, Chunk, must_be
from guardrail.evidence.importers.source import Source
from guardrail.evidence.properties import iris
from guardrail.evidence.properties.literals import rdf_value
from guardrail.evidence.store.packed import Columns, Mark, Name
from guardrail.types import Property

FORMATS: Final = {
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".ttl": ox.RdfFormat.TURTLE,
    ".trig": ox.RdfFormat.TRIG,
    ".n3": ox.RdfFormat.N3,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
}
_BY_LINE = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)
_FIRST_CHUNK = 25_000
REMEMBERED = 300_000
"""Entities whose places are kept from chunk to chunk, here and where they are written (about 100 MB)."""
_HOPELESS = 100
"""Bad lines without a single good one after which a file is no N-Triples at all."""
_FLAGS: Final = {
    iris.OWL + "FunctionalProperty": "cardinality",
    iris.OWL + "SymmetricProperty": "symmetric",
    iris.OWL + "TransitiveProperty": "hierarchical",
}
_INVERSE: Final = iris.OWL + "inverseOf"
_IS_A: Final = iris.RDF + "type"
_IS_NAME, _LEFT_OUT, _NOT_YET = -1, -2, -3
"""Roles of a predicate that has no place in the columns."""
_UNSPOKEN = 1 << 62
"""Instead of a place: a text in a language that is not wanted."""
_NAMES: Final[dict[str, Literal["label", "alias", "description"]]] = {
    **dict.fromkeys(iris.LABELS, "label"),
    **dict.fromkeys(iris.ALIASES, "alias"),
    **dict.fromkeys(iris.DESCRIPTIONS, "description"),
}


@dataclass(slots=True)
class RdfReader:
    """Reads the format that `suffix` stands for in `FORMATS`.

    `languages`: of names and texts that are kept, the first found is the label; empty: all of them.

    `properties`: ids of the only relations that are kept; empty: all of them.
    """

    suffix: str
    languages: Collection[str] = ("en",)
    properties: Collection[str] = ()
    _columns: Columns = field(default_factory=Columns)
    _entities: dict[str, int] = field(default_factory=dict)  # places in the columns, by IRI
    _relations: dict[str, int] = field(default_factory=dict)
    _literals: dict[tuple[str, str, str | None], int] = field(default_factory=dict)
    _axioms: Axioms = field(default_factory=Axioms)
    _blank: str = ""
    _blanks: dict[str, str] | None = None

    @property
    def format(self) -> ox.RdfFormat:
        return FORMATS[self.suffix]

    def chunks(self, source: Source, *, skip: int) -> Iterator[Chunk]:
        """Records are lines of N-Triples and N-Quads, else statements."""
        self._blank = source.fingerprint()[:8]
        self._begin()
        if self.format in _BY_LINE:
            yield from self._by_line(source, skip)
        else:
            yield from self._whole(source, skip)

    # ── line by line ──────────────────────────────────────────────────────────────────────────────────

    def _by_line(self, source: Source, skip: int) -> Iterator[Chunk]:
        chunk, at, good, bad = Chunk(), 0, 0, 0
        first_bad: BadRecord | None = None
        failure: ImportFailed | None = None
        try:
            for block in source.line_blocks():
                lines = block.count(b"\n") + (not block.endswith(b"\n"))
                if at + lines > skip:
                    unread = block.split(b"\n", max(0, skip - at))[-1]
                    self._parse_lines(unread, max(at, skip), chunk)
                at += lines
                chunk.read = at
                held, first_bad = self._held(chunk), first_bad or next(iter(chunk.bad), None)
                if bad + len(chunk.bad) > _HOPELESS:
                    must_be(source.path, self.format.name, good + held, first_bad)
                if held + len(chunk.bad) >= _size(at - skip):
                    good, bad = good + held, bad + len(chunk.bad)
                    yield self._packed(chunk)
                    chunk = Chunk(read=at)
        except ImportFailed as error:
            if not good + self._held(chunk):
                raise
            failure = error
        if not skip:
            must_be(source.path, self.format.name, good + self._held(chunk), first_bad)
        yield self._packed(chunk)
        if failure is not None:
            raise failure

    def _parse_lines(self, block: bytes, before: int, chunk: Chunk) -> None:
        """Parses a block at once; where a line of it is bad, line by line."""
        mark, properties = self._mark(), len(chunk.properties)
        try:
            self._add(ox.parse(block, format=self.format), chunk)
            return
        except (SyntaxError, ValueError):
            self._cut(mark)
            del chunk.properties[properties:]
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if line.strip():
                mark = self._mark()
                try:
                    self._add(ox.parse(line, format=self.format), chunk)
                except (SyntaxError, ValueError) as error:
                    self._cut(mark)
                    chunk.bad.append(BadRecord(number, _cause(error)))

    # ── as a whole ────────────────────────────────────────────────────────────────────────────────────

    def _whole(self, source: Source, skip: int) -> Iterator[Chunk]:
        # After an interruption the file is parsed again from its beginning, for its prefixes and nesting; of what is
        # written already only the blank nodes are looked at: they are numbered as they come, and get the same names.
        chunk, at, self._blanks = Chunk(), 0, {}
        stream = source.stream()
        quads = ox.parse(stream, format=self.format, base_iri=source.path.resolve().as_uri())
        failure: ImportFailed | None = None
        while failure is None:
            mark = self._mark()
            try:
                quad = next(quads, None)
                if quad is None:
                    break
                at += 1
                self._number_blanks(quad)
                if at > skip:
                    self._add((quad,), chunk)
            except ValueError as error:
                self._cut(mark)
                chunk.bad.append(BadRecord(at, _cause(error)))
            except (SyntaxError, OSError) as error:
                failure = ImportFailed(source.path, _cause(error), line=getattr(error, "lineno", None))
            except ImportFailed as error:
                failure = error
            chunk.read = max(at, skip)
            if self._held(chunk) >= CHUNK:
                yield self._packed(chunk)
                chunk = Chunk(read=chunk.read)
        yield self._packed(chunk)
        if failure is not None:
            raise failure

    # ── what has been read ────────────────────────────────────────────────────────────────────────────

    def _held(self, chunk: Chunk) -> int:
        """Good records that have not been given out."""
        return len(self._columns) + len(chunk.properties)

    def _packed(self, chunk: Chunk) -> Chunk:
        chunk.packed = self._columns.pack()
        self._literals.clear()
        if self._columns.places > REMEMBERED:
            self._begin()
        return chunk

    def _begin(self) -> None:
        """Gives places anew: a file has its own, and all of them stand in memory."""
        self._columns, self._entities, self._relations, self._literals = Columns(), {}, {}, {}

    def _mark(self) -> tuple[Mark, int]:
        return self._columns.mark(), len(self._entities)

    def _cut(self, mark: tuple[Mark, int]) -> None:
        self._columns.cut(mark[0])
        while len(self._entities) > mark[1]:
            self._entities.popitem()

    # ── one statement ─────────────────────────────────────────────────────────────────────────────────

    def _add(self, quads: Iterable[Any], chunk: Chunk) -> None:
        relations = self._relations
        for quad in quads:
            predicate = quad.predicate.value
            relation = relations.get(predicate)
            if relation is None:
                relation = relations[predicate] = self._role(predicate)
            if relation == _IS_NAME:
                self._name(quad.subject, predicate, quad.object)
            elif relation != _LEFT_OUT:
                self._statement(quad.subject, predicate, relation, quad.object, chunk)

    def _statement(self, subject: Any, predicate: str, relation: int, item: Any, chunk: Chunk) -> None:
        columns = self._columns
        if predicate in AXIOMS and (told := self._axioms.learn(self._node(subject), predicate, item)):
            chunk.properties.append(told)
        if type(item) is ox.NamedNode and (
            predicate == _INVERSE or (predicate == _IS_A and item.value in _FLAGS)
        ):
            self._flag(subject, item.value, chunk)
        o = self._literal(item, columns) if type(item) is ox.Literal else self._place(item)
        if o == _UNSPOKEN:
            return
        if relation == _NOT_YET:
            relation = columns.property(iris.short(predicate), columns.datatype(o))
            self._relations[predicate] = relation
        columns.subject.append(self._place(subject))
        columns.predicate.append(relation)
        columns.object.append(o)

    def _place(self, node: Any) -> int:
        """The place of an entity, looked up first where it is an IRI."""
        place = self._entities.get(node.value) if type(node) is ox.NamedNode else None
        return self._entity(node) if place is None else place

    def _entity(self, node: Any) -> int:
        """The place of an IRI or a blank node. Raises ValueError for what cannot be an entity."""
        entity_id = self._node(node)
        if len(entity_id) > names.LONGEST_NAME:
            raise ValueError(f"{entity_id[:80]}: an id of {len(entity_id)} characters")
        place = self._columns.entity(entity_id)
        if type(node) is ox.NamedNode:
            self._entities[node.value] = place
        return place

    def _role(self, predicate: str) -> int:
        """What is to be done with statements of this predicate: a place in the columns stands for itself."""
        if predicate in _NAMES:
            return _IS_NAME
        if predicate in iris.PLUMBING or (self.properties and iris.short(predicate) not in self.properties):
            return _LEFT_OUT
        return _NOT_YET

    def _literal(self, item: Any, columns: Columns) -> int:
        if item.language and not self._wanted(item.language):
            return _UNSPOKEN
        key = (item.value, item.datatype.value, item.language)
        place = self._literals.get(key)
        if place is None:
            value = rdf_value(key[0], key[1], key[2] or "")
            place = self._literals[key] = columns.literal(value)
        return place

    def _node(self, node: Any) -> str:
        """Blank nodes mean something inside their file only; quoted triples nothing to us."""
        if isinstance(node, ox.BlankNode):
            name = node.value
            if self._blanks is not None:
                name = self._blanks.setdefault(name, str(len(self._blanks)))
            return f"_:{self._blank}.{name}"
        if isinstance(node, ox.NamedNode):
            return iris.short(node.value)
        raise ValueError(f"a statement about a {type(node).__name__} is not supported")

    def _number_blanks(self, quad: Any) -> None:
        for node in (quad.subject, quad.object):
            if type(node) is ox.BlankNode:
                self._node(node)

    def _name(self, subject: Any, predicate: str, item: Any) -> None:
        if type(item) is not ox.Literal or (item.language and not self._wanted(item.language)):
            return
        text = item.value.strip()
        if not text:
            return
        place = self._place(subject)
        kind, language = _NAMES[predicate], intern(item.language or "")
        key = ""
        if kind != "description":
            if len(text) > names.LONGEST_NAME:
                raise ValueError(f"{text[:80]}: a name of {len(text)} characters")
            key = names.key(text)
        self._columns.names.append(Name(place, text, language, kind, key))

    def _flag(self, subject: Any, iri: str, chunk: Chunk) -> None:
        """What an ontology says of a property: its inverse, or the classes in `_FLAGS`."""
        s = self._node(subject)
        name = iris.relation_name(s)
        flag = _FLAGS.get(iri)
        if flag is None:
            chunk.properties.append(Property(s, name, inverse=iris.short(iri)))
        elif flag == "cardinality":
            chunk.properties.append(Property(s, name, cardinality="single"))
        elif flag == "symmetric":
            chunk.properties.append(Property(s, name, symmetric=True))
        else:
            chunk.properties.append(Property(s, name, hierarchical=True))

    def _wanted(self, language: str) -> bool:
        if not self.languages:
            return True
        return language in self.languages or language.split("-")[0] in self.languages


def _size(read: int) -> int:
    """Records of the next chunk. The writer need not wait long for the first, nor for any longer than it wrote at the last."""
    return min(max(_FIRST_CHUNK, read // 6), CHUNK)


def _cause(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:300]
