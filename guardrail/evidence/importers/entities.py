"""How much an XML file grows when its entities are written out: a few lines may stand for more than fits into memory."""

from __future__ import annotations

import re
from collections import Counter
from math import inf

__all__ = ["growth"]

_DECLARED = re.compile(rb"""<!ENTITY\s+(?:%\s+)?([^\s"'>]+)\s+(?:"([^"]*)"|'([^']*)')""")
_USED = re.compile(rb"&(?!#|(?:lt|gt|amp|quot|apos);)([^\s;&]{1,200});")


def growth(raw: bytes) -> float:
    """Bytes that come of the entities that the file declares; infinite where one is made of others. O(n)."""
    declared = {name: one or other for name, one, other in _DECLARED.findall(raw)}
    if not declared:
        return 0
    if any(_USED.search(value) for value in declared.values()):
        return inf
    used = Counter(_USED.findall(raw))
    return sum(len(value) * used[name] for name, value in declared.items())
