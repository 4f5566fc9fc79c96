"""RDF: N-Triples and N-Quads line by line, Turtle, TriG, RDF/XML and JSON-LD as wholes. pyoxigraph does the parsing.

Labels, alternative labels and descriptions become names of entities; what an ontology says of a property (functional,
symmetric, transitive, inverse) becomes the property's flags; everything else is a statement. Wikidata's IRIs become
their ids, so that its truthy dump and its JSON dump make the same graph.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pyoxigraph as ox

from guardrail.errors import ImportFailed
from guardrail.evidence import iris, names
from guardrail.evidence.importers.chunk import CHUNK, BadRecord, Chunk, Name
from guardrail.evidence.importers.literals import rdf_value
from guardrail.evidence.importers.source import Source
from guardrail.evidence.packed import Columns
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
"""The writer need not wait long for the first; from one to the next they double."""
_HOPELESS = 100
"""Bad lines without a single good one after which a file is no N-Triples at all."""
_FLAGS: Final = {
    iris.OWL + "FunctionalProperty": "cardinality",
    iris.OWL + "SymmetricProperty": "symmetric",
    iris.OWL + "TransitiveProperty": "hierarchical",
}
_INVERSE: Final = iris.OWL + "inverseOf"
_IS_NAME, _LEFT_OUT, _NOT_YET = -1, -2, -3
"""Roles of a predicate that has no place in the columns."""
_UNSPOKEN = 1 << 62
"""Instead of a place: a text in a language that is not wanted."""
_NAMES: Final = {
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
    _columns: Columns | None = None
    _entities: dict[str, int] = field(default_factory=dict)  # places in the columns, by IRI
    _relations: dict[str, int] = field(default_factory=dict)
    _literals: dict[tuple[str, str, str | None], int] = field(default_factory=dict)
    _blank: str = ""
    _blanks: dict[str, str] | None = None

    @property
    def format(self) -> ox.RdfFormat:
        return FORMATS[self.suffix]

    def chunks(self, source: Source, *, skip: int) -> Iterator[Chunk]:
        """Records are lines of N-Triples and N-Quads, else statements."""
        self._blank = source.fingerprint()[:8]
        if self.format in _BY_LINE:
            yield from self._by_line(source, skip)
        else:
            yield from self._whole(source, skip)

    # ── line by line ──────────────────────────────────────────────────────────────────────────────────

    def _by_line(self, source: Source, skip: int) -> Iterator[Chunk]:
        chunk, at, good, bad, size = Chunk(), 0, 0, 0, min(_FIRST_CHUNK, CHUNK)
        failure: ImportFailed | None = None
        try:
            for block in source.line_blocks():
                lines = block.count(b"\n") + (not block.endswith(b"\n"))
                if at + lines > skip:
                    if at < skip:
                        block = block.split(b"\n", skip - at)[-1]
                    self._parse_lines(block, max(at, skip), chunk)
                at += lines
                chunk.read = at
                if chunk.good + len(chunk.bad) >= size:
                    good, bad, size = good + chunk.good, bad + len(chunk.bad), min(2 * size, CHUNK)
                    yield chunk
                    chunk = Chunk(read=at)
                if not (good + chunk.good) and bad + len(chunk.bad) > _HOPELESS:
                    first = chunk.bad[0]
                    raise ImportFailed(
                        source.path, f"this is no {self.format.name}: {first.cause}", line=first.number
                    )
        except ImportFailed as error:
            if not (good or chunk.good):
                raise
            failure = error
        if not (good + chunk.good) and chunk.bad and not skip:
            first = chunk.bad[0]
            raise ImportFailed(
                source.path, f"this is no {self.format.name}: {first.cause}", line=first.number
            )
        yield chunk
        if failure is not None:
            raise failure

    def _parse_lines(self, block: bytes, before: int, chunk: Chunk) -> None:
        """Parses a block at once; where a line of it is bad, line by line."""
        kept = (len(chunk.columns), len(chunk.names), len(chunk.properties))
        try:
            self._add(ox.parse(block, format=self.format), chunk)
            return
        except (SyntaxError, ValueError):
            chunk.columns.cut(kept[0])
            del chunk.names[kept[1] :], chunk.properties[kept[2] :]
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if line.strip():
                try:
                    self._add(ox.parse(line, format=self.format), chunk)
                except (SyntaxError, ValueError) as error:
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
            try:
                quad = next(quads, None)
                if quad is None:
                    break
                at += 1
                self._number_blanks(quad)
                if at > skip:
                    self._add((quad,), chunk)
            except ValueError as error:
                chunk.bad.append(BadRecord(at, _cause(error)))
            except (SyntaxError, OSError) as error:
                failure = ImportFailed(source.path, _cause(error), line=getattr(error, "lineno", None))
            except ImportFailed as error:
                failure = error
            chunk.read = max(at, skip)
            if chunk.good >= CHUNK:
                yield chunk
                chunk = Chunk(read=chunk.read)
        yield chunk
        if failure is not None:
            raise failure

    # ── one statement ─────────────────────────────────────────────────────────────────────────────────

    def _add(self, quads: Iterable[Any], chunk: Chunk) -> None:
        columns = chunk.columns
        if columns is not self._columns:
            self._columns = columns
            self._entities, self._relations, self._literals = {}, {}, {}
        entities, relations, named = self._entities, self._relations, ox.NamedNode
        subjects, predicates, objects = columns.subject, columns.predicate, columns.object
        for quad in quads:
            predicate = quad.predicate.value
            relation = relations.get(predicate)
            if relation is None:
                relation = relations[predicate] = self._role(predicate)
            if relation == _LEFT_OUT:
                continue
            subject, item = quad.subject, quad.object
            if relation == _IS_NAME:
                self._name(subject, predicate, item, chunk)
                continue
            if type(item) is named:
                iri = item.value
                o = entities.get(iri)
                if iri in _FLAGS or predicate == _INVERSE:
                    self._flag(subject, iri, chunk)
            else:
                o = self._literal(item, columns) if type(item) is ox.Literal else None
                if o == _UNSPOKEN:
                    continue
            if o is None:
                o = self._entity(item, columns)
            if relation == _NOT_YET:
                relation = relations[predicate] = columns.property(iris.short(predicate), columns.datatype(o))
            s = entities.get(subject.value) if type(subject) is named else None
            subjects.append(self._entity(subject, columns) if s is None else s)
            predicates.append(relation)
            objects.append(o)

    def _entity(self, node: Any, columns: Columns) -> int:
        """The place of an IRI or a blank node."""
        place = columns.entity(self._node(node))
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

    def _name(self, subject: Any, predicate: str, item: Any, chunk: Chunk) -> None:
        if type(item) is not ox.Literal or (item.language and not self._wanted(item.language)):
            return
        text = item.value.strip()
        if text:
            kind = _NAMES[predicate]
            key = "" if kind == "description" else names.key(text)
            chunk.names.append(Name(self._node(subject), text, item.language or "", kind, key))  # type: ignore[arg-type]

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


def _cause(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:300]
