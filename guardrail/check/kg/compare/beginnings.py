"""Dates of what begins: "became director in 2012" tells when a term began, and "was director in 2012" a time within it."""

from __future__ import annotations

import re

from guardrail.check.kg.compare.timeline import at_beginning, at_time
from guardrail.language.lists import any_of
from guardrail.rules import rule
from guardrail.types import Argument, Span, Triplet
from guardrail.values import State

__all__ = ["BEGINNINGS", "at_date", "beginning"]

BEGINNINGS = ("begun", "chosen", "elected")
_VERB = rf"\b(?:(?P<elected>{any_of('electing')})|(?P<chosen>{any_of('choosing')})|(?P<begun>{any_of('beginning')}))\b"
# Between the verb and its date no other verb may stand, nor a word that begins a clause.
_NONE_BETWEEN = (
    r"(?:(?!\b(?:is|was|were|has|had|did|served|worked|who|which|that|where|when|while|before|after)\b)[^;])*"
)
_BEFORE = re.compile(rf"{_VERB}{_NONE_BETWEEN}$", re.IGNORECASE)
_BEHIND = re.compile(rf",?[^,;]*?(?<!to )(?<!who ){_VERB}", re.IGNORECASE)
_OPENING = re.compile(r"\W*\w+\W*")


@rule("dates-of-beginnings", silent="")
def beginning(text: str, date: Span) -> str:
    """What a date of a text is the date of: "begun", "chosen" or "elected" of one who was it for something, "" for anything else."""
    match = _BEFORE.search(text[: date.start])
    if match is None and _OPENING.fullmatch(text[: date.start]):
        match = _BEHIND.match(text[date.end :])  # "In 2012, Ada became director"
    return "" if match is None else str(match.lastgroup)


def at_date(triplet: Triplet, date: Argument, of: str) -> State:
    """Whether a statement held at a date, or began then where it is the date `of` a beginning."""
    return at_beginning(triplet, date, of) if of in BEGINNINGS else at_time(triplet, date)
