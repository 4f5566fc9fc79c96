"""A file imported on trial: into a graph of its own that is thrown away, so that somebody sees what would come of it.

What the graph is told of its properties holds on trial too, so that two values of what is declared to have one are noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from guardrail.evidence.catalog.described import Described, described, summary
from guardrail.evidence.catalog.faults import disagreements, faults
from guardrail.evidence.importers.chunk import FileReader
from guardrail.evidence.importers.load import Loader, Outcome
from guardrail.evidence.store.cardinality import inferred
from guardrail.evidence.store.graph import Graph

__all__ = ["Trial", "tried"]


@dataclass(frozen=True, slots=True)
class Trial:
    """`faults`: what cannot be true at once in the file; `conflicts`: what it says against the graph, apart from a former
    version of the file, whose place it takes. Sentences.
    """

    outcome: Outcome
    properties: tuple[Described, ...]
    summary: str
    faults: tuple[str, ...]
    conflicts: tuple[str, ...]


def tried(path: Path, reader: Callable[[], FileReader], into: Graph, *, name: str = "the graph") -> Trial:
    """What an import of the file into the graph would come to; nothing is written there. `name`: of the graph, for people.

    Raises ImportFailed where the file cannot be read to its end.
    """
    with (
        TemporaryDirectory(prefix="guardrail-trial-") as folder,
        Graph.create(Path(folder, "trial.db")) as graph,
    ):
        _told_of(into, graph)
        outcome = Loader(graph).load_whole(path, reader())
        found = described(graph)
        return Trial(
            outcome,
            tuple(found),
            summary(one.known for one in found),
            tuple(faults(graph)),
            tuple(disagreements(graph, into, names=(path.name, name), former=path.name)),
        )


def _told_of(graph: Graph, other: Graph) -> None:
    """Tells `other` what somebody said of the properties of `graph`."""
    unsaid = inferred(graph.database)
    with other.write() as batch:
        batch.add_properties(known for known in graph.written_properties() if known.id not in unsaid)
