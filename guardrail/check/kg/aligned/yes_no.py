"""A sentence without a value, beside a property that is yes or no, or a number that is none or more."""

from __future__ import annotations

import re

from guardrail.check.kg.aligned.alignment import Aligned, Asked
from guardrail.check.kg.aligned.fillers import ClaimSentence
from guardrail.check.kg.aligned.fit import affirmed
from guardrail.check.kg.aligned.options import Option
from guardrail.check.kg.aligned.words import akin, content, denied_by_name, negations, words_of
from guardrail.rules import rule
from guardrail.types import Argument, Object, Value
from guardrail.values.cells import says_none

__all__ = ["may_answer", "yes_or_no"]

_LEAST, _DENIED, _CLEAR, _MOST_SPARE = 0.6, 0.5, 0.7, 2
_AGREES, _WRONG = 0.86, 0.82
_DIGIT = re.compile(r"\d")
_ZERO = re.compile(r"0+(?:\.0+)?")
_NO = re.compile(
    r"\b(?:no|without(?: any| an?)?|lacks?(?: an?)?|(?:not|n['’]t) (?:have|need|pay|charge|offer|require)(?: any| an?)?) $",
    re.IGNORECASE,
)


@rule("yes-or-no")
def yes_or_no(sentence: ClaimSentence, asked_of: Asked) -> Aligned | None:
    """What such a sentence says of the likeliest property of its subject; None where that is none of this kind, or not sure."""
    likeliest = (options[0] for options in asked_of.values() if options)
    return next((one for option in likeliest if (one := _answered(sentence, option)) is not None), None)


def may_answer(known: Object, sentence: ClaimSentence) -> bool:
    """Whether a sentence without a value may say a known yes or no; of what is more than none it can only say that there is none."""
    return not _tells_which(known) or not _is_any(known) or negations(sentence.text) > 0


def _answered(sentence: ClaimSentence, option: Option) -> Aligned | None:
    """What the sentence says of one property that is a yes or a no."""
    truth = _truth(option)
    if truth is None or not _meant(option):
        return None
    negative, counted = negations(sentence.text), _is_amount(option)
    if counted and not _whether_any(sentence, option, truth=truth, denied=negative > 0):
        return None
    none = counted and not truth  # "takes no cars" of "car spaces: 0"
    if option.likeness < (_DENIED if none and negative else _LEAST):
        return None
    agrees = (truth is not _negative(option)) is (negative % 2 == 0)
    return _aligned(sentence, option, agrees=agrees)


def _meant(option: Option) -> bool:
    """Whether hardly a word of the sentence is about anything else."""
    clear = option.whole or option.likeness >= _CLEAR
    return not option.narrowed and option.spare <= (_MOST_SPARE if clear else 0)


def _truth(option: Option) -> bool | None:
    """The one yes or no that is known, or whether there is any at all; None where both are."""
    held = {_is_any(one.object) for one in option.statements}
    return held.pop() if len(held) == 1 else None


def _is_any(known: Object) -> bool:
    """Whether a value is more than none: "yes", 3, £5, somebody."""
    answer = affirmed(known)
    if answer is not None:
        return answer
    if isinstance(known, Value) and known.datatype == "quantity":
        return _ZERO.fullmatch(known.value) is None
    return not says_none(known.label)


@rule("any-of-a-count", silent=False)
def _whether_any(sentence: ClaimSentence, option: Option, *, truth: bool, denied: bool) -> bool:
    """Whether the sentence says of an amount no more than that there is some or none."""
    if _DIGIT.search(sentence.replaced([one.span for one in sentence.named], {})):
        return False
    if truth:
        return denied and _without(sentence, option)  # that there is some says nothing of how much
    return option.whole or denied


def _without(sentence: ClaimSentence, option: Option) -> bool:
    """Whether just what the property names is denied: "no joining fee"."""
    if option.place is None or _NO.search(sentence.text, 0, option.place.start) is None:
        return False
    words = words_of(option.place.of(sentence.text))
    return all(any(akin(name, word.key) for word in words) for name in content(option.record.label))


def _is_amount(option: Option) -> bool:
    """Whether it is known how much or what, and not only whether."""
    return any(_tells_which(one.object) for one in option.statements)


def _tells_which(known: Object) -> bool:
    """Whether a value is more than a yes or a no."""
    return affirmed(known) is None or (isinstance(known, Value) and known.datatype == "quantity")


def _negative(option: Option) -> bool:
    """Whether the name of the property is itself a denial: "not refundable"."""
    return denied_by_name(option.record.label)


def _aligned(sentence: ClaimSentence, option: Option, *, agrees: bool) -> Aligned:
    words = option.place.of(sentence.text) if option.place else sentence.text
    known = tuple(one.object for one in option.statements)
    claimed = Argument(words, option.place)
    if agrees:
        return Aligned("agree", option, claimed, known, option.statements, _AGREES)
    return Aligned("conflict", option, claimed, known, option.statements, _WRONG)
