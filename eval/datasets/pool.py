"""What rules are measured on: texts with the label of each of their places, by the graph that they are judged over."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from eval.datasets.benchmark import benchmark_graph
from eval.datasets.benchtext import Set, knowledgenet, movies, perturbed, redocred, write_graph
from eval.datasets.files import DataMissing, find, json_lines, open_text
from eval.datasets.grounding import written
from eval.datasets.triples import sentence_of
from eval.suites import answers, chat, own_graph, statements
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY
from guardrail.evidence.store.graph import Graph
from guardrail.types import Label, Span

__all__ = ["Case", "Group", "groups"]

PERTURBED = 120  # sentences of each set
TRIPLES = 100  # true, and false
WRITTEN = 12  # one pair of so many
_STATEMENTS = ("", "_constructions", "_nature", "_true", "_written")


@dataclass(frozen=True, slots=True)
class Case:
    """A text, what it is judged with, and the label of each place."""

    text: str
    wanted: tuple[tuple[Label, Span], ...]
    question: str = ""
    references: tuple[Any, ...] = ()
    by_fact: bool = False  # the places are those of facts' objects, judged one by one within a claim


@dataclass(frozen=True, slots=True)
class Group:
    """Cases over one graph; None is the starter knowledge."""

    name: str
    cases: tuple[Case, ...]
    graph: Path | None = None


_Builder = Callable[[str, Path], Group]


def groups(home: Path, only: Collection[str] = ()) -> Iterator[Group]:
    """All groups whose data is there, or `only` those of these names; graphs are built under `home`."""
    for name, made in _built().items():
        try:
            if not only or name in only:
                yield made(name, home)
        except DataMissing as missing:
            print(f"left out: {missing}")


def _built() -> dict[str, _Builder]:
    own = {path.name: _own for path in sorted((own_graph.HERE / "open").iterdir())}
    sets = {"redocred": redocred, "knowledgenet": knowledgenet, "movies": movies}
    return {
        **{f"statements{name}": _statements for name in _STATEMENTS},
        "chat": _chat,
        "answers": _answers,
        "written": _written,
        "codex": _triples,
        **own,
        **{name: partial(_perturbed, read) for name, read in sets.items()},
    }


def _whole(text: str, label: Label, question: str = "", references: Sequence[Any] = ()) -> Case:
    return Case(text, ((label, Span(0, len(text))),), question, tuple(references))


def _statements(name: str, home: Path) -> Group:
    found = statements.statements(f"{name}.tsv")
    return Group(name, tuple(_whole(text, label, asked) for label, text, asked in found))


def _own(name: str, home: Path) -> Group:
    folder, graph = own_graph.HERE / "open" / name, home / f"{name}.db"
    own_graph.imported(folder, graph)
    cases = (_whole(text, own_graph.RIGHT[label]) for label, text in own_graph.statements(folder))
    return Group(name, tuple(cases), graph)


def _chat(name: str, home: Path) -> Group:
    """Whole answers, whose later sentences speak of what the earlier ones named."""
    cases = (
        Case(one["answer"], tuple(_labelled(chat.places(one["answer"], one["claims"]))), one["question"])
        for one in json_lines(chat.HERE / "open.jsonl")
    )
    return Group(name, tuple(cases))


def _answers(name: str, home: Path) -> Group:
    """Single sentences with their references; what is labelled "none" is no statement."""
    cases = (
        _whole(place.of(one["answer"]), label, one["question"], one["references"])
        for exchange in json_lines(answers.HERE / "open.jsonl")
        for one in answers.texts(exchange)
        for label, place in _labelled(answers.places(one))
    )
    return Group(name, tuple(cases))


def _labelled(places: Iterable[tuple[str, Span]]) -> Iterator[tuple[Label, Span]]:
    return ((Label(label), span) for label, span in places if label != "none")


def _written(name: str, home: Path) -> Group:
    """Pairs of a passage and a claim."""
    labels = {ATTRIBUTABLE: Label.ATTRIBUTABLE, CONTRADICTORY: Label.CONTRADICTORY}
    cases = (
        _whole(text.sentences[0], labels.get(text.labels, Label.EXTRAPOLATORY), references=text.evidence)
        for text in islice(written(), 0, None, WRITTEN)
    )
    return Group(name, tuple(cases))


def _perturbed(read: Callable[[], Set], name: str, home: Path) -> Group:
    """Sentences of which one fact is swapped or none, over the facts of their set."""
    made, graph = read(), home / f"{name}.db"
    write_graph(made, graph)
    labels = {True: Label.CONTRADICTORY, False: Label.ATTRIBUTABLE}
    cases = (
        Case(item.text, tuple((labels[bool(one.swapped)], one.span) for one in item.facts), by_fact=True)
        for item in perturbed(made, count=PERTURBED)
    )
    return Group(name, tuple(cases), graph)


def _triples(name: str, home: Path) -> Group:
    """Statements of CoDEx-S, true and false, in a graph that has the true ones."""
    named = (("test.txt", Label.ATTRIBUTABLE), ("test_negatives.txt", Label.CONTRADICTORY))
    rows = [
        (line.split(), label)
        for name, label in named
        for line in open_text(find("codex/triples/codex-s") / name).splitlines()[: 8 * TRIPLES : 8]
    ]
    path = benchmark_graph(around={end for (s, _, o), _ in rows for end in (s, o)})
    with Graph.open(path) as graph:
        cases = []
        for (s, p, o), label in rows:
            ends = graph.entity(s), graph.entity(o)
            text = sentence_of(ends[0].label, p, ends[1].label) if ends[0] and ends[1] else None
            cases += [_whole(text, label)] if text else []
    return Group(name, tuple(cases), path)
