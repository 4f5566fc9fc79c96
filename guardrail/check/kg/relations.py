"""Does a statement's relation mean what the claim's predicate says?

By id, where the lexicon knows one for the predicate; otherwise by words: a shared stem ("operated", "operator"), or two
words that people use for the same relation ("portrayed", "cast member").
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from guardrail.check.kg.aligned.words import former
from guardrail.language.lists import any_of, word_list
from guardrail.language.stems import family_stem
from guardrail.types import Fact, Node

__all__ = ["belongs", "functional", "locates", "negates", "nothing_but", "related"]

# One line per relation: words that name it, as verbs and as nouns.
_GROUPS = tuple(
    frozenset(line.split())
    for line in """
born birth birthplace birthdate birthday native
die died dies death dead killed
portray portrayed portrays play played plays star starred stars starring act acted actor actress cast role appear appeared appears feature featured features character characters
direct directed directs director helmed filmmaker
write wrote written writes writer author authored screenwriter novelist penned
found founded founder cofounded cofounder establish established inception formed incorporated
create created creates creator
air aired airs broadcast broadcasts broadcaster network televised
marry married marries spouse wife husband wed
operate operated operates operator operating
appoint appointed appoints nominated
based headquartered headquarters headquarter seat
locate located lies location situated
compose composed composer
develop developed develops developer
publish published publisher
release released releases publication premiered premiere
produce produced produces producer
manufacture manufactured manufacturer built maker
perform performed performs performer sing sang sings singer sung record recorded
invent invented inventor discover discovered discoverer
own owned owns owner subsidiary parent
lead led leads leader chief head chairperson president governs
educated study studied studies attended graduated graduate
work worked works employed employer employs
win won wins award awarded received prize
member belonged belongs
population inhabitants people populated
height tall high elevation
area size covers
language speak spoken speaks languages
child children son daughter sons daughters
sibling brother sister
occupation profession job career
citizenship nationality citizen
adapted adaptation based-on
name named names namesake
""".strip().splitlines()
)
_EMPTY = word_list("stop words") | frozenset(
    "never main famous known item date place location name official original".split()
)
# Relations with one value per subject, for triplets that come in words and not from a graph.
_FUNCTIONAL = re.compile(
    r"(?:date|place|year|city|country) of (?:birth|death)|birth ?(?:date|place|day)|death ?(?:date|place)|inception|"
    r"founding (?:date|year)|year founded|father|mother|height|elevation|capital|atomic number|chemical symbol|"
    r"date founded|born(?: in| on)?|died(?: in| on)?|was born (?:in|on)|age|sex or gender|official name|"
    # lists that name all their members as a rule, in evidence that was handed over for this claim
    r"director|directed by|author|written by|composer|composed by|publication date|release (?:date|year)|released(?: in)?|"
    r"publisher|performer|creator|discoverer|inventor|architect|developer|original broadcaster|headquarters location|"
    r"country of origin|continent|chief executive officer|ceo"
)
_LOCATES = re.compile(
    r"\b(?:located|location|country|continent|part of|headquarters|capital of|in the administrative)\b"
)
_BELONGS = re.compile(r"\b(?:religion|member of|affiliation|employer|league|part of|works for)\b")
_NEGATOR = re.compile(rf"\b(?:{any_of('denying')}|cannot)\b|n['’]t\b", re.IGNORECASE)


def related(fact: Fact, predicate: Node) -> bool:
    """Whether `predicate` is one of the relations that the fact's words may mean."""
    ids = {relation.removeprefix("^") for relation in fact.relations}
    if predicate.id and predicate.id in ids:
        return True
    keys = _keys(predicate.label)
    if former(predicate.label) and fact.tense not in ("past", "former") and not former(fact.predicate):
        return False  # "director" is no "former director"
    if _keys(fact.predicate) & keys:
        return True
    # A triplet given in words, and a fact whose words mean that relation: "is a 1992 film" and "publication date".
    return not predicate.id and any(_keys(_labels().get(id_, "")) & keys for id_ in ids)


def nothing_but(words: str, predicate: Node) -> bool:
    """Whether `words` say this relation and nothing else: "airs on" of a broadcaster."""
    content = [word for word in re.findall(r"[^\W\d_]+", words.casefold()) if word not in _EMPTY]
    return bool(content) and all(_keys(word) & _keys(predicate.label) for word in content)


def negates(words: str) -> bool:
    """Whether there is a negator among `words`."""
    return _NEGATOR.search(words) is not None


def functional(predicate: Node) -> bool:
    """Whether a relation given in words has one value per subject."""
    return _FUNCTIONAL.fullmatch(predicate.label.casefold().strip()) is not None


def locates(predicate: Node) -> bool:
    """Whether the relation says where something is, or what it is a part of."""
    return _LOCATES.search(predicate.label.casefold()) is not None


def belongs(predicate: Node) -> bool:
    """Whether the relation says what body somebody is in: a church, a party, a company."""
    return _BELONGS.search(predicate.label.casefold()) is not None


@cache
def _labels() -> dict[str, str]:
    """The labels of the properties that claims are read with (guardrail/data/relations.yaml)."""
    text = files("guardrail").joinpath("data", "relations.yaml").read_text(encoding="utf-8")
    return dict(re.findall(r"^(P\d+):\n\s+label: (.+)$", text, re.MULTILINE))


@lru_cache(maxsize=4096)
def _keys(words: str) -> frozenset[str]:
    """The stems of the content words, and the groups that they belong to."""
    found: set[str] = set()
    for word in re.findall(r"[^\W\d_]+", words.casefold()):
        if word in _EMPTY:
            continue
        found.add(family_stem(word))
        found.update(f"#{i}" for i, group in enumerate(_GROUPS) if word in group)
    return frozenset(found)
