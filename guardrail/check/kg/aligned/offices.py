"""Who held an office, when, and after whom: "Ada took over from Bo as head of nursing in 2018".

An office is what a statement with a start or an end gives to somebody: the group has the head of nursing Ada, from 2018. A sentence
that says its name tells which terms are meant; whose office it is need not be said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from guardrail.check.kg.aligned.alignment import Aligned, Found
from guardrail.check.kg.aligned.fillers import Filler, Named, Sentence
from guardrail.check.kg.aligned.fit import said
from guardrail.check.kg.aligned.options import Option
from guardrail.check.kg.aligned.words import content, negations, words_of
from guardrail.check.kg.compare.timeline import END, START, at_time, qualifier_values
from guardrail.types import Argument, Node, Property, Span, Triplet, Value
from guardrail.values import State
from guardrail.values.dates import moment_of

__all__ = ["held"]

_LIKELY = 0.86
_NEXT = 31  # days, at most, between two terms that follow each other
_LONG = 366  # days, at least, between two that do not
# Who comes first in the sentence came later in the office, or earlier.
_LATER_FIRST = re.compile(
    r"\b(?:succeed(?:ed|s)|took over(?: \w+)* from|takes over(?: \w+)* from|replaced|replaces|followed|predecessor)\b",
    re.IGNORECASE,
)
_EARLIER_FIRST = re.compile(
    r"\b(?:(?:was|is|been) (?:succeeded|replaced|followed)|handed over(?: \w+)* to|made way for|successor)\b",
    re.IGNORECASE,
)
_TELLING = frozenset(
    "served serves serve became become held holds post position role office job term appointed succeeded succeeds took takes over"
    " replaced replaces followed predecessor successor charge started start end ended left stepped down remained handed way"
    " beginning promoted named worked".split()
)
"""Words that tell of terms, whatever the office is called."""


class _Term(NamedTuple):
    """That `holder` has the office that `statement` names."""

    holder: Named
    statement: Triplet


def held(sentence: Sentence) -> Found | None:
    """The terms that the sentence speaks of beside those that are known; None where it names no office of anybody in it.

    Where it says whose office it is, and dates one term of it, its values are those of any property.
    """
    terms = list(_terms(sentence))
    dates = sentence.values
    if not terms or negations(sentence.text) or not all(map(_is_date, dates)) or _says_more(sentence, terms):
        return None
    holders = list(dict.fromkeys(one.holder for one in terms))
    if len(holders) == 1:
        whose = any(one.profile.entity.id == terms[0].statement.subject.id for one in sentence.named)
        return None if whose or not dates else _dated(terms, dates)
    return _followed(sentence, terms, dates) if len(holders) == 2 else None


def _is_date(filler: Filler) -> bool:
    value = filler.argument.value
    return value is not None and value.datatype == "date"


def _terms(sentence: Sentence) -> Iterator[_Term]:
    for one in sentence.named:
        for statement in one.profile.terms:
            if _name(statement, sentence) is not None:
                yield _Term(one, statement)


def _name(statement: Triplet, sentence: Sentence) -> Span | None:
    """Where the sentence says the name of the office, whole."""
    return said(Node("", statement.predicate.label), sentence.text)


def _says_more(sentence: Sentence, terms: Sequence[_Term]) -> bool:
    """Whether the sentence names anything that has no part in the terms, or says another word that carries meaning."""
    holding = {one.statement.subject.id for one in terms} | {one.holder.profile.entity.id for one in terms}
    known = [one for one in sentence.named if one.profile.entity.id in holding]
    if sentence.unknown or any(one.text[:1].isupper() for one in sentence.named if one not in known):
        return True
    places = [*(one.span for one in known), *(one.span for one in sentence.values)]
    places += [span for one in terms if (span := _name(one.statement, sentence)) is not None]
    told = _TELLING.union(*(content(one.statement.subject.label) for one in terms))  # "of the group"
    return any(
        content(word.key) and word.key not in told and not any(word.span.overlaps(place) for place in places)
        for word in words_of(sentence.text)
    )


def _dated(terms: Sequence[_Term], dates: Sequence[Filler]) -> Found:
    """The term that all dates agree with; where there is but one, what does not agree is wrong."""
    for term in terms:
        if all(at_time(term.statement, date.argument) == "agree" for date in dates):
            return Found((_aligned("agree", term, dates[0].argument, [term.statement]),), whole=True)
    if len(terms) > 1:
        return Found()
    wrong = next((date for date in dates if at_time(terms[0].statement, date.argument) == "conflict"), None)
    return (
        Found((_aligned("conflict", terms[0], wrong.argument, [terms[0].statement]),)) if wrong else Found()
    )


def _followed(sentence: Sentence, terms: Sequence[_Term], dates: Sequence[Filler]) -> Found | None:
    """The later of two holders beside the earlier, as the words order them."""
    earlier_first = _EARLIER_FIRST.search(sentence.text) is not None
    if not earlier_first and _LATER_FIRST.search(sentence.text) is None:
        return None
    first, second = dict.fromkeys(one.holder for one in terms)
    later, earlier = (second, first) if earlier_first else (first, second)
    pairs = [
        (one, other)
        for one in terms
        for other in terms
        if one.holder is later and other.holder is earlier and _one_office(one.statement, other.statement)
    ]
    states = [(_follows(one.statement, other.statement), one, other) for one, other in pairs]
    for wanted in ("agree", "conflict"):
        for state, one, other in states:
            if state == wanted:
                return _in_order(state, one, other, dates)
    return Found()


def _in_order(state: State, later: _Term, earlier: _Term, dates: Sequence[Filler]) -> Found:
    """Two terms that follow each other or do not, with the date at which the one followed."""
    statements = [later.statement, earlier.statement]
    words = Argument(earlier.holder.text, earlier.holder.span)
    wrong = next((date for date in dates if _begun(later.statement, date) != "agree"), None)
    if state == "agree" and wrong is not None:
        if _begun(later.statement, wrong) != "conflict":
            return Found()
        return Found((_aligned("conflict", later, wrong.argument, statements),))
    return Found((_aligned(state, later, words, statements),), whole=state == "agree")


def _begun(statement: Triplet, date: Filler) -> State:
    return at_time(statement, replace(date.argument, modifier="since"))


def _one_office(one: Triplet, other: Triplet) -> bool:
    return (one.predicate.id, one.subject.id) == (other.predicate.id, other.subject.id)


def _follows(later: Triplet, earlier: Triplet) -> State:
    """Whether the one began when the other ended."""
    began, over = (_days(one, names) for one, names in ((later, START), (earlier, END)))
    before = _days(earlier, START)
    if began is None:
        return "unknown"
    if before is not None and began[1] <= before[0]:
        return "conflict"
    if over is None:
        return "unknown"
    if over[0] - _NEXT <= began[1] and began[0] <= over[1] + _NEXT:
        return "agree"
    return "conflict" if began[0] - over[1] > _LONG else "unknown"


def _days(statement: Triplet, names: Collection[str]) -> tuple[int, int] | None:
    value = next(iter(qualifier_values(statement, names)), None)
    moment = moment_of(value) if isinstance(value, Value) else None
    return moment.interval() if moment is not None else None


def _aligned(state: State, term: _Term, words: Argument, statements: Sequence[Triplet]) -> Aligned:
    """The office as a property of the one who holds it."""
    office = term.statement.predicate
    record = Property(office.id, office.label, temporal=True)
    option = Option(term.holder, record, tuple(statements), 1.0, True, False, 0, None)
    known = tuple(value for one in statements for value in qualifier_values(one, (*START, *END)))
    return Aligned(state, option, words, known, tuple(statements), _LIKELY, relation="time")
