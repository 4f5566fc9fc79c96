"""The properties of a graph in memory, as long as its version is the same."""

from __future__ import annotations

import time

from guardrail.evidence.store.database import Database
from guardrail.evidence.store.property_record import SELECT_MORE
from guardrail.evidence.store.rows import SELECT_PROPERTY, PropertyTable
from guardrail.types import Property

_LAG = 0.05
"""Seconds for which the table of properties is not looked at anew."""
_VERSION = "SELECT i.value || '.' || v.value FROM meta i, meta v WHERE i.key = 'id' AND v.key = 'version'"


def version_of(database: Database) -> str:
    """The id of the file and the number of its last batch, with a dot between."""
    version: str = database.rows(_VERSION)[0][0]
    return version


class PropertyMemory:
    """What is missing in a table is looked for in a fresh one; a flag may lag by `_LAG` seconds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._table: PropertyTable | None = None
        self._checked = 0.0

    def of_id(self, property_id: str) -> Property | None:
        return self.table().by_id.get(property_id) or self.table(fresh=True).by_id.get(property_id)

    def of_number(self, number: int) -> Property:
        return self.table().by_number.get(number) or self.table(fresh=True).by_number[number]

    def number(self, property_id: str) -> int | None:
        return self.table().numbers.get(property_id) or self.table(fresh=True).numbers.get(property_id)

    def forget(self) -> None:
        """After a batch that was written here."""
        self._table = None

    def table(self, *, fresh: bool = False) -> PropertyTable:
        """All properties."""
        now = time.monotonic()
        table = self._table
        if table is not None and not fresh and now < self._checked + _LAG:
            return table
        version = version_of(self._database)
        if table is None or table.version != version:
            table = self._table = PropertyTable.of(
                version, self._database.rows(SELECT_PROPERTY), self._database.rows(SELECT_MORE)
            )
        self._checked = now
        return table
