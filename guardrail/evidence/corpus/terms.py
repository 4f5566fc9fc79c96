"""What a text is searched by: its content words, folded and cut to a stem, in order.

The stem only has to be the same for the forms of one word ("opened", "opens", "opening"); it is never shown.
"""

from __future__ import annotations

import re
from functools import lru_cache

from guardrail.evidence.names import fold
from guardrail.language.lists import word_list
from guardrail.language.stems import form_stem

__all__ = ["EMPTY", "terms"]

_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LONGEST = 64  # characters; a longer "word" is an address or a key and is cut

EMPTY = word_list("stop words")


def terms(text: str) -> list[str]:
    """The terms of `text` in order, repeated as often as they occur. O(n)."""
    found: list[str] = []
    for word in _WORD.findall(text):
        term = _term(word if len(word) <= _LONGEST else word[:_LONGEST])
        if not term:
            continue
        if term.isascii() or not _UNSPACED.search(term):
            found.append(term)
        else:
            found.extend(_characters(term))
    return found


@lru_cache(maxsize=200_000)
def _term(word: str) -> str:
    folded = fold(word).replace("’", "'")
    folded = (
        folded.removesuffix("'s").replace("'", "").replace(".", "") if not folded[0].isdigit() else folded
    )
    if folded in EMPTY or (len(folded) == 1 and folded.isascii() and not folded.isdigit()):
        return ""
    return form_stem(folded)


def _characters(term: str) -> list[str]:
    """Scripts without spaces are searched by pairs of characters."""
    return [term] if len(term) < 2 else [term[i : i + 2] for i in range(len(term) - 1)]
