"""FactBench: triples with years, true or corrupted in seven ways (bars: accuracy above 90 %, wrong Contradictory below 2 %).

The graph holds the correct triples of both splits with their dates; the test split is judged, each triple as a sentence.
A true triple is right when it is Attributable, a false one when it is not.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from eval.datasets.files import find, json_lines, open_text
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Label, Node, Property, Qualifier, Triplet, Value
from guardrail.verifier import Verifier

ACCURACY_BAR, WRONG_BAR = 0.90, 0.02
# DBpedia's predicate: the sentence, and what the graph holds: subject, property, object, and where the date goes.
_SENTENCES = {
    "dbo:author": "{s} wrote {o}, which was published in {a}.",
    "dbo:starring": "{s} is a {a} film starring {o}.",
    "dbo:office": "{s} was the leader of {o} from {a} to {b}.",
    "dbo:subsidiary": "{s} acquired {o} in {a}.",
    "dbo:spouse": "{s} was married to {o} from {a} to {b}.",
    "dbo:foundationPlace": "{s} was founded in {o} in {a}.",
    "dbo:deathPlace": "{s} died in {o} in {a}.",
    "dbo:birthPlace": "{s} was born in {o} in {a}.",
    "dbo:team": "{s} played for {o} from {a} to {b}.",
    "dbo:award": "{s} received the {o} in {a}.",
}
_PROPERTIES = {
    "dbo:author": ("^P50", "P577"),
    "dbo:starring": ("P161", "P577"),
    "dbo:office": ("^P35", ""),
    "dbo:subsidiary": ("P355", ""),
    "dbo:spouse": ("P26", ""),
    "dbo:foundationPlace": ("P740", "P571"),
    "dbo:deathPlace": ("P20", "P570"),
    "dbo:birthPlace": ("P19", "P569"),
    "dbo:team": ("P54", ""),
    "dbo:award": ("P166", ""),
}
_POINT = frozenset({"dbo:award", "dbo:subsidiary"})
_TYPES = {
    "dbo:author": ("Q5", "Q571"),
    "dbo:starring": ("Q11424", "Q5"),
    "dbo:office": ("Q5", "Q6256"),
    "dbo:subsidiary": ("Q4830453", "Q4830453"),
    "dbo:spouse": ("Q5", "Q5"),
    "dbo:foundationPlace": ("Q4830453", "Q515"),
    "dbo:deathPlace": ("Q5", "Q515"),
    "dbo:birthPlace": ("Q5", "Q515"),
    "dbo:team": ("Q5", "Q13393265"),
    "dbo:award": ("Q5", "Q618779"),
}


def run() -> int:
    """One line per kind of corruption, and the two figures of the bars."""
    rows = list(json_lines(find("factbench/factbench.jsonl.gz")))
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "factbench.db"
        write_graph(path, rows)
        verifier = Verifier.open(path)
        for row in rows:
            if row["split"] == "test":
                kind = "true" if row["label"] == "correct" else row["corruption"].removeprefix("mix/")
                counted[kind][label_of(verifier, sentence(row))] += 1
    return _show(counted)


def sentence(row: Mapping[str, Any]) -> str:
    """The triple and its years in words."""
    template = _SENTENCES[row["predicate"]]
    years = [re.match(r"\d*", row[end] or "")[0] for end in ("from", "to")]  # type: ignore[index]
    return template.format(s=_bare(row["subj"]), o=_bare(row["obj"]), a=years[0], b=years[1])


def label_of(verifier: Verifier, text: str) -> str:
    """The worst label of the sentence's claims."""
    labels = {verdict.label for verdict in verifier.check(text).verdicts}
    for label in (Label.CONTRADICTORY, Label.EXTRAPOLATORY, Label.ATTRIBUTABLE):
        if label in labels:
            return label
    return "none"


def write_graph(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """A knowledge file of the correct triples; every entity of the set is known in it."""
    rows = list(rows)
    names = {
        line.split("\t")[0]: line.split("\t")[1] for line in open_text(find("kg/props.tsv")).splitlines()[1:]
    }
    correct = [row for row in rows if row["label"] == "correct"]
    statements = [triplet for row in correct for triplet in _statements(row, names)]
    statements += [
        Triplet(_node(row, "subj"), Node("P31", "instance of"), Node("Q11424", "film"), source="set")
        for row in correct
        if row["predicate"] == "dbo:starring"
    ]
    with Graph.create(path) as graph, graph.write() as batch:
        batch.add_properties(_properties(statements))
        batch.add_entities(_entities(rows, correct))
        batch.add_statements(statements)


def _statements(row: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Triplet]:
    relation, dated = _PROPERTIES[row["predicate"]]
    ends = [_node(row, "subj"), _node(row, "obj")]
    if relation.startswith("^"):
        ends.reverse()
    property_ = relation.removeprefix("^")
    start, end = _date(row["from"]), _date(row["to"])
    qualifiers: list[Qualifier] = []
    if not dated and start and end:
        if row["predicate"] in _POINT:
            qualifiers = [Qualifier(Node("P585", "point in time"), start)]
        else:
            qualifiers = [
                Qualifier(Node("P580", "start time"), start),
                Qualifier(Node("P582", "end time"), end),
            ]
    yield Triplet(ends[0], Node(property_, names[property_]), ends[1], tuple(qualifiers), source="set")
    if dated and start:
        yield Triplet(ends[0], Node(dated, names[dated]), start, source="set")


def _entities(rows: Iterable[Mapping[str, Any]], correct: Iterable[Mapping[str, Any]]) -> Iterator[NewEntity]:
    """All entities of the set, with the types that they have in the correct triples."""
    types = {}
    for row in correct:
        for end, kind in zip(("subj", "obj"), _TYPES[row["predicate"]], strict=True):
            types[_node(row, end).id] = kind
    seen: set[str] = set()
    for row in rows:
        for end in ("subj", "obj"):
            node = _node(row, end)
            if node.id not in seen:
                seen.add(node.id)
                kind = types.get(node.id, "")
                entity = Entity(node.id, node.label, types=(kind,) if kind else ())
                yield NewEntity(entity, tuple(dict.fromkeys([_bare(row[end])])))


def _properties(statements: Iterable[Triplet]) -> Iterator[Property]:
    for triplet in {t.predicate.id: t for t in statements}.values():
        datatype = triplet.object.datatype if isinstance(triplet.object, Value) else "entity"
        yield Property(triplet.predicate.id, triplet.predicate.label, datatype=datatype)


def _node(row: Mapping[str, Any], end: str) -> Node:
    return Node("E:" + row[end], _bare(row[end]))


def _bare(name: str) -> str:
    return re.sub(r"\s+\([^)]*\)$", "", name)


def _date(text: str | None) -> Value | None:
    if not text or not re.fullmatch(r"\d{4}(-\d{2}){0,2}", text):
        return None
    return Value(text, text, "date", 9 + text.count("-"))


def _show(counted: Mapping[str, Counter[str]]) -> int:
    right = total = 0
    for kind, labels in counted.items():
        count = sum(labels.values())
        good = labels[Label.ATTRIBUTABLE] if kind == "true" else count - labels[Label.ATTRIBUTABLE]
        right, total = right + good, total + count
        row = "  ".join(f"{label} {labels[label] / count:6.1%}" for label in Label)
        print(f"{kind:<12} n={count:5}  right {good / count:6.1%}   {row}  none {labels['none']}")
    wrong = counted["true"][Label.CONTRADICTORY] / sum(counted["true"].values())
    false = [labels for kind, labels in counted.items() if kind != "true"]
    balanced = (
        counted["true"][Label.ATTRIBUTABLE] / sum(counted["true"].values())
        + 1
        - sum(labels[Label.ATTRIBUTABLE] for labels in false) / sum(sum(labels.values()) for labels in false)
    ) / 2
    print(
        f"accuracy {right / total:.1%} (bar {ACCURACY_BAR:.0%}), balanced {balanced:.1%}, true triples called Contradictory "
        f"{wrong:.1%} (bar {WRONG_BAR:.0%})"
    )
    return 0 if right / total > ACCURACY_BAR and wrong < WRONG_BAR else 1
