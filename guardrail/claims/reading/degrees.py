"""Which words are academic degrees: "PhD", "an MBA", "a law degree", "a Bachelor of Arts"."""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.tokens import Token

__all__ = ["abbreviated", "is_degree"]

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


def is_degree(np: NP, tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase is a degree: "a law degree", "an MBA", "a Bachelor of Arts"."""
    words = [token.low for token in tokens[np.first : np.last + 1]]
    short = any(abbreviated(token.text) for token in tokens[np.first : np.last + 1])
    return short or bool(_NOUNS & set(words)) or (bool(np.of) and bool(_TITLES & set(words)))


def abbreviated(word: str) -> bool:
    """A degree by its letters: "PhD", "B.A."; a word in small letters is none."""
    return sum(letter.isupper() for letter in word) > 1 and word.lower().replace(".", "") in _DEGREES
