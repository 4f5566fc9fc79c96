"""Entity linking on KnowledgeNet folds 1-3 and Mintaka dev, against exact labels with the highest popularity."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from eval.datasets.benchmark import benchmark_graph
from eval.datasets.files import find, json_lines, open_text
from guardrail.evidence import names
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.store.graph import Graph
from guardrail.types import Mention, Span

PRONOUNS = frozenset("he she it they his her its their him them who which that himself herself".split())


@dataclass(frozen=True, slots=True)
class Gold:
    """A place in a text and the entity it names; None where no entity of Wikidata is known for it."""

    text: str
    span: Span
    entity: str | None


def run() -> int:
    with Graph.open(benchmark_graph()) as graph:
        linker = AliasLinker(graph)
        for name, gold in (("KnowledgeNet 1-3", knowledgenet()), ("Mintaka dev", mintaka())):
            _report(name, graph, linker, list(gold))
    return 0


def knowledgenet() -> Iterator[Gold]:
    """Subjects and objects of the facts, each place once; pronouns are coreference, not linking."""
    seen: set[tuple[str, int, int]] = set()
    for row in json_lines(find("knowledgenet/facts_folds1-3.jsonl.gz")):
        for end in ("subj", "obj"):
            if row.get(f"{end}_start") is None:  # "no such fact": nothing is marked
                continue
            place = (row["text"], row[f"{end}_start"], row[f"{end}_end"])
            span = Span(place[1], place[2])
            if place in seen or row[end].lower() in PRONOUNS or span.of(row["text"]) != row[end]:
                continue
            seen.add(place)
            yield Gold(row["text"], span, row[f"{end}_qid"] or None)


def mintaka() -> Iterator[Gold]:
    """The entities of the questions."""
    for question in json.loads(open_text(find("mintaka-dev/mintaka_dev.json.gz"))):
        for entity in question["questionEntity"]:
            if entity["entityType"] == "entity" and entity.get("span"):
                yield Gold(question["question"], Span(*entity["span"]), entity["name"])


def _report(name: str, graph: Graph, linker: AliasLinker, gold: list[Gold]) -> None:
    known = graph.numbers({g.entity for g in gold if g.entity})
    linked: dict[str, list[Mention]] = {}
    counts: Counter[str] = Counter()
    for item in gold:
        if item.text not in linked:
            linked[item.text] = linker.link(item.text)
        mention = _best_overlap(linked[item.text], item.span)
        base = _baseline(graph, item.span.of(item.text))
        if item.entity is None or item.entity not in known:
            counts["not in the graph"] += 1
            counts["of them NIL"] += mention is None or mention.entity is None
            counts["of them NIL by the baseline"] += base is None
        else:
            counts["in the graph"] += 1
            counts["right by the baseline"] += base == item.entity
            counts["no reading by the baseline"] += base is None
            counts.update(_outcomes(mention, item.entity, item.span))
    mentions = [m for found in linked.values() for m in found]
    nil = sum(m.entity is None for m in mentions)
    print(
        f"{name}: {len(gold):,} gold mentions in {len(linked):,} texts; {len(mentions):,} linked, {nil:,} of them NIL"
    )
    for what in ("right", "right, or second within the margin", "no reading", "two readings kept", "the very span",
                 "right by the baseline", "no reading by the baseline"):  # fmt: skip
        _row(what, counts[what], counts["in the graph"])
    for what in ("of them NIL", "of them NIL by the baseline"):
        _row(f"not in the graph, {what}", counts[what], counts["not in the graph"])


def _outcomes(mention: Mention | None, entity: str, span: Span) -> Iterator[str]:
    """What the linker's mention is to an entity of the graph."""
    if mention is None or mention.entity is None:
        yield "no reading"
        return
    ids = [candidate.entity.id for candidate in mention.candidates]
    told = {
        "right": ids[0] == entity,
        "right, or second within the margin": entity in ids,
        "two readings kept": len(ids) > 1,
        "the very span": mention.span == span,
    }
    yield from (what for what, holds in told.items() if holds)


def _row(what: str, count: int, of: int) -> None:
    print(f"  {what:<50}{count:>7,} of {of:>6,}  {count / of if of else 0:>6.1%}")


def _best_overlap(mentions: list[Mention], span: Span) -> Mention | None:
    """The mention that shares most with the span."""

    def shared(mention: Mention) -> int:
        return min(mention.span.end, span.end) - max(mention.span.start, span.start)

    best = max(mentions, key=shared, default=None)
    return best if best is not None and shared(best) > 0 else None


def _baseline(graph: Graph, text: str) -> str | None:
    """The best known entity that has exactly these words as its label."""
    rows = [row for row in graph.named({names.key(text): [text]}) if row.kind == 0 and row.text == text]
    if not rows:
        return None
    best = max(rows, key=lambda row: (row.popularity, row.degree, -row.entity))
    return graph.entities([best.entity])[best.entity].id
