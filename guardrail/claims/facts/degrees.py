"""Academic degrees: "holds a PhD in law from Ulm University and an MBA from Paris College" says where somebody studied."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.lexicon.relations import Frame, Lexicon
from guardrail.claims.reading.chunks import VG
from guardrail.claims.reading.clauses import Complement
from guardrail.claims.reading.degrees import is_degree
from guardrail.claims.reading.tokens import Token
from guardrail.rules import rule

__all__ = ["studied"]

_TAKING = frozenset(
    "hav hold receiv earn obtain complet get gain finish pursu tak do achiev acquir attain graduat award do finish".split()
)
_FROM = frozenset({"from", "at"})


@rule("degrees-in", silent=())
def studied(
    vg: VG, comps: Sequence[Complement], at: int, tokens: Sequence[Token], lexicon: Lexicon
) -> tuple[Frame, ...]:
    """The relations of the complement `at`, where a degree was said before it that one takes there."""
    if vg.stem not in _TAKING or comps[at].prep not in _FROM:
        return ()
    degrees = [
        np for comp in comps[:at] if comp.np is not None for np in comp.np.each() if is_degree(np, tokens)
    ]
    return lexicon.verbs.get(("active", "graduat", "from"), ()) if degrees else ()
