"""English words cut to a stem: a key by which words are compared, never to be shown.

    form_stem     the same for the forms of one word: "opens", "opened", "opening", "openly"
    family_stem   the same for a verb, for who does it, and for the deed: "directs", "director", "direction"
    light_stem    the word without its plural or possessive ending, and nothing more: "harbours", "harbour's"

All want a word in lower case. A verb of the lexicon has a key of its own (`claims.lexicon.words.verb_stem`), which knows irregular forms.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["family_stem", "form_stem", "light_stem"]

_FORMS = ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "ly", "es", "s")
_POSSESSIVE = re.compile(r"['’]s?$")
_IN_Y = re.compile(r"(.{3,}?)ie(?:[sd]|rs?)?")
"""Supplies, supplied, supplier; movie."""
_FAMILY = re.compile(
    r"(.{4,}?)(?:(?<!e)at(?:e[sd]?|ing|ors?|ions?)|ion(?:s|ed|ing|ers?)?|ings?|[eo]rs?|e[sd]?|s)?"
)


def form_stem(word: str) -> str:
    """What "opened", "opens" and "opening" have in common."""
    # "Director" is not "direct" here: passages are ranked by all their words, so a rare one must stay rare. The corpora that users
    # have on disk hold these stems: with others, they would find less until they are indexed again.
    if len(word) < 5 or not word.isascii() or not word.isalpha():
        return _of_four(word)
    ending = next((end for end in _FORMS if word.endswith(end) and len(word) - len(end) >= 3), "")
    if ending == "s" and word.endswith(("ss", "us", "is")):
        return word
    root = word.removesuffix(ending)
    if ending in ("ied", "ies"):
        return root + "y"
    return (_undoubled(root) if ending else root).removesuffix("e")


def _of_four(word: str) -> str:
    """Without the ending of a plural: "row" of "rows". A word of another length stays."""
    return word[:-1] if len(word) == 4 and word.endswith("s") and not word.endswith("ss") else word


def _undoubled(root: str) -> str:
    """What "planned" has of "plan"; "sell" of "selling" stays."""
    return root[:-1] if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz" else root


@lru_cache(maxsize=65536)
def family_stem(word: str) -> str:
    """What "directed", "director" and "directions" have in common."""
    # For the names of properties, which are named by any of the three. Short words stay whole: that "rides" is no form of "rid"
    # counts for more here than that "named" is one of "name".
    if in_y := _IN_Y.fullmatch(word):
        return in_y[1] + "y"
    found = _FAMILY.fullmatch(word)
    return found[1] if found else word


def light_stem(word: str) -> str:
    """What "harbour", "harbours" and "harbour's" have in common."""
    # For sentences that are compared word by word, where a stem of two words would find one that a sentence lacks; and the trees that
    # weigh such comparisons were trained with these.
    bare = _POSSESSIVE.sub("", word)
    if bare.endswith("ies") and len(bare) > 4:
        return f"{bare[:-3]}y"
    return bare[:-1] if bare.endswith("s") and len(bare) > 3 else bare
