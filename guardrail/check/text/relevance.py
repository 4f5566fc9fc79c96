"""What passages cannot decide: claims that the speaker doubts, and claims that a window only seems to speak of."""

from __future__ import annotations

import re
from functools import cache

from guardrail.check.kg.compare.containment import names_wider_place
from guardrail.check.text.compare.exact import lacking
from guardrail.check.text.windows import Window
from guardrail.rules import rule
from guardrail.types import Claim, Kind
from guardrail.values.demonyms import DEMONYMS

__all__ = ["doubted", "of_another", "within"]

_DOUBT = re.compile(
    r"\b(?:perhaps|maybe|possibly|probably|presumably|apparently|allegedly|supposedly|reportedly|arguably|rumou?red|rumou?rs?"
    r"|(?:may|might|could) (?:\w+ )?have (?:\w+ly )?(?:been|become|come|done|gone|had|held|led|made|met|won|\w+e[dn])"
    r"|might|seems?|appears? to|likely|believed|thought|(?:it is|is it) (?:said|possible)"
    r"|considered|claims?|idea|notion|theory|myth|misconception|story|legend|not (?:sure|certain))\b",
    re.IGNORECASE,
)


@rule("doubted", silent=False)
def doubted(claim: Claim) -> bool:
    """Whether the speaker himself leaves the claim open. What may or might be done is a rule and no doubt."""
    return claim.kind is Kind.HEDGED and _DOUBT.search(claim.text) is not None


def of_another(claim: Claim, window: Window) -> bool:
    """Whether what the window says otherwise refutes nothing."""
    return within(claim, window) or _elsewhere(claim, window)


@rule("more-exact-place", silent=False)
def within(claim: Claim, window: Window) -> bool:
    """Whether the window may only say more exactly where, for it names no country of its own."""
    said = window.text.casefold()
    return names_wider_place(claim, window.text) and not any(name in said for name in _countries())


@rule("evidence-elsewhere", silent=False)
def _elsewhere(claim: Claim, window: Window) -> bool:
    """Whether the window lacks more than one of the claim's names and values, and so speaks of something else."""
    return len(set(lacking(claim.text, window.whole, window.head))) > 1


@cache
def _countries() -> frozenset[str]:
    return frozenset(label.casefold() for _, label in DEMONYMS.values())
