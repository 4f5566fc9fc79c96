"""Compares one fact with one answer of the graph: agree, conflict or unknown, with the slot named.

The cardinality of the relation decides what another value means: where there can be one only, or where the graph's list is
complete, it is wrong; in a list that may go on it is unknown (FLEEK §2.1.4, with the open world taken seriously).
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Literal

from guardrail import ontology
from guardrail.check.kg.compare.arithmetic import by_absence, by_age, by_count, of_any
from guardrail.check.kg.compare.comparison import Comparison
from guardrail.check.kg.compare.disputes import rivals
from guardrail.check.kg.compare.exclusion import PLACED, called, exclusion, meant
from guardrail.check.kg.compare.kinds import CLASSES
from guardrail.check.kg.compare.names import (
    fold,
    ids_of,
    indefinite,
    like_node,
    like_words,
    pronoun,
    speaking,
)
from guardrail.check.kg.compare.timeline import ended, started
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.finding import FactFinding
from guardrail.check.kg.sides import Side, side_of
from guardrail.rules import rule
from guardrail.types import Answer, Argument, Fact, Node, Reason, Triplet, Value
from guardrail.values import compare, near
from guardrail.values.comparisons import bound_of
from guardrail.values.units import ORDINAL
from guardrail.values.weekdays import weekdays
from guardrail.values.written_days import doubt

__all__ = ["Match", "judge", "match"]

Match = Literal["same", "near", "other", "unknown"]

# "A former Romanian footballer" is still Romanian.
_ORIGINS, _OFFICE = ontology.roles("origin"), ontology.roles("position held")
_HEADSHIP = re.compile(
    r"^(?:president|prime minister|chancellor|king|queen|monarch|emperor|pope|secretary[- ]general)\b",
    re.IGNORECASE,
)
# How far a figure may be from the known one and still be right: people, employees and money of another year; rivers and
# lands, which every source measures otherwise; heights.
_DRIFTING = (
    (ontology.roles("figure of a year"), Decimal("0.1")),
    (ontology.roles("extent"), Decimal("0.05")),
    (ontology.roles("rise"), Decimal("0.02")),
)
# What stands behind these is when, and not by whom: "was written before Apple".
_MOMENT = re.compile(r"\b(?:before|after|during|since|until|till)$", re.IGNORECASE)
# A table's column of years is one of plain numbers: "founded | 1999".
_DATED = re.compile(
    r"\b(?:years?|dates?|born|birth|died|death|founded|established|opened|released?|published|inception|since|built|completed)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"1\d{3}|20\d{2}")
EXACT, COARSER = 0.97, 0.93
WRONG_COMPLETE, WRONG_NOW = 0.85, 0.9


def judge(index: int, fact: Fact, answer: Answer, *, today: date) -> FactFinding:
    """What `answer` says about `fact`, the `index`th of its claim; negation is not looked at here."""
    statements = [t for t in answer.statements if t.rank != "deprecated"]
    case = Comparison(fact, answer, side_of(fact, answer), statements, today)
    blank = _blank(index, fact, answer, case.side)
    if not statements:
        none = by_absence(blank, fact, answer, case.side)
        return none or replace(blank, note="nothing", reason=Reason.NO_PROPERTY)
    found = _without_values(blank, case) or _reckoned(blank, case)
    return found if found is not None else _compared(blank, case)


def _without_values(blank: FactFinding, case: Comparison) -> FactFinding | None:
    """What is found where nothing that could be compared is claimed."""
    fact, side = case.fact, case.side
    if pronoun(side.claimed):
        clear = speaking(side.claimed)
        reason = Reason.NO_PROPERTY if clear else Reason.AMBIGUOUS_REFERENCE
        return replace(blank, note="nothing", reason=reason)
    if (indefinite(side.claimed) and meant(fact, case.answer)) or of_any(fact, side):
        return blank.with_statements(side.known, case.statements, "agree", confidence=EXACT)
    if not fact.relations and not side.claimed.value and _MOMENT.search(fact.predicate):
        return replace(blank, note="nothing", reason=Reason.NO_PROPERTY)
    return None


def _reckoned(blank: FactFinding, case: Comparison) -> FactFinding | None:
    """What an age or the number of statements says."""
    fact, side = case.fact, case.side
    found = by_age(blank, fact, side, case.statements, case.today)
    if found is None and (fact.relations or _of_all(case)):
        found = by_count(blank, case.answer, side, case.statements)
    return found


def _of_all(case: Comparison) -> bool:
    """Whether all values are counted: "large loading bays" are some of them, and daughters some of the children, as a graph may call them."""
    if not ontology.curated(case.record):
        return called(case.fact, case.answer)
    return called(case.fact, replace(case.answer, property=ontology.record(case.record.id)))


def _compared(blank: FactFinding, case: Comparison) -> FactFinding:
    """What the values of the statements say."""
    side, answer = case.side, case.answer
    matches = [(_matched(side, t, answer), t) for t in case.statements]
    agreeing = [t for m, t in matches if m == "same"]
    if agreeing:
        found = blank.with_statements(side.known, agreeing, "agree", confidence=EXACT)
        if not side.incoming:
            now = case.fact.tense == "present"
            found = replace(found, rivals=rivals(agreeing, answer, side.known, today=case.today, now=now))
        return _timed(found, case)
    if answer.subject.id and answer.subject.id in ids_of(side.claimed):
        # "as its currency" reads as if the country were its own currency: what was misread refutes nothing.
        return replace(blank, note="nothing", reason=Reason.INSUFFICIENT)
    return _disagreeing(blank, case, {m for m, _ in matches})


def _matched(side: Side, statement: Triplet, answer: Answer) -> Match:
    """`match` with the known end of a statement, whose number is read as a year where the property is a date's."""
    known, claimed = side.known(statement), side.claimed.value
    dated = claimed is not None and claimed.datatype == "date" and _DATED.search(answer.property.label)
    if dated and isinstance(known, Value) and _is_year(known):
        known = replace(known, datatype="date", precision=9)
    if ontology.plays(answer.property, _OFFICE) and isinstance(known, Node) and _office(side.claimed, known):
        return "same"
    return match_bounded(side.claimed, known, answer.property.label)


def match_bounded(claimed: Argument, known: Node | Value, label: str) -> Match:
    """`match`, where the property's name may make its value a bound: "up to 14" is not the minimum age of 14."""
    bound = bound_of(label)
    if bound == "at most":
        return _limited(claimed, known)
    return "unknown" if bound and claimed.modifier == "at most" else match(claimed, known)


def _limited(claimed: Argument, known: Node | Value) -> Match:
    """Beside the most that there can be: "up to ten" is that or is not, "at least five" is another thing, and three is within it."""
    if claimed.modifier == "at least":
        return "unknown"
    found = match(replace(claimed, modifier=""), known)
    within = found == "other" and match(replace(claimed, modifier="more than"), known) == "same"
    return "unknown" if within and not claimed.modifier else found


def _is_year(known: Value) -> bool:
    """Whether a plain number may be a year."""
    return known.datatype == "quantity" and known.unit is None and _YEAR.fullmatch(known.value) is not None


@rule("bare-office", silent=False)
def _office(claimed: Argument, known: Node) -> bool:
    """Whether a common noun is the office but for whose: "president", of the president of the United States."""
    said, office = fold(claimed.text), fold(known.label)
    bare = claimed.value is None and not claimed.mentions and bool(said)
    return bare and (office.startswith(f"{said} of ") or (" " in said and office.endswith(f" {said}")))


def _blank(index: int, fact: Fact, answer: Answer, side: Side) -> FactFinding:
    cardinality = answer.property.cardinality
    if side.incoming:
        cardinality = "list"
    return FactFinding(
        fact=index,
        state="unknown",
        relation=answer.property.label,
        claimed=side.claimed,
        cardinality=cardinality,
        end=answer.about,
        reading=answer.subject.id or answer.subject.label,
        rank=_rank(fact, answer),
        property_id=answer.property.id,
        record=answer.property,
        backwards=side.incoming,
        answers=len({side.known(t).label for t in answer.statements}),
    )


def _rank(fact: Fact, answer: Answer) -> int:
    same = (answer.property.id, *answer.property.same_as)
    places = [i for i, r in enumerate(fact.relations) if r.removeprefix("^") in same]
    return places[0] if places else 0 if called(fact, answer) else len(fact.relations)


def match(claimed: Argument, known: Node | Value) -> Match:
    """Whether `claimed` is `known`."""
    if isinstance(known, Node):
        if claimed.value is not None and not claimed.mentions:
            return "same" if fold(claimed.text) == fold(known.label) else "unknown"
        return like_node(claimed, known)
    if claimed.value is not None and known.datatype in ("date", "quantity", "string"):
        state = compare(claimed.value, known, modifier=claimed.modifier)
        if state != "unknown" or known.datatype != "string":
            return {"agree": "same", "conflict": "other", "unknown": "unknown"}[state]  # type: ignore[return-value]
    return _like_text(claimed.text, known.value) if known.datatype == "string" else "unknown"


def _like_text(claimed: str, known: str) -> Match:
    """A text beside another; "closes on Mondays" names no other hour than the known one."""
    if (weekdays(claimed) and not weekdays(known)) or known.casefold() in ("yes", "no"):
        return "same" if claimed.casefold() == known.casefold() else "unknown"
    found = like_words(claimed, known)
    return "unknown" if found == "other" and doubt(known) else found


# ── another value ─────────────────────────────────────────────────────────────────────────────────────


def _disagreeing(blank: FactFinding, case: Comparison, matches: Set[Match]) -> FactFinding:
    found = _in_hierarchy(blank, case) or _of_a_holder(blank, case)
    if found is not None:
        return found
    side, statements = case.side, case.statements
    open_ = blank.with_statements(side.known, statements, "unknown", confidence=UNDECIDED)
    if _no_name(side) and _names_all(side, statements):
        open_ = replace(open_, answers=0)  # "a sequel" beside a title: nothing was compared
    unsure = _unsure(open_, case, matches)
    if unsure is not None:
        return unsure
    if all(side.known(t) == side.anchor for t in statements):
        return open_  # the country of Yemen is Yemen: of the place of anything else that says nothing
    return _refuted(blank, case) or _left_open(open_, case)


def _unsure(open_: FactFinding, case: Comparison, matches: Set[Match]) -> FactFinding | None:
    """What is found where a value may be the claimed one, or cannot be compared with it."""
    if "near" not in matches and "unknown" in matches:
        # Words beside a number compare as nothing; a day beside a year does.
        value = case.side.claimed.value
        amount = value is not None and value.datatype == "quantity"  # rounded, or in another unit: not finer
        known = open_.known if value is not None else ()
        return replace(open_, note="" if amount else "finer", reason=Reason.INSUFFICIENT, known=known)
    if "near" in matches or _drifted(case.answer, case.side, case.statements):
        return replace(open_, note="near", reason=Reason.INSUFFICIENT)
    return None


@rule("hierarchy")
def _in_hierarchy(blank: FactFinding, case: Comparison) -> FactFinding | None:
    """What is found where the claimed thing contains a known one, or lies in it."""
    side, answer = case.side, case.answer
    if not ids_of(side.claimed):
        return None
    if answer.broader:
        ends = _ends_of(case.statements, side, answer.broader)
        found = blank.with_statements(side.known, ends, "agree", confidence=COARSER)
        return replace(found, note="coarser", triplets=(*found.triplets, *answer.broader))
    if answer.narrower:
        ends = _ends_of(case.statements, side, answer.narrower)
        found = blank.with_statements(side.known, ends, "unknown", confidence=UNDECIDED)
        triplets = (*found.triplets, *answer.narrower)
        return replace(found, note="finer", reason=Reason.INSUFFICIENT, triplets=triplets)
    return None


@rule("only-holder")
def _of_a_holder(blank: FactFinding, case: Comparison) -> FactFinding | None:
    """What is found where the graph was asked who has something: it refutes another where there can be one only."""
    if not case.side.incoming or case.answer.about != "object":
        return None
    holder = _only_holder(case)
    if holder is not None:
        return blank.with_statements(case.side.known, [holder], "conflict", confidence=WRONG_NOW)
    # Who else was born in Paris says nothing about the one who is claimed to be.
    return replace(blank, note="nothing", reason=Reason.NO_PROPERTY)


def _refuted(blank: FactFinding, case: Comparison) -> FactFinding | None:
    wrong = exclusion(case)
    if not wrong:
        return None
    shown = case.standing if case.record.temporal else case.statements
    found = blank.with_statements(case.side.known, shown or case.statements, "conflict", confidence=wrong)
    return replace(found, note="kind") if case.plays(CLASSES) else found


def _left_open(open_: FactFinding, case: Comparison) -> FactFinding:
    if case.plays(PLACED) and not case.answer.apart:
        return replace(open_, note="level", reason=Reason.INSUFFICIENT)
    return replace(open_, note="open", reason=Reason.OPEN_LIST)


def _no_name(side: Side) -> bool:
    """Whether a common noun is claimed: no name that was linked, no value, no capital."""
    claimed = side.claimed
    return claimed.value is None and not claimed.mentions and claimed.text[:1].islower()


def _names_all(side: Side, statements: Sequence[Triplet]) -> bool:
    known = [side.known(triplet) for triplet in statements]
    return all(isinstance(one, Node) and one.label[:1].isupper() for one in known)


@rule("drifting-figures", silent=False)
def _drifted(answer: Answer, side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether the claimed figure may be that of another year, or of another who measured: near one that is known."""
    share = next((share for parts, share in _DRIFTING if ontology.plays(answer.property, parts)), None)
    claimed = side.claimed.value
    if share is None or claimed is None or claimed.datatype != "quantity":
        return False
    known = [one for triplet in statements if isinstance(one := side.known(triplet), Value)]
    return any(near(claimed, one, share) for one in known)


def _only_holder(case: Comparison) -> Triplet | None:
    """The statement about the one who holds an office now that has one holder at a time."""
    office = case.plays(_OFFICE) and _HEADSHIP.search(case.answer.subject.label)
    if not office or case.fact.tense != "present":
        return None
    now = case.standing
    return now[0] if len(now) == 1 and started(now[0]) else None


def _ends_of(statements: Sequence[Triplet], side: Side, chain: Sequence[Triplet]) -> list[Triplet]:
    """The statements whose value the chain starts or ends at."""
    on_chain = {node.id for link in chain for node in (link.subject, link.object) if isinstance(node, Node)}
    ends = []
    for triplet in statements:
        known = side.known(triplet)
        if isinstance(known, Node) and known.id in on_chain:
            ends.append(triplet)
    return ends or list(statements)


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────


@rule("tense", passes=0)
def _timed(finding: FactFinding, case: Comparison) -> FactFinding:
    """The present tense needs a statement that still holds, "former" one that is over; the past tense takes both."""
    fact = case.fact
    dated = any(_dated(a.object) and a.object.modifier != "since" for a in fact.attributes)
    if dated or not _may_be_over(case):
        return finding
    over = all(ended(t, case.today) for t in finding.triplets)
    if fact.tense == "present" and over:
        return _over(finding, case)
    if fact.tense == "former" and not over and not case.plays(_ORIGINS):
        if any(started(t) for t in finding.triplets):
            return replace(finding, state="conflict", note="current", confidence=WRONG_COMPLETE)
        return replace(
            finding, state="unknown", note="current", reason=Reason.INSUFFICIENT, confidence=UNDECIDED
        )
    return finding


def _may_be_over(case: Comparison) -> bool:
    """Whether the property changes with time, or the claim says that it has."""
    changes = case.record.temporal or any(ended(t, case.today) for t in case.statements)
    return changes or (case.fact.tense == "former" and "used to" in case.fact.predicate)


def _over(finding: FactFinding, case: Comparison) -> FactFinding:
    """The conflict of what was so with what is so now, where that is known."""
    now = [t for t in case.standing if t not in finding.triplets]
    if not now:
        return replace(finding, state="conflict", note="ended", confidence=WRONG_COMPLETE)
    known = tuple(case.side.known(t) for t in now)
    shown = replace(finding, known=known, triplets=(*now, *finding.triplets))
    return replace(shown, state="conflict", note="ended", confidence=WRONG_NOW)


def _dated(argument: Argument) -> bool:
    """An attribute that says when, or which one in order: then the tense says nothing."""
    value = argument.value
    return value is not None and (value.datatype == "date" or value.unit == ORDINAL)
