"""A sentence without a value, beside a property that is yes or no, or a number that is none or more."""

from __future__ import annotations

import re

from guardrail.check.kg.aligned.alignment import Aligned, Asked
from guardrail.check.kg.aligned.fillers import Sentence
from guardrail.check.kg.aligned.fit import affirmed
from guardrail.check.kg.aligned.options import Option
from guardrail.check.kg.aligned.words import negations
from guardrail.types import Argument, Value

__all__ = ["yes_or_no"]

_LEAST, _DENIED, _MOST_SPARE = 0.6, 0.5, 2
_AGREES, _WRONG = 0.86, 0.82
_DIGIT = re.compile(r"\d")


def yes_or_no(sentence: Sentence, asked_of: Asked) -> Aligned | None:
    """What such a sentence says of the likeliest property of its subject; None where that is none of this kind, or not sure."""
    likeliest = (options[0] for options in asked_of.values() if options)
    return next((one for option in likeliest if (one := _answered(sentence, option)) is not None), None)


def _answered(sentence: Sentence, option: Option) -> Aligned | None:
    """What the sentence says of one property that is a yes or a no."""
    truth = _truth(option)
    if truth is None or not _meant(option):
        return None
    negative, counted = negations(sentence.text), _is_count(option)
    if counted and not _whether_any(sentence, option, truth=truth, denied=negative > 0):
        return None
    none = counted and not truth  # "takes no cars" of "car spaces: 0"
    if option.likeness < (_DENIED if none and negative else _LEAST):
        return None
    agrees = (truth is not _negative(option)) is (negative % 2 == 0)
    return _aligned(sentence, option, agrees=agrees)


def _meant(option: Option) -> bool:
    """Whether hardly a word of the sentence is about anything else."""
    return not option.narrowed and option.spare <= (_MOST_SPARE if option.whole else 1)


def _truth(option: Option) -> bool | None:
    """The one yes or no that is known; None where it is none, or both."""
    held = {affirmed(one.object) for one in option.statements}
    return held.pop() if len(held) == 1 else None


def _whether_any(sentence: Sentence, option: Option, *, truth: bool, denied: bool) -> bool:
    """Whether the sentence says of a count no more than that there are some or none."""
    if _DIGIT.search(sentence.replaced([one.span for one in sentence.named], {})):
        return False
    if truth:
        return option.whole and denied  # that there are some says nothing of how many
    return option.whole or denied


def _is_count(option: Option) -> bool:
    known = [one.object for one in option.statements]
    return any(isinstance(one, Value) and one.datatype == "quantity" for one in known)


def _negative(option: Option) -> bool:
    """Whether the name of the property is itself a denial: "not refundable"."""
    return negations(option.record.label) % 2 == 1


def _aligned(sentence: Sentence, option: Option, *, agrees: bool) -> Aligned:
    words = option.place.of(sentence.text) if option.place else sentence.text
    known = tuple(one.object for one in option.statements)
    claimed = Argument(words, option.place)
    if agrees:
        return Aligned("agree", option, claimed, known, option.statements, _AGREES)
    return Aligned("conflict", option, claimed, known, option.statements, _WRONG)
