"""Answers that are a mere yes or no: "No." after "Is the lid waterproof?" states something, of which no word stands in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from guardrail.claims.answers.question import asked_last
from guardrail.language.lists import word_list

__all__ = ["YesOrNo", "asks_yes_or_no", "says_yes_or_no", "yes_or_no"]

_AUXILIARY = word_list("auxiliaries")
_PARTNERS = frozenset("you i we me us".split())  # "Can you help me?" asks for no fact
_SAID = re.compile(
    r"(?i)\W*(?:(?P<yes>yes|yep|yeah|correct|right|true|indeed|certainly|absolutely|definitely(?! not))"
    r"|(?P<no>no|nope|(?:certainly|absolutely|definitely) not))\b"
    r"(?:\W+(?:of course|certainly|absolutely|definitely|sure|indeed|correct|not at all|that['’]?s (?:right|correct|true)))?"
    r"(?:\W+(?:it|he|she|they|this|that|there|you|we|i) \w+(?:n['’]t| not)?(?=\W*$))?"
)
_TAG = re.compile(r"(?i), (?:right|correct|true|yes|no|\w+n['’]t \w+|\w+ (?:it|he|she|they))$")


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """`end`: where the yes or no ends in the text; `more` stands behind it, without the marks around it, from `at` on."""

    yes: bool
    more: str
    at: int


def yes_or_no(text: str) -> YesOrNo | None:
    """What a text says that begins with a yes or a no; None for any other text."""
    found = _SAID.match(text)
    if found is None:
        return None
    behind = text[found.end() :]
    at = found.end() + len(behind) - len(behind.lstrip(" ,;:.!–—-*_"))
    return YesOrNo(found["yes"] is not None, text[at:].rstrip(" .!*_\"'”’"), at)


def says_yes_or_no(text: str) -> bool:
    """Whether a text says yes or no and no more."""
    said = yes_or_no(text)
    return said is not None and not any(letter.isalnum() for letter in said.more)


def asks_yes_or_no(question: str) -> bool:
    """Whether the last sentence of a text asks for a yes or a no about some fact."""
    asked = asked_last(question)
    words = asked.lower().replace("’", "'").split()
    if len(words) < 3 or words[1] in _PARTNERS:
        return False
    return words[0].removesuffix("n't") in _AUXILIARY or _TAG.search(asked) is not None
