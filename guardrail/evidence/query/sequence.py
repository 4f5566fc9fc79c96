"""Which of two events came first: "Hamlet was written before Apple was founded".

Each is dated by its own statement. The making of a work that has no date lies within its maker's life, which is often
enough: what a man wrote who died in 1616 was written before 1976.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from guardrail.evidence.knowledge import Knowledge
from guardrail.types import Claim, Mention, Node, Ranking, Triplet, Value
from guardrail.values import compare
from guardrail.values.comparisons import Sequence, sequence

__all__ = ["sequences"]

_MAKERS = ("author", "composer", "creator", "architect", "director")
_BIRTH, _DEATH, _DONE = ("date of birth",), ("date of death",), ("publication date",)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """An event took place from `earliest` to `latest`, as the statements of `proof` say."""

    earliest: Triplet
    latest: Triplet
    proof: tuple[Triplet, ...]


def sequences(graph: Knowledge, claim: Claim) -> Iterator[Ranking]:
    """One ranking where the claim says nothing but the order of two events, beside its facts."""
    named = [m for m in claim.mentions if m.candidates and claim.span.contains(m.span)]
    for first, second in combinations(named, 2):
        start = claim.text[: first.span.start - claim.span.start].strip(" \"'“‘*_").lower()
        between = claim.text[first.span.end - claim.span.start : second.span.start - claim.span.start]
        read = sequence(between, claim.text[second.span.end - claim.span.start :])
        if read is None or start not in ("", "the", "a", "an"):
            continue
        yield from _placed(graph, read, first, second, len(claim.facts))


def _placed(
    graph: Knowledge, read: Sequence, first: Mention, second: Mention, index: int
) -> Iterator[Ranking]:
    ours, theirs = _of(graph, first, read.first), _of(graph, second, read.second)
    if ours is None or theirs is None:
        return
    before, after = _before(ours, theirs), _before(theirs, ours)
    if before == after:
        return  # they overlap for all that is known
    holds = after if read.later else before
    yield Ranking(
        index,
        ours.proof[0],
        () if holds else (theirs.proof,),
        whole=True,
        beside=(*ours.proof[1:], *theirs.proof),
    )


def _of(graph: Knowledge, mention: Mention, event: str) -> _Bounds | None:
    """The bounds of the only reading that has any."""
    found = [b for c in mention.candidates if (b := _bounds(graph, c.entity.id, event)) is not None]
    return found[0] if len(found) == 1 else None


def _bounds(graph: Knowledge, entity_id: str, event: str) -> _Bounds | None:
    dated_by = Sequence.dated_by(event)
    if dated_by:
        dates = _dates(graph, entity_id, [known.id for known in graph.alike(dated_by)])
        return _Bounds(dates[0], dates[0], (dates[0],)) if len(dates) == 1 else None
    made = [t for relation in graph.playing(_MAKERS) for t in graph.statements(entity_id, relation)]
    if not made or not isinstance(made[0].object, Node):
        return None
    births = _dates(graph, made[0].object.id, graph.playing(_BIRTH))
    ends = _dates(graph, entity_id, graph.playing(_DONE))
    ends = ends[:1] or _dates(graph, made[0].object.id, graph.playing(_DEATH))
    if not births or not ends:
        return None
    return _Bounds(births[0], ends[0], (ends[0], made[0], births[0]))


def _dates(graph: Knowledge, entity_id: str, relations: Iterable[str]) -> list[Triplet]:
    found = [t for relation in relations for t in graph.statements(entity_id, relation)]
    found = [t for t in found if t.rank != "deprecated"]
    return [t for t in found if isinstance(t.object, Value) and t.object.datatype == "date"]


def _before(one: _Bounds, other: _Bounds) -> bool:
    """Whether the one was over for certain when the other began."""
    last, first = one.latest.object, other.earliest.object
    return (
        isinstance(last, Value)
        and isinstance(first, Value)
        and compare(first, last, modifier="before") == "agree"
    )
