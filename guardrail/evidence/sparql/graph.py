"""A graph at a SPARQL 1.1 endpoint, read-only: Wikidata's query service, QLever, Neptune, GraphDB …

It answers what a `Graph` answers, with fewer and larger queries. Numbers are given as IRIs are met. What is asked twice
within five minutes is answered from memory. An endpoint that does not answer in time is a KnowledgeError, never a wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from guardrail import ontology
from guardrail.evidence import names
from guardrail.evidence.knowledge import Edge, NameRow
from guardrail.evidence.properties import iris
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.evidence.properties.words import said
from guardrail.evidence.sparql.endpoint import Binding, Endpoint, Term, literal, value_of
from guardrail.types import Entity, Node, Object, Property, Triplet

_REMEMBERED_SECONDS = 300
_REMEMBERED = 2_000
_MOST_NAMES = 400
_WIDEST = 500
"""Entities of one level of a hierarchy from which the next is climbed to."""
_MOST_MARKS = 20_000
"""Complete lists of which an endpoint may tell. One that is left out is one that may go on."""
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_NAMES = (
    f"{_LABEL}|<http://www.w3.org/2004/02/skos/core#altLabel>|<http://www.w3.org/2004/02/skos/core#prefLabel>"
)
_DESCRIPTION = "<http://schema.org/description>|<http://www.w3.org/2000/01/rdf-schema#comment>"
_NOT_SAID = frozenset({*iris.LABELS, *iris.ALIASES, *iris.DESCRIPTIONS, *iris.PLUMBING})
_ENTITY, _DIRECT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
_TYPES = "|".join(
    f"<{id_ if '://' in id_ else _DIRECT + id_}>" for id_ in ontology.ids("instance of", alike=True)
)


class SparqlGraph:
    """Knowledge at a SPARQL endpoint. Safe to share between threads. `languages`: of names, in order of preference."""

    def __init__(self, url: str, *, timeout: float = 5.0, languages: Sequence[str] = ("en",)) -> None:
        self._endpoint = Endpoint(url, timeout=timeout)
        self._languages = tuple(languages)
        self._lock = threading.Lock()
        self._numbers: dict[str, int] = {}
        self._iris: list[str] = [""]  # number 0 stands for nothing: a sign cannot be told from it
        self._memory: dict[str, tuple[float, list[Binding]]] = {}

    def __enter__(self) -> SparqlGraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._memory.clear()

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def version(self) -> str:
        """An endpoint has no version to ask for: its address and the day."""
        return f"{self.name}@{datetime.now(UTC):%Y-%m-%d}"

    @property
    def recent_version(self) -> str:
        return self.version

    # ── entities ──────────────────────────────────────────────────────────────────────────────────────

    def entity(self, entity_id: str) -> Entity | None:
        iri = _iri(entity_id)
        if iri is None:
            return None
        return self._entities([iri]).get(iri)

    def entities(self, numbers: Sequence[int]) -> dict[int, Entity]:
        found = self._entities([self._iris[n] for n in numbers])
        return {self._number(iri): entity for iri, entity in found.items()}

    def numbers(self, entity_ids: Iterable[str]) -> dict[str, int]:
        return {i: self._number(iri) for i in entity_ids if (iri := _iri(i)) is not None}

    def aliases(self, entity_id: str) -> tuple[str, ...]:
        iri = _iri(entity_id)
        if iri is None:
            return ()
        rows = self._ask(f"SELECT DISTINCT ?name WHERE {{ <{iri}> {_NAMES} ?name . {self._spoken('name')} }}")
        entity = self.entity(entity_id)
        return tuple(sorted({row["name"].value for row in rows} - {entity.label if entity else ""}))

    def search(self, text: str, limit: int = 10) -> list[Entity]:
        """Entities of exactly this name: an endpoint has no index of beginnings."""
        known = self.entity(text.strip())
        found = self.named({names.key(text): [text.strip()]}) if names.key(text) else []
        ranked = sorted({row.entity: row for row in found}.values(), key=lambda r: (-r.popularity, r.entity))
        by_number = self.entities([row.entity for row in ranked[:limit]])
        entities = [by_number[row.entity] for row in ranked[:limit] if row.entity in by_number]
        return [known, *(e for e in entities if e.id != known.id)] if known and known.types else entities

    def named(self, names: Mapping[str, Sequence[str]]) -> list[NameRow]:
        forms = {form: key for key, written in names.items() for form in _forms(written)}
        wanted = dict(list(forms.items())[:_MOST_NAMES])
        if not wanted:
            return []
        terms = " ".join(literal(form, tag) for form in wanted for tag in ("", *self._languages))
        rows = self._ask(
            f"SELECT DISTINCT ?name ?e ?label (COUNT(?x) AS ?size) WHERE {{ VALUES ?name {{ {terms} }}"
            f" ?e {_NAMES} ?name . OPTIONAL {{ ?e {_LABEL} ?label . {self._spoken('label')} }}"
            f" OPTIONAL {{ ?e ?any ?x }} }} GROUP BY ?name ?e ?label"
        )
        found = []
        for row in rows:
            text, iri = row["name"].value, row["e"].value
            if iris.short(iri).startswith("P") and iris.short(iri)[1:].isdigit():
                continue  # properties have names too
            kind = 0 if "label" in row and row["label"].value == text else 1
            found.append(NameRow(wanted[text], self._number(iri), text, kind, 0.0, int(row["size"].value)))
        return found

    def own_names(self, most: int) -> list[NameRow]:
        """None: an endpoint is not asked for everything."""
        return []

    def own_statements(self, most: int) -> list[Triplet]:
        """None, for the same reason."""
        return []

    def begun(self, keys: Sequence[str]) -> list[str]:
        """All of them: an endpoint has no index of beginnings."""
        return list(keys)

    def _entities(self, wanted: Sequence[str]) -> dict[str, Entity]:
        if not wanted:
            return {}
        rows = self._ask(
            f"SELECT ?e ?label ?about ?type ?n WHERE {{ VALUES ?e {{ {_values(wanted)} }}"
            f" {{ SELECT ?e (COUNT(*) AS ?n) WHERE {{ VALUES ?e {{ {_values(wanted)} }} ?e ?p ?o }} GROUP BY ?e }}"
            f" OPTIONAL {{ ?e {_LABEL} ?label . {self._spoken('label')} }}"
            f" OPTIONAL {{ ?e {_DESCRIPTION} ?about . {self._spoken('about')} }}"
            f" OPTIONAL {{ ?e {_TYPES} ?type }} FILTER(?n > 0) }}"
        )
        found: dict[str, Entity] = {}
        for row in rows:
            iri = row["e"].value
            before = found.get(iri)
            types = (
                *(before.types if before else ()),
                *([iris.short(row["type"].value)] if "type" in row else []),
            )
            label = row["label"].value if "label" in row else iris.readable(iri)
            about = row["about"].value if "about" in row else ""
            size = float(row["n"].value)
            found[iri] = Entity(
                iris.short(iri), label, about, tuple(dict.fromkeys(types)), size**0.5, url=iri
            )
        return found

    # ── properties ────────────────────────────────────────────────────────────────────────────────────

    def property(self, property_id: str) -> Property | None:
        iri = _predicate(property_id)
        if iri is None:
            return None
        named = _ENTITY + property_id if iri.startswith(_DIRECT) else iri
        rows = self._ask(
            f"SELECT DISTINCT ?name WHERE {{ <{named}> {_NAMES} ?name . {self._spoken('name')} }}"
        )
        label = rows[0]["name"].value if rows else iris.relation_name(property_id)
        further = tuple(row["name"].value for row in rows[1:])
        unit = said(label).unit
        known = Property(property_id, label, further, unit=unit.node if unit is not None else None)
        return ontology.completed(known)

    def properties(self) -> list[Property]:
        """Those that the endpoint declares as such; a general one declares none."""
        rows = self._ask(
            "SELECT DISTINCT ?p WHERE { VALUES ?kind { <http://www.w3.org/1999/02/22-rdf-syntax-ns#Property>"
            " <http://www.w3.org/2002/07/owl#ObjectProperty> <http://www.w3.org/2002/07/owl#DatatypeProperty> }"
            " ?p a ?kind } LIMIT 2000"
        )
        found = (self.property(iris.short(row["p"].value)) for row in rows)
        return [known for known in found if known is not None]

    def alike(self, property_id: str) -> Sequence[Property]:
        known = self.property(property_id)
        return () if known is None else (known,)

    def playing(self, parts: Sequence[str]) -> Sequence[str]:
        return ontology.ids(*parts)

    def property_at(self, number: int) -> Property:
        iri = self._iris[number]
        return self.property(iris.short(iri)) or Property(iri, iris.relation_name(iri))

    def property_number(self, property_id: str) -> int | None:
        iri = _predicate(property_id)
        return None if iri is None else self._number(iri)

    # ── statements ────────────────────────────────────────────────────────────────────────────────────

    def statements(self, subject_id: str, property_id: str | None = None) -> list[Triplet]:
        iri = _iri(subject_id)
        predicate = _predicate(property_id) if property_id else None
        if iri is None or (property_id and predicate is None):
            return []
        chosen = f"VALUES ?p {{ <{predicate}> }}" if predicate else ""
        return self._triplets(f"VALUES ?s {{ <{iri}> }} {chosen} ?s ?p ?o .", limit=5000)

    def complete(self, subject_id: str, property_id: str) -> bool:
        """As `Graph.complete`; all marks of the endpoint are asked for at once, since most have none."""
        subject = _iri(subject_id)
        rows = self._ask(
            f"SELECT ?s ?list WHERE {{ ?s <{iris.OWN}{COMPLETE_LIST.id}> ?list }} LIMIT {_MOST_MARKS}"
        )
        return any(row["s"].value == subject and row["list"].value == property_id for row in rows)

    def incoming(self, object_id: str, property_id: str | None = None, *, limit: int = 100) -> list[Triplet]:
        iri = _iri(object_id)
        predicate = _predicate(property_id) if property_id else None
        if iri is None or (property_id and predicate is None):
            return []
        chosen = f"VALUES ?p {{ <{predicate}> }}" if predicate else ""
        return self._triplets(f"VALUES ?o {{ <{iri}> }} {chosen} ?s ?p ?o .", limit=limit)

    def literals(self, entity_ids: Sequence[str]) -> list[Triplet]:
        subjects = _values(iri for i in entity_ids if (iri := _iri(i)) is not None)
        return self._triplets(f"VALUES ?s {{ {subjects} }} ?s ?p ?o . FILTER(isLiteral(?o))", limit=2000)

    def _triplets(self, where: str, *, limit: int) -> list[Triplet]:
        rows = self._ask(
            f"SELECT ?s ?p ?o ?sl ?ol WHERE {{ {{ SELECT ?s ?p ?o WHERE {{ {where} }} LIMIT {limit} }}"
            f" OPTIONAL {{ ?s {_LABEL} ?sl . {self._spoken('sl')} }}"
            f" OPTIONAL {{ ?o {_LABEL} ?ol . {self._spoken('ol')} }} }}"
        )
        found: dict[str, Triplet] = {}
        for row in rows:
            triplet = self._triplet(row)
            if triplet is not None:
                found.setdefault(triplet.id, triplet)
        return sorted(found.values(), key=lambda t: (t.predicate.id, t.id))

    def _triplet(self, row: Binding) -> Triplet | None:
        predicate = row["p"].value
        if predicate in _NOT_SAID or not self._is_said(predicate):
            return None
        item = self._object(row["o"], row.get("ol"))
        if item is None:
            return None
        subject = Node(iris.short(row["s"].value), _named(row.get("sl"), row["s"].value))
        known = self.property(iris.short(predicate))
        relation = Node(iris.short(predicate), known.label if known else iris.relation_name(predicate))
        identity = f"{subject.id}${relation.id}:{item.id if isinstance(item, Node) else item.value}"
        return Triplet(subject, relation, item, id=identity, source=self.name)

    def _is_said(self, predicate: str) -> bool:
        """Wikidata has every statement several times over: the direct form is the one that is read."""
        return "wikidata.org/prop/" not in predicate or predicate.startswith(_DIRECT)

    def _object(self, term: Term, label: Term | None) -> Object | None:
        if term.kind == "uri":
            return Node(iris.short(term.value), _named(label, term.value))
        if term.kind == "bnode" or (term.language and term.language.split("-")[0] not in self._languages):
            return None
        return value_of(term)

    # ── edges ─────────────────────────────────────────────────────────────────────────────────────────

    def around(self, entity_ids: Sequence[str], *, incoming: int) -> tuple[dict[str, int], list[Edge]]:
        numbers = self.numbers(entity_ids)
        ends = _values(self._iris[n] for n in numbers.values())
        leaving = self._edges(f"VALUES ?s {{ {ends} }} ?s ?p ?o .", limit=5000)
        arriving = self._edges(f"VALUES ?o {{ {ends} }} ?s ?p ?o .", limit=incoming * len(numbers))
        return numbers, [*leaving, *(Edge(e.b, -e.p, e.a, e.k) for e in arriving)]

    def upward(
        self, entity_ids: Sequence[str], property_numbers: Sequence[int], hops: int
    ) -> tuple[dict[str, int], list[Edge]]:
        """Step by step: what is no further away than was wanted has often been asked for before."""
        numbers = self.numbers(entity_ids)
        level, seen, edges = list(numbers.values()), set(numbers.values()), []
        for _ in range(hops):
            edges += (found := self.climb(level, property_numbers))
            level = sorted({edge.b for edge in found} - seen)[:_WIDEST]
            seen.update(level)
            if not level:
                break
        return numbers, edges

    def edges_between(self, numbers: Sequence[int], others: Sequence[int]) -> list[Edge]:
        if not numbers or not others:
            return []
        left, right = (_values([self._iris[n] for n in group]) for group in (numbers, others))
        return self._edges(f"VALUES ?s {{ {left} }} VALUES ?o {{ {right} }} ?s ?p ?o .", limit=5000)

    def leaving(self, numbers: Sequence[int]) -> list[tuple[int, int]]:
        ends = _values([self._iris[n] for n in numbers])
        return [(e.a, e.b) for e in self._edges(f"VALUES ?s {{ {ends} }} ?s ?p ?o .", limit=5000)]

    def climb(self, numbers: Sequence[int], property_numbers: Sequence[int]) -> list[Edge]:
        ends, by = (_values([self._iris[n] for n in group]) for group in (numbers, property_numbers))
        return self._edges(f"VALUES ?s {{ {ends} }} VALUES ?p {{ {by} }} ?s ?p ?o .", limit=5000)

    def degrees(self, numbers: Sequence[int]) -> dict[int, int]:
        """Not known: counting at an endpoint costs more than it saves."""
        return {}

    def hubs(self) -> frozenset[int]:
        """Classes and the like: what everything points at. An endpoint cannot be asked for its hubs."""
        return frozenset(
            n for i in ontology.classes("hub") if (n := self._numbers.get(_ENTITY + i)) is not None
        )

    def read_edges(self, edges: Sequence[Edge]) -> dict[Edge, Triplet]:
        wanted: dict[tuple[int, int, int], list[Edge]] = {}
        for edge in edges:
            place = (edge.a, edge.p, edge.b) if edge.p > 0 else (edge.b, -edge.p, edge.a)
            wanted.setdefault(place, []).append(edge)
        labels = self._labels(sorted({n for s, _, o in wanted for n in (s, o)}))
        found: dict[Edge, Triplet] = {}
        for (s, p, o), group in wanted.items():
            known = self.property_at(p)
            subject, item = labels[s], labels[o]
            identity = f"{subject.id}${known.id}:{item.id}"
            triplet = Triplet(subject, Node(known.id, known.label), item, id=identity, source=self.name)
            found.update(dict.fromkeys(group, triplet))
        return found

    def _labels(self, numbers: Sequence[int]) -> dict[int, Node]:
        wanted = [self._iris[n] for n in numbers]
        rows = self._ask(
            f"SELECT ?e ?label WHERE {{ VALUES ?e {{ {_values(wanted)} }} ?e {_LABEL} ?label ."
            f" {self._spoken('label')} }}"
        )
        labels = {row["e"].value: row["label"].value for row in rows}
        return {
            self._number(iri): Node(iris.short(iri), labels.get(iri) or iris.readable(iri)) for iri in wanted
        }

    def _edges(self, where: str, *, limit: int) -> list[Edge]:
        rows = self._ask(f"SELECT ?s ?p ?o WHERE {{ {where} FILTER(isIRI(?o)) }} LIMIT {limit}")
        found = {
            Edge(self._number(row["s"].value), self._number(row["p"].value), self._number(row["o"].value), 0)
            for row in rows
            if row["s"].kind == "uri" and row["p"].value not in _NOT_SAID and self._is_said(row["p"].value)
        }
        return sorted(found, key=lambda e: (self._iris[e.a], self._iris[e.p], self._iris[e.b]))

    # ── asking ────────────────────────────────────────────────────────────────────────────────────────

    def _number(self, iri: str) -> int:
        with self._lock:
            found = self._numbers.get(iri)
            if found is None:
                found = self._numbers[iri] = len(self._iris)
                self._iris.append(iri)
            return found

    def _ask(self, query: str) -> list[Binding]:
        now = time.monotonic()
        known = self._memory.get(query)
        if known is not None and known[0] > now:
            return known[1]
        rows = self._endpoint.select(query)
        if len(self._memory) >= _REMEMBERED:
            self._memory.clear()
        self._memory[query] = (now + _REMEMBERED_SECONDS, rows)
        return rows

    def _spoken(self, variable: str) -> str:
        tags = ", ".join(f'"{tag}"' for tag in ("", *self._languages))
        return f"FILTER(LANG(?{variable}) IN ({tags}))"


def _iri(entity_id: str) -> str | None:
    """The IRI of an id; None where it can be none."""
    if entity_id[:1] in "QPL" and entity_id[1:].isdigit():
        return _ENTITY + entity_id
    return entity_id if _whole(entity_id) else None


def _predicate(property_id: str) -> str | None:
    if property_id[:1] == "P" and property_id[1:].isdigit():
        return _DIRECT + property_id
    return property_id if _whole(property_id) else None


def _whole(text: str) -> bool:
    return ("://" in text or text.startswith("urn:")) and not any(c in text for c in '<>"{}|^`\\ \n')


def _values(wanted: Iterable[str]) -> str:
    return " ".join(f"<{iri}>" for iri in wanted)


def _forms(written: Sequence[str]) -> list[str]:
    """Endpoints know a name only as it is written: as in the text, and with a small or a capital beginning."""
    found = dict.fromkeys(written)
    for form in written:
        found |= dict.fromkeys((form[:1].lower() + form[1:], form[:1].upper() + form[1:]))
    return list(found)


def _named(label: Term | None, iri: str) -> str:
    return label.value if label is not None else iris.readable(iris.short(iri))
