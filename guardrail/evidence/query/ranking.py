"""Who comes before whom: what the graph knows of two things that a claim compares, and of the set that a superlative is over.

"Russia is larger than Canada" asks for both areas, "Nigeria is the most populous country in Africa" for the population of all
countries and for which of those ahead of Nigeria lie in Africa. One that is ahead refutes a superlative. Only a set that is
known as a whole supports one: the class says how many members it has ("quantity"), and the graph has as many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cmp_to_key, lru_cache

from guardrail.evidence import names
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties import ontology
from guardrail.evidence.query.closure import chain
from guardrail.evidence.query.sequence import sequences
from guardrail.types import Claim, Entity, Fact, Mention, Ranking, Triplet, Value
from guardrail.values import compare
from guardrail.values.comparisons import Superlative, comparison, superlative
from guardrail.values.numbers import as_decimal

__all__ = ["rankings"]

_MOST_MEMBERS = 1000
_MOST_AHEAD = 40


def rankings(graph: Knowledge, claim: Claim) -> tuple[Ranking, ...]:
    """Of every fact that compares two things, of the claim's superlative, and of two events of which one came first."""
    found = [r for index, fact in enumerate(claim.facts) for r in _compared(graph, index, fact, claim)]
    wanted = superlative(claim.text)
    if wanted is not None:
        found += _ranked(graph, claim, wanted)
    return (*found, *sequences(graph, claim))


# ── two things ────────────────────────────────────────────────────────────────────────────────────────


def _compared(graph: Knowledge, index: int, fact: Fact, claim: Claim) -> Iterator[Ranking]:
    read = comparison(_between(fact, claim))
    for property_id in _own(graph, read.properties) if read else ():
        own, other = (_one_value(graph, end.mentions, property_id) for end in (fact.subject, fact.object))
        if read is None or own is None or other is None:
            continue
        ahead, behind = _ahead(other, own, more=read.more), _ahead(own, other, more=read.more)
        if ahead != behind:  # else they are alike as far as anybody knows
            yield Ranking(index, own, ((other,),) if ahead else (), whole=True, beside=(other,))


def _own(graph: Knowledge, property_ids: Sequence[str]) -> list[str]:
    """The ids under which the graph has these properties."""
    return [known.id for property_id in property_ids for known in graph.alike(property_id)]


def _between(fact: Fact, claim: Claim) -> str:
    """The words from the subject, or from the start of the claim where it is inherited, to the object."""
    if fact.object.span is None or not claim.span.contains(fact.object.span):
        return ""
    start = claim.span.start
    if fact.subject.span and claim.span.contains(fact.subject.span):
        start = fact.subject.span.end
    return claim.text[start - claim.span.start : max(fact.object.span.start - claim.span.start, 0)]


def _entity(mentions: Sequence[Mention]) -> Entity | None:
    """The one thing that an argument names for certain."""
    candidates = mentions[0].candidates if mentions else ()
    return candidates[0].entity if len(candidates) == 1 else None


def _one_value(graph: Knowledge, mentions: Sequence[Mention], property_id: str) -> Triplet | None:
    """The value of the only reading of a name that has one: the planet Mercury has a diameter, the metal has none."""
    candidates = mentions[0].candidates if mentions else ()
    found = [value for c in candidates if (value := _value(graph, c.entity.id, property_id)) is not None]
    return found[0] if len(found) == 1 else None


def _value(graph: Knowledge, entity_id: str, property_id: str) -> Triplet | None:
    """The statement with its value: the preferred one, else the latest."""
    found = [s for s in graph.statements(entity_id, property_id) if isinstance(s.object, Value)]
    return max(found, key=_standing, default=None)


def _standing(statement: Triplet) -> tuple[int, str]:
    times = [
        q.object.value
        for q in statement.qualifiers
        if ontology.is_point(q.predicate.id, q.predicate.label) and isinstance(q.object, Value)
    ]
    return ("deprecated", "normal", "preferred").index(statement.rank), max(times, default="")


def _ahead(one: Triplet, other: Triplet, *, more: bool) -> bool:
    """Whether `one` comes before `other` for certain."""
    left, right = one.object, other.object
    if not isinstance(left, Value) or not isinstance(right, Value):
        return False
    if left.datatype == "date":
        return compare(right, left, modifier="after" if more else "before") == "agree"
    return compare(right, left, modifier="more than" if more else "less than") == "agree"


# ── the largest of a set ──────────────────────────────────────────────────────────────────────────────


def _ranked(graph: Knowledge, claim: Claim, wanted: Superlative) -> Iterator[Ranking]:
    index, subject = _subject(claim)
    if subject is None:
        return
    kind = _kind(graph, subject, wanted.kind)
    place = _place(claim, wanted.place) if wanted.place else None
    if kind is None or (wanted.place and place is None):
        return
    for property_id in _own(graph, wanted.properties):
        own = _value(graph, subject.id, property_id)
        if own is not None:
            table = _members(graph, graph.version, kind, property_id)
            ahead = _in_front(table, own, more=wanted.more)
            within = tuple(_placed(graph, ahead[:_MOST_AHEAD], place))
            whole = len(ahead) <= _MOST_AHEAD and len(table) >= _declared(graph, kind)
            yield Ranking(index, own, within, wanted.rank, whole and _lies_in(graph, subject, place))
            return


def _subject(claim: Claim) -> tuple[int, Entity | None]:
    """The first fact whose subject is one thing for certain, and that thing."""
    subjects = [_entity(fact.subject.mentions) for fact in claim.facts]
    return next(((i, one) for i, one in enumerate(subjects) if one is not None), (0, None))


def _kind(graph: Knowledge, subject: Entity, words: str) -> str | None:
    return next((t for t in subject.types if _called(graph, t, words)), None)


def _in_front(table: Sequence[Triplet], own: Triplet, *, more: bool) -> list[Triplet]:
    """Those of a set that are ahead of one of it, the first one first."""
    ahead = [statement for statement in table if _ahead(statement, own, more=more)]
    ahead.sort(key=cmp_to_key(lambda a, b: -1 if _ahead(a, b, more=more) else 1))
    return ahead


def _placed(
    graph: Knowledge, statements: Sequence[Triplet], place: Entity | None
) -> Iterator[tuple[Triplet, ...]]:
    """Each statement with what says that it is of something in the place; without a place all of them."""
    for statement in statements:
        if place is None:
            yield (statement,)
        elif links := chain(graph, [statement.subject.id], [place.id]):
            yield (statement, *links)


def _lies_in(graph: Knowledge, subject: Entity, place: Entity | None) -> bool:
    return place is None or bool(chain(graph, [subject.id], [place.id]))


def _called(graph: Knowledge, class_id: str, words: str) -> bool:
    """Whether a class has this name, in the singular or the plural."""
    known = graph.entity(class_id)
    if known is None:
        return False
    wanted = names.key(words)
    singulars = {
        wanted,
        wanted.removesuffix("s"),
        wanted.removesuffix("es"),
        wanted.removesuffix("ies") + "y",
    }
    return any(names.key(name) in singulars for name in (known.label, *graph.aliases(class_id)))


def _place(claim: Claim, words: str) -> Entity | None:
    for mention in claim.mentions:
        if mention.entity is not None and names.key(mention.text) in (
            names.key(words),
            names.key(_bare(words)),
        ):
            return _entity([mention])
    return None


def _bare(words: str) -> str:
    return words.removeprefix("the ").removeprefix("our ")


@lru_cache(maxsize=64)
def _members(graph: Knowledge, version: str, class_id: str, property_id: str) -> tuple[Triplet, ...]:
    """One statement per member of the class that has a value. Kept: a set of a thousand takes tens of milliseconds."""
    members = [
        membership
        for relation in graph.playing(("instance of",))
        for membership in graph.incoming(class_id, relation, limit=_MOST_MEMBERS)
    ]
    values = (_value(graph, membership.subject.id, property_id) for membership in members)
    return tuple(value for value in values if value is not None)


def _declared(graph: Knowledge, class_id: str) -> float:
    """How many members a class says that it has; infinite where it does not say."""
    told = (_value(graph, class_id, relation) for relation in graph.playing(("quantity",)))
    statement = next((one for one in told if one is not None), None)
    if statement is None or not isinstance(statement.object, Value):
        return float("inf")
    number = as_decimal(statement.object.value)
    return float("inf") if number is None else float(number)
