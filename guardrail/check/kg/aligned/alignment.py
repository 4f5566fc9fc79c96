"""The values of a sentence beside what is known, and whether anything in the sentence was left over."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guardrail.check.kg.aligned.fillers import ClaimSentence, Filler, Named
from guardrail.check.kg.aligned.options import Option
from guardrail.types import Argument, Node, Object, Span, Triplet
from guardrail.values import State

__all__ = ["Aligned", "Alignment", "Asked", "accounted_for", "covers_all", "restricted"]

_TOLD, _LINKED = 0.9, 0.3
_MOST_SPARE = 3
_ONLY = re.compile(r"\b(?:only|sole|solely|exclusively|alone)\b|^\W*just\b", re.IGNORECASE)
_OF = re.compile(r"\s*(?:,\s*)?(?:of|at|in|on)\s+(?:the\s+)?", re.IGNORECASE)

Asked = Mapping[Named, Sequence[Option]]
"""By subject, its properties, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """One value of a sentence beside what is known. `claimed` are its words, `known` what stands in their place; `rivals`: of
    one that agrees, statements that contradict it; `exchanged`: of one in conflict, that the statement has it the other way round;
    `instead`: what may stand in the place of the words, where that is not what is known, as of comparisons.
    """

    state: State
    option: Option
    claimed: Argument
    known: tuple[Object, ...]
    triplets: tuple[Triplet, ...]
    confidence: float
    relation: str = ""
    rivals: tuple[Triplet, ...] = ()
    exchanged: bool = False
    instead: tuple[Object, ...] | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """`whole`: nothing that the sentence names was left over."""

    values: tuple[Aligned, ...] = ()
    whole: bool = False


def covers_all(found: Sequence[Aligned], sentence: ClaimSentence, asked_of: Asked) -> bool:
    """Whether nothing else is said: no name that the graph does not know, no "only", no other property in so many words."""
    words = [one.option.place for one in found if one.option.place is not None]
    told = [*words, *(one.claimed.span for one in found if one.claimed.span is not None)]
    if any(not any(span.overlaps(place) for place in told) for span in sentence.unknown):
        return False
    if any(_restricts(match.end(), found, sentence) for match in _ONLY.finditer(sentence.text)):
        return False
    if _tells_another_property(found, asked_of):
        return False
    return all(_spare(one.option, words) <= _MOST_SPARE or one.option.whole for one in found)


def _tells_another_property(found: Sequence[Aligned], asked_of: Asked) -> bool:
    """Whether the property that a subject is likeliest asked for is said in so many words, and is none of those found."""
    used = {one.option.record.id: one.option.likeness for one in found}
    likeliest = max(used.values(), default=0.0)
    first = (options[0] for options in asked_of.values() if options)
    return any(
        one.whole and one.likeness >= _TOLD and one.record.id not in used and likeliest < one.likeness - 0.1
        for one in first
    )


def _spare(option: Option, told: Sequence[Span]) -> int:
    """How many words of the sentence belong to no property that was found."""
    return option.spare - len(set(told) - {option.place})


def restricted(sentence: ClaimSentence) -> bool:
    """Whether it is said that something is so of nothing else."""
    return _ONLY.search(sentence.text) is not None


def _restricts(place: int, found: Sequence[Aligned], sentence: ClaimSentence) -> bool:
    """Whether "only", which ends at a place, says more than the value: "only ties you in for one month" says one month."""
    if _at_value(place, sentence):
        return False
    one = found[0] if len(found) == 1 else None
    if one is None or one.claimed.value is None or one.claimed.span is None:
        return True
    return not one.option.subject.span.end < place < one.claimed.span.start


def _at_value(place: int, sentence: ClaimSentence) -> bool:
    """Whether a value stands at a place of the sentence: "only 24 places"."""
    return any(one.span.start <= place + 1 <= one.span.end for one in sentence.values)


def accounted_for(filler: Filler, found: Sequence[Aligned], sentence: ClaimSentence, asked_of: Asked) -> bool:
    """Whether what was not compared is told for no value: the subject itself, words of a property, what it is part of."""
    if filler.phrase or (filler.named and not filler.named.text[:1].isupper()):
        return True
    if filler.named is None:
        return False
    subjects = [one.option.subject for one in found]
    if filler.named in subjects:
        return True
    linked = _joining(subjects, filler.named)
    if not linked:
        return False
    before = [one.span.end for one in subjects if one.span.end <= filler.span.start]
    if any(_OF.fullmatch(sentence.text[end : filler.span.start]) for end in before):
        return True
    meant = [option for options in asked_of.values() for option in options if option.record.id in linked]
    return any(option.likeness >= _LINKED for option in meant)


def _joining(subjects: Sequence[Named], thing: Named) -> set[str]:
    """The properties whose value the thing is for one of the subjects."""
    return {
        one.predicate.id
        for subject in subjects
        for one in subject.profile.statements
        if isinstance(one.object, Node) and one.object.id == thing.profile.entity.id
    }
