"""Terms: from when to when somebody held an office, and who came before and after.

An office is what a statement with a start or an end joins two things by: Ada held the position of mayor, or the firm has Ada as its
chief executive. Who succeeds whom is reckoned from the terms of both in one office.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail import ontology
from guardrail.check.kg.compare.names import fold, ids_of
from guardrail.check.kg.compare.timeline import (
    END,
    START,
    days_of,
    follows,
    lasted,
    qualifier_values,
    years_of,
)
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.finding import FactFinding
from guardrail.rules import rule
from guardrail.types import Argument, Evidence, Fact, Node, Reason, Triplet, Value
from guardrail.values import State, compare

__all__ = ["termed"]

_AFTER = frozenset((*ontology.ids("replaces"), *(f"^{id_}" for id_ in ontology.ids("replaced by"))))
_BEFORE = frozenset((*ontology.ids("replaced by"), *(f"^{id_}" for id_ in ontology.ids("replaces"))))
_POSITION = ontology.roles("position held")
_VERBS = {"served": "", "reigned": "", "ruled": "", "governed": ""}
# A range in brackets behind somebody's name may be a life or a term: "Bill Gates (1975–2000)".
_BRACKETED = {"born": "start", "died": "end"}
# With "office" or "power" behind it: which end of a term the date is.
_OFFICES = frozenset({"office", "power"})
_IN_OFFICE = {
    "took": "start",
    "assumed": "start",
    "entered": "start",
    "left": "end",
    **dict.fromkeys(("was", "were", "remained", "stayed", "held"), ""),
}
_VAGUE = frozenset({"about", "around", "nearly", "almost", "roughly", "some"})
_LIKELIEST: tuple[State, ...] = ("agree", "unknown", "conflict")
_LONG_VACANCY, _NEAR = 366, 3 * 366  # days
SURE, LIKELY = 0.95, 0.85


@dataclass(frozen=True, slots=True)
class _Term:
    """`office`: by what property, and of which other thing, one has it; `first` and `last` days as running numbers."""

    holder: str
    office: tuple[str, str]
    statement: Triplet
    start: Value | None
    end: Value | None

    @property
    def first(self) -> tuple[int, int] | None:
        return days_of(self.start)

    @property
    def last(self) -> tuple[int, int] | None:
        return days_of(self.end)


@rule("terms-of-office")
def termed(index: int, facts: Sequence[Fact], evidence: Evidence) -> FactFinding | None:
    """What terms say of one of a claim's facts about the order of two holders, or about the time of one; None where it is about neither."""
    fact = facts[index]
    after = not _AFTER.isdisjoint(fact.relations)
    if after or not _BEFORE.isdisjoint(fact.relations):
        pair = (fact.subject, fact.object) if after else (fact.object, fact.subject)
        return _succession(_blank(index, fact), fact, *pair, evidence)
    if fact.predicate in _BRACKETED and fact.predicate_span is None and not fact.attributes:
        found = _time(_blank(index, fact), fact, _BRACKETED[fact.predicate], evidence)
        return found if found is not None and found.state == "agree" else None
    return _length_or_time(_blank(index, fact), facts, evidence)


def _length_or_time(blank: FactFinding, facts: Sequence[Fact], evidence: Evidence) -> FactFinding | None:
    """For how long, or from or until when, somebody was in an office; None where the fact says neither."""
    fact = facts[blank.fact]
    if (years := _lasting(fact)) is not None:
        return _duration(blank, fact, years, _named(facts), evidence)
    end = _end_meant(fact)
    return None if end is None else _time(blank, fact, end, evidence)


def _blank(index: int, fact: Fact) -> FactFinding:
    return FactFinding(
        index,
        "unknown",
        "",
        fact.object,
        note="term",
        reason=Reason.INSUFFICIENT,
        confidence=UNDECIDED,
        answers=0,
    )


# ── for how long ──────────────────────────────────────────────────────────────────────────────────────


def _lasting(fact: Fact) -> float | None:
    """For how many years somebody is said to have been in an office: "governed for twelve years"; None where that is not said."""
    verb, _, rest = fact.predicate.casefold().rpartition(" ")[0].partition(" ")
    told = fact.predicate.casefold().endswith(" for") and not rest and verb in (*_VERBS, *_IN_OFFICE)
    return years_of(fact.object.value) if told and not fact.relations else None


def _named(facts: Sequence[Fact]) -> frozenset[str]:
    """The offices that the claim names."""
    return frozenset(id_ for fact in facts for id_ in ids_of(fact.object))


@rule("lengths-of-terms")
def _duration(
    blank: FactFinding, fact: Fact, years: float, named: frozenset[str], evidence: Evidence
) -> FactFinding | None:
    """Whether a term that is over was as long; wrong only where no other office can be meant."""
    terms = _of_one_office(fact.subject, named, evidence)
    if not terms:
        return None
    statements = [term.statement for term in terms]
    if lasted(statements, years, fact.object.modifier):
        return _decided(blank, "agree", statements, "term of office", SURE)
    if len(terms) > 1 or fact.object.modifier in _VAGUE:
        return None
    return _decided(blank, "conflict", statements, "term of office", SURE)


def _of_one_office(holder: Argument, named: frozenset[str], evidence: Evidence) -> list[_Term]:
    """The terms that are over in the office that is named, else in the only one; none where there are several."""
    over = [term for term in _terms(holder, evidence) if term.first and term.last]
    terms = [term for term in over if term.office[1] in named]
    terms = terms or [term for term in over if ontology.plays(ontology.record(term.office[0]), _POSITION)]
    return terms if len({term.office for term in terms}) == 1 else []


# ── who came after whom ───────────────────────────────────────────────────────────────────────────────


def _succession(
    blank: FactFinding, fact: Fact, later: Argument, earlier: Argument, evidence: Evidence
) -> FactFinding | None:
    """The likeliest pair of terms of the two in one office: the one that follows at once, else the nearest."""
    pairs = [
        (follows(one.statement, other.statement, longest_vacancy=_LONG_VACANCY), one, other)
        for one in _terms(later, evidence)
        for other in _terms(earlier, evidence)
        if one.office == other.office and one.statement != other.statement and _of_role(fact, one)
    ]
    if not pairs:
        return None
    state, one, other = min(pairs, key=lambda pair: _LIKELIEST.index(pair[0]))
    dates = [a.object for a in fact.attributes if _is_date(a.object)]
    if state == "agree" and dates:
        state = _all([_at(date, one, "start") for date in dates])
    return _decided(blank, state, [one.statement, other.statement], "succession", LIKELY)


def _of_role(fact: Fact, term: _Term) -> bool:
    """Whether the office is the one that the fact names: "as chancellor"."""
    roles = [a.object for a in fact.attributes if a.name == "role"]
    labels = [fold(one.label) for one in (term.statement.predicate, term.statement.object)]
    labels += [fold(name) for name in ontology.record(term.statement.predicate.id).aliases]
    return all(any(fold(role.text).split(" of ")[0] in label for label in labels) for role in roles)


# ── from when to when ─────────────────────────────────────────────────────────────────────────────────


def _end_meant(fact: Fact) -> str | None:
    """Which end of a term the fact dates: "start", "end", "" for what its words before the date say; None for no term."""
    if fact.relations or fact.subject.mention is None:
        return None
    words = fact.predicate.casefold().split()
    texts = [fold(fact.object.text), *(fold(a.object.text) for a in fact.attributes)]
    if _OFFICES.isdisjoint(texts):
        plain = fact.object.value is not None and len(words) == 2 and not _others(fact)
        return _VERBS.get(words[0]) if plain and words else None
    return _IN_OFFICE.get(words[0]) if words else None


def _others(fact: Fact) -> bool:
    """Whether the fact has more than dates: "served in the army from 1914"."""
    return any(not _is_date(a.object) for a in fact.attributes)


def _time(blank: FactFinding, fact: Fact, end: str, evidence: Evidence) -> FactFinding | None:
    terms = list(_terms(fact.subject, evidence))
    offices = [t for t in terms if ontology.plays(ontology.record(t.office[0]), _POSITION)]
    terms = offices or terms
    if not terms:
        return None
    order = next((a for a in fact.attributes if a.name in ("before", "after") and a.object.mentions), None)
    if order is not None:
        others = list(_terms(order.object, evidence))
        return _ordered(blank, terms, others, earlier=order.name == "before")
    if _says_more(fact):
        return None
    dates = [one for one in (fact.object, *(a.object for a in fact.attributes)) if _is_date(one)]
    if not dates:
        return _decided(blank, "agree", [t.statement for t in terms], "term", LIKELY)
    return _dated(blank, terms, dates, end)


def _says_more(fact: Fact) -> bool:
    """Whether an attribute is neither a date nor the office itself."""
    known = (*_OFFICES, fold(fact.object.text))
    return any(not _is_date(a.object) and fold(a.object.text) not in known for a in fact.attributes)


def _dated(blank: FactFinding, terms: Sequence[_Term], dates: Sequence[Argument], end: str) -> FactFinding:
    """The term that the dates agree with, else one that they conflict with, else any."""
    for wanted in ("agree", "conflict", "unknown"):
        for term in terms:
            states = [_at(date, term, end) for date in dates]
            if wanted == "conflict" and not _near_miss(dates, states, term, end):
                continue
            if _all(states) == wanted:
                known = tuple(v for v in (term.start, term.end) if v is not None)
                found = _decided(blank, _all(states), [term.statement], "term of office", SURE)
                wrong = next((d for d, s in zip(dates, states, strict=True) if s == "conflict"), None)
                return replace(found, claimed=wrong or found.claimed, known=known, answers=len(known))
    return _decided(blank, "unknown", [t.statement for t in terms], "term of office", UNDECIDED)


def _ordered(
    blank: FactFinding, ours: Sequence[_Term], theirs: Sequence[_Term], *, earlier: bool
) -> FactFinding | None:
    """Who of two took an office first."""
    for one in ours:
        for other in theirs:
            if one.office == other.office and one.first and other.first:
                state: State = "agree" if (one.first[1] <= other.first[0]) == earlier else "conflict"
                return _decided(blank, state, [one.statement, other.statement], "term of office", LIKELY)
    return None


def _at(date: Argument, term: _Term, end: str) -> State:
    """Whether a date is that of the start or the end of a term, or lies within it."""
    value = date.value
    if value is None:
        return "unknown"
    end = {"from": "start", "since": "start", "between": "start"}.get(date.modifier, end)
    end = {"to": "end", "until": "end", "and": "end"}.get(date.modifier, end)
    if end:
        known = term.start if end == "start" else term.end
        return compare(value, known) if known is not None else "unknown"
    day = days_of(value)
    if day is None or term.first is None:
        return "unknown"
    if day[1] < term.first[0] or (term.last is not None and day[0] > term.last[1]):
        return "conflict"
    return "agree"


def _near_miss(dates: Sequence[Argument], states: Sequence[State], term: _Term, end: str) -> bool:
    """Whether dates that do not fit are wrong, and not those of another office, of which the graph need not know."""
    if "agree" in states:
        return True
    ends = [one for one in (term.first, term.last) if one is not None]
    days = [one for date in dates if (one := days_of(date.value)) is not None]
    return any(abs(day[0] - one[0]) <= _NEAR for day in days for one in ends)


# ── terms ─────────────────────────────────────────────────────────────────────────────────────────────


def _terms(holder: Argument, evidence: Evidence) -> Iterator[_Term]:
    """The terms of the one that an argument names, by either end of a statement."""
    ids = ids_of(holder)
    told = (t for profile in evidence.profiles for t in (*profile.statements, *profile.terms))
    joined = (t for path in evidence.paths for t in path.triplets)
    for triplet in dict.fromkeys((*told, *evidence.triplets, *joined)):
        start, end = (next(iter(qualifier_values(triplet, names)), None) for names in (START, END))
        untimed = start is None and end is None
        if untimed or not isinstance(triplet.object, Node) or triplet.rank == "deprecated":
            continue
        for one, other in ((triplet.subject, triplet.object), (triplet.object, triplet.subject)):
            if one.id and one.id in ids:
                yield _Term(one.id, (triplet.predicate.id, other.id), triplet, start, end)


def _is_date(argument: Argument) -> bool:
    return argument.value is not None and argument.value.datatype == "date"


def _all(states: Sequence[State]) -> State:
    return "conflict" if "conflict" in states else "unknown" if "unknown" in states else "agree"


def _decided(
    blank: FactFinding, state: State, statements: Sequence[Triplet], relation: str, confidence: float
) -> FactFinding:
    known = tuple(t.object for t in statements)
    return replace(
        blank,
        state=state,
        relation=relation,
        known=known,
        triplets=tuple(statements),
        answers=len(known),
        reason=None if state != "unknown" else Reason.INSUFFICIENT,
        confidence=confidence if state != "unknown" else UNDECIDED,
    )
