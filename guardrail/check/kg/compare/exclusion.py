"""Whether the known values exclude another one: they do where there can be one only, or where the list is complete.

The exceptions are relations that people use more loosely than a graph, or of which it knows one of several true values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from guardrail import ontology
from guardrail.check.kg.compare.comparison import Comparison
from guardrail.check.kg.compare.kinds import CLASSES, opposed
from guardrail.check.kg.compare.names import fold, ids_of, pronominal
from guardrail.check.kg.compare.timeline import ended, started
from guardrail.check.kg.sides import Side
from guardrail.rules import rule
from guardrail.types import Answer, Argument, Fact, Node, Object, Property, Triplet, Value
from guardrail.values import find_values
from guardrail.values.continents import reaches
from guardrail.values.dates import moment_of
from guardrail.values.demonyms import LANGUAGES

__all__ = ["PLACED", "PLACES", "RELEASES", "called", "exclusion", "meant"]

# Relations that have one value at a time: with the present tense another value is wrong, though the list has several.
_ONE_AT_A_TIME, _HEADS = ontology.roles("one at a time"), ontology.roles("head")
# Likewise, but the past is not thought of where no tense is given: "never married".
_ONE_NOW = ontology.roles("one now")
# Where something lies, at any level: two places exclude each other only at the same level.
PLACES = ontology.roles("location")
# Likewise where something happened, or is kept by somebody who need not move with it.
PLACED = ontology.roles("placed")
# Where people live and work is no single place, and no list of it is whole.
_SEVERAL = ontology.roles("home")
RELEASES = ontology.roles("release")
_INCEPTION, _CONTINENT = ontology.roles("inception"), ontology.roles("continent")
_CITIZENSHIP = ontology.roles("country of citizenship")
_BARELY_IN = re.compile(r"(?:(?:is|are|was|were)\s+)?(?:located\s+)?in")
_HELD = re.compile(r"\b(?:belonged|part of|ruled|governed|owned|ceded|controlled|occupied)\b", re.IGNORECASE)
_WATERS = re.compile(r"\b(?:sea|ocean|gulf|bay|lake|river|strait|channel)\b", re.IGNORECASE)
# What was begun in one year may be completed or opened in a later one.
_FINISHED = re.compile(r"\b(?:completed|finished|opened|inaugurated|unveiled|consecrated)\b", re.IGNORECASE)
_HUMAN = ontology.classes("human")
_FIGURE = re.compile(r"\d")
_INITIAL = re.compile(r"\W*[^\W\d]\W*")
_AUXILIARY = re.compile(r"^(?:(?:is|was|are|were|has|have|had|been|be)\s+)+")
_WRONG_SINGLE, _WRONG_COMPLETE, _WRONG_NOW = 0.95, 0.85, 0.9
_FOREIGN = 0.8


def exclusion(case: Comparison) -> float:
    """How surely another value than those of the statements is wrong, in [0, 1]: 0 where the list may go on."""
    return _as_another(case) or _far(case.answer, case.side, case.statements)


def _as_another(case: Comparison) -> float:
    special = _by_relation(case)
    if special is not None:
        return special
    if _in_several_places(case) or case.side.incoming or not _comparable(case.side, case.statements):
        return 0.0
    if case.of_now and not case.standing:
        return 0.0  # all that is known is over: the graph is out of date here
    if _finished_later(case.fact, case.record, case.side, case.statements):
        return 0.0
    return _beside_one(case) if case.record.cardinality == "single" else _beside_several(case)


def _beside_one(case: Comparison) -> float:
    """Of a property that has one value."""
    return 0.0 if _of_the_past(case) else _WRONG_SINGLE


def _beside_several(case: Comparison) -> float:
    """Of a property that may have several values, at a time or one after another."""
    if _one_at_a_time(case):
        return _WRONG_NOW
    return _WRONG_COMPLETE if _complete(case) and not _of_the_past(case) else 0.0


@rule("past-value", silent=False)
def _of_the_past(case: Comparison) -> bool:
    """Whether another value may have held at the time that the fact is told of."""
    dated = any(started(t) or ended(t, case.today) for t in case.statements)
    moves = case.record.temporal and (dated or not case.plays(PLACES))
    return (moves or _held_by_another(case)) and case.fact.tense in ("past", "former")


@rule("undated-present", silent=False)
def _held_by_another(case: Comparison) -> bool:
    """Whether a name of a user's own graph, told without dates, is that of today: of what has changed, or by its words may have."""
    if ontology.curated(case.record) or not all(
        isinstance(case.side.known(t), Node) for t in case.statements
    ):
        return False
    asked = (ontology.record(relation) for relation in case.fact.relations)
    return case.fact.tense == "former" or any(known.temporal for known in asked)


@rule("several-places", silent=False)
def _in_several_places(case: Comparison) -> bool:
    """Whether what is claimed to be a place may hold beside the known one."""
    if case.fact.predicate == "located in" and not case.fact.tense and case.plays(PLACES):
        return True  # "Victoria, Australia": said by the way to tell places of one name apart, of which the graph may know one
    if case.plays(_SEVERAL):
        return True
    elsewhere = (case.answer.apart and ids_of(case.side.claimed)) or _misfit(case.side)
    return case.plays(PLACED) and (not elsewhere or _on_two(case.answer, case.side))


@rule("one-at-a-time", silent=False)
def _one_at_a_time(case: Comparison) -> bool:
    """Whether there is one value at a time, and the present one is known."""
    one = case.plays(_ONE_AT_A_TIME) or (case.plays(_ONE_NOW) and case.fact.tense == "present")
    return one and case.of_now and _now_known(case.record, case.standing)


@rule("complete-list", silent=False)
def _complete(case: Comparison) -> bool:
    """Whether the property is meant by its name, and all its values are known."""
    named = _asked(case.fact, case.answer) or (
        called(case.fact, case.answer) and not ontology.curated(case.record)
    )
    return case.answer.apart or (named and (case.record.complete or case.answer.complete))


def _now_known(known: Property, standing: Sequence[Triplet]) -> bool:
    """Whether the statements that stand tell who or what it is now: heads of state without dates are of all times."""
    several = ontology.plays(known, _HEADS) and len(standing) > 1
    return bool(standing) and (not several or any(started(t) or t.rank == "preferred" for t in standing))


def _by_relation(case: Comparison) -> float | None:
    """Likewise for relations of which other rules hold; None for any other."""
    if case.fact.predicate == "of":
        return 0.0  # "Kubrick's The Shining" is King's novel: what is somebody's need not be by him
    if not _asked(case.fact, case.answer) and not _named_outright(case.fact, case.answer, case.side):
        return 0.0  # words of the predicate led to this property, which the lexicon does not know them for
    if case.plays(CLASSES):
        return _WRONG_COMPLETE if _opposite_class(case) else 0.0
    if case.plays(_CITIZENSHIP):
        return _FOREIGN if _foreign(case) else 0.0
    return 0.0 if _loosely(case.fact, case.record, case.side, case.statements) else None


@rule("foreign-citizenship", silent=False)
def _foreign(case: Comparison) -> bool:
    """Whether the claimed country is another one, and now."""
    return case.answer.apart and case.fact.tense != "former" and not case.side.incoming


@rule("opposite-class", silent=False)
def _opposite_class(case: Comparison) -> bool:
    """Whether the claimed class excludes the known ones."""
    nodes = [o for t in case.statements if isinstance(o := case.side.known(t), Node)]
    return not case.side.incoming and opposed(case.fact.subject, case.side.claimed, nodes)


@rule("loose-relations", silent=False)
def _loosely(fact: Fact, known: Property, side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether people say of several what the graph knows one of."""
    if ontology.plays(known, PLACES):
        # "belonged to Spain": before it lay where the graph knows it
        return fact.tense == "past" and _HELD.search(fact.predicate) is not None
    for part, loose in _LOOSE.items():
        if ontology.plays(known, frozenset({part})):
            return loose(fact, side, statements)
    return False


def _is_water(side: Side) -> bool:
    """Whether a sea or an ocean is claimed."""
    entity = side.claimed.mention.entity if side.claimed.mention is not None else None
    return bool(_WATERS.search(entity.label if entity is not None else side.claimed.text))


_LOOSE: Mapping[str, Callable[[Fact, Side, Sequence[Triplet]], bool]] = {
    # "Microsoft in Ireland": a body is in many places beside its seat
    "headquarters location": lambda fact, side, known: _BARELY_IN.fullmatch(fact.predicate) is not None,
    # what one broadcaster began another may go on with
    "original broadcaster": lambda fact, side, known: (
        fact.tense == "present" and "original" not in fact.predicate
    ),
    # "people in the US who speak Spanish"
    "official language": lambda fact, side, known: "official" not in fact.predicate,
    # a country is bordered by seas, too
    "shares border with": lambda fact, side, known: _is_water(side),
    # an invention is dated by the idea, the first model or the patent
    "discovery date": lambda fact, side, known: _next_year(side, known),
    # "an English novel" of an Indian is one in English
    "country of origin": lambda fact, side, known: side.claimed.text.casefold() in LANGUAGES,
}
ontology.roles(*_LOOSE)  # each is a part that there is


def _named_outright(fact: Fact, answer: Answer, side: Side) -> bool:
    """Whether the predicate is a name of the property, for a graph with properties of its own or an object that does not fit."""
    if not ontology.curated(answer.property):
        return True
    return called(fact, answer) and side.claimed.value is None and answer.about == "subject"


def _asked(fact: Fact, answer: Answer) -> bool:
    """Whether the property is one of the fact's relations, or of their opposites: "was filmed in" asks for no director."""
    ids = {relation.removeprefix("^") for relation in fact.relations}
    known = answer.property
    return not ids.isdisjoint((known.id, *known.same_as)) or (known.inverse or "") in ids


def meant(fact: Fact, answer: Answer) -> bool:
    """Whether the words of the fact mean the property, rather than share a word with its name."""
    return _asked(fact, answer) or not ontology.curated(answer.property) or called(fact, answer)


def called(fact: Fact, answer: Answer) -> bool:
    """Whether the words of the predicate are a name of the property, "of" behind it or not."""
    words = _AUXILIARY.sub("", fold(fact.predicate)).removesuffix(" of")
    return words in {fold(name) for name in (answer.property.label, *answer.property.aliases)}


@rule("person-for-a-place", silent=False)
def _misfit(side: Side) -> bool:
    """Whether what is claimed to be a place is a person for certain: the name is a full one, which no place has."""
    mention = side.claimed.mention
    return (
        mention is not None
        and len(mention.text.split()) > 1
        and bool(mention.candidates)
        and all(not _HUMAN.isdisjoint(candidate.entity.types) for candidate in mention.candidates)
    )


@rule("two-continents", silent=False)
def _on_two(answer: Answer, side: Side) -> bool:
    """Whether the claimed continent is another one that the subject may lie on."""
    return ontology.plays(answer.property, _CONTINENT) and reaches(answer.subject.id, ids_of(side.claimed))


@rule("finished-later", silent=False)
def _finished_later(fact: Fact, asked: Property, side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether the claim dates the end of a work whose known date may be that of its beginning."""
    if (
        not ontology.plays(asked, _INCEPTION)
        or not _FINISHED.search(fact.predicate)
        or side.claimed.value is None
    ):
        return False
    claimed = moment_of(side.claimed.value)
    known = [moment_of(o) for t in statements if isinstance(o := side.known(t), Value)]
    return claimed is not None and any(m is not None and m.year <= claimed.year for m in known)


def _next_year(side: Side, statements: Sequence[Triplet]) -> bool:
    """Whether a known date is at most a year away from the claimed one."""
    ours = moment_of(side.claimed.value) if side.claimed.value else None
    known = [moment_of(o) for t in statements if isinstance(o := side.known(t), Value)]
    return ours is not None and any(m is not None and abs(m.year - ours.year) <= 1 for m in known)


@rule("release-far-off", silent=0.0)
def _far(answer: Answer, side: Side, statements: Sequence[Triplet]) -> float:
    """Works come out on several days, in one country after another, but not years before or after all that are known."""
    value = side.claimed.value
    if (
        not ontology.plays(answer.property, RELEASES)
        or value is None
        or side.claimed.modifier in ("before", "after")
    ):
        return 0.0
    ours = moment_of(value)
    known = [moment_of(o) for t in statements if isinstance(o := side.known(t), Value)]
    if ours is None or ours.precision < 9 or not known:
        return 0.0
    return _WRONG_COMPLETE if all(m is not None and abs(m.year - ours.year) > 1 for m in known) else 0.0


def _comparable(side: Side, statements: Sequence[Triplet]) -> bool:
    """A name is no date: only things of a kind can exclude each other. An initial and a pronoun name nobody for certain."""
    claimed, known = side.claimed, [side.known(t) for t in statements]
    if _names_nobody(claimed):
        return False
    if claimed.value is not None and not claimed.mentions:
        return all(isinstance(item, Value) and _of_a_kind(claimed.value, item) for item in known)
    if any(isinstance(item, Node) for item in known):
        return _names_one(claimed, known)
    if not all(isinstance(item, Value) and item.datatype == "string" for item in known):
        return False
    # "closes in the evening": a word is no other figure
    return not claimed.text.islower() or not all(_FIGURE.search(item.label) for item in known)


def _names_nobody(claimed: Argument) -> bool:
    return pronominal(claimed) or bool(_INITIAL.fullmatch(claimed.text) and not ids_of(claimed))


def _names_one(claimed: Argument, known: Sequence[Object]) -> bool:
    """Whether a name is claimed: a description ("a small town") or the word for a kind of thing ("the TV drama series") excludes nothing."""
    if _kind_word(claimed) and all(item.label.split()[-1][:1].isupper() for item in known):
        return False
    return bool(claimed.mentions) or claimed.text[:1].isupper()


def _of_a_kind(claimed: Value, known: Value) -> bool:
    """Whether a date or a number may be another one than `known`: of a text, only where that is one as a whole ("6.2")."""
    if known.datatype != "string":
        return True
    values = [found.value for found in find_values(known.value) if found.text == known.value.strip()]
    return any(value is not None and value.datatype == claimed.datatype for value in values)


@rule("word-for-a-kind", silent=False)
def _kind_word(claimed: Argument) -> bool:
    """Whether all that the words may stand for are classes, whose labels are no names: "capital city", "drama"."""
    mention = claimed.mention
    readings = [candidate.entity.label for candidate in mention.candidates] if mention else []
    return bool(readings) and all(label.islower() for label in readings)
