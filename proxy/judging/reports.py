"""The reports of the latest answers, by id: `GET /guardrail/reports/{id}`.

Kept in memory up to a size, newest first to stay; the audit log is the place for everything older. `proxy.judging.shared_reports` keeps
them for several machines. A blocked answer's report
holds no word of it here either. An id is 96 random bits, so knowing it is the permission.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

LIMIT = 32 * 1024 * 1024


class Reports:
    """`limit`: bytes of JSON that are kept."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._size = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    @property
    def trouble(self) -> str:
        """Why they are not kept where they should be; empty when they are."""
        return ""

    def measures(self) -> Mapping[str, float]:
        """By metric name."""
        return {}

    async def keep(self, identifier: str, bodies: Sequence[bytes]) -> None:
        """`add`, and wherever else they are kept; nothing goes wrong for the caller."""
        self.add(identifier, bodies)

    async def elsewhere(self, identifier: str) -> bytes | None:
        """What another machine has made, as `get` gives it. Raises BadRequest where nobody can say."""
        return None

    async def close(self) -> None:
        """Ends what is connected."""

    def add(self, identifier: str, bodies: Sequence[bytes]) -> None:
        """The reports of one response, one for each choice, in order."""
        found = b'{"id":"%s","reports":[%s]}' % (identifier.encode(), b",".join(bodies))
        self._size += len(found) - len(self._kept.pop(identifier, b""))
        self._kept[identifier] = found
        while self._size > self._limit:
            self._size -= len(self._kept.popitem(last=False)[1])

    def get(self, identifier: str) -> bytes | None:
        """As JSON: {id, reports}; None when it is not, or no longer, there."""
        return self._kept.get(identifier)
