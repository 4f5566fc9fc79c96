"""Which of the readings of a part of a text counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from guardrail.casing import printed
from guardrail.segment import AsRead
from guardrail.types import Claim, Link, Mention, Sentence

__all__ = ["Understood", "understood"]


class Understood(NamedTuple):
    """A reading with its claims and the names in it, whose places are those of the plain sentence."""

    part: AsRead
    claims: list[Claim]
    mentions: list[Mention]


def understood(
    readings: Sequence[AsRead], read: Callable[[Sentence], tuple[list[Claim], list[Mention]]], link: Link
) -> Understood:
    """The first of several readings that says something known of a name; where none does, the first one."""
    found: list[Understood] = []
    for reading in readings:
        part = reading.spelled(printed(reading.plain.text, link))
        found.append(Understood(part, *read(part.plain)))
        claims = found[-1].claims
        if len(readings) == 1 or (_states(claims) and (len(found) == 1 or len(claims) == 1)):
            return found[-1]
    return found[0]


def _states(claims: Sequence[Claim]) -> bool:
    facts = [fact for claim in claims for fact in claim.facts if fact.relations]
    return any(fact.subject.mention is not None and fact.subject.mention.candidates for fact in facts)
