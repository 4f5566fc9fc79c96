"""Tags that the tagger cannot know: names by the linker and by case, nouns that must be the verb, past forms that are none."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from guardrail.claims.lexicon.relations import load_lexicon
from guardrail.claims.lexicon.words import stem
from guardrail.claims.reading import tagger
from guardrail.claims.reading.chunks import MEASURES
from guardrail.claims.reading.degrees import abbreviated
from guardrail.claims.reading.tokens import Token
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
_FINITE = ("VBD", "VBZ", "VBP", "MD")
_PAST = ("VBD", "VBN")
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
_ABOUT = frozenset({"c.", "ca.", "circa", "approx.", "approximately", "b.", "d."})


def is_role(word: str) -> bool:
    """A noun of office or kin, or one made of such with hyphens: "vice-chairman", "editor-in-chief"."""
    return any(part in ROLES for part in (word, *word.split("-")))


def corrected(tokens: list[Token]) -> None:
    """Repairs tags that the tagger cannot know: names by the linker and by case, nouns that must be the verb."""
    _names(tokens)
    _marks(tokens)
    _bounds(tokens)
    _no_second_verb(tokens)
    _participles(tokens)
    _find_verb(tokens)
    _coordinated_verbs(tokens)


def _names(tokens: list[Token]) -> None:
    """What the linker or the capital letter shows to be a name."""
    names = {token.mention for token in tokens if token.mention >= 0 and token.text[:1].isupper()}
    for at, token in enumerate(tokens):
        if token.mention in names and not (token.low in DEMONYMS and _alone(tokens, at)):
            token.tag = "NNP"
        elif not (_no_name(tokens, at) or _function_word(tokens, at)) and token.text[:1].isupper():
            _capital(tokens, at)


def _marks(tokens: list[Token]) -> None:
    """A dash between spaces is a break, but for that of a range; behind "a" no past form is finite."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        spaced = before.end < token.start and token.end < after.start
        if token.low in _DASHES and spaced and before.tag != "CD":
            token.tag = ":"  # "Anna – 44th president", not "1914 – 1918"
    for before, token in pairwise(tokens):
        if before.low in ("a", "an") and token.tag == "VBD":
            token.tag = "VBN"  # "a lost 1921 film"


def _coordinated_verbs(tokens: list[Token]) -> None:
    """Behind the first verb: "and stars Tracy" is one, "a band formed in 1990" is none."""
    verb = False
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        verb = verb or before.tag in _FINITE
        if before.tag == "CC" and token.tag == "NNS" and _joined_verb(token, after, verb):
            token.tag = "VBZ"
        elif verb and token.tag == "VBD" and token.low in _DONE and _reduced(before, after):
            token.tag = "VBN"


def _joined_verb(token: Token, after: Token, verb: bool) -> bool:
    """Whether what looks like a plural is a verb behind "and": "was directed by Ford and stars Tracy"."""
    if token.low in _VERBLIKE:
        return after.tag in ("NNP", "DT", "PRP$")
    return token.low in _LYING and verb and after.tag == "IN"


def _reduced(before: Token, after: Token) -> bool:
    """A verb that needs an object and has none is a participle: "a band from Ulm formed in 1990"."""
    return after.tag == "IN" and before.tag in ("NN", "NNP")


def _bounds(tokens: list[Token]) -> None:
    """Words that bound a number belong to it: "borders at least five countries". Behind "is" they are compared as they are."""
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
        verb = (verb or before.tag in _FINITE) and before.tag not in _BORDERS
        if (
            verb
            and token.tag in ("VBP", "VBZ", "VB")
            and before.tag in (*NOUN_TAGS, "JJ")
            and token.low.endswith(_AGENTS)
        ):
            token.tag = "NNS" if token.low.endswith("s") else "NN"


@dataclass(slots=True)
class _Passed:
    """What was read of a sentence before a word.

    `said`: a finite verb. `verb`: likewise, with no border behind it. `determined`: behind that verb an article whose noun is yet to come.
    `dated`: likewise an article and a number. `relative`: a relative word behind a comma, before any finite verb.
    """

    said: bool = False
    verb: bool = False
    determined: bool = False
    dated: bool = False
    relative: bool = False

    def reach(self, before: Token, token: Token) -> None:
        self.relative = self.relative or (token.tag in ("WP", "WDT") and before.text == "," and not self.said)
        self.said = self.said or token.tag in _FINITE

    def leave(self, before: Token, token: Token) -> None:
        self.verb = (self.verb or token.tag in _FINITE) and token.tag not in _BORDERS
        numbered = token.tag == "CD" and before.tag == "DT"
        self.dated = self.verb and (self.dated or numbered) and token.tag != "NN"
        self.determined = self.verb and (self.determined or token.tag == "DT") and not _noun(token)


def _noun(token: Token) -> bool:
    return token.tag in NOUN_TAGS and token.low not in DEMONYMS


def _participles(tokens: list[Token]) -> None:
    """Past forms that are no verb of their own: before "by" behind a finite verb ("is a game made and sold by Anna"), between
    a nationality and a noun ("is an American animated film"), and behind an adverb that begins the sentence.
    """
    passed = _Passed()
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else token
        passed.reach(before, token)
        if token.tag == "VBN" and passed.relative and _behind_relative(tokens, at):
            token.tag, passed.relative = "VBD", False
        if token.tag in _PAST:
            _past_form(tokens, at, passed)
        elif token.tag == "VBZ" and _apposed(tokens, at):
            token.tag = "NNS"
        passed.leave(before, token)
    if len(tokens) > 1:
        _first_words(*tokens[:2])


def _behind_relative(tokens: list[Token], at: int) -> bool:
    """Whether a past form behind the comma that ends a relative clause is the main verb: "Anna, who lives in Ulm, founded Apple"."""
    return at > 0 and tokens[at - 1].text == "," and _object_next(tokens, at)


def _apposed(tokens: list[Token], at: int) -> bool:
    """Whether a plural noun behind a nationality stands before names: "by English expatriates Anna and Berta"."""
    return at > 1 and tokens[at - 1].low in DEMONYMS and tokens[at - 2].tag == "IN"


def _past_form(tokens: list[Token], at: int, passed: _Passed) -> None:
    """A past form behind what was read: no verb before "by", an adjective before a noun."""
    before, token = tokens[max(0, at - 1)], tokens[at]
    if token.tag == "VBD" and passed.verb and before.tag in NOUN_TAGS and _agent_ahead(tokens, at):
        token.tag = "VBN"
    elif passed.determined and before.low in DEMONYMS:
        if [one.tag for one in tokens[at + 1 : at + 2]] in (["NN"], ["JJ"]):
            token.tag = "JJ"
    elif passed.dated and before.tag == "NNP":
        _adnominal(tokens, at)


def _first_words(first: Token, second: Token) -> None:
    """The word before a past form: an adverb ("Proudly based in Ulm"), or a name ("Fred left Vela")."""
    if first.low.endswith("ly") and second.tag in (*_PAST, "VBG"):
        first.tag = "RB"
    if first.tag == "JJ" and second.tag in ("VBD", "VBZ") and first.low not in DEMONYMS:
        first.tag = "NNP" if second.low not in ("is", "was") else "JJ"


def _adnominal(tokens: list[Token], at: int) -> None:
    """A past form between a name and its noun is an adjective: "a 1964 Velmora animated short"."""
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
    tag = next((tag for applies, tag in _FUNCTION_WORDS if applies(tokens, at)), "")
    if not tag and is_role(token.low) and token.mention < 0:
        tag = "NN"
        _part_of_role(tokens, at)
    token.tag = tag or token.tag
    return bool(tag)


def _part_of_role(tokens: list[Token], at: int) -> None:
    """The word before an office in capital letters is no name: "Vice President"."""
    before = tokens[at - 1] if at else None
    if (
        before is not None
        and before.low in ROLE_PARTS
        and before.mention < 0
        and tokens[at].text[:1].isupper()
    ):
        before.tag = "JJ"


def _before_plain_noun(tokens: list[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at + 1].tag in ("NN", "NNS")


def _is_founding(tokens: list[Token], at: int) -> bool:
    """Whether "founding" is a noun, by what owns it: "since its founding in 1972"."""
    owned = at > 0 and tokens[at - 1].tag in ("PRP$", "POS", "DT")
    return tokens[at].low == "founding" and owned and not _before_name(tokens, at)


def _measures(tokens: list[Token], at: int) -> bool:
    """Whether an adjective of measure stands behind its number and unit: "300 metres tall"."""
    unit = at > 1 and tokens[at - 1].tag in ("NN", "NNS") and tokens[at - 2].tag == "CD"
    return tokens[at].low in MEASURES and unit


def _describes(tokens: list[Token], at: int) -> bool:
    """A verb form within a noun phrase, before its noun."""
    inside = at > 0 and tokens[at - 1].tag in ("DT", "PRP$", "JJ", ",")
    return tokens[at].tag in ("VB", "VBP", "VBZ") and inside and _before_noun(tokens, at)


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


_FUNCTION_WORDS: tuple[tuple[Callable[[list[Token], int], bool], str], ...] = (
    (lambda tokens, at: tokens[at].low in _ABOUT, "RB"),
    (lambda tokens, at: tokens[at].text == "|", ","),  # between columns
    # "its subsidiary Velmora", but "a subsidiary role"
    (
        lambda tokens, at: (
            tokens[at].low == "subsidiary" and at + 1 < len(tokens) and not _before_plain_noun(tokens, at)
        ),
        "NN",
    ),
    (lambda tokens, at: tokens[at].tag == "VBG" and tokens[at].low in _LIKE_PREPOSITIONS, "IN"),
    (_is_founding, "NN"),
    # "Anna co-founded the firm"
    (
        lambda tokens, at: (
            tokens[at].tag == "JJ" and bool(_AGAIN.match(tokens[at].low)) and _acts(tokens, at)
        ),
        "VBD",
    ),
    (_measures, "JJ"),
    (_describes, "JJ"),
    (lambda tokens, at: tokens[at].low == "nearby" and _before_name(tokens, at), "JJ"),  # "in nearby Ulm"
)
"""When a word is a function word, and its tag; the first that applies counts."""


def _capital(tokens: list[Token], at: int) -> None:
    """A capitalised word is a name, unless it is an adjective of nationality or just begins the sentence or a quotation."""
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.low in DEMONYMS:
        if token.tag in NOUN_TAGS and following is not None and following.tag in ("NN", "NNS", "JJ"):
            token.tag = "JJ"
    elif not at:
        _first_capital(token, following)
    elif token.tag in ("NN", "FW") or _capital_inside(tokens, at):
        token.tag = "NNP"


def _capital_inside(tokens: list[Token], at: int) -> bool:
    """Whether a word is in capitals for itself, and not because a quotation or a part begins with it."""
    token = tokens[at]
    return token.tag in _NAMELIKE and len(token.text) > 1 and tokens[at - 1].text not in ('"', "“", ":")


def _first_capital(token: Token, following: Token | None) -> None:
    """The first word of a sentence: an adverb, a participle, or a name where no common word is so written."""
    if token.low.endswith("ly") and following is not None and following.text == ",":
        token.tag = "RB"
    elif token.low.endswith("ed") and following is not None and following.tag in ("IN", "CC", "RB", "TO"):
        token.tag = "VBN"
    elif (
        token.tag in _NAMELIKE
        and "w " + token.low not in tagger.load().rows
        and not token.low.endswith("ing")
    ):
        token.tag = "NNP"


def _alone(tokens: list[Token], at: int) -> bool:
    """The token is a mention all by itself."""
    return all(tokens[i].mention != tokens[at].mention for i in (at - 1, at + 1) if 0 <= i < len(tokens))


def _find_verb(tokens: list[Token]) -> None:
    """A sentence without a verb has one among its nouns: "The film stars Tom Hanks", "The Titanic sank in 1912"."""
    for at, token in enumerate(tokens):
        if token.tag in _FINITE and token.low not in ("'s",):
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
    return "VBZ" if _third_person(tokens, at, lexical) else ""


def _third_person(tokens: list[Token], at: int, lexical: bool) -> bool:
    """Whether what is tagged as a plural is a verb behind its subject."""
    before, token, after = tokens[at - 1 : at + 2]
    known = lexical or token.low in _ONLY_VERBS or _both_verbs(tokens, at)
    if before.tag in ("NN", "NNP"):
        return known or after.tag in ("DT", "PRP$", "PRP", "NNP", "CD", "RB")
    # "Gold melts at …"
    return lexical and at == 1 and before.tag == "JJ" and before.low not in DEMONYMS


def _both_verbs(tokens: list[Token], at: int) -> bool:
    """A verb of the lexicon, "and", another one, and a preposition: "Anna lives and works in Ulm"."""
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
