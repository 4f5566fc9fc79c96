"""Sums whose currency stands in a property of its own, as in "price: 145, price currency: GBP", get it as their unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import orjson

from guardrail.evidence.properties.words import said
from guardrail.evidence.store.codec import pack_value, unpack_value
from guardrail.evidence.store.database import Cursor
from guardrail.values.units import Unit, unit_named

__all__ = ["add_currencies"]

_NAME = "currency"
_AT_ONCE = 20_000
_SUMS = (
    "SELECT sum.s, sum.p, sum.k, sum.value, told.value, entity.label FROM statement AS told"
    " JOIN statement AS sum ON sum.s = told.s AND sum.p IN ANY_INT(?) AND sum.value IS NOT NULL"
    " LEFT JOIN entity ON entity.n = told.o WHERE told.p = ? AND told.s > ? ORDER BY told.s LIMIT ?"
)


def add_currencies(cursor: Cursor) -> None:
    """Rewrites bare sums in place; doing it twice changes nothing."""
    rows = cursor.rows("SELECT n, label, datatype FROM property")
    sums = [(n, label.casefold()) for n, label, datatype in rows if datatype == "quantity"]
    for n, label, _ in rows:
        of, _, last = label.casefold().rpartition(" ")
        if last != _NAME:
            continue
        # "price currency" is that of the price, a bare "currency" that of all that is money by its name
        paid = [p for p, name in sums if (name == of if of else said(name).money)]
        if paid:
            _rewrite(cursor, n, paid)


def _rewrite(cursor: Cursor, currency: int, paid: Sequence[int]) -> None:
    after = -1
    while rows := cursor.rows(_SUMS, (list(paid), currency, after, _AT_ONCE)):
        after = rows[-1][0] if len(rows) < _AT_ONCE or rows[0][0] == rows[-1][0] else rows[-1][0] - 1
        changed = []
        for s, p, k, text, told, label in rows:
            unit = _money(label or (orjson.loads(told)[1] if told else ""))
            value = unpack_value(text, {})
            if unit is not None and value.datatype == "quantity" and value.unit is None:
                shown = f"{value.label} {unit.label(value.value)}"
                changed.append((pack_value(replace(value, unit=unit.node, label=shown)), s, p, k))
        cursor.many("UPDATE statement SET value = ? WHERE s = ? AND p = ? AND k = ?", changed)


def _money(text: str) -> Unit | None:
    """The unit that a code, a sign or a name of a currency is; None for any other text."""
    found = unit_named(text.strip())
    return found if found is not None and found.dimension.isupper() else None
