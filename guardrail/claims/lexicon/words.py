"""Word forms of English: stems of verbs and nouns, so that "directs", "directed" and "directing" meet in one key.

A stem is a key for comparing, not a word to be shown; `base` gives a word that can be shown.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["PARTICLES", "base", "participle", "singular", "verb_stem"]

_IRREGULAR = """
be am is are was were been being 's 're 'm|have has had having 've|do does did done doing|go goes went gone|bear born bore borne
become became becoming|begin began begun beginning|bring brought|build built|buy bought|catch caught|choose chose chosen
come came coming|cost cost|cut cut cutting|deal dealt|die died dying dies|draw drew drawn|drive drove driven driving|eat ate eaten
fall fell fallen|feel felt|fight fought|find found|flow flowed flown|fly flew flies|forget forgot forgotten|get got gotten getting
give gave given giving|grow grew grown|hear heard|hold held|hit hit hitting|keep kept|know knew known|lay laid lays|lead led
leave left leaving|lend lent|let let letting|lie lay lain lying lies lied|lose lost losing|make made making|mean meant|meet met
pay paid|put put putting|read read|ride rode ridden|ring rang rung|rise rose risen rising|run ran running|say said says|see saw seen
seek sought|sell sold|send sent|set set setting|shoot shot|show showed shown|sing sang sung|sink sank sunk|sit sat sitting
sleep slept|speak spoke spoken|spend spent|split split splitting|spread spread|stand stood|steal stole stolen|strike struck
swim swam swum|take took taken taking|teach taught|tell told|think thought|throw threw thrown|understand understood
undergo underwent undergone|wear wore worn|win won winning|write wrote written writing|withdraw withdrew withdrawn
overtake overtook overtaken|oversee oversaw overseen|undertake undertook undertaken|mistake mistook mistaken|wed wed wedded
broadcast broadcast broadcasted|forecast forecast|found founded founding founds|star starred starring stars|span spanned spanning
sue sued suing|tie tied tying|belong belonged|border bordered bordering|co-found co-founded cofounded cofound
co-write co-wrote co-written|rewrite rewrote rewritten|freeze froze frozen|break broke broken|shake shook shaken
can could|will would 'll|shall should|may might
"""
_PLURALS = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot", "wives": "wife",
    "lives": "life", "countries": "country", "cities": "city", "series": "series", "species": "species", "mice": "mouse",
    "alumni": "alumnus", "media": "media", "headquarters": "headquarters", "politics": "politics", "physics": "physics",
    "mathematics": "mathematics", "movies": "movie", "states": "state", "united states": "united states", "news": "news",
    "economics": "economics", "colleagues": "colleague", "leagues": "league", "languages": "language", "halves": "half",
    "is": "is", "was": "was", "his": "his", "this": "this", "census": "census", "campus": "campus", "olympics": "olympics",
}  # fmt: skip
PARTICLES = frozenset(
    "grow up|set up|take over|pass away|pass on|come out|break up|break out|spin off|make up|split up|lift off|step down|take part|take place|"
    "give up|bring up|start up|run off|split off|go by|lay rest".split("|")
)
"""Verbs that mean something else with their particle."""
_SAME = frozenset({"broadcast", "cast", "set", "put", "cut", "split", "spread", "become", "come", "run"})
# What is left of a verb without "ing" or "ed" where it ends in a mute "e".
_MUTE_E = re.compile(
    r"(?:[^aeiou][aeiou](?:[dgkvzscu]|[tr](?<!it|er|or|en))|[bcdfgkptz]l|[cgvszu]|at|ir|ur|or[ac]?)$"
)
_VOWEL = re.compile(r"[aeiouy]")


def _table() -> dict[str, str]:
    forms: dict[str, str] = {}
    for group in _IRREGULAR.replace("\n", "|").split("|"):
        words = group.split()
        for word in words:
            forms.setdefault(word, words[0])
    return forms


_BASES = _table()


@lru_cache(maxsize=20_000)
def verb_stem(word: str) -> str:
    """The key of a verb form: "directed" → "direct", "located" → "locat", "stars" → "star", "wrote" → "writ"."""
    # The key of a verb in the lexicon, and of nothing else. The stems of `language.stems` do without the irregular forms, and tear
    # short verbs apart that the lexicon has: "used", "named", "airs".
    low = word.lower().replace("’", "'")
    low = _without_ending(_BASES.get(low, low))
    if len(low) > 4 and low[-1] == low[-2] and low[-1] not in "aeiouls":
        low = low[:-1]
    if low.endswith("e") and len(low) > 2 and low != "free":
        low = low[:-1]
    return low[:-1] + "i" if low.endswith("y") and len(low) > 3 else low


def _without_ending(low: str) -> str:
    """A verb form without "ing", "ed" or "s", where a stem with a vowel is left."""
    if low.endswith(("ss", "us", "eed")):
        return low
    for suffix, shortest in (("ing", 3), ("ed", 2), ("es", 3), ("s", 3)):
        rest = low.removesuffix(suffix)
        if rest != low and len(rest) >= shortest and _VOWEL.search(rest):
            return _BASES.get(rest, _BASES.get(rest + "e", rest))
    return low


def participle(word: str) -> bool:
    """Whether a verb form can be a past participle: "directed", "born", "cast"."""
    low = word.lower()
    return (
        low.endswith("ed")
        or low in _SAME
        or (low in _BASES and _BASES[low] != low and not low.endswith(("ing", "s")))
    )


@lru_cache(maxsize=20_000)
def base(word: str) -> str:
    """The infinitive of a verb form, to be shown in a question; regular spelling rules, right in most cases."""
    low = word.lower()
    if low in _BASES:
        return _BASES[low]
    for suffix, replacement in (
        ("ies", "y"),
        ("ied", "y"),
        ("ing", ""),
        ("ed", ""),
        ("sses", "ss"),
        ("shes", "sh"),
        ("ches", "ch"),
        ("s", ""),
    ):
        if not low.endswith(suffix) or len(low) - len(suffix) < 2 or low.endswith("ss"):
            continue
        rest = low[: -len(suffix)] + replacement
        if rest.endswith("ss"):
            return rest
        return _respelled(rest) if suffix in ("ing", "ed") else rest
    return low


def _respelled(rest: str) -> str:
    """What is left without "ing" or "ed" as it is spelled by itself: one consonant for two, or with a mute "e"."""
    if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        return rest[:-1]
    return rest + "e" if _MUTE_E.search(rest) else rest


@lru_cache(maxsize=20_000)
def singular(noun: str) -> str:
    """The singular of a noun in lower case."""
    low = noun.lower()
    if low in _PLURALS:
        return _PLURALS[low]
    if len(low) < 4 or not low.endswith("s") or low.endswith(("ss", "us", "is", "ous")):
        return low
    if low.endswith("ies"):
        return low[:-3] + "y"
    if low.endswith(("sses", "xes", "shes", "ches", "zzes", "tzes")):
        return low[:-2]
    return low[:-1]
