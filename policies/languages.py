"""The languages that a request accepts, and which of them a policy is for.

A request keeps them as one text, the most wanted first: `accepted("de;q=0.5, en-GB")` is "en-gb,de". Policies are matched as in
basic filtering of RFC 4647: `en` stands for en, en-GB and en-US, but `en-GB` not for en.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

__all__ = ["accepted", "speaks", "tags"]

_TAG = re.compile(r"[a-z]{1,8}(-[a-z0-9]{1,8})*")
_MOST = 10  # tags: browsers send half a dozen, and each is kept in the record


def accepted(header: str) -> str:
    """The tags of an Accept-Language header in order of their weights, with commas between them.

    `*` says nothing about a language, weight 0 that one is not wanted, and what is no tag is left out.
    """
    weighed = [_weighed(part) for part in header.lower().split(",")]
    wanted = sorted(
        (one for one in weighed if one[1] > 0 and _TAG.fullmatch(one[0])), key=lambda one: -one[1]
    )
    return ",".join(list(dict.fromkeys(tag for tag, _ in wanted))[:_MOST])


def _weighed(part: str) -> tuple[str, float]:
    """A tag and its weight: 1 where none is given, or none that is a number."""
    tag, _, given = part.partition(";")
    found = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", given)
    return tag.strip(), float(found[1]) if found else 1.0


def tags(language: str) -> tuple[str, ...]:
    """Those of a request, the most wanted first; one empty tag where it names none."""
    return tuple(language.split(","))


def speaks(language: str, pattern: str) -> bool:
    """Whether one of the request's tags is the pattern's language, or a kind of it."""
    wanted = pattern.lower()
    return any(fnmatchcase(tag, wanted) or fnmatchcase(tag, f"{wanted}-*") for tag in tags(language.lower()))
