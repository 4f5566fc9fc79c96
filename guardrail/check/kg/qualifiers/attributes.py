"""The further arguments of a fact, FLEEK's extended triple: time, place, amount, rank.

Each is compared with the qualifiers of the very statement that answers the fact, or, for birth, death and founding, with the
statement that keeps the time or place of the same event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from guardrail import ontology
from guardrail.check.kg.compare.arithmetic import age_of, years_between
from guardrail.check.kg.compare.beginnings import BEGINNINGS, at_date, beginning
from guardrail.check.kg.compare.slots import match
from guardrail.check.kg.compare.timeline import (
    END,
    POINT,
    START,
    best_of,
    has_ended,
    lasted,
    qualifier_values,
    years_of,
)
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.lexical import link_between
from guardrail.types import Attribute, Claim, Evidence, Node, Object, Property, Reason, Triplet, Value
from guardrail.values import State, compare
from guardrail.values.units import AGE, ORDINAL

__all__ = ["as_told", "with_attributes"]

_ENDS = {"start time": "end time", "inception": "dissolved"}
_BIRTHS = ontology.roles("date of birth", "inception")
_ORDINALS = ontology.names("series ordinal")
# Only the dates and places of birth and death are single; first publications have many dates.
_ONCE = ontology.roles(
    "place of birth",
    "place of death",
    "date of birth",
    "date of death",
    "inception",
    "discovery date",
    "end time",
)
WRONG = 0.85


@dataclass(frozen=True, slots=True)
class _Detail:
    """One attribute compared: with which relation, what is known, and by which statement."""

    state: State
    relation: str = ""
    known: tuple[Object, ...] = ()
    triplets: tuple[Triplet, ...] = ()


def with_attributes(finding: FactFinding, attributes: Sequence[Attribute], evidence: Evidence) -> FactFinding:
    """`finding`, which agrees, after its attributes: a conflict if one conflicts, unknown if one is not known."""
    pool = _Pool(_pool(evidence), evidence.properties)
    checked = [(attribute, _compare(attribute, finding, pool)) for attribute in attributes]
    for attribute, detail in checked:
        if detail.state == "conflict":
            return replace(
                finding,
                state="conflict",
                relation=detail.relation,
                claimed=attribute.object,
                known=detail.known,
                triplets=tuple(dict.fromkeys((*finding.triplets, *detail.triplets))),
                note="part",
                confidence=WRONG,
                answers=len(detail.known),
                main=finding,
            )
    extra = [triplet for _, detail in checked if detail.state == "agree" for triplet in detail.triplets]
    finding = replace(finding, triplets=tuple(dict.fromkeys((*finding.triplets, *extra))))
    missing = [attribute for attribute, detail in checked if detail.state == "unknown"]
    if missing:
        return replace(
            finding,
            state="unknown",
            claimed=missing[0].object,
            relation="time" if missing[0].name in BEGINNINGS else missing[0].name,
            known=(),
            note="part",
            reason=Reason.INSUFFICIENT,
            confidence=0.6,
            answers=0,
            main=finding,
        )
    return finding


def as_told(attribute: Attribute, claim: Claim) -> Attribute:
    """The attribute by the name of what its date is the date of, where that is a beginning."""
    span = attribute.object.span
    if attribute.name != "time" or span is None or not claim.span.contains(span):
        return attribute
    return replace(attribute, name=beginning(claim.text, span.shift(-claim.span.start)) or attribute.name)


def _pool(evidence: Evidence) -> list[Triplet]:
    paths = (triplet for path in evidence.paths for triplet in path.triplets)
    answers = (triplet for answer in evidence.answers for triplet in answer.statements)
    return list(dict.fromkeys([*evidence.triplets, *paths, *answers]))


@dataclass(frozen=True, slots=True)
class _Pool:
    """Statements, and what is known of their relations."""

    triplets: Sequence[Triplet]
    properties: Sequence[Property]

    def plays(self, triplet: Triplet, parts: frozenset[str]) -> bool:
        return ontology.plays(self._record(triplet), parts)

    def companion(self, triplet: Triplet, name: str) -> str:
        """The part that keeps the time or place of the event that the statement tells of, "" where none does."""
        known = self._record(triplet)
        told = (ontology.saying(one, name) for one in (known.id, *known.same_as))
        return next(filter(None, told), "")

    def end(self, triplet: Triplet) -> str:
        known = self._record(triplet)
        return next((end for part, end in _ENDS.items() if ontology.plays(known, frozenset({part}))), "")

    def _record(self, triplet: Triplet) -> Property:
        return ontology.record(triplet.predicate.id, self.properties)


def _compare(attribute: Attribute, finding: FactFinding, pool: _Pool) -> _Detail:
    if (age := age_of(attribute.object)) is not None:
        return _at_age(age, finding.triplets, pool)
    if (years := years_of(attribute.object.value)) is not None:
        return _as_long(years, attribute, finding.triplets)
    if attribute.object.modifier == "between" and finding.claimed.modifier == "and":
        return _since(attribute.object.value, finding)
    for detail in (
        _in_qualifiers(attribute, finding.triplets),
        _in_companion(attribute, finding.triplets, pool),
        _in_place(attribute, finding, pool.triplets),
    ):
        if detail.state != "unknown":
            return detail
    return _Detail("unknown")


def _as_long(years: float, attribute: Attribute, statements: Sequence[Triplet]) -> _Detail:
    """For how long: the time between the start and the end of what a statement tells, or of several together."""
    over = tuple(one for one in statements if has_ended(one))
    if not over or len(over) < len(statements):
        return _Detail("unknown")
    known = tuple(one for statement in over for one in qualifier_values(statement, (*START, *END)))
    if lasted(over, years, attribute.object.modifier):
        return _Detail("agree", "time", known, over)
    return _Detail("conflict", "time", known, over) if len(over) == 1 else _Detail("unknown")


def _since(first: Value | None, finding: FactFinding) -> _Detail:
    """The lower end of a range, "between 1800 and 1810", beside the upper one, which is the fact's object."""
    known = tuple(one for one in finding.known if isinstance(one, Value))
    states = {compare(first, one, modifier="between") for one in known} if first else set()
    return _Detail(best_of(states), finding.relation, known, finding.triplets)


def _at_age(age: Value, statements: Sequence[Triplet], pool: _Pool) -> _Detail:
    """An age at an event: the years from the birth to the event, whose date is the statement's own or one of its qualifiers."""
    subjects = {t.subject.id for t in statements}
    people = [t for t in pool.triplets if t.subject.id in subjects]
    births = [t for t in people if pool.plays(t, _BIRTHS)]
    dating = frozenset(pool.companion(t, "time") for t in statements) - {""}
    events = [*statements, *(t for t in people if pool.plays(t, dating))]
    dates = [(t, date) for t in events for date in _dates_of(t, pool)]
    for birth in births:
        for event, date in dates:
            years = years_between(birth.object, date)
            if years:
                known = tuple(Value(str(n), str(n), "quantity", unit=AGE) for n in dict.fromkeys(years))
                agrees = any(compare(age, value) == "agree" for value in known)
                return _Detail("agree" if agrees else "conflict", "age", known, (birth, event))
    return _Detail("unknown")


def _dates_of(statement: Triplet, pool: _Pool) -> list[Value]:
    """When a statement came to hold: its own date, else the point in time or the start among its qualifiers."""
    own = statement.object
    if isinstance(own, Value):
        return [own] if own.datatype == "date" and not pool.plays(statement, _BIRTHS) else []
    return qualifier_values(statement, (*POINT, *START))


def _in_qualifiers(attribute: Attribute, statements: Sequence[Triplet]) -> _Detail:
    """Against the qualifiers of each matched statement; one that agrees is enough."""
    details = [_qualified(attribute, triplet) for triplet in statements]
    for wanted in ("agree", "conflict"):
        if wanted == "conflict" and any(detail.state == "unknown" for detail in details):
            break
        for detail in details:
            if detail.state == wanted:
                return detail
    return _Detail("unknown")


def _qualified(attribute: Attribute, triplet: Triplet) -> _Detail:
    value = attribute.object.value
    if value is not None and value.datatype == "date":
        known = qualifier_values(triplet, [q.predicate.id or q.predicate.label for q in triplet.qualifiers])
        return _Detail(at_date(triplet, attribute.object, attribute.name), "time", tuple(known), (triplet,))
    if value is not None and value.unit == ORDINAL:
        ranks = [
            q.object
            for q in triplet.qualifiers
            if isinstance(q.object, Value)
            and not _ORDINALS.isdisjoint((q.predicate.id.casefold(), q.predicate.label.casefold()))
        ]
        state = best_of({compare(value, rank) for rank in ranks})
        return _Detail(state, "series ordinal", tuple(ranks), (triplet,))
    return _any_qualifier(attribute, triplet)


def _any_qualifier(attribute: Attribute, triplet: Triplet) -> _Detail:
    """Places, roles and amounts agree with any qualifier that is the same; another one proves nothing."""
    for qualifier in triplet.qualifiers:
        if match(attribute.object, qualifier.object) == "same":
            return _Detail("agree", qualifier.predicate.label, (qualifier.object,), (triplet,))
    return _Detail("unknown")


def _in_companion(attribute: Attribute, statements: Sequence[Triplet], pool: _Pool) -> _Detail:
    companions = _companions(attribute, statements, pool)
    if not companions:
        return _Detail("unknown")
    found = {match(attribute.object, t.object) for t in companions}
    relation = companions[0].predicate.label
    known = tuple(t.object for t in companions)
    if "same" in found:
        return _Detail("agree", relation, known, tuple(companions))
    if found == {"other"} and pool.plays(companions[0], _ONCE) and not isinstance(companions[0].object, Node):
        return _Detail("conflict", relation, known, tuple(companions))
    return _Detail("unknown")


def _companions(attribute: Attribute, statements: Sequence[Triplet], pool: _Pool) -> list[Triplet]:
    """The statements that keep the time or the place of the same events."""
    name = "time" if attribute.object.value and attribute.object.value.datatype == "date" else attribute.name
    to_end = name == "time" and attribute.object.modifier in ("to", "until", "and")
    wanted = {(t.subject.id, (to_end and pool.end(t)) or pool.companion(t, name)) for t in statements}
    return [
        t
        for t in pool.triplets
        if any(part and s == t.subject.id and pool.plays(t, frozenset({part})) for s, part in wanted)
    ]


def _in_place(attribute: Attribute, finding: FactFinding, pool: Iterable[Triplet]) -> _Detail:
    """The place of what the fact is about: ABC, which is in the United States."""
    if attribute.object.value is not None or not attribute.object.mentions:
        return _Detail("unknown")
    ends = [node for t in finding.triplets for node in (t.subject, t.object) if isinstance(node, Node)]
    link = link_between(ends, attribute.object, pool)
    return _Detail("agree", link.predicate.label, (link.object,), (link,)) if link else _Detail("unknown")
