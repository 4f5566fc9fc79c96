"""What a sentence tells by a denial up to a time: that it happened then."""

from __future__ import annotations

import re

from guardrail.language.lists import word_list
from guardrail.rules import rule

__all__ = ["happened"]

_TIME = r"until (?P<time>(?!after\b|at\b)(?:\w+,? ){0,3}\d{4})\b"
# One thing that happens, and no other beside it whose time is another one.
_ONE = r"(?: (?!(?:and|but|or|nor|who|which|that|when|until)\b|\d{4}\b)[\w'’%-]+)"
_CLEFT = re.compile(rf"^It was(?: not|n['’]t) {_TIME} that(?P<what>{_ONE}+)(?P<end>[.!]?\s*)$", re.IGNORECASE)
# What lasts until a time has been so before: "did not last until 1964".
_LASTING = "|".join(sorted(word_list("enduring")))
_DENIED = re.compile(
    rf"\b(?P<verb>did(?=(?: not|n['’]t) (?!(?:{_LASTING})\b))|(?:was|were)(?=(?: not|n['’]t) \w+ed\b))"
    rf"(?: not|n['’]t)(?P<what>{_ONE}{{1,6}}) {_TIME}",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?,? ")


@rule("denied-until", passes=0)
def happened(text: str) -> str:
    """A sentence that denies something until a time, as one that says that it happened then.

    "It was not until 1964 that the pool opened" → "the pool opened in 1964"; "It did not open until May 1964" → "It did open in May 1964".
    """
    cleft = _CLEFT.match(text)
    if cleft is not None:
        what = cleft["what"].lstrip()
        return f"{what[:1].upper()}{what[1:]} {_at(cleft['time'])}{cleft['end']}"
    return _DENIED.sub(lambda found: f"{found['verb']}{found['what']} {_at(found['time'])}", text)


def _at(time: str) -> str:
    return f"{'on' if _DAY.search(time) else 'in'} {time}"
