"""Finding entities by a name that somebody types: the whole name, its beginning, or words inside it."""

from __future__ import annotations

from guardrail.evidence import names
from guardrail.evidence.store.database import Database

__all__ = ["found_by_name"]

_BY_NAME = (
    "SELECT entity, MAX(popularity) AS known FROM {} JOIN entity ON n = entity WHERE {} "
    "GROUP BY entity ORDER BY known DESC, entity LIMIT ?"
)
_MOST_NAMES = 2_000_000
"""Names that are looked through for a word inside them, which no index leads to: about a second."""
_SOME_NAMES = f"(SELECT key, entity FROM alias LIMIT {_MOST_NAMES}) AS named"


def found_by_name(database: Database, text: str, limit: int) -> list[int]:
    """Row numbers of the entities of this name, of those whose name begins with it, and of those in whose name a word does;
    in each group the best known first.
    """
    wanted = names.key(text)
    if not wanted:
        return []
    ways: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("alias", "key = ?", (wanted,)),
        ("alias", "key >= ? AND key < ?", (wanted + " ", wanted + "!")),  # the sign after the space
        ("alias", "key >= ? AND key < ?", (wanted, wanted + "\U0010ffff")),
        (_SOME_NAMES, "key LIKE ?", (f"% {wanted}%",)),  # a key holds letters and digits only
    )
    found: dict[int, None] = {}
    for table, condition, parameters in ways:
        if len(found) < limit:
            rows = database.rows(_BY_NAME.format(table, condition), (*parameters, limit))
            found |= dict.fromkeys(n for n, _ in rows)
    return list(found)[:limit]
