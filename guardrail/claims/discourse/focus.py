"""What a text speaks of around a claim: a sentence without a subject, "Died in Paris", or with "it" is said of one of these things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from guardrail.types import Claim, Context, Entity, Mention

__all__ = ["with_focus"]

_BEFORE = 2  # claims before a sentence that its claims may go on from
_MOST = 4


def with_focus(claims: Sequence[Claim], mentions: Sequence[Mention], context: Context) -> list[Claim]:
    """The claims of a sentence with `mentions`, each with what it does not name itself: first what its sentence names, then what stands
    before it, the nearest first, then the question's, then what the claim before was in the midst of.
    """
    around = list(dict.fromkeys(_around(mentions, context)))
    return [replace(claim, focus=_focus(claim, around)) for claim in claims]


def _around(mentions: Sequence[Mention], context: Context) -> Iterator[Entity]:
    yield from _entities(mentions)
    for claim in reversed(context.earlier[-_BEFORE:]):
        yield from _entities(_named(claim))
    yield from _entities(context.question_mentions)
    for claim in context.earlier[-1:]:
        yield from claim.focus


def _focus(claim: Claim, around: Sequence[Entity]) -> tuple[Entity, ...]:
    own = {one.id for one in _entities(_named(claim))}
    return tuple(one for one in around if one.id not in own)[:_MOST]


def _named(claim: Claim) -> Iterator[Mention]:
    """With those of a subject that a claim has from an earlier one: they stand in its facts alone."""
    for fact in claim.facts:
        yield from fact.subject.mentions
    yield from claim.mentions


def _entities(mentions: Iterator[Mention] | Sequence[Mention]) -> Iterator[Entity]:
    return (one.entity for one in mentions if one.entity is not None)
