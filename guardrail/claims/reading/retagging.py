"""Tags that the tagger cannot know: names by the linker and by case, nouns that must be the verb, past forms that are none."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from guardrail.claims.lexicon.relations import load_lexicon
from guardrail.claims.lexicon.words import stem
from guardrail.claims.reading.chunks import MEASURES
from guardrail.claims.reading.degrees import abbreviated
from guardrail.claims.reading.tokens import Token
from guardrail.language.vocabulary import listed_word
from guardrail.values.demonyms import DEMONYMS

__all__ = ["NOUN_TAGS", "ROLES", "ROLE_PARTS", "corrected", "is_role", "verb_stems"]

ROLES = frozenset(
    "president chairman chairwoman chairperson ceo cfo coo cto officer director minister secretary governor senator mayor chancellor premier "
    "professor founder co-founder cofounder manager commissioner ambassador congressman congresswoman representative treasurer "
    "king queen emperor empress prince princess judge justice bishop archbishop coach editor executive actor actress singer author writer novelist politician "
    "son daughter grandson granddaughter wife husband owner partner chairperson spokesman spokesperson spokeswoman".split()
)
"""Nouns of office that are nouns also in capital letters, unless the linker takes them into a name."""
_VERBLIKE = frozenset("stars features borders hosts plays houses includes contains covers".split())
_ONLY_VERBS = frozenset(
    "consists belongs refers pertains depends".split()
)  # no noun, whatever the tagger says
_LYING = frozenset(
    "lies stands sits runs stretches flows extends ranks hangs rests boils melts freezes".split()
)
_DONE = frozenset(
    "founded formed established created released published built located based designed directed written".split()
)
_LIKE_PREPOSITIONS = frozenset(
    {"including", "following", "regarding", "concerning", "excluding", "according"}
)
ROLE_PARTS = frozenset(
    "vice executive managing founding prime chief general foreign deputy senior head assistant associate executive".split()
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
_BEING = frozenset("is was are were be been being".split())
_DASHES = frozenset("-–—")
NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
_NAMELIKE = frozenset("NN NNS JJ JJR JJS VB VBN VBD VBG VBP VBZ FW IN RB UH CD".split())
_AGAIN = re.compile(r"(?:co|re|pre|out|over|self|cross)-\w+ed$")
_BORDERS = frozenset({",", "CC", "WDT", "WP", "WRB", ":", "-LRB-", "-RRB-", "TO", "``", "''"})
_AGENTS = (
    "er",
    "or",
    "ist",
    "ian",
    "man",
    "ers",
    "ors",
    "ists",
    "ians",
    "auts",
    "aut",
    "men",
    "ment",
    "tion",
)


def is_role(word: str) -> bool:
    """A noun of office or kin, or one made of such with hyphens: "vice-chairman", "editor-in-chief"."""
    return any(part in ROLES for part in (word, *word.split("-")))


def corrected(tokens: list[Token]) -> None:
    """Repairs tags that the tagger cannot know: names by the linker and by case, nouns that must be the verb."""
    names = {token.mention for token in tokens if token.mention >= 0 and token.text[:1].isupper()}
    for at, token in enumerate(tokens):
        if token.mention in names and not (token.low in DEMONYMS and _alone(tokens, at)):
            token.tag = "NNP"
        elif not (_no_name(tokens, at) or _function_word(tokens, at)) and token.text[:1].isupper():
            _capital(tokens, at)
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (
            token.low in _DASHES
            and before.end < token.start
            and token.end < after.start
            and before.tag != "CD"
        ):
            token.tag = ":"  # "Anna – 44th president", not "1914 – 1918"
    for before, token in pairwise(tokens):
        if before.low in ("a", "an") and token.tag == "VBD":
            token.tag = "VBN"  # "a lost 1921 film"
    _bounds(tokens)
    _no_second_verb(tokens)
    _participles(tokens)
    _find_verb(tokens)
    verb = False
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        verb = verb or before.tag in ("VBD", "VBZ", "VBP", "MD")
        if (
            before.tag == "CC"
            and token.tag == "NNS"
            and token.low in _VERBLIKE
            and after.tag in ("NNP", "DT", "PRP$")
        ):
            token.tag = "VBZ"  # "was directed by Ford and stars Tracy"
        elif before.tag == "CC" and token.tag == "NNS" and token.low in _LYING and verb and after.tag == "IN":
            token.tag = "VBZ"  # "is 300 m tall and lies on the border"
        elif (
            verb
            and token.tag == "VBD"
            and token.low in _DONE
            and after.tag == "IN"
            and before.tag in ("NN", "NNP")
        ):
            token.tag = "VBN"  # "a band from Ulm formed in 1990": nobody forms without an object


def _bounds(tokens: list[Token]) -> None:
    """As in "borders at least five countries": words that bound a number belong to it. Behind "is" they are compared as they are."""
    for at, token in enumerate(tokens):
        if token.tag != "CD" or token.mention >= 0:
            continue
        for words in _BOUNDS:
            first = at - len(words)
            if first > 0 and [one.low for one in tokens[first:at]] == words:
                if words[0] == "at" or tokens[first - 1].low not in _BEING:
                    for one in tokens[first:at]:
                        one.tag = "RB"
                break


def _no_second_verb(tokens: list[Token]) -> None:
    """Behind a finite verb, with no border between, a word that names who does something is no second verb."""
    verb = False
    for before, token in pairwise(tokens):
        verb = (verb or before.tag in ("VBD", "VBZ", "VBP", "MD")) and before.tag not in _BORDERS
        if (
            verb
            and token.tag in ("VBP", "VBZ", "VB")
            and before.tag in (*NOUN_TAGS, "JJ")
            and token.low.endswith(_AGENTS)
        ):
            token.tag = "NNS" if token.low.endswith("s") else "NN"


def _participles(tokens: list[Token]) -> None:
    """Past forms that are no verb of their own: before "by" behind a finite verb ("is a game made and sold by Anna"), between
    a nationality and a noun ("is an American animated film"), and behind an adverb that begins the sentence.
    """
    verb = adjectives = said = waiting = dated = False
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else token
        waiting = waiting or (token.tag in ("WP", "WDT") and before.text == "," and not said)
        said = said or token.tag in ("VBD", "VBZ", "VBP", "MD")
        if waiting and token.tag == "VBN" and before.text == "," and _object_next(tokens, at):
            token.tag, waiting = "VBD", False  # "Anna, who lives in Ulm, founded Apple"
        if token.tag == "VBD" and verb and before.tag in NOUN_TAGS and _agent_ahead(tokens, at):
            token.tag = "VBN"
        elif token.tag in ("VBD", "VBN") and adjectives and before.low in DEMONYMS:
            token.tag = "JJ" if at + 1 < len(tokens) and tokens[at + 1].tag in ("NN", "JJ") else token.tag
        elif token.tag in ("VBD", "VBN") and dated and before.tag == "NNP":
            _adnominal(tokens, at)
        elif token.tag == "VBZ" and before.low in DEMONYMS and at > 1 and tokens[at - 2].tag == "IN":
            token.tag = "NNS"  # "by English expatriates Anna and Berta"
        verb = (verb or token.tag in ("VBD", "VBZ", "VBP", "MD")) and token.tag not in _BORDERS
        dated = verb and (dated or (token.tag == "CD" and before.tag == "DT")) and token.tag != "NN"
        adjectives = verb and (adjectives or token.tag == "DT")
        adjectives = adjectives and (token.tag not in NOUN_TAGS or token.low in DEMONYMS)
    if len(tokens) > 1 and tokens[0].low.endswith("ly") and tokens[1].tag in ("VBN", "VBD", "VBG"):
        tokens[0].tag = "RB"  # "Proudly based in Ulm"
    if (
        len(tokens) > 1
        and tokens[0].tag == "JJ"
        and tokens[1].tag in ("VBD", "VBZ")
        and tokens[0].low not in DEMONYMS
    ):
        tokens[0].tag = "NNP" if tokens[1].low not in ("is", "was") else "JJ"  # "Fred left Vela"


def _adnominal(tokens: list[Token], at: int) -> None:
    """As in "a 1964 Velmora animated short": a past form between a name and its noun is an adjective."""
    behind = [token.tag for token in tokens[at + 1 : at + 3]]
    if behind[:1] == ["NN"]:
        tokens[at].tag = "JJ"
    elif behind[:1] == ["JJ"] and behind[1:2] not in (["NN"], ["NNS"], ["NNP"]):
        tokens[at].tag, tokens[at + 1].tag = "JJ", "NN"


def _object_next(tokens: list[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].tag in ("NNP", "DT", "PRP$")


def _agent_ahead(tokens: list[Token], at: int) -> bool:
    """Behind a chain of past forms comes "by": "developed and published by", "written, cut and directed by"."""
    for token in tokens[at : at + 8]:
        if token.low == "by":
            return True
        if token.tag not in ("VBD", "VBN", "CC", ",", "RB"):
            return False
    return False


def _no_name(tokens: list[Token], at: int) -> bool:
    """Degrees ("a PhD", but "Boston, MA") and words in small letters ("a painter, lecturer and poet")."""
    token = tokens[at]
    degree = abbreviated(token.text) and at > 0 and tokens[at - 1].tag in ("DT", "PRP$", "JJ", "CC")
    if degree or (token.text.islower() and token.tag in ("NNP", "NNPS")):
        token.tag = "NNS" if token.tag == "NNPS" else "NN"
    return degree


def _function_word(tokens: list[Token], at: int) -> bool:
    """Words that play a part which their form does not show; True where the tag is settled."""
    token = tokens[at]
    if token.low in ("c.", "ca.", "circa", "approx.", "approximately", "b.", "d."):
        token.tag = "RB"
    elif token.text == "|":
        token.tag = ","  # between columns
    elif token.low == "subsidiary" and at + 1 < len(tokens) and tokens[at + 1].tag not in NOUN_TAGS[:2]:
        token.tag = "NN"  # "its subsidiary Velmora", but "a subsidiary role"
    elif token.tag == "VBG" and token.low in _LIKE_PREPOSITIONS:
        token.tag = "IN"
    elif (
        token.low == "founding"
        and at
        and tokens[at - 1].tag in ("PRP$", "POS", "DT")
        and not _before_name(tokens, at)
    ):
        token.tag = "NN"  # "since its founding in 1972"
    elif token.tag == "JJ" and _AGAIN.match(token.low) and _acts(tokens, at):
        token.tag = "VBD"  # "Anna co-founded the firm"
    elif (
        token.low in MEASURES
        and at > 1
        and tokens[at - 1].tag in ("NN", "NNS")
        and tokens[at - 2].tag == "CD"
    ) or (
        token.tag in ("VB", "VBP", "VBZ")
        and at
        and tokens[at - 1].tag in ("DT", "PRP$", "JJ", ",")
        and _before_noun(tokens, at)
    ):
        token.tag = "JJ"
    elif token.low == "nearby" and _before_name(tokens, at):
        token.tag = "JJ"  # "in nearby Ulm"
    elif is_role(token.low) and token.mention < 0:
        before = tokens[at - 1] if at else None
        if (
            token.text[:1].isupper()
            and before is not None
            and before.low in ROLE_PARTS
            and before.mention < 0
        ):
            before.tag = "JJ"
        token.tag = "NN"
    else:
        return False
    return True


def _before_name(tokens: list[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].tag in NOUN_TAGS


def _acts(tokens: list[Token], at: int) -> bool:
    """Between who does something and what it is done to: "X co-founded Y"."""
    before = tokens[at - 1].tag if at else ""
    after = tokens[at + 1].tag if at + 1 < len(tokens) else ""
    return before in ("NNP", "NNPS", "PRP", "NN", "NNS", "CC", "RB", ",", "WP", "WDT") and after in (
        "DT",
        "NNP",
        "NN",
        "PRP$",
        "CD",
        "JJ",
        "IN",
        "CC",
    )


def _before_noun(tokens: list[Token], at: int) -> bool:
    """A word between an adjective, comma or article and an adjective or noun, in an open noun phrase, is no verb."""
    following = tokens[at + 1].tag if at + 1 < len(tokens) else ""
    before = tokens[at - 2].tag if tokens[at - 1].tag == "," and at > 1 else tokens[at - 1].tag
    return following in ("JJ", "NN", "NNS") and before in ("DT", "PRP$", "JJ")


def _capital(tokens: list[Token], at: int) -> None:
    """A capitalised word is a name, unless it is an adjective of nationality or just begins the sentence or a quotation."""
    token = tokens[at]
    if token.low in DEMONYMS:
        following = tokens[at + 1].tag if at + 1 < len(tokens) else ""
        if token.tag in NOUN_TAGS and following in ("NN", "NNS", "JJ"):
            token.tag = "JJ"
    elif not at and token.low.endswith("ly") and len(tokens) > 1 and tokens[1].text == ",":
        token.tag = "RB"
    elif (
        not at and token.low.endswith("ed") and len(tokens) > 1 and tokens[1].tag in ("IN", "CC", "RB", "TO")
    ):
        token.tag = "VBN"
    elif not at:
        if token.tag in _NAMELIKE and not listed_word(token.low) and not token.low.endswith("ing"):
            token.tag = "NNP"
    elif token.tag in ("NN", "FW") or (
        token.tag in _NAMELIKE and len(token.text) > 1 and tokens[at - 1].text not in ('"', "“", ":")
    ):
        token.tag = "NNP"


def _alone(tokens: list[Token], at: int) -> bool:
    """The token is a mention all by itself."""
    return all(tokens[i].mention != tokens[at].mention for i in (at - 1, at + 1) if 0 <= i < len(tokens))


def _find_verb(tokens: list[Token]) -> None:
    """A sentence without a verb has one among its nouns: "The film stars Tom Hanks", "The Titanic sank in 1912"."""
    for at, token in enumerate(tokens):
        if token.tag in ("VBD", "VBZ", "VBP", "MD") and token.low not in ("'s",):
            return
        if token.mention < 0 and 0 < at < len(tokens) - 1 and (tag := _as_verb(tokens, at)):
            token.tag = tag
            tokens[at - 1].tag = "NN" if tokens[at - 1].tag == "JJ" else tokens[at - 1].tag
            return


def _as_verb(tokens: list[Token], at: int) -> str:
    """The tag of a verb where a noun may be one by what is around it; empty: it is none."""
    before, token, after = tokens[at - 1 : at + 2]
    lexical = stem(token.low) in verb_stems() and after.tag in ("IN", "TO") and after.low != "of"
    if token.tag == "NN":
        past = stem(token.low) != token.low and not token.low.endswith("ing")
        return "VBD" if lexical and past and before.tag in NOUN_TAGS else ""
    if token.tag != "NNS":
        return ""
    known = lexical or token.low in _ONLY_VERBS or _both_verbs(tokens, at)
    adjective = at == 1 and before.tag == "JJ" and before.low not in DEMONYMS  # "Gold melts at …"
    if before.tag in ("NN", "NNP"):
        return "VBZ" if known or after.tag in ("DT", "PRP$", "PRP", "NNP", "CD", "RB") else ""
    return "VBZ" if lexical and adjective else ""


def _both_verbs(tokens: list[Token], at: int) -> bool:
    """As in "Anna lives and works in Ulm": a verb of the lexicon, "and", another one, and a preposition."""
    ahead = tokens[at + 1 : at + 4]
    if len(ahead) < 3 or ahead[0].low not in ("and", "or") or ahead[2].tag not in ("IN", "TO"):
        return False
    if not all(stem(one.low) in verb_stems() and one.low.endswith("s") for one in (tokens[at], ahead[1])):
        return False
    ahead[1].tag = "VBZ"
    return ahead[2].low != "of" and tokens[at - 1].text[:1].isupper()


@cache
def verb_stems() -> frozenset[str]:
    """The verbs that the lexicon knows."""
    return frozenset(key[1] for key in load_lexicon().verbs if key[0] == "active")
