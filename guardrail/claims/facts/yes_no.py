"""Answers that are a mere yes or no: "No." after "Is the lid waterproof?" states something, of which no word stands in the text."""

from __future__ import annotations

import re

from guardrail.language.lists import word_list

__all__ = ["asks_yes_or_no", "says_yes_or_no"]

_AUXILIARY = word_list("auxiliaries")
_PARTNERS = frozenset("you i we me us".split())  # "Can you help me?" asks for no fact
_ANSWER = re.compile(
    r"(?i)\W*(?:yes|yep|yeah|no|nope|correct|right|true|indeed|(?:certainly|absolutely|definitely) not)\b"
    r"(?:\W+(?:of course|certainly|absolutely|definitely|sure|indeed|correct|not at all|that['’]?s (?:right|correct|true)))?"
    r"(?:\W+(?:it|he|she|they|this|that|there) \w+(?:n['’]t| not)?)?\W*"
)
_LAST = re.compile(r"[^.!?\n]+(?=\?[\s\"'”’)]*$)")
_TAG = re.compile(r"(?i), (?:right|correct|true|yes|no|\w+n['’]t \w+|\w+ (?:it|he|she|they))$")


def says_yes_or_no(text: str) -> bool:
    """Whether a text says yes or no and no more."""
    return _ANSWER.fullmatch(text) is not None


def asks_yes_or_no(question: str) -> bool:
    """Whether the last sentence of a text asks for a yes or a no about some fact."""
    match = _LAST.search(question)
    words = match.group().lower().replace("’", "'").split() if match else []
    if match is None or len(words) < 3 or words[1] in _PARTNERS:
        return False
    return words[0].removesuffix("n't") in _AUXILIARY or _TAG.search(match.group()) is not None
