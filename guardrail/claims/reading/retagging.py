"""Tags that the parser cannot know, or does not: names by the linker, nouns of office, words that bound a number, missed verbs."""

from __future__ import annotations

from functools import cache

from guardrail.claims.lexicon.relations import load_lexicon
from guardrail.claims.lexicon.words import verb_stem
from guardrail.claims.reading.tokens import Token
from guardrail.language.lists import word_list
from guardrail.values.demonyms import DEMONYMS, PEOPLE

__all__ = ["NOUN_TAGS", "ROLES", "ROLE_PARTS", "corrected", "is_role", "known_verbs"]

ROLES = word_list("roles")
"""Nouns of office that are nouns also in capital letters, unless the linker takes them into a name."""
ROLE_PARTS = frozenset(
    "vice executive managing founding prime chief general foreign deputy senior head assistant associate executive".split()
)
_DONE = frozenset(
    "founded formed established created released published built located based designed directed written".split()
)
_BOUNDS = [
    words.split()
    for words in (
        "no more than",
        "no less than",
        "no fewer than",
        "at least",
        "at most",
        "more than",
        "less than",
        "fewer than",
    )
]
_OF_PLACES = ("-born", "-based", "-raised", "-bred", "-educated", "-trained")
_LIKE_PREPOSITIONS = frozenset(
    {"including", "following", "regarding", "concerning", "excluding", "according"}
)
_BEING = word_list("be")
NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
_FINITE = ("VBD", "VBZ", "VBP", "MD")


def is_role(word: str) -> bool:
    """A noun of office or kin, or one made of such with hyphens: "vice-chairman", "editor-in-chief"."""
    return any(part in ROLES for part in (word, *word.split("-")))


def corrected(tokens: list[Token]) -> None:
    """Repairs tags that the parser cannot know or that it often misses."""
    _names(tokens)
    _words(tokens)
    _origins(tokens)
    _bounds(tokens)
    _find_verb(tokens)
    _formed(tokens)


def _names(tokens: list[Token]) -> None:
    """What the linker takes for a name is one, unless it is an adjective of nationality; no other word in small letters is."""
    names = {token.mention for token in tokens if token.mention >= 0 and token.text[:1].isupper()}
    for at, token in enumerate(tokens):
        if token.mention in names and not (token.low in DEMONYMS and _alone(tokens, at)):
            token.tag = "NNP"
        elif token.tag in ("NNP", "NNPS") and token.text.islower():
            token.tag = "NNS" if token.tag == "NNPS" else "NN"  # "a painter, lecturer and poet"


def _words(tokens: list[Token]) -> None:
    """Nouns of office are no names, and "including" is read as a preposition."""
    for at, token in enumerate(tokens):
        after = tokens[at + 1].tag if at + 1 < len(tokens) else ""
        if token.tag == "VBG" and token.low in _LIKE_PREPOSITIONS:
            token.tag = "IN"
        elif token.mention < 0 and is_role(token.low):
            _office(tokens, at)
        elif token.low == "subsidiary" and after not in ("NN", "NNS"):
            token.tag = "NN"  # "its subsidiary Velmora", but "a subsidiary role"


def _origins(tokens: list[Token]) -> None:
    """What says where somebody is from is no name: "the Frenchman Bartholdi", "the Vienna-born Anna"."""
    for token in tokens:
        if token.low.endswith(_OF_PLACES):
            token.tag = "JJ"
        elif token.mention < 0 and token.low in PEOPLE and token.tag in ("NNP", "JJ"):
            token.tag = "NN"


def _office(tokens: list[Token], at: int) -> None:
    """A noun of office, with the word before it that is a part of it: "its Vice Chairman"."""
    before = tokens[at - 1] if at else None
    if (
        tokens[at].text[:1].isupper()
        and before is not None
        and before.low in ROLE_PARTS
        and before.mention < 0
    ):
        before.tag = "JJ"
    tokens[at].tag = "NN"


def _bounds(tokens: list[Token]) -> None:
    """As in "borders at least five countries", "more than a hundred": words that bound a number belong to it. Behind "is" they are
    compared as they are.
    """
    for place, token in enumerate(tokens):
        if token.tag != "CD" or token.mention >= 0:
            continue
        at = place - (tokens[place - 1].low == "a")
        for words in _BOUNDS:
            first = at - len(words)
            if first > 0 and [one.low for one in tokens[first:at]] == words:
                if words[0] == "at" or tokens[first - 1].low not in _BEING:
                    for one in tokens[first:at]:
                        one.tag = "RB"
                break


def _find_verb(tokens: list[Token]) -> None:
    """A sentence without a verb has one among its nouns ("The film stars Tom Hanks"), and "and" may be followed by a second
    one: "melts at 1,064 °C and boils at 2,856 °C", "was directed by Ford and stars Tracy".
    """
    verb = False
    for at in range(1, len(tokens) - 1):
        verb = verb or tokens[at - 1].tag in _FINITE
        if tokens[at].tag == "NNS" and tokens[at].mention < 0 and _verbal(tokens, at, second=verb):
            tokens[at].tag = "VBZ"


def _verbal(tokens: list[Token], at: int, *, second: bool) -> bool:
    """Whether a plural may be the verb, or a `second` one, by what is around it."""
    before, token, after = tokens[at - 1 : at + 2]
    known = verb_stem(token.low) in known_verbs()
    lexical = known and after.tag in ("IN", "TO") and after.low != "of"
    if second:
        return before.tag == "CC" and (lexical or (known and after.tag in ("NNP", "DT", "PRP$")))
    return before.tag in ("NN", "NNP") and (lexical or after.tag in ("DT", "PRP$", "PRP", "NNP", "CD", "RB"))


def _formed(tokens: list[Token]) -> None:
    """As in "is a band from Ulm formed in 1990": behind a verb, nobody forms without an object."""
    verb = False
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        verb = verb or before.tag in _FINITE
        behind = before.tag in ("NN", "NNP") and after.tag == "IN"
        if verb and behind and token.tag == "VBD" and token.low in _DONE:
            token.tag = "VBN"


def _alone(tokens: list[Token], at: int) -> bool:
    """The token is a mention all by itself."""
    return all(tokens[i].mention != tokens[at].mention for i in (at - 1, at + 1) if 0 <= i < len(tokens))


@cache
def known_verbs() -> frozenset[str]:
    """The verbs that the lexicon knows."""
    return frozenset(key[1] for key in load_lexicon().verbs if key[0] == "active")
