"""Whether a sentence has all words of a claim, and whether it limits what it says by more than these.

Words and values are compared as in `wording`; which words tell nothing is said here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from guardrail.check.wording import Item, items
from guardrail.types import Argument, Claim
from guardrail.values import compare

__all__ = ["EMPTY", "alike", "dates", "in_arguments", "limited", "within"]

_LIMITS = frozenset(
    "in on at for over under after among per during within with without until as to from".split()
)
EMPTY = frozenset(
    "a an and are as at be been by did do does for from had has have he her his in is it its of on or she that the their"
    " they this to was were which who with".split()
)


def within(wanted: Sequence[Item], told: Sequence[Item]) -> bool:
    """Whether all of `wanted` stand in `told`, in their order, each value by what it is."""
    left = iter(told)
    return all(any(alike(one, other) for other in left) for one in wanted)


def in_arguments(wanted: Sequence[Item], said: Sequence[Item], claim: Claim) -> bool:
    """Whether every word of the claim is one of a predicate or an argument, and each of these stands there as a whole.

    "Coined by Holm in 2008" is "coined in 2008 by Holm", and "Holm directed it" is "it was directed by Holm".
    """
    phrases = [
        [item for item in items(words) if item.key not in EMPTY]
        for fact in claim.facts
        for words in (
            _name(fact.subject),
            fact.object.text,
            fact.predicate,
            *(attribute.object.text for attribute in fact.attributes),
        )
    ]
    told_ = {item.key for phrase in phrases for item in phrase}
    return all(item.key in told_ for item in wanted) and all(_stands(phrase, said) for phrase in phrases)


def _stands(phrase: Sequence[Item], said: Sequence[Item]) -> bool:
    """Whether the phrase stands in `said` without other words in it."""
    return any(
        all(alike(one, other) for one, other in zip(phrase, said[start:], strict=False))
        for start in range(len(said) - len(phrase) + 1)
    )


def _name(argument: Argument) -> str:
    return argument.mention.text if argument.mention is not None else argument.text


def alike(one: Item, other: Item) -> bool:
    if one.key == other.key:
        return True
    if one.value is None or other.value is None or one.value.value is None or other.value.value is None:
        return False
    ranged = one.value.value.upper or other.value.value.upper
    return not ranged and compare(one.value.value, other.value.value, modifier=one.value.modifier) == "agree"


def limited(ours: Sequence[Item], said: Sequence[Item]) -> bool:
    """Whether the sentence has a "for adults", "in Germany", "on disc" that the claim has not."""
    keys = {item.key for item in ours}
    return any(
        item.key in _LIMITS and following.key not in keys and not following.key.startswith("=date")
        for item, following in pairwise(said)
    )


def dates(told_: Sequence[Item]) -> frozenset[str]:
    return frozenset(item.key for item in told_ if item.key.startswith("=date"))
