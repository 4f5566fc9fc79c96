"""A sentence without a value, beside a property that is yes or no, or a number that is none or more."""

from __future__ import annotations

import re

from guardrail.check.kg.aligned.fillers import Sentence
from guardrail.check.kg.aligned.fit import affirmed
from guardrail.check.kg.aligned.found import Aligned, Asked
from guardrail.check.kg.aligned.words import negations
from guardrail.types import Argument, Value

__all__ = ["yes_or_no"]

_LEAST, _DENIED, _MOST_SPARE = 0.6, 0.5, 2
_AGREES, _WRONG = 0.86, 0.82
_DIGIT = re.compile(r"\d")


def yes_or_no(sentence: Sentence, asked_of: Asked) -> Aligned | None:
    """What such a sentence says of the likeliest property of its subject; None where that is none of this kind, or not sure."""
    for options in asked_of.values():
        if not options:
            continue
        option = options[0]
        held = {affirmed(one.object) for one in option.statements}
        counted = any(
            isinstance(t.object, Value) and t.object.datatype == "quantity" for t in option.statements
        )
        # "takes no cars" of "car spaces: 0"
        denied = counted and True not in held and negations(sentence.text) > 0
        if counted and (
            _DIGIT.search(sentence.replaced([one.span for one in sentence.named], {}))
            or not (option.whole or denied)
        ):
            continue
        if counted and True in held and not negations(sentence.text):
            continue  # how many there are is not said
        if len(held) != 1 or None in held or option.narrowed or option.spare > _MOST_SPARE:
            continue
        if option.likeness < (_DENIED if denied else _LEAST) or not (option.whole or option.spare <= 1):
            continue
        truth = held.pop() is not (negations(option.record.label) % 2 == 1)
        claims = negations(sentence.text) % 2 == 0
        words = option.place.of(sentence.text) if option.place else sentence.text
        return Aligned(
            "agree" if truth is claims else "conflict",
            option,
            Argument(words, option.place),
            tuple(one.object for one in option.statements),
            option.statements,
            _AGREES if truth is claims else _WRONG,
        )
    return None
