"""From a claim to what the graph holds about it: one-hop answers, paths between its entities, matching literals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial

from guardrail import ontology
from guardrail.deferred import Deferred
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.evidence.query.facts import ask
from guardrail.evidence.query.nearest import NearestStatements
from guardrail.evidence.query.paths import MOST_ORIGINS, paths
from guardrail.evidence.query.profile import Profiles
from guardrail.evidence.query.ranking import rankings
from guardrail.types import (
    Answer,
    Attribute,
    Claim,
    Embedder,
    Evidence,
    Fact,
    Mention,
    Path,
    Profile,
    Property,
    Triplet,
    Value,
)

_MOST_TRIPLETS = 40
_MOST_LITERALS = 10
_FROM_ONE_ANSWER = 12
# When something began and ended: what an age is reckoned from, and what the time of a further argument is compared with.
_DATES = ontology.roles("event")


class GraphRetriever:
    """Evidence from a knowledge graph. Safe to share between threads."""

    def __init__(
        self, graph: Knowledge, *, max_hops: int = 3, max_paths: int = 4, embedder: Embedder | None = None
    ) -> None:
        """With `embedder` statements are found by their meaning, too."""
        self._graph, self._max_hops, self._max_paths = graph, max_hops, max_paths
        self._nearest = NearestStatements(graph, embedder) if embedder else None
        self._profiles = Profiles(graph)

    def retrieve(self, claim: Claim) -> Evidence:
        """Nothing but what is near in meaning where the graph knows none of the claim's entities."""
        mentions = list(_mentions(claim))
        ids = list(dict.fromkeys(m.entity.id for m in mentions if m.entity is not None))
        profiles = self._profiles.of(ids)
        near = cache(partial(self._near, claim, profiles))
        nearest, peers = Deferred(lambda: near()[0]), Deferred(lambda: near()[1])
        if not ids:
            return Evidence(nearest=nearest, peers=peers)
        found = ask(self._graph, claim)
        words = [fact.predicate for fact in claim.facts] or [claim.resolved]
        joined = paths(self._graph, ids, max_hops=self._max_hops, max_paths=self._max_paths, words=words)
        literals = self._literals(ids, claim)
        unread = list(found.unread)
        if len(ids) > MOST_ORIGINS:
            unread.append(f"paths of {len(ids) - MOST_ORIGINS} more entities")
        triplets = _flat(found.answers, joined, [*self._marks(found.answers), *literals])
        return Evidence(
            triplets=triplets,
            answers=found.answers,
            paths=joined,
            unread=tuple(unread),
            rankings=rankings(self._graph, claim),
            profiles=profiles,
            properties=self._properties(triplets, found.answers),
            nearest=nearest,
            peers=peers,
        )

    def _near(
        self, claim: Claim, profiles: Sequence[Profile]
    ) -> tuple[tuple[Triplet, ...], tuple[Triplet, ...]]:
        """What is said in the claim's sense of the things that it names, or may be said of."""
        if self._nearest is None:
            return (), ()
        around = self._profiles.of([one.id for one in claim.focus])
        return self._nearest.to(claim.resolved, (*profiles, *around))

    def _properties(self, triplets: Sequence[Triplet], answers: Sequence[Answer]) -> tuple[Property, ...]:
        """The records of the relations that stand in the evidence; those of answers stand in them."""
        asked = {answer.property.id: answer.property for answer in answers}
        met = {t.predicate.id for t in triplets} - asked.keys()
        found = (self._graph.property(id_) for id_ in sorted(met))
        return (*asked.values(), *(known for known in found if known is not None))

    def _marks(self, answers: Sequence[Answer]) -> list[Triplet]:
        """The statements that an empty list is whole: they are what its answer rests on."""
        return [
            mark
            for answer in answers
            if answer.complete and not answer.statements
            for mark in self._graph.statements(answer.subject.id, COMPLETE_LIST.id)
            if isinstance(mark.object, Value) and mark.object.value == answer.property.id
        ]

    def _literals(self, ids: Sequence[str], claim: Claim) -> list[Triplet]:
        """Literal statements of the mentioned entities that say a value of the claim."""
        claimed = [value for fact in claim.facts for value in _values(fact)]
        dated = any(_dated(a) for fact in claim.facts for a in fact.attributes)
        if not claimed and not dated:
            return []
        known = self._graph.literals(ids)
        dating = set(self._graph.playing(tuple(_DATES)))
        return [
            t
            for t in known
            if (dated and t.predicate.id in dating) or any(_alike(t.object, value) for value in claimed)
        ][:_MOST_LITERALS]


def _mentions(claim: Claim) -> Iterator[Mention]:
    """Mentions of the claim and of its facts: those of an inherited subject stand only there."""
    for fact in claim.facts:
        for argument in (fact.subject, fact.object, *(a.object for a in fact.attributes)):
            yield from argument.mentions
    yield from claim.mentions


def _values(fact: Fact) -> Iterator[Value]:
    for argument in (fact.object, *(a.object for a in fact.attributes)):
        if argument.value is not None:
            yield argument.value


def _dated(attribute: Attribute) -> bool:
    value = attribute.object.value
    return attribute.name == "age" or (value is not None and value.datatype == "date")


def _alike(known: object, claimed: Value) -> bool:
    """A coarse sieve: same kind, and one begins like the other. The checker compares properly."""
    if not isinstance(known, Value) or known.datatype != claimed.datatype:
        return False
    if known.datatype == "date":
        return known.value.startswith(claimed.value) or claimed.value.startswith(known.value)
    return known.value == claimed.value


def _flat(
    answers: Sequence[Answer], joined: Sequence[Path], literals: Sequence[Triplet]
) -> tuple[Triplet, ...]:
    """All triplets once, those that answer the claim's own question first."""
    ranked: list[Triplet] = []
    for answer in answers:
        ranked += [*answer.statements[:_FROM_ONE_ANSWER], *answer.broader, *answer.narrower]
    for path in joined:
        ranked += path.triplets
    ranked += literals
    return tuple({t.id: t for t in reversed(ranked)}[i] for i in dict.fromkeys(t.id for t in ranked))[
        :_MOST_TRIPLETS
    ]
