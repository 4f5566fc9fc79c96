"""Whether a name says of itself that it is a political party's: "Christian Democratic Party", "Liberal Democrats"."""

from __future__ import annotations

import re
from functools import lru_cache

from guardrail.values.demonyms import DEMONYMS

__all__ = ["party_by_name"]

_PARTY = re.compile(r"\b(?:Party|Parti|Partido|Partei|Partij|Partito|Partia)\b")
_MEMBERS = re.compile(
    r"\b(?:Democrats|Republicans|Conservatives|Liberals|Greens|Socialists|Communists|Tories|Whigs)$"
)
_CAUSES = frozenset(
    "democratic democrat republican liberal labour labor conservative socialist communist green national nationalist people's people "
    "peoples christian social workers workers' progressive unionist freedom justice reform independence independent united union "
    "left right centre center farmers farmers' peasant agrarian radical popular revolutionary federalist whig libertarian "
    "constitutional country action unity congress nazi fascist tory popolare popular moderate reformist pirate".split()
)


@lru_cache(maxsize=4096)
def party_by_name(name: str) -> bool:
    """True only where the words besides "Party" are those of a cause or a nation: a "Birthday Party" is none."""
    if _MEMBERS.search(name):
        return True
    words = {word.lower().strip(".,()’") for word in name.replace("-", " ").split()}
    return bool(_PARTY.search(name)) and any(word in _CAUSES or word in DEMONYMS for word in words)
