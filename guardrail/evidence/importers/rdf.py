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
from guardrail.evidence import iris
from guardrail.evidence.importers.chunk import CHUNK, BadRecord, Chunk, Name
from guardrail.evidence.importers.literals import rdf_value
from guardrail.evidence.importers.source import Source
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
_REMEMBERED = 500_000
_HOPELESS = 100
"""Bad lines without a single good one after which a file is no N-Triples at all."""
_FLAGS: Final = {
    iris.OWL + "FunctionalProperty": "cardinality",
    iris.OWL + "SymmetricProperty": "symmetric",
    iris.OWL + "TransitiveProperty": "hierarchical",
}
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
    _ids: dict[str, str] = field(default_factory=dict)
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
        chunk, at, good, bad = Chunk(), 0, 0, 0
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
                if chunk.good + len(chunk.bad) >= CHUNK or chunk.good >= CHUNK:
                    good, bad = good + chunk.good, bad + len(chunk.bad)
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
        kept = (len(chunk.plain), len(chunk.names), len(chunk.properties))
        try:
            self._add(ox.parse(block, format=self.format), chunk)
            return
        except (SyntaxError, ValueError):
            del chunk.plain[kept[0] :], chunk.names[kept[1] :], chunk.properties[kept[2] :]
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if line.strip():
                try:
                    self._add(ox.parse(line, format=self.format), chunk)
                except (SyntaxError, ValueError) as error:
                    chunk.bad.append(BadRecord(number, _cause(error)))

    # ── as a whole ────────────────────────────────────────────────────────────────────────────────────

    def _whole(self, source: Source, skip: int) -> Iterator[Chunk]:
        # Begun anew after an interruption: what is written already is found to be there, and blank nodes, which are
        # numbered as they come, get the same names again.
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
        ids, named, plain = self._ids, ox.NamedNode, chunk.plain
        if len(ids) > _REMEMBERED:
            ids.clear()
        for quad in quads:
            subject, predicate, item = quad.subject, quad.predicate.value, quad.object
            if predicate in _NAMES:
                self._name(subject, predicate, item, chunk)
                continue
            p = ids.get(predicate) or self._id(predicate)
            if predicate in iris.PLUMBING or (self.properties and p not in self.properties):
                continue
            iri = subject.value
            s = (ids.get(iri) or self._id(iri)) if type(subject) is named else self._node(subject)
            if type(item) is named:
                iri = item.value
                o = ids.get(iri) or self._id(iri)
                plain.append((s, p, o))
                if iri in _FLAGS or predicate == iris.OWL + "inverseOf":
                    self._flag(s, iri, o, chunk)
            elif type(item) is ox.Literal:
                if self._wanted(item.language):
                    plain.append((s, p, rdf_value(item.value, item.datatype.value, item.language or "")))
            else:
                plain.append((s, p, self._node(item)))

    def _id(self, iri: str) -> str:
        found = self._ids[iri] = iris.short(iri)
        return found

    def _node(self, node: Any) -> str:
        """Blank nodes mean something inside their file only; quoted triples nothing to us."""
        if isinstance(node, ox.BlankNode):
            name = node.value
            if self._blanks is not None:
                name = self._blanks.setdefault(name, str(len(self._blanks)))
            return f"_:{self._blank}.{name}"
        if isinstance(node, ox.NamedNode):
            return self._id(node.value)
        raise ValueError(f"a statement about a {type(node).__name__} is not supported")

    def _name(self, subject: Any, predicate: str, item: Any, chunk: Chunk) -> None:
        if isinstance(item, ox.Literal) and self._wanted(item.language) and item.value.strip():
            kind = _NAMES[predicate]
            chunk.names.append(Name(self._node(subject), item.value.strip(), item.language or "", kind))  # type: ignore[arg-type]

    def _flag(self, s: str, iri: str, o: str, chunk: Chunk) -> None:
        """What an ontology says of a property."""
        name = iris.relation_name(s)
        if iri not in _FLAGS:
            chunk.properties.append(Property(s, name, inverse=o))
        elif _FLAGS[iri] == "cardinality":
            chunk.properties.append(Property(s, name, cardinality="single"))
        elif _FLAGS[iri] == "symmetric":
            chunk.properties.append(Property(s, name, symmetric=True))
        else:
            chunk.properties.append(Property(s, name, hierarchical=True))

    def _wanted(self, language: str | None) -> bool:
        if not language or not self.languages:
            return True
        return language in self.languages or language.split("-")[0] in self.languages


def _cause(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:300]
