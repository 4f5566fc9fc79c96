"""Who held an office, when, and after whom: "Ada took over from Bo as head of nursing in 2018".

An office is what a statement with a start or an end gives to somebody: the group has the head of nursing Ada, from 2018; or Ada has
the post head of nursing. A sentence that says its name tells which terms are meant; whose office it is need not be said. Only sentences
that say nothing else are read: their shape, with letters for the names and the dates, is one of a few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from guardrail.check.kg.aligned.alignment import Aligned, Alignment
from guardrail.check.kg.aligned.fillers import ClaimSentence, Filler, Named
from guardrail.check.kg.aligned.fit import said
from guardrail.check.kg.aligned.options import Option
from guardrail.check.kg.compare.timeline import (
    END,
    START,
    at_beginning,
    at_time,
    ended,
    follows,
    qualifier_values,
)
from guardrail.rules import rule
from guardrail.types import Argument, Node, Object, Property, Span, Triplet
from guardrail.values import State

__all__ = ["of_office"]

_LIKELY = 0.86
# X, Y: the holders, in the order of the sentence; R: the office; O: whose it is; D: a date.
_OFFICE = r"(?:the )?R(?: (?:of|at|for|in) (?:the )?O)?"
_DATE = r"(?:the (?:start|beginning|end|close) of )?D"
_IN = rf"(?: (?:in|on) {_DATE})?"
_FROM_TO = rf"(?:from {_DATE} (?:to|until|till) {_DATE}|between {_DATE} and {_DATE})"
_WAS = r"(?:was|served as|worked as|acted as)"
_TERM = re.compile(
    rf"{_FROM_TO},? X {_WAS} {_OFFICE}|X {_WAS} {_OFFICE} (?:{_FROM_TO}|(?:until|till) {_DATE})"
    rf"|(?:until|till) {_DATE},? X {_WAS} {_OFFICE}"
)
_UNTIL = re.compile(rf"X {_WAS} {_OFFICE} (?:until|till) {_DATE}|(?:until|till) {_DATE},? X {_WAS} {_OFFICE}")
_SINCE = re.compile(rf"X has been {_OFFICE} since {_DATE}|since {_DATE},? X has been {_OFFICE}")
_NOW = re.compile(
    rf"X is(?: currently| now| still| at present| today)? (?:the )?(?:current |present )?{_OFFICE}(?: (?:now|today|at present|these days))?"
)
_BEGAN = re.compile(
    rf"X (?:became|was appointed(?: as)?|was made|started as|took over as) {_OFFICE} (?:in|on|at) {_DATE}"
    rf"|(?:in|on) {_DATE},? X (?:became|was appointed(?: as)?|was made|started as|took over as) {_OFFICE}"
)
_ENDED = re.compile(rf"X (?:left|stepped down|resigned|retired) as {_OFFICE} (?:in|on|at) {_DATE}")
_LATER_FIRST = re.compile(
    rf"X (?:succeeded|replaced|followed|took over from) Y as {_OFFICE}{_IN}|X took over as {_OFFICE} from Y{_IN}"
    rf"|X['’]s? predecessor as {_OFFICE} was Y|the predecessor of X as {_OFFICE} was Y|X was Y['’]s? successor as {_OFFICE}"
)
_EARLIER_FIRST = re.compile(
    rf"X was(?: later| then)? (?:succeeded|replaced|followed) as {_OFFICE} by Y{_IN}"
    rf"|X was(?: later| then)? (?:succeeded|replaced|followed) by Y as {_OFFICE}{_IN}"
    rf"|X['’]s? successor as {_OFFICE} was Y|the successor of X as {_OFFICE} was Y|X was Y['’]s? predecessor as {_OFFICE}"
)


class _Term(NamedTuple):
    """That `holder` has the office that `statement` names. `owner`: the id of the one whose office it is, "" where nobody is named."""

    holder: Named
    statement: Triplet
    office: Node
    owner: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The same for all terms in one office."""
        return self.statement.predicate.id, self.office.id, self.owner


@rule("terms-of-own-offices")
def of_office(sentence: ClaimSentence, today: date) -> Alignment | None:
    """The terms that the sentence speaks of beside those that are known; None where it is no such sentence."""
    terms = _of_those_named(list(_terms(sentence)), sentence)
    holders = list(dict.fromkeys(one.holder for one in terms))
    if not terms or len(holders) > 2 or not all(map(_is_date, sentence.values)):
        return None
    shape = _shape(sentence, terms, holders)
    dates = [one.argument for one in sentence.values]
    if len(holders) == 2:
        first, second = holders
        if _LATER_FIRST.fullmatch(shape):
            return _followed(terms, first, second, dates)
        return _followed(terms, second, first, dates) if _EARLIER_FIRST.fullmatch(shape) else None
    return _held(terms, today) if _NOW.fullmatch(shape) else _dated(terms, shape, dates, today)


def _terms(sentence: ClaimSentence) -> Iterator[_Term]:
    for one in sentence.named:
        found = [_Term(one, term, term.predicate, term.subject.id) for term in one.profile.terms]
        found += [
            _Term(one, term, term.object, "")
            for term in one.profile.statements
            if isinstance(term.object, Node)
        ]
        for term in found:
            dated = qualifier_values(term.statement, (*START, *END))
            if dated and said(term.office, sentence.text) is not None:
                yield term


def _of_those_named(terms: Sequence[_Term], sentence: ClaimSentence) -> Sequence[_Term]:
    """Where the sentence says whose office it is, the terms in that one's."""
    named = {one.profile.entity.id for one in sentence.named}
    whose = [one for one in terms if one.owner in named]
    return whose or terms


def _is_date(filler: Filler) -> bool:
    value = filler.argument.value
    return value is not None and value.datatype == "date"


def _shape(sentence: ClaimSentence, terms: Sequence[_Term], holders: Sequence[Named]) -> str:
    """The sentence in small letters, with letters for what it names; a name that has no part in the terms stays."""
    letters: dict[Span, str] = {one.span: "D" for one in sentence.values}
    letters |= {one.span: letter for one, letter in zip(holders, "XY", strict=False)}
    owners = {one.owner for one in terms}
    letters |= {one.span: "O" for one in sentence.named if one.profile.entity.id in owners}
    office = said(terms[0].office, sentence.text)
    if office is not None:
        letters = {span: letter for span, letter in letters.items() if not span.overlaps(office)} | {
            office: "R"
        }
    text, at = "", 0
    for span, letter in sorted(letters.items()):
        text += sentence.text[at : span.start].lower() + letter
        at = span.end
    return " ".join((text + sentence.text[at:].lower()).strip(" .!").split())


def _dated(terms: Sequence[_Term], shape: str, dates: Sequence[Argument], today: date) -> Alignment | None:
    """The term that all dates agree with; where there is but one, what does not agree is wrong."""
    meant = _meant(shape, dates)
    if meant is None:
        return None
    if _SINCE.fullmatch(shape) and all(ended(one.statement, today) for one in terms):
        return Alignment()
    for term in terms:
        if all(_state(term, one, shape) == "agree" for one in meant):
            return Alignment(tuple(_agreeing(term, meant)), whole=True)
    wrong = next((one for one in meant if _state(terms[0], one, shape) == "conflict"), None)
    if len(terms) > 1 or wrong is None:
        return Alignment()
    names = START if wrong.modifier in ("from", "since", "between") else END
    known = tuple(qualifier_values(terms[0].statement, names))
    return Alignment((_aligned("conflict", terms[0], wrong, [terms[0].statement], known),))


def _state(term: _Term, date: Argument, shape: str) -> State:
    """Whether a date is that of the term; who was appointed may begin later."""
    chosen = _BEGAN.fullmatch(shape) and "appointed" in shape
    return at_beginning(term.statement, date, "chosen") if chosen else at_time(term.statement, date)


def _held(terms: Sequence[_Term], today: date) -> Alignment:
    """Whether a term is not over; one that is refutes that the holder has the office now."""
    holder = Argument(terms[0].holder.text, terms[0].holder.span)
    for term in terms:
        if not ended(term.statement, today):
            return Alignment((_aligned("agree", term, holder, [term.statement], ()),), whole=True)
    over = [one.statement for one in terms]
    ends = tuple(end for one in over for end in qualifier_values(one, END))
    return Alignment((_aligned("conflict", terms[0], Argument("today"), over, ends),))


def _meant(shape: str, dates: Sequence[Argument]) -> list[Argument] | None:
    """The dates with the end of the term that each is said of; None where the sentence tells no term of one holder."""
    for pattern, modifier in ((_BEGAN, "since"), (_ENDED, "until"), (_UNTIL, "until")):
        if pattern.fullmatch(shape):
            return [replace(one, modifier=modifier) for one in dates]
    return list(dates) if _SINCE.fullmatch(shape) or _TERM.fullmatch(shape) else None


def _agreeing(term: _Term, dates: Sequence[Argument]) -> Iterator[Aligned]:
    """The holder, and each date."""
    holder = _aligned("agree", term, Argument(term.holder.text, term.holder.span), [term.statement], ())
    yield replace(holder, relation="")
    for one in dates:
        yield _aligned("agree", term, one, [term.statement], ())


def _followed(terms: Sequence[_Term], later: Named, earlier: Named, dates: Sequence[Argument]) -> Alignment:
    """The later of two holders beside the earlier, with the date of the change."""
    pairs = [
        (one, other)
        for one in terms
        for other in terms
        if one.holder is later and other.holder is earlier and one.key == other.key
    ]
    following = next(
        (pair for pair in pairs if follows(pair[0].statement, pair[1].statement) == "agree"), None
    )
    if following is not None:
        return _changed(*following, dates)
    order = Argument("the order that the claim tells", None)
    for one, other in pairs:
        if follows(one.statement, other.statement) == "conflict":
            return Alignment((_aligned("conflict", one, order, [one.statement, other.statement], ()),))
    return Alignment()


def _changed(later: _Term, earlier: _Term, dates: Sequence[Argument]) -> Alignment:
    """Two terms that follow each other, beside the date that is told of the change."""
    statements = [later.statement, earlier.statement]
    states = [at_time(later.statement, replace(one, modifier="since")) for one in dates]
    if "conflict" in states:
        known = tuple(qualifier_values(later.statement, START))
        return Alignment((_aligned("conflict", later, dates[states.index("conflict")], statements, known),))
    words = Argument(earlier.holder.text, earlier.holder.span)
    whole = all(state == "agree" for state in states)
    return Alignment((_aligned("agree", later, words, statements, ()),), whole=whole)


def _aligned(
    state: State, term: _Term, words: Argument, statements: Sequence[Triplet], known: tuple[Object, ...]
) -> Aligned:
    """The office as a property of the one who holds it."""
    office = term.statement.predicate
    record = Property(office.id, office.label, temporal=True)
    option = Option(term.holder, record, tuple(statements), 1.0, True, False, 0, None)
    return Aligned(state, option, words, known, tuple(statements), _LIKELY, relation="time")
