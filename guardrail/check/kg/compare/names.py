"""Are these words that name? Comparing the words of a claim with a node of the graph.

A node is the same when the linker gave its id to the words, or when its label is the words themselves. It is near when one
name holds the other ("Boeing 737" and "Boeing 737 MAX", "Obama" and "Barack Obama"): too little to prove sameness, enough
to forbid a contradiction.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from guardrail.language.lists import word_list
from guardrail.rules import rule
from guardrail.types import Argument, Node
from guardrail.values.demonyms import DEMONYMS

__all__ = [
    "Likeness",
    "fold",
    "ids_of",
    "indefinite",
    "like_node",
    "like_words",
    "pronominal",
    "pronoun",
    "quantified",
    "speaking",
]

Likeness = Literal["same", "near", "other"]

_EVERYBODY = frozenset("nobody nothing everyone everybody anyone anybody anything".split())
_QUANTIFIED = _EVERYBODY | frozenset("noone none everything all each".split())
_INDEFINITE = _EVERYBODY | frozenset(
    "someone somebody something no one any some people others a person man woman else".split()
)
_PRONOUNS = word_list("personal pronouns") | frozenset("who whom whose which that this i we you".split())
_SPEAKING = frozenset("i we you".split())
# What begins a sentence with a capital and names nothing: "Not only Bill Gates founded Microsoft".
_NO_NAMES = frozenset(
    "not no only never both neither either all each every none most many some few several even also".split()
)
# "Morvanian" beside "Morvania": no proof that they are one, but no contradiction either.
_DEMONYM = re.compile(r"(?:ish|ian|ean|an|ese|ch|i|ic)$")
_STEM = 4  # letters that an adjective shares with the name that it is made of
_BEHIND = re.compile(r"\w\s+(?:of|in|at|for|from|on|by|to|with)\s", re.IGNORECASE)
_COMPOUND = re.compile(r"[-–][^\W\d_]")
_EMPTY = frozenset("the a an of and in de la le du der von van for at on to".split())
_SERIES = re.compile(
    r"^(?:the\s+)?(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth)\s+(?=\w+ )", re.IGNORECASE
)
_SUFFIX = re.compile(r"(?<=\w)['’]s?\b")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Lower case, without accents, punctuation, a leading article or a possessive."""
    plain = unicodedata.normalize("NFKD", _SUFFIX.sub("", text))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    words = re.findall(r"[^\W_]+", plain)
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words)


def ids_of(argument: Argument) -> tuple[str, ...]:
    """The ids that the linker gave to the argument as a whole, best first.

    "president of the United States" is not the United States, nor is "Austria-Hungary" Austria: what stands behind a
    preposition or before a hyphen is no head.
    """
    mention = argument.mention
    if mention is None:
        return ()
    before, _, after = argument.text.partition(mention.text)
    if _BEHIND.search(before) or _COMPOUND.match(after):
        return ()
    return tuple(candidate.entity.id for candidate in mention.candidates)


def indefinite(argument: Argument) -> bool:
    """Whether the argument names nobody in particular: "anyone", "someone significant"."""
    if argument.value is not None:
        return False  # "one hundred", "some 300 people"
    words = fold(argument.text).split()
    return bool(words) and words[0] in _INDEFINITE and not ids_of(argument)


def quantified(argument: Argument) -> bool:
    """Whether the argument is everybody or nobody: of one who is known it says nothing."""
    words = argument.text.casefold().replace("-", "").split()
    return argument.mention is None and bool(words) and words[0] in _QUANTIFIED


def pronoun(argument: Argument) -> bool:
    """Whether the argument is a pronoun for which no antecedent was found."""
    return argument.mention is None and argument.text.casefold() in _PRONOUNS


def speaking(argument: Argument) -> bool:
    """Whether the argument is who writes or who reads: "we launched it". Nobody need look for whom that means."""
    return argument.mention is None and argument.text.casefold() in _SPEAKING


def pronominal(argument: Argument) -> bool:
    """Whether the argument is a pronoun, whatever it was taken for, or another word that is no name."""
    return argument.text.casefold() in _PRONOUNS | _NO_NAMES


def like_node(argument: Argument, node: Node) -> Likeness:
    """Whether `argument` names `node`."""
    if node.id and node.id in ids_of(argument):
        return "same"
    mention = argument.mention
    # "44th president of …" names the office; which one of the series it was is looked at apart.
    words = [argument.text, _SERIES.sub("", argument.text), *([mention.text] if mention else [])]
    if not node.id and mention:  # a node given in words: any label of a reading may be meant
        words += [candidate.entity.label for candidate in mention.candidates]
    found = {like_words(text, node.label) for text in words}
    if "same" in found:
        return "same"
    # Another node of nearly the same name: Italy and the Kingdom of Italy do not exclude each other.
    readings = [candidate.entity.label for candidate in mention.candidates] if mention else []
    found |= {like_words(label, node.label) for label in readings}
    return "other" if found == {"other"} else "near"


def like_words(left: str, right: str) -> Likeness:
    """Whether two names are one: equal but for case, accents and articles; an acronym; one within the other."""
    a, b = fold(left), fold(right)
    if not a or not b:
        return "other"
    if a.replace(" the ", " ") == b.replace(" the ", " ") or a.replace(" ", "") == b.replace(" ", ""):
        return "same"
    if _acronym(left, right) or _acronym(right, left):
        return "same"
    return "near" if _near(a, b) else "other"


def _near(a: str, b: str) -> bool:
    """Whether one folded name is within the other, has its first and last words, or is an adjective of it."""
    shorter, longer = sorted((a.split(), b.split()), key=len)
    solid = any(word not in _EMPTY for word in shorter)
    if solid and any(longer[i : i + len(shorter)] == shorter for i in range(len(longer) - len(shorter) + 1)):
        return True
    if len(shorter) >= 2 and (shorter[0], shorter[-1]) == (longer[0], longer[-1]):
        return True
    return len(shorter) == len(longer) == 1 and (_derived(a, b) or _derived(b, a))


@rule("adjective-of-a-name", silent=False)
def _derived(adjective: str, name: str) -> bool:
    """Whether an adjective stands for a name: "Irish" for "Ireland", "Morvanian" for "Morvania", and not "Iran" for "Iraq"."""
    _, country = DEMONYMS.get(adjective, ("", ""))
    made = adjective.startswith(name[:_STEM]) and _DEMONYM.search(adjective) is not None
    return adjective != name and (fold(country) == name or made)


@rule("acronym-of-a-name", silent=False)
def _acronym(short: str, full: str) -> bool:
    """Whether a word has the first letters of a name's words."""
    letters = re.sub(r"[.\s]", "", short)
    if not 2 <= len(letters) <= 6 or not letters.isupper():
        return False
    words = [word for word in re.findall(r"[^\W_]+", full) if word.casefold() not in _EMPTY]
    return "".join(word[0] for word in words).upper() == letters
