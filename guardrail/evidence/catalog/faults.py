"""What cannot be true at once: in a graph, several values of what is declared to have one, and hierarchies that bite their tail;
in two graphs, what one says against the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import islice

from guardrail.evidence.store.cardinality import inferred, is_own
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.update import check_update
from guardrail.types import Property, Triplet

__all__ = ["disagreements", "faults"]

_SHOWN = 20
_MOST_EDGES = 500_000
"""Of one hierarchy: in a larger one no cycle is sought."""
_MOST_SUBJECTS = 50_000
"""Of the first of two graphs, whose statements are compared."""
_AT_ONCE = 500


def faults(graph: Graph) -> list[str]:
    """A sentence for each; nothing is taken out of the graph. Of Wikidata's properties nothing is said."""
    unsaid = inferred(graph.database)
    found: list[str] = []
    for known in graph.properties():
        if not is_own(known.id):
            continue
        if known.cardinality == "single" and not known.temporal and known.id not in unsaid:
            found.extend(_several(graph, known))
        if known.hierarchical:
            found.extend(_cycle(graph, known))
    return found


def _several(graph: Graph, known: Property) -> Iterator[str]:
    rows = graph.database.rows(
        "SELECT s.id, s.label FROM statement t JOIN entity s ON s.n = t.s WHERE t.rank < 2 AND t.p = ?"
        " GROUP BY s.n, s.id, s.label HAVING COUNT(*) > 1 ORDER BY s.n LIMIT ?",
        (graph.property_number(known.id) or 0, _SHOWN),
    )
    for subject, label in rows:
        values = dict.fromkeys(
            t.object.label for t in graph.statements(subject, known.id) if t.rank != "deprecated"
        )
        if len(values) > 1:
            yield f"{known.label} is declared to have one value, and {label} has {len(values)}: {', '.join(values)}"


def _cycle(graph: Graph, known: Property) -> Iterator[str]:
    rows = graph.database.rows(
        "SELECT a, b FROM edge WHERE p = ? LIMIT ?", (graph.property_number(known.id) or 0, _MOST_EDGES)
    )
    above: dict[int, set[int]] = {}
    for lower, upper in rows:
        above.setdefault(lower, set()).add(upper)
    try:
        TopologicalSorter(above).prepare()
    except CycleError as error:
        numbers = list(reversed(error.args[1]))
        names = graph.nodes(sorted(set(numbers)))
        yield f"{known.label} goes round in a circle: {' → '.join(names[n].label for n in numbers)}"


def disagreements(
    first: Graph, other: Graph, *, names: tuple[str, str] | None = None, former: str = ""
) -> list[str]:
    """A sentence for each statement of `first` that contradicts `other`, or is contradicted by it; of things that both know by one id.

    `names`: what the graphs are called in the sentences; by default as they are. `former`: a source of `other` that `first` takes the
    place of. At most `_SHOWN`, of the first `_MOST_SUBJECTS` things.
    """
    one, another = names or (first.name, other.name)
    found: dict[tuple[str, str], str] = {}
    subjects = islice(first.subjects(), _MOST_SUBJECTS)
    while (some := list(islice(subjects, _AT_ONCE))) and len(found) < _SHOWN:
        shared = other.numbers(facts[0].subject.id for facts in some)
        for facts in (facts for facts in some if facts[0].subject.id in shared):
            for fact, against in _contradicted(facts, other, former):
                found.setdefault(_about(fact), _sentence(fact, one, against, another))
            standing = [t for t in other.statements(facts[0].subject.id) if not former or t.source != former]
            for fact, against in _contradicted(standing, first):
                found.setdefault(_about(fact), _sentence(fact, another, against, one))
    return list(found.values())[:_SHOWN]


def _about(fact: Triplet) -> tuple[str, str]:
    return fact.subject.id, fact.predicate.id


def _contradicted(
    facts: list[Triplet], graph: Graph, former: str = ""
) -> Iterator[tuple[Triplet, tuple[Triplet, ...]]]:
    """Those of the facts that the graph contradicts, each with what it says instead, leaving out what the source `former` says."""
    for fact in facts:
        update = check_update(graph, fact) if fact.rank != "deprecated" else None
        if update is not None and update.state == "conflict":
            known = tuple(t for t in update.known if not former or t.source != former)
            if known:
                yield fact, known


def _sentence(fact: Triplet, here: str, known: tuple[Triplet, ...], there: str) -> str:
    values = ", ".join(dict.fromkeys(t.object.label for t in known))
    return (
        f"{fact.predicate.label} of {fact.subject.label}: {fact.object.label} in {here}, {values} in {there}"
    )
