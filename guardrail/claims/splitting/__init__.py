"""A sentence that was read to the stretches that claim something, each with its predicate.

`pieces` cuts at clauses that state facts of their own; clauses that decide when or whether another holds stay with it.
"""

from __future__ import annotations

from guardrail.claims.splitting.kinds import stated
from guardrail.claims.splitting.pieces import Piece, pieces

__all__ = ["Piece", "pieces", "stated"]
