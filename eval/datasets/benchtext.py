"""FLEEK's BenchText made again (§4.1), larger: sentences with known facts, one of them perturbed by a same-type swap.

Every item is one sentence with the exact spans of the objects of its facts. The knowledge is the sets' own facts, all of
them in one graph, so that names are as ambiguous as they are. Facts count as gold only where the sentence itself is the
evidence: both ends are named in it.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from eval.datasets.files import find, json_lines, open_text
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.segment import segment
from guardrail.types import Entity, Node, Object, Property, Span, Triplet, Value
from guardrail.values import find_values

__all__ = ["Gold", "Item", "Set", "knowledgenet", "movies", "perturbed", "redocred", "write_graph"]


@dataclass(frozen=True, slots=True)
class Gold:
    """A fact that the sentence states: the triple, and where its object stands. `swapped`: what was there before."""

    triple: Triplet
    span: Span
    kind: str
    swapped: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    text: str
    facts: tuple[Gold, ...]
    original: str = ""


@dataclass(slots=True)
class Set:
    """A data set: its sentences, and all that its graph shall hold."""

    name: str
    items: list[Item] = field(default_factory=list)
    triplets: list[Triplet] = field(default_factory=list)
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, str] = field(default_factory=dict)


# Wikidata's classes for the sets' coarse types, so that pronouns and "the film" find their kind.
_TYPES = {"PER": "Q5", "ORG": "Q43229", "LOC": "Q2221906", "FILM": "Q11424", "GENRE": "Q201658"}

# ── Re-DocRED ─────────────────────────────────────────────────────────────────────────────────────────

# Relations that a sentence says in words; the rest of the set is implied ("Paris, France" is in Europe).
STATED = frozenset(
    "P19 P20 P569 P570 P571 P576 P577 P57 P50 P161 P175 P26 P69 P54 P36 P112 P159 P176 P178 P123 P264 P86 P170 P22 P25"
    " P40 P35 P6 P108 P166 P607 P127 P449 P102 P27 P740 P58 P162 P676 P37 P403 P400 P749 P155 P156 P272 P137 P118".split()
)


def redocred() -> Set:
    """Re-DocRED dev: 500 documents. Raises DataMissing."""
    found = Set("redocred")
    labels = property_labels()
    for document in json.loads(open_text(find("redocred/dev_revised.json.gz"))):
        read_document(found, document, labels)
    return found


def read_document(found: Set, document: Mapping[str, Any], labels: Mapping[str, str]) -> None:
    texts = [_joined(tokens) for tokens in document["sents"]]
    nodes = [_vertex(found, mentions) for mentions in document["vertexSet"]]
    facts: dict[int, list[Gold]] = defaultdict(list)
    for label in document["labels"]:
        head, tail = nodes[label["h"]], nodes[label["t"]]
        if isinstance(head, Value) or (label["r"] in _DATED and not isinstance(tail, Value)):
            continue
        property_ = label["r"]
        triple = _triple(head, property_, labels.get(property_, property_), tail)
        found.triplets.append(triple)
        if property_ not in STATED or len(label["evidence"]) != 1:
            continue
        number = label["evidence"][0]
        place = _place(document["vertexSet"][label["t"]], number, texts)
        if place and _place(document["vertexSet"][label["h"]], number, texts):
            facts[number].append(Gold(triple, place, document["vertexSet"][label["t"]][0]["type"]))
    for number, golds in facts.items():
        found.items.append(Item(texts[number][0], tuple(_once(golds))))


_DATED = frozenset({"P569", "P570", "P571", "P576", "P577", "P580", "P582", "P585"})
_NO_SPACE_BEFORE = frozenset(". , ; : ! ? ) ] ' 's 're 've 'll 'd n't % ’ ’s".split())
_NO_SPACE_AFTER = frozenset("( [ $ £ €".split())


def _glued(tokens: Sequence[str], at: int) -> bool:
    """Whether no blank stands before a token, quotation marks aside."""
    if at == 0 or tokens[at] in _NO_SPACE_BEFORE or tokens[at - 1] in _NO_SPACE_AFTER:
        return True
    return "-" in (tokens[at], tokens[at - 1])


def _joined(tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """Tokens as a person would write them, and where each of them stands."""
    text, spans, quoted = "", [], False
    for i, token in enumerate(tokens):
        glued = _glued(tokens, i)
        if token == '"':
            glued, quoted = glued or quoted, not quoted
        elif i and tokens[i - 1] == '"' and quoted:
            glued = True
        text += token if glued else " " + token
        spans.append(Span(len(text) - len(token), len(text)))
    return text, spans


def _vertex(found: Set, mentions: Sequence[Mapping[str, Any]]) -> Object:
    """The node of a document's entity; dates and numbers become values."""
    kind = mentions[0]["type"]
    label = max((m["name"] for m in mentions), key=len)
    if kind in ("TIME", "NUM"):
        values = [a.value for a in find_values(label) if a.value is not None]
        if values:
            return replace(values[0], label=label)
    node = Node("E:" + re.sub(r"\W+", "_", label.casefold()), label)
    found.types.setdefault(node.id, _TYPES.get(kind, ""))
    for mention in mentions:
        found.names[node.id].add(_joined(mention["name"].split(" "))[0])
    return node


def _place(
    mentions: Sequence[Mapping[str, Any]], number: int, texts: Sequence[tuple[str, list[Span]]]
) -> Span | None:
    for mention in mentions:
        if mention["sent_id"] == number:
            spans = texts[number][1]
            return Span(spans[mention["pos"][0]].start, spans[mention["pos"][1] - 1].end)
    return None


# ── KnowledgeNet ──────────────────────────────────────────────────────────────────────────────────────

_KNOWLEDGENET = {
    "DATE_OF_BIRTH": "P569",
    "PLACE_OF_BIRTH": "P19",
    "PLACE_OF_RESIDENCE": "P551",
    "NATIONALITY": "P27",
    "EMPLOYEE_OR_MEMBER_OF": "P108",
    "EDUCATED_AT": "P69",
    "POLITICAL_AFFILIATION": "P102",
    "CHILD_OF": "^P40",
    "SPOUSE": "P26",
    "DATE_OF_DEATH": "P570",
    "FOUNDED_BY": "P112",
    "DATE_FOUNDED": "P571",
    "HEADQUARTERS": "P159",
    "SUBSIDIARY_OF": "P749",
    "CEO": "P169",
}
_PRONOUNS = frozenset(
    "he she it they his her its their him them who which where that i my we our you your".split()
)


def knowledgenet() -> Set:
    """KnowledgeNet, folds 1 to 3, where both ends are named. Raises DataMissing."""
    found = Set("knowledgenet")
    labels = property_labels()
    passages: dict[tuple[str, str], list[Gold]] = defaultdict(list)
    texts: dict[tuple[str, str], str] = {}
    for row in json_lines(find("knowledgenet/facts_folds1-3.jsonl.gz")):
        if (
            "subj" not in row
            or {row["subj"].casefold(), row["obj"].casefold()} & _PRONOUNS
            or not row["span_ok"]
        ):
            continue
        gold = _knowledgenet_fact(found, row, labels)
        if gold is not None:
            key = (row["doc"], row["text"])
            texts[key] = row["text"]
            passages[key].append(gold)
            found.triplets.append(gold.triple)
    found.items = [Item(texts[key], tuple(_once(golds))) for key, golds in passages.items()]
    return found


def _once(golds: Iterable[Gold]) -> list[Gold]:
    """One gold for each object and relation: the set repeats a fact for every name of its subject."""
    kept: dict[tuple[str, Span], Gold] = {}
    for gold in golds:
        kept.setdefault((gold.triple.predicate.id, gold.span), gold)
    return list(kept.values())


def _knowledgenet_fact(found: Set, row: Mapping[str, Any], labels: Mapping[str, str]) -> Gold | None:
    property_ = _KNOWLEDGENET[row["property"]]
    subject = _named(found, row["subj"], row["subj_qid"], "")
    span = Span(row["obj_start"], row["obj_start"] + len(row["obj"]))
    if not 0 <= span.start < span.end <= len(row["text"]) or span.of(row["text"]) != row["obj"]:
        return None
    if "DATE" in row["property"]:
        values = [a.value for a in find_values(row["obj"]) if a.value and a.value.datatype == "date"]
        if not values:
            return None
        return Gold(_triple(subject, property_, labels[property_], values[0]), span, "TIME")
    target = _named(found, row["obj"], row["obj_qid"], "")
    if property_.startswith("^"):
        known = property_.removeprefix("^")
        return Gold(_triple(target, known, labels[known], subject), span, row["property"])
    return Gold(_triple(subject, property_, labels[property_], target), span, row["property"])


def _named(found: Set, words: str, qid: str | None, kind: str) -> Node:
    node = Node(qid or "E:" + re.sub(r"\W+", "_", words.casefold()), words)
    known = found.names[node.id]
    known.add(words)
    found.types.setdefault(node.id, kind)
    return Node(node.id, max(known, key=len))


# ── movies ────────────────────────────────────────────────────────────────────────────────────────────

_BY = re.compile(
    r"\bdirected by (?P<name>(?:[A-Z][\w'’.-]*\s?){2,4}?)(?=,| and (?:starring|released|written|produced)|\.| starring)"
)
# What the sentence says of the cast is as true as what the set says: both are in the graph.
_STARRING = re.compile(r"\b(?:starring|stars) (?P<names>(?:(?:[A-Z][\w'’.-]*)(?:,? and |, | )?){2,40})")
_CAST_ENDS = re.compile(
    r"\b(?:as|in|who|which|with|based|about|alongside|opposite|playing|and co-starring)\b|(?<=[a-z])\.(?:\s|$)"
)
_CAPITALS = re.compile(r"[A-Z][\w'’-]+ (?:[A-Z][\w'’.-]+ ?)+(?<! )")
_NAME = re.compile(r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){1,3}")


def movies(limit: int = 4000) -> Set:
    """Films before 1990 with their first sentence: year, cast, and the director as the sentence has it. Raises DataMissing."""
    found = Set("movies")
    labels = property_labels()
    folder = find("movies")
    for decade in range(1920, 1990, 10):
        for path in (folder / f"movies-{decade}s.json.gz", folder / f"movies-{decade}s.json"):
            if path.exists():
                for row in json.loads(open_text(path)):
                    _film(found, row, labels)
    random.Random(7).shuffle(found.items)
    found.items = found.items[:limit]
    return found


def _film(found: Set, row: Mapping[str, Any], labels: Mapping[str, str]) -> None:
    if not row.get("href") or not row.get("extract"):
        return
    film = Node("F:" + row["href"], row["title"])
    found.names[film.id].add(row["title"])
    found.types[film.id] = _TYPES["FILM"]
    sentence = segment(row["extract"])[0].text
    year = Value(str(row["year"]), str(row["year"]), "date", 9)
    golds = _golds(sentence, _triple(film, "P577", labels["P577"], year), str(row["year"]), "TIME")
    for name in _cast(row, sentence):
        actor = _named(found, name, None, _TYPES["PER"])
        golds += _golds(sentence, _triple(film, "P161", labels["P161"], actor), name, "PER")
        found.triplets.append(_triple(film, "P161", labels["P161"], actor))
    director = _BY.search(sentence)
    if director:
        person = _named(found, director["name"].strip(), None, _TYPES["PER"])
        golds += _golds(
            sentence, _triple(film, "P57", labels["P57"], person), director["name"].strip(), "PER"
        )
    found.triplets += [g.triple for g in golds]
    cast = _CAST_ENDS.split(sentence.partition("starring")[2])[0]
    spans = [gold.span.of(sentence) for gold in golds]
    unknown = [name for name in _CAPITALS.findall(cast) if not any(name in words for words in spans)]
    if row["title"] in sentence and golds and not unknown:
        found.items.append(Item(sentence, tuple(golds)))


def _cast(row: Mapping[str, Any], sentence: str) -> Iterable[str]:
    """The names of the row, then those of the sentence."""
    starring = _STARRING.search(sentence)
    told = re.split(r",\s+and\s+|,\s+|\s+and\s+", starring["names"].strip(" .")) if starring else []
    return dict.fromkeys([*row["cast"], *(name for name in told if _NAME.fullmatch(name))])


def _golds(sentence: str, triple: Triplet, words: str, kind: str) -> list[Gold]:
    start = sentence.find(words)
    if start < 0 or sentence.find(words, start + 1) >= 0:
        return []
    return [Gold(triple, Span(start, start + len(words)), kind)]


# ── perturbation and graph ────────────────────────────────────────────────────────────────────────────


def perturbed(found: Set, *, count: int, seed: int = 11) -> list[Item]:
    """`count` items with one object each swapped for another of the same relation and type that is not true of it.

    Half of the items stay as they are, as in FLEEK, where sentences are perturbed only in part.
    """
    chooser = random.Random(seed)
    pools: dict[tuple[str, str], list[Gold]] = defaultdict(list)
    true = {(t.subject.id, t.predicate.id, t.object.label.casefold()) for t in found.triplets}
    for item in found.items:
        for gold in item.facts:
            pools[gold.triple.predicate.id, gold.kind].append(gold)
    items = chooser.sample(found.items, min(count, len(found.items)))
    return [_swapped(item, pools, true, chooser, found) if i % 2 else item for i, item in enumerate(items)]


def _swapped(
    item: Item,
    pools: Mapping[tuple[str, str], Sequence[Gold]],
    true: set[tuple[str, str, str]],
    chooser: random.Random,
    found: Set,
) -> Item:
    target = chooser.choice(item.facts)
    backwards = found.name == "knowledgenet" and target.triple.predicate.id == "P40"
    subject = (
        target.triple.object.id
        if backwards and isinstance(target.triple.object, Node)
        else target.triple.subject.id
    )
    for _ in range(20):
        other = chooser.choice(pools[target.triple.predicate.id, target.kind]).triple
        new = other.subject if backwards else other.object
        fact = (subject, target.triple.predicate.id, new.label.casefold())
        same = new.label.casefold() in item.text.casefold()
        if (
            same
            or fact in true
            or not _swappable(target.triple.subject if backwards else target.triple.object, new)
        ):
            continue
        words = _as_written(new, target.span.of(item.text))
        text = item.text[: target.span.start] + words + item.text[target.span.end :]
        return Item(text, tuple(_moved(item.facts, target, words)), item.text)
    return item


def _swappable(old: Object, new: Object) -> bool:
    """Dates must differ beyond their precision; names must not hold each other."""
    if isinstance(old, Value) or isinstance(new, Value):
        return isinstance(old, Value) and isinstance(new, Value) and old.value[:4] != new.value[:4]
    a, b = old.label.casefold(), new.label.casefold()
    return a not in b and b not in a


def _as_written(new: Object, like: str) -> str:
    if isinstance(new, Value) and re.fullmatch(r"\d{4}", like.strip()):
        return new.value[:4]
    return new.label


def _moved(facts: Iterable[Gold], target: Gold, words: str) -> Iterator[Gold]:
    """The facts after the swap: those of the same words are all wrong now, later ones move."""
    shift = len(words) - len(target.span)
    for gold in facts:
        if gold.span == target.span:
            yield replace(
                gold,
                span=Span(gold.span.start, gold.span.start + len(words)),
                swapped=target.triple.object.label,
            )
        elif gold.span.overlaps(target.span):
            continue
        elif gold.span.start > target.span.start:
            yield replace(gold, span=gold.span.shift(shift))
        else:
            yield gold


def write_graph(found: Set, path: Path) -> None:
    """A knowledge file of all facts of a set."""
    properties = {t.predicate.id: _property(t) for t in found.triplets}
    nodes = {n.id: n for t in found.triplets for n in (t.subject, t.object) if isinstance(n, Node)}
    with Graph.create(path) as graph, graph.write() as batch:
        batch.add_properties(properties.values())
        batch.add_entities(_entity(found, node) for node in nodes.values())
        batch.add_statements(found.triplets)


def _entity(found: Set, node: Node) -> NewEntity:
    names = found.names.get(node.id, {node.label})
    label = max(names, key=len)
    kind = found.types.get(node.id, "")
    entity = Entity(node.id, label, types=(kind,) if kind else ())
    return NewEntity(entity, tuple(sorted(names - {label})))


def _property(triplet: Triplet) -> Property:
    datatype = triplet.object.datatype if isinstance(triplet.object, Value) else "entity"
    return Property(triplet.predicate.id, triplet.predicate.label, datatype=datatype)


def _triple(subject: Object, property_: str, label: str, object_: Object) -> Triplet:
    assert isinstance(subject, Node)
    return Triplet(subject, Node(property_, label), object_, source="set")


def property_labels() -> dict[str, str]:
    rows = (line.split("\t") for line in open_text(find("kg/props.tsv")).splitlines()[1:])
    return {row[0]: row[1] for row in rows}
