"""Compares one fact with one answer of the graph: agree, conflict or unknown, with the slot named.

The cardinality of the relation decides what another value means: where there can be one only, or where the graph's list is
complete, it is wrong; in a list that may go on it is unknown (FLEEK §2.1.4, with the open world taken seriously).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Literal

from guardrail.check.finding import Finding
from guardrail.check.kinds import opposed
from guardrail.check.names import fold, ids_of, indefinite, like_node, like_words, pronominal, pronoun
from guardrail.check.orient import Side, side_of
from guardrail.check.reckon import by_age, by_count
from guardrail.check.timeline import current, ended, started
from guardrail.types import Answer, Argument, Fact, Node, Reason, Triplet, Value
from guardrail.values import compare
from guardrail.values.continents import reaches
from guardrail.values.dates import moment_of
from guardrail.values.demonyms import LANGUAGES
from guardrail.values.units import ORDINAL

__all__ = ["Match", "judge", "match"]

Match = Literal["same", "near", "other", "unknown"]

# Relations that have one value at a time: with the present tense another value is wrong, though the list has several.
ONE_AT_A_TIME = frozenset({"P36", "P35", "P6", "P169", "P286", "P159"})
# Likewise, but the past is not thought of where no tense is given: "never married".
_ONE_NOW = frozenset({"P26"})
# Where something lies, at any level: two places exclude each other only at the same level.
PLACES = frozenset({"P17", "P30", "P131", "P276", "P706"})
# Likewise where something happened, or is kept by somebody who need not move with it.
_PLACED = PLACES | frozenset({"P19", "P20", "P119", "P159", "P551", "P740", "P937", "P1071"})
# Where people live and work is no single place, and no list of it is whole.
_SEVERAL = frozenset({"P551", "P937"})
# "A former Romanian footballer" is still Romanian.
ORIGINS = frozenset({"P27", "P495", "P17", "P172"})
RELEASES = frozenset({"P577", "P1191"})
_HEADSHIP = re.compile(
    r"^(?:president|prime minister|chancellor|king|queen|monarch|emperor|pope|secretary[- ]general)\b",
    re.IGNORECASE,
)
_WATERS = re.compile(r"\b(?:sea|ocean|gulf|bay|lake|river|strait|channel)\b", re.IGNORECASE)
# Counts and sums that are another figure every year: people, employees, money.
_DRIFTING = frozenset({"P1082", "P1128", "P2131", "P2132", "P2139", "P2226", "P2295", "P4010"})
# What was begun in one year may be completed or opened in a later one.
_FINISHED = re.compile(r"\b(?:completed|finished|opened|inaugurated|unveiled|consecrated)\b", re.IGNORECASE)
# What stands behind these is when, and not by whom: "was written before Apple".
_MOMENT = re.compile(r"\b(?:before|after|during|since|until|till)$", re.IGNORECASE)
_HUMAN, _CLASS = "Q5", "P31"
_WIKIDATA = re.compile(r"P\d+")
_AUXILIARY = re.compile(r"^(?:(?:is|was|are|were|has|have|had|been|be)\s+)+")
NEAREST = 3
EXACT, BY_NAME, COARSER = 0.97, 0.94, 0.93
WRONG_SINGLE, WRONG_COMPLETE, WRONG_NOW = 0.95, 0.85, 0.9
FOREIGN = 0.8
OPEN = 0.6


def judge(index: int, fact: Fact, answer: Answer, *, today: date) -> Finding:
    """What `answer` says about `fact`, the `index`th of its claim; negation is not looked at here."""
    side = side_of(fact, answer)
    statements = [t for t in answer.statements if t.rank != "deprecated"]
    blank = _blank(index, fact, answer, side)
    if not statements:
        return replace(blank, note="nothing", reason=Reason.NO_PROPERTY)
    if pronoun(side.claimed):
        return replace(blank, note="nothing", reason=Reason.AMBIGUOUS_REFERENCE)
    if indefinite(side.claimed):
        return blank.with_statements(side.known, statements, "agree", confidence=EXACT)
    if not fact.relations and not side.claimed.value and _MOMENT.search(fact.predicate):
        return replace(blank, note="nothing", reason=Reason.NO_PROPERTY)
    reckoned = by_age(blank, fact, side, statements, today) or by_count(blank, answer, side, statements)
    if reckoned is not None:
        return reckoned
    matches = [(match(side.claimed, side.known(t)), t) for t in statements]
    agreeing = _nearest(side, [t for m, t in matches if m == "same"])
    if agreeing:
        return _timed(
            blank.with_statements(side.known, agreeing, "agree", confidence=EXACT),
            fact,
            answer,
            side,
            statements,
            today,
        )
    if answer.subject.id and answer.subject.id in ids_of(side.claimed):
        # "as its currency" reads as if the country were its own currency: what was misread refutes nothing.
        return replace(blank, note="nothing", reason=Reason.INSUFFICIENT)
    return _disagreeing(blank, fact, answer, side, matches, today)


def _nearest(side: Side, agreeing: list[Triplet]) -> list[Triplet]:
    """Of many figures that agree, a population year by year, the few that are nearest to the claimed one."""
    claimed = side.claimed.value
    if claimed is None or claimed.datatype != "quantity" or len(agreeing) <= NEAREST:
        return agreeing
    try:
        number = Decimal(claimed.value)
        return sorted(agreeing, key=lambda t: abs(Decimal(getattr(side.known(t), "value", "0")) - number))[
            :NEAREST
        ]
    except InvalidOperation:
        return agreeing


def _blank(index: int, fact: Fact, answer: Answer, side: Side) -> Finding:
    cardinality = answer.property.cardinality
    if side.incoming:
        cardinality = "list"
    return Finding(
        fact=index,
        state="unknown",
        relation=answer.property.label,
        claimed=side.claimed,
        cardinality=cardinality,
        end=answer.about,
        reading=answer.subject.id or answer.subject.label,
        rank=_rank(fact, answer),
        property_id=answer.property.id,
        backwards=side.incoming,
        answers=len({side.known(t).label for t in answer.statements}),
    )


def _rank(fact: Fact, answer: Answer) -> int:
    places = [i for i, r in enumerate(fact.relations) if r.removeprefix("^") == answer.property.id]
    return places[0] if places else len(fact.relations)


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
    if known.datatype == "string":
        return like_words(claimed.text, known.value)
    return "unknown"


# ── another value ─────────────────────────────────────────────────────────────────────────────────────


def _disagreeing(
    blank: Finding,
    fact: Fact,
    answer: Answer,
    side: Side,
    matches: Sequence[tuple[Match, Triplet]],
    today: date,
) -> Finding:
    statements = [t for _, t in matches]
    if answer.broader and ids_of(side.claimed):
        finding = blank.with_statements(
            side.known, _ends_of(statements, side, answer.broader), "agree", confidence=COARSER
        )
        return replace(finding, note="coarser", triplets=(*finding.triplets, *answer.broader))
    if answer.narrower and ids_of(side.claimed):
        finding = blank.with_statements(
            side.known, _ends_of(statements, side, answer.narrower), "unknown", confidence=OPEN
        )
        note_triplets = (*finding.triplets, *answer.narrower)
        return replace(finding, note="finer", reason=Reason.INSUFFICIENT, triplets=note_triplets)
    if side.incoming and answer.about == "object":
        holder = _only_holder(fact, answer, [t for _, t in matches], today)
        if holder is not None:
            return blank.with_statements(side.known, [holder], "conflict", confidence=WRONG_NOW)
        # Who else was born in Paris says nothing about the one who is claimed to be.
        return replace(blank, note="nothing", reason=Reason.NO_PROPERTY)
    open_ = blank.with_statements(side.known, statements, "unknown", confidence=OPEN)
    kinds = {m for m, _ in matches}
    if "near" in kinds:
        return replace(open_, note="near", reason=Reason.INSUFFICIENT)
    if "unknown" in kinds:
        # Words beside a number compare as nothing; a day beside a year does.
        known = open_.known if side.claimed.value is not None else ()
        return replace(open_, note="finer", reason=Reason.INSUFFICIENT, known=known)
    if answer.property.id in _DRIFTING and _drifted(side, statements):
        return replace(open_, note="near", reason=Reason.INSUFFICIENT)
    wrong = _wrongness(fact, answer, side, statements, today) or _far(answer, side, statements)
    if wrong:
        shown = current(statements, today) if answer.property.temporal else statements
        found = blank.with_statements(side.known, shown or statements, "conflict", confidence=wrong)
        return replace(found, note="kind") if answer.property.id == _CLASS else found
    if answer.property.id in _PLACED and not answer.apart:
        return replace(open_, note="level", reason=Reason.INSUFFICIENT)
    return replace(open_, note="open", reason=Reason.OPEN_LIST)


def _drifted(side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether the claimed figure may be that of another year: within a tenth of one that is known."""
    claimed = side.claimed.value
    if claimed is None or claimed.datatype != "quantity":
        return False
    known = [side.known(triplet) for triplet in statements]
    return any(compare(claimed, one, modifier="about") == "agree" for one in known if isinstance(one, Value))


def _only_holder(fact: Fact, answer: Answer, statements: Sequence[Triplet], today: date) -> Triplet | None:
    """The statement about the one who holds an office now that has one holder at a time."""
    if answer.property.id != "P39" or fact.tense != "present" or not _HEADSHIP.search(answer.subject.label):
        return None
    now = current(statements, today)
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


def _wrongness(fact: Fact, answer: Answer, side: Side, statements: Sequence[Triplet], today: date) -> float:
    """How surely another value is wrong: 0 where the list may go on."""
    known = answer.property
    special = _by_relation(fact, answer, side, statements)
    if special is not None:
        return special
    told = (answer.apart and ids_of(side.claimed)) or _misfit(side)
    if fact.predicate == "located in" and not fact.tense and known.id in PLACES:
        return 0.0  # "Victoria, Australia": said by the way to tell places of one name apart, of which the graph may know one
    if known.id in _SEVERAL or (known.id in _PLACED and (not told or _on_two(answer, side))):
        return 0.0
    if (
        side.incoming
        or not _comparable(side, statements)
        or _finished_later(fact, known.id, side, statements)
    ):
        return 0.0
    moves = known.temporal and (
        known.id not in PLACES or any(started(t) or ended(t, today) for t in statements)
    )
    if known.cardinality == "single":
        if moves and fact.tense in ("past", "former"):
            return 0.0  # it had other values before, and the graph need not know them
        return WRONG_SINGLE
    if known.temporal and fact.tense in ("present", "") and not current(statements, today):
        return 0.0  # all that is known is over: the graph is stale here
    one_now = known.id in ONE_AT_A_TIME or (known.id in _ONE_NOW and fact.tense == "present")
    if one_now and fact.tense in ("present", "") and current(statements, today):
        return WRONG_NOW
    if not fact.relations and not answer.apart:
        return 0.0  # only the words of the predicate led to this property
    if (known.complete or answer.complete or answer.apart) and not (
        moves and fact.tense in ("past", "former")
    ):
        return WRONG_COMPLETE
    return 0.0


def _by_relation(fact: Fact, answer: Answer, side: Side, statements: Sequence[Triplet]) -> float | None:
    """Likewise for relations of which other rules hold; None for any other."""
    relation = answer.property.id
    if not fact.relations and not _named_outright(fact, answer, side):
        return 0.0  # words of the predicate led to this property, which the lexicon does not know them for
    if relation == _CLASS:
        nodes = [o for t in statements if isinstance(o := side.known(t), Node)]
        opposite = not side.incoming and opposed(fact.subject, side.claimed, nodes)
        return WRONG_COMPLETE if opposite else 0.0
    if relation == "P27":
        return FOREIGN if answer.apart and fact.tense != "former" and not side.incoming else 0.0
    if relation == "P37" and "official" not in fact.predicate:
        return 0.0  # "people in the US who speak Spanish"
    if relation == "P47" and _is_water(side):
        return 0.0  # a country is bordered by seas, too
    if relation == "P575" and _next_year(side, statements):
        return 0.0  # an invention is dated by the idea, the first model or the patent
    if relation == "P495" and side.claimed.text.casefold() in LANGUAGES:
        return 0.0  # "an English novel" of an Indian is one in English
    return None


def _is_water(side: Side) -> bool:
    """Whether a sea or an ocean is claimed."""
    entity = side.claimed.mention.entity if side.claimed.mention is not None else None
    return bool(_WATERS.search(entity.label if entity is not None else side.claimed.text))


def _named_outright(fact: Fact, answer: Answer, side: Side) -> bool:
    """Whether the predicate is a name of the property, for a graph with properties of its own or an object that does not fit."""
    if not _WIKIDATA.fullmatch(answer.property.id):
        return True
    words = _AUXILIARY.sub("", fold(fact.predicate))
    outright = words in {fold(name) for name in (answer.property.label, *answer.property.aliases)}
    return outright and side.claimed.value is None and answer.about == "subject"


def _misfit(side: Side) -> bool:
    """Whether what is claimed to be a place is a person for certain: the name is a full one, which no place has."""
    mention = side.claimed.mention
    return (
        mention is not None
        and len(mention.text.split()) > 1
        and bool(mention.candidates)
        and all(_HUMAN in candidate.entity.types for candidate in mention.candidates)
    )


def _on_two(answer: Answer, side: Side) -> bool:
    """Whether the claimed continent is another one that the subject may lie on."""
    return answer.property.id == "P30" and reaches(answer.subject.id, ids_of(side.claimed))


def _finished_later(fact: Fact, relation: str, side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether the claim dates the end of a work whose known date may be that of its beginning."""
    if relation != "P571" or not _FINISHED.search(fact.predicate) or side.claimed.value is None:
        return False
    claimed = moment_of(side.claimed.value)
    known = [moment_of(o) for t in statements if isinstance(o := side.known(t), Value)]
    return claimed is not None and any(m is not None and m.year <= claimed.year for m in known)


def _next_year(side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether a known date is at most a year away from the claimed one."""
    ours = moment_of(side.claimed.value) if side.claimed.value else None
    known = [moment_of(o) for t in statements if isinstance(o := side.known(t), Value)]
    return ours is not None and any(m is not None and abs(m.year - ours.year) <= 1 for m in known)


def _far(answer: Answer, side: Side, statements: Sequence[Triplet]) -> float:
    """Works come out on several days, in one country after another, but not years before or after all that are known."""
    value = side.claimed.value
    if answer.property.id not in RELEASES or value is None or side.claimed.modifier in ("before", "after"):
        return 0.0
    ours = moment_of(value)
    known = [moment_of(o) for t in statements if isinstance(o := side.known(t), Value)]
    if ours is None or ours.precision < 9 or not known:
        return 0.0
    return WRONG_COMPLETE if all(m is not None and abs(m.year - ours.year) > 1 for m in known) else 0.0


def _comparable(side: Side, statements: Sequence[Triplet]) -> bool:
    """A name is no date: only things of a kind can exclude each other. An initial and a pronoun name nobody for certain."""
    known = [side.known(t) for t in statements]
    if pronominal(side.claimed) or (
        re.fullmatch(r"\W*[^\W\d]\W*", side.claimed.text) and not ids_of(side.claimed)
    ):
        return False
    if side.claimed.value is not None and not side.claimed.mentions:
        return all(isinstance(item, Value) for item in known)
    if any(isinstance(item, Node) for item in known):
        # A description ("a small town") excludes nothing; a name does.
        return bool(side.claimed.mentions) or side.claimed.text[:1].isupper()
    return all(isinstance(item, Value) and item.datatype == "string" for item in known)


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────


def _timed(
    finding: Finding, fact: Fact, answer: Answer, side: Side, statements: Sequence[Triplet], today: date
) -> Finding:
    """The present tense needs a statement that still holds, "former" one that is over; the past tense takes both."""
    dated = any(_dated(a.object) and a.object.modifier != "since" for a in fact.attributes)
    if not answer.property.temporal or dated:
        return finding
    over = all(ended(t, today) for t in finding.triplets)
    if fact.tense == "present" and over:
        now = [t for t in current(statements, today) if t not in finding.triplets]
        if now:
            shown = replace(
                finding, known=tuple(side.known(t) for t in now), triplets=(*now, *finding.triplets)
            )
            return replace(shown, state="conflict", note="ended", confidence=WRONG_NOW)
        return replace(finding, state="conflict", note="ended", confidence=WRONG_COMPLETE)
    if fact.tense == "former" and not over and answer.property.id not in ORIGINS:
        if any(started(t) for t in finding.triplets):
            return replace(finding, state="conflict", note="current", confidence=WRONG_COMPLETE)
        return replace(finding, state="unknown", note="current", reason=Reason.INSUFFICIENT, confidence=OPEN)
    return finding


def _dated(argument: Argument) -> bool:
    """An attribute that says when, or which one in order: then the tense says nothing."""
    value = argument.value
    return value is not None and (value.datatype == "date" or value.unit == ORDINAL)
