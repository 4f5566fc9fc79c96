"""Nouns of people that say where somebody works: "vice-president of Apple", "editor-in-chief at the Gazette"."""

from __future__ import annotations

import re

from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.lexicon.relations import Frame
from guardrail.language.lists import word_list
from guardrail.ontology import ids

__all__ = ["HOLDING", "POSITIONS", "field_of", "post_at"]

POSITIONS = word_list("positions")
HOLDING = (
    Frame(ids("member of political party")[0], False, frozenset({"person"}), frozenset({"party"}), 0),
    Frame(ids("employer")[0], False, frozenset({"person"}), frozenset({"org"}), 1),
)
"""Who holds a post is of the party, or employed by the body."""
# Who is at a place without working there.
_GUESTS = frozenset(
    "guest patient prisoner inmate resident visitor star survivor winner champion medalist medallist competitor participant victim "
    "pupil student graduate alumnus undergraduate boarder finalist runner player".split()
)
# Posts in a body that "of", "for" and "with" tell, too.
_POSTS = word_list("posts")
_TAUGHT = frozenset("professor chair lecturer reader teacher instructor fellow".split())
_TEACHING = re.compile(
    r"\b(?:Univ|Colleg|Coll[eè]ge|School|Institut|Academ|Ecole|École|Faculty|Department|Hochschule|Conservator|Hospital|MIT$)"
)
_NO_BODIES = frozenset({"place", "country", "person", "work", "event", "award", "date", "quantity", "class"})


def post_at(noun: str, prep: str, around: frozenset[str]) -> bool:
    """Whether "a `noun` `prep` X" tells that somebody works for X. `around`: what X can be, empty where that is unknown.

    `noun` may be of several words joined by hyphens.
    """
    parts = [noun, *noun.split("-")]
    if prep == "at":
        return noun not in _GUESTS and any(
            part in POSITIONS or load_kinds().noun(part) == "person" for part in parts
        )
    if prep not in ("of", "for", "with") or (around & _NO_BODIES and "org" not in around):
        return False
    return any(part in _POSTS for part in parts)


def field_of(noun: str, prep: str, name: str, around: frozenset[str]) -> bool:
    """Whether X in "a `noun` `prep` X" is what is taught there, and no body: "professor of history".

    `around`: what the graph knows of `name`; what a name only seems to be is no reason to take "Botany" for a body.
    """
    body = "org" in around or _TEACHING.search(name) is not None
    return noun.rsplit(" ", 1)[-1] in _TAUGHT and prep in ("of", "in") and not body
