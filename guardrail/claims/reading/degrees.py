"""Academic degrees: "holds a PhD in law from Ulm University and an MBA from Paris College" says where somebody studied."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.lexicon.relations import Frame, Lexicon
from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Complement
from guardrail.claims.reading.tokens import Token
from guardrail.rules import rule

__all__ = ["abbreviated", "is_degree", "studied"]

_DEGREES = frozenset(
    "phd mba ba bsc msc ma bs ms llb llm jd md dphil edd mphil bfa mfa mph mpa beng meng btech mtech bcom mcom bed med dsc scd bba dds "
    "ab am ed.d sb sm".split()
)
"""Abbreviations without their dots, in lower case."""
_NOUNS = frozenset(
    "degree degrees diploma doctorate doctorates bachelor bachelors bachelor's master masters master's baccalaureate licentiate "
    "undergraduate postgraduate schooling".split()
)
_TITLES = frozenset({"bachelor", "master", "doctor", "doctorate", "juris"})
_TAKING = frozenset(
    "hav hold receiv earn obtain complet get gain finish pursu tak do achiev acquir attain graduat award do finish".split()
)
_FROM = frozenset({"from", "at"})


def is_degree(np: NP, tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase is a degree: "a law degree", "an MBA", "a Bachelor of Arts"."""
    words = [token.low for token in tokens[np.first : np.last + 1]]
    short = any(abbreviated(token.text) for token in tokens[np.first : np.last + 1])
    return short or bool(_NOUNS & set(words)) or (bool(np.of) and bool(_TITLES & set(words)))


def abbreviated(word: str) -> bool:
    """A degree by its letters: "PhD", "B.A."; a word in small letters is none."""
    return sum(letter.isupper() for letter in word) > 1 and word.lower().replace(".", "") in _DEGREES


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
