"""Which property a value of a sentence is told of, and how surely: by its words, by its kind, and by how likely the others are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guardrail.check.kg.aligned.fillers import Filler
from guardrail.check.kg.aligned.fit import Match, counts, family
from guardrail.check.kg.aligned.options import Option
from guardrail.check.kg.aligned.words import content
from guardrail.types import Triplet

__all__ = ["REFUTE", "Fitting", "chosen", "is_surely_told", "is_told", "same"]

# Measured on statements about graphs that were made for it, with the property that is meant left in and taken out.
SUPPORT, SUPPORT_COUNT, REFUTE, MARGIN, ALONE = 0.45, 0.5, 0.55, 0.08, 0.3
_PHRASE, _OUTRIGHT = 0.33, 0.75
_SPARE = 0.05  # so much likelier for each word that has nothing to do with it
_UNCLEAR = 0.25  # so much likelier a property is in sentences that mean another one
_MOST_SPARE = 4
_MONTH = 10  # a precision, as Wikidata numbers them
_TELLING = 3
"""Digits of a number that no other property of the same thing has by chance."""
_DIGIT = re.compile(r"\d")
_GENERIC = frozenset({"count", "date", "name", "code"})
"""Kinds of values of which a sentence may tell many that a graph does not have."""
Fitting = tuple[Option, list[tuple[Match, Triplet]]]
"""A property, and how each of its statements compares with a value."""


def chosen(filler: Filler, fitting: Sequence[Fitting]) -> Fitting | None:
    """The property that is meant; None where that is not clear."""
    return _told_by_name(filler, fitting) or _likeliest(fitting)


def is_told(filler: Filler, option: Option, fitting: Sequence[Fitting]) -> bool:
    """Whether a known value is told of this property."""
    return _likelier(fitting, option) or _likely(filler, option, _alone(filler, fitting))


def _likelier(fitting: Sequence[Fitting], option: Option) -> bool:
    """Whether a property of which a known value is told is much likelier than the others of which it could be one.

    Of sentences that do not say the name of their property this tells more than how likely it is by itself.
    """
    first = len(fitting) > 1 and option is fitting[0][0]
    return first and _margin(fitting) >= MARGIN and option.likeness >= ALONE


def _likely(filler: Filler, option: Option, alone: bool) -> bool:
    """Whether a value that is known is told of this property."""
    if option.whole:
        return True
    if filler.phrase:
        sole = filler.of == {option.record.id} and not _besides(filler, option)
        return sole or (option.likeness >= _PHRASE and option.spare <= 1)
    return (alone and _clear_by_itself(filler, option)) or option.likeness >= _needed(filler, option, alone)


def _clear_by_itself(filler: Filler, option: Option) -> bool:
    """Whether a value that can be told of one property only is hardly the known one by chance."""
    if filler.named is not None:
        return option.spare <= 1 and option.likeness >= ALONE + 2 * _SPARE * option.spare
    if option.likeness >= ALONE:
        return not _generic(filler, option) or _exact_date(filler)
    return not option.spare and not _generic(filler, option)


def _needed(filler: Filler, option: Option, alone: bool) -> float:
    """How likely a property must be for a known value to be told of it."""
    if family(filler) != "count" or counts(filler, option.record):
        return SUPPORT + _SPARE * option.spare
    if alone and option.spare <= 1 and len(_DIGIT.findall(filler.argument.text)) >= _TELLING:
        return ALONE if option.spare else 0.0
    return SUPPORT_COUNT


def _generic(filler: Filler, option: Option) -> bool:
    """Whether sentences tell many such values that a graph does not have.

    No such value is a name that the graph has, nor a number of what the property counts: "five bikes" of "number of bikes".
    """
    of = filler.named.profile.object_of if filler.named is not None else frozenset()
    return family(filler) in _GENERIC and not of and not counts(filler, option.record)


def _exact_date(filler: Filler) -> bool:
    """Whether it is a date by the month or the day, which is not the known one by chance."""
    value = filler.argument.value
    return value is not None and value.datatype == "date" and (value.precision or 0) >= _MONTH


def is_surely_told(filler: Filler, option: Option, fitting: Sequence[Fitting]) -> bool:
    """Whether a value that is not known is told of this property and of no other."""
    if _of_another(option, fitting):
        return False
    return _surely(filler, option, _alone(filler, fitting), _margin(fitting))


def _surely(filler: Filler, option: Option, alone: bool, margin: float) -> bool:
    """Whether a value that is not known is told of this property and of nothing else."""
    if filler.phrase:
        return filler.of == {option.record.id} and (option.whole or not _besides(filler, option))
    if filler.days:
        return option.spare <= 1 and alone
    if option.spare > _MOST_SPARE:
        return False
    return option.whole or _outweighs(filler, option, alone, margin)


def _outweighs(filler: Filler, option: Option, alone: bool, margin: float) -> bool:
    """Whether a property whose name is not said is much likelier to be meant than all others."""
    generic, spare = _generic(filler, option), option.spare
    if alone and not generic and spare <= 2:
        return not spare or option.likeness >= ALONE + 2 * _SPARE * spare
    clear = _OUTRIGHT if generic and spare else REFUTE if generic or spare else SUPPORT
    return option.likeness >= clear and margin >= MARGIN


def _of_another(option: Option, fitting: Sequence[Fitting]) -> bool:
    """Whether it is the value of another property that is hardly less likely to be meant."""
    return any(
        other.likeness >= option.likeness - _UNCLEAR and same(pairs)
        for other, pairs in fitting
        if other is not option
    )


def _alone(filler: Filler, fitting: Sequence[Fitting]) -> bool:
    """Whether a value can be told of one property only: by its kind, or because it is a value of that one elsewhere."""
    by_name = _told_by_name(filler, fitting) is not None
    return by_name or (len(fitting) == 1 and not filler.says_no_value)


def _told_by_name(filler: Filler, fitting: Sequence[Fitting]) -> Fitting | None:
    """The property of which alone a name is a value, where it is the likeliest, or the words say of none which is meant."""
    for at, one in enumerate(fitting):
        if _value_of(filler, one[0]):
            return one if at == 0 or not one[0].spare else None
    return None


def _value_of(filler: Filler, option: Option) -> bool:
    """Whether the graph has a name as a value of one property alone: "Ground floor" of "where"."""
    return filler.named is not None and filler.named.profile.object_of == {option.record.id}


def _likeliest(fitting: Sequence[Fitting]) -> Fitting | None:
    """The likeliest property, or the one close behind it that has the value; None where neither has it and they are as near."""
    if same(fitting[0][1]) or _margin(fitting) >= MARGIN:
        return fitting[0]
    return next((one for one in fitting[1:2] if same(one[1])), None)


def same(matches: Sequence[tuple[Match, Triplet]]) -> list[Triplet]:
    """The statements that have the value."""
    return [triplet for m, triplet in matches if m == "same"]


def _margin(fitting: Sequence[Fitting]) -> float:
    """How much likelier the first property is than the next."""
    return 1.0 if len(fitting) == 1 else fitting[0][0].likeness - fitting[1][0].likeness


def _besides(filler: Filler, option: Option) -> int:
    """How many words of the sentence have nothing to do with the property or the text that it takes."""
    return max(0, option.spare - len(content(filler.argument.text)))
