"""One hop by relation: what the graph answers to a fact's typed question (FLEEK §2.1.3, as a graph query).

For a fact (S, P, O) whose subject is an entity the graph is asked (S, P, ?): the known objects stand beside the claimed
one. A relation that reads the other way round ("^P50": S wrote O) is asked twice: (?, P50, S), the works of S, and
(O, P50, ?), the authors of O; only the second can show that somebody else wrote it. Which end was asked stands in
`Answer.about`, whether the statements were walked backwards in `Answer.inverse`:

    about     inverse   the graph was asked   the claim says      the graph says
    subject   False     (S, P, ?)             the fact's object   statement.object
    subject   True      (?, P, S)             the fact's object   statement.subject
    object    False     (O, P, ?)             the fact's subject  statement.object
    object    True      (?, P, O)             the fact's subject  statement.subject
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from guardrail import ontology
from guardrail.direction import forward
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.properties.completeness import COMPLETE_LIST
from guardrail.evidence.query.citizenship import foreign
from guardrail.evidence.query.closure import chain_either_way
from guardrail.evidence.query.relations import RelationIndex
from guardrail.evidence.query.siblings import apart
from guardrail.evidence.query.temporal import in_time
from guardrail.types import Answer, Argument, Claim, Entity, Fact, Node, Property, Triplet

MOST_STATEMENTS = 200
"""Of one subject and property. What is left out is said in `GraphAnswers.unread`."""
MOST_BACKWARDS = 50
_MOST_RELATIONS = 5
_CLOSED_OVER = 12
"""Known objects from which the hierarchy is climbed."""
_OFFICE = ontology.roles("position held")  # of an office is asked, too, who holds it now
_CITIZENSHIP, _PLACED = ontology.roles("country of citizenship"), ontology.roles("placed")
_NOT_INHERITED = ontology.roles("not inherited")

About = Literal["subject", "object"]


@dataclass(frozen=True, slots=True)
class GraphAnswers:
    """Answers, and what was cut off from them by a limit."""

    answers: tuple[Answer, ...] = ()
    unread: tuple[str, ...] = ()


def answers(graph: Knowledge, claim: Claim) -> tuple[Answer, ...]:
    """The graph's answers to every fact of the claim, for each reading of its entities."""
    return ask(graph, claim).answers


def ask(graph: Knowledge, claim: Claim) -> GraphAnswers:
    """As `answers`, with what was not read."""
    found: list[Answer] = []
    unread: list[str] = []
    for index, fact in enumerate(claim.facts):
        for question in _questions(graph, fact):
            answer, left_out = _answer(graph, index, fact, question)
            if answer is not None and answer not in found:
                found.append(answer)
            if left_out:
                unread.append(left_out)
    return GraphAnswers(tuple(found), tuple(dict.fromkeys(unread)))


@dataclass(frozen=True, slots=True)
class _Question:
    """(entity, property, ?), or with `inverse` (?, property, entity); `others`: what the claim puts in its place."""

    entity: Entity
    property: Property
    inverse: bool
    about: About
    others: tuple[Entity, ...]


def _questions(graph: Knowledge, fact: Fact) -> Iterator[_Question]:
    subjects, objects = _entities(fact.subject), _entities(fact.object)
    for known, inverse in _relations(graph, fact):
        for entity in subjects:
            yield _Question(entity, known, inverse, "subject", objects)
        if turned := _turned(graph, fact, known, inverse=inverse):
            for entity in objects:
                yield _Question(entity, *turned, "object", subjects)


def _turned(graph: Knowledge, fact: Fact, known: Property, *, inverse: bool) -> tuple[Property, bool] | None:
    """The property to ask of the fact's object, and whether it reads backwards; None where the subject's answer says it all."""
    if inverse or known.symmetric:
        return known, False
    opposite = next(iter(graph.alike(known.inverse)), None) if known.inverse else None
    if opposite is not None:
        return opposite, False
    holder = ontology.plays(known, _OFFICE) and fact.tense == "present"
    return (known, True) if holder or not _entities(fact.subject) else None


def _entities(argument: Argument) -> tuple[Entity, ...]:
    return tuple(c.entity for c in argument.mention.candidates) if argument.mention else ()


def _relations(graph: Knowledge, fact: Fact) -> list[tuple[Property, bool]]:
    """The properties that the fact's relation may be, and whether each reads backwards."""
    found = [
        (known, relation.startswith("^"))
        for relation in fact.relations[:_MOST_RELATIONS]
        for known in graph.alike(relation.lstrip("^"))
    ]
    if found:
        return found
    index = _index(graph, graph.recent_version)
    return [(known, inverse) for known in index.match(fact.predicate) for inverse in _ways(fact, known)]


def _ways(fact: Fact, known: Property) -> tuple[bool, ...]:
    """Whether the fact's subject is the property's value: yes, no, or either."""
    if fact.object.value is not None:
        return (False,)  # nothing is the child of a number
    forwards = forward(fact.predicate, known)
    return (False, True) if forwards is None else (not forwards,)


@lru_cache(maxsize=8)
def _index(graph: Knowledge, version: str) -> RelationIndex:
    return RelationIndex(known for known in graph.properties() if known.id != COMPLETE_LIST.id)


def _answer(graph: Knowledge, index: int, fact: Fact, question: _Question) -> tuple[Answer | None, str]:
    subject, known = question.entity, question.property
    statements, limit = _statements(graph, question)
    left_out = ""
    if len(statements) > limit:
        statements = statements[:limit]
        if question.inverse and question.others and ontology.plays(known, _OFFICE):
            return None, ""  # so many hold it that nobody is its only holder
        left_out = f"{subject.label}: {known.label}, beyond the first {limit}"
    kept = in_time([s for s in statements if s.rank != "deprecated"], known, fact.tense)
    if not kept and question.about == "object":
        return None, left_out
    answer = Answer(
        fact=index,
        subject=Node(subject.id, subject.label),
        property=known,
        statements=tuple(kept),
        inverse=question.inverse,
        about=question.about,
        complete=not left_out and _whole(graph, subject.id, known, inverse=question.inverse),
    )
    return _with_hierarchy(graph, answer, question.others), left_out


def _statements(graph: Knowledge, question: _Question) -> tuple[Sequence[Triplet], int]:
    """What the graph says, and how much of it is read."""
    if question.inverse:
        return _backwards(graph, question, MOST_BACKWARDS + 1), MOST_BACKWARDS
    return graph.statements(question.entity.id, question.property.id), MOST_STATEMENTS


def _whole(graph: Knowledge, subject_id: str, known: Property, *, inverse: bool) -> bool:
    """Whether the graph says that it names all values: of this subject, or, by its own word, of every one."""
    as_a_rule = ontology.standard(known)
    declared = known.complete and not (as_a_rule and as_a_rule.complete) and not inverse
    return declared or graph.complete(subject_id, f"^{known.id}" if inverse else known.id)


def _backwards(graph: Knowledge, question: _Question, limit: int) -> list[Triplet]:
    """(?, P, entity): the claimed subjects first, whether or not they are among the best known."""
    entity, known = question.entity, question.property
    found = graph.incoming(entity.id, known.id, limit=limit)
    if len(found) < limit:
        return found
    claimed = [
        statement
        for other in question.others
        for statement in graph.statements(other.id, known.id)
        if isinstance(statement.object, Node) and statement.object.id == entity.id
    ]
    return [*claimed, *(s for s in found if s not in claimed)][:limit]


def _with_hierarchy(graph: Knowledge, answer: Answer, claimed: Sequence[Entity]) -> Answer:
    """Adds the chains that make the claim coarser, or finer, than what the graph knows."""
    if answer.inverse or not claimed or ontology.plays(answer.property, _NOT_INHERITED):
        return answer
    known = [s.object.id for s in answer.statements[:_CLOSED_OVER] if isinstance(s.object, Node)]
    wanted = [entity.id for entity in claimed]
    if not known or set(known) & set(wanted):
        return answer
    broader, narrower = chain_either_way(graph, known, wanted)
    if broader or narrower:
        return replace(answer, broader=broader, narrower=narrower)
    return replace(answer, apart=_apart(graph, answer, known, claimed[0]))


def _apart(graph: Knowledge, answer: Answer, known: Sequence[str], claimed: Entity) -> bool:
    if ontology.plays(answer.property, _CITIZENSHIP) and foreign(graph, answer.subject.id, known, claimed):
        return True
    return ontology.plays(answer.property, _PLACED) and apart(graph, known, claimed)
