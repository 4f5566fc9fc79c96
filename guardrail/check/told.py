"""Does a fact that was read in a passage say what a fact of the claim says?

Both come from the same reader, so they are compared slot by slot: the same subject, the same relation, then the object. Another
object refutes only where the relation has one (a birth, a capital, the director of a film, a number), at the same time, and where
both are of a kind: a day and a day, a name and a name. Everything else is unknown.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from guardrail import ontology
from guardrail.check.names import fold, ids_of, like_words, pronoun
from guardrail.check.polarity import negated
from guardrail.types import Argument, Fact
from guardrail.values import compare

__all__ = ["ONE_NAME", "State", "lies_in", "through", "told"]

State = Literal["agree", "conflict", "unknown"]

# Relations of which a subject has one value, whenever it is told.
_DATES = frozenset(ontology.ids("date of birth", "date of death"))
# Likewise, where the same word is used of it: what was founded in one year may be incorporated in another.
_DATES_BY_WORD = frozenset(
    ontology.ids("inception", "discovery date", "publication date", "date of official opening", "dissolved")
)
# Whoever is named for these is named in full, as a rule.
_ONE_OF_ALL = frozenset(ontology.ids("father", "mother", "capital"))
_NAMES = _ONE_OF_ALL | frozenset(ontology.ids("director", "author", "composer"))
# Likewise, where it is told by whom: who "founded the firm" may have founded it with others.
_MAKERS = frozenset(ontology.ids("discoverer or inventor", "founder", "creator", "architect"))
# Of these there is one at a time, so that two of the same time exclude each other.
_HOLDERS = frozenset(ontology.ids("head", "chairperson"))
ONE_NAME = _HOLDERS | _ONE_OF_ALL
_PLACES = frozenset(ontology.ids("place of birth", "place of death"))
# Relations to a place that hold of whatever it lies in, too; and those by which it lies there.
_WITHIN = frozenset(ontology.ids("holds of what it lies in"))
_LIES = frozenset(ontology.ids("lies in"))
_TIMELESS = frozenset(
    {
        *(_DATES | _DATES_BY_WORD | _NAMES | _PLACES),
        *ontology.ids("discoverer or inventor", "founder", "creator", "performer", "producer"),
    }
)
_EXACT = ("", "exactly", "about")
_BE = frozenset("is are was were am".split())
_HAVE = frozenset("has have had".split())
_PRIVATIVE = re.compile(
    r"\b(?:former|ex|alleged|fake|false|supposed|would-be|failed|unsuccessful|proposed|planned|future|fictional|possible|"
    r"deputy|vice|acting|assistant|honorary|near|almost|non|anti|largest|smallest|first|last|only|second|third)\b",
    re.IGNORECASE,
)


def told(fact: Fact, other: Fact) -> State:
    """What `other`, as it stands in a passage, says about `fact`."""
    if negated(fact) or negated(other) or fact.universal or other.universal:
        return "unknown"
    ours, theirs = _forwards(fact), _forwards(other)
    if not _same_relation(ours, theirs) or not _same(ours.subject, theirs.subject):
        return "unknown"
    if not _same_tense(ours, theirs) or not _circumstances(ours, theirs):
        return "unknown"
    return _objects(ours, theirs)


def lies_in(fact: Fact) -> bool:
    """Whether it puts its subject into a place, so that what the place lies in holds it too."""
    plain = (
        not negated(fact) and not fact.universal and fact.object.value is None and not pronoun(fact.object)
    )
    return plain and bool(fact.relations) and fact.relations[0] in _WITHIN


def through(fact: Fact, other: Fact, place: Fact) -> bool:
    """Whether `other` puts the subject of `fact` into a place of which `place` says that it lies in the object of `fact`."""
    lies = _forwards(place)
    if not all(map(lies_in, (fact, other))) or negated(place) or not _LIES.intersection(lies.relations[:1]):
        return False
    if not _same_relation(fact, other) or not _same(fact.subject, other.subject):
        return False
    if not _same_tense(fact, other) or not _circumstances(fact, other):
        return False
    return _same(other.object, lies.subject) and _same(fact.object, lies.object)


def _forwards(fact: Fact) -> Fact:
    """The fact with its relation the right way round: "Holm directed Blue Sky" is about the film."""
    if not fact.relations or not fact.relations[0].startswith("^"):
        return fact
    turned = tuple(r.removeprefix("^") for r in fact.relations if r.startswith("^"))
    return replace(fact, subject=fact.object, object=fact.subject, relations=turned)


def _same_relation(ours: Fact, theirs: Fact) -> bool:
    if ours.relations and theirs.relations:
        return ours.relations[0] == theirs.relations[0]
    if ours.relations or theirs.relations:
        return False
    dated = ours.object.value is not None and ours.object.value.datatype == "date"
    worded = _verb if dated else _predicate  # "added in 1976", "added on 7 November 1976"
    return worded(ours) == worded(theirs) != ""


def _predicate(fact: Fact) -> str:
    words = ["be" if w in _BE else "have" if w in _HAVE else w for w in fact.predicate.casefold().split()]
    return " ".join(word for word in words if word not in ("been", "also", "the", "a", "an"))


def _verb(fact: Fact) -> str:
    """The predicate without its last preposition: "was released in", "was released on"."""
    words = _predicate(fact).split()
    return " ".join(words[:-1] if words and words[-1] in ("in", "on", "at", "by") else words)


def _same(left: Argument, right: Argument) -> bool:
    """Whether two arguments name one thing: the same entity, or the same name but for case, accents and articles."""
    if pronoun(left) or pronoun(right):
        return False
    known, other = ids_of(left), ids_of(right)
    if known and other:
        return known[0] == other[0]
    names = [(a, b) for a in _names(left) for b in _names(right)]
    return any(fold(a) == fold(b) or _surname(a, b) or _surname(b, a) for a, b in names)


def _names(argument: Argument) -> tuple[str, ...]:
    mention = argument.mention
    return (argument.text, mention.text) if mention and mention.text != argument.text else (argument.text,)


def _surname(short: str, full: str) -> bool:
    """Whether `short` is the surname of `full`: one word that ends a name of two or three."""
    words = full.split()
    plain = all(word[:1].isupper() and word.isalpha() for word in words)
    return " " not in short and short[:1].isupper() and 2 <= len(words) <= 3 and plain and words[-1] == short


def _same_tense(ours: Fact, theirs: Fact) -> bool:
    if ours.relations and ours.relations[0] in _TIMELESS:
        return True
    return ours.tense == theirs.tense or not ours.tense


def _circumstances(ours: Fact, theirs: Fact) -> bool:
    """Whether every attribute of the claim's fact stands by the other one too, and none of a name differs.

    What was so in one year says nothing of another.
    """
    if ours.relations and ours.relations[0] in _DATES | _PLACES:
        return True
    for one in ours.attributes:
        alike = [other for other in theirs.attributes if other.name == one.name]
        if not any(_values(one.object, other.object) == "agree" for other in alike):
            return False
    return True


def _as_plain(ours: Fact, theirs: Fact) -> bool:
    """Whether the other fact is no more limited than the claim's: "in the second half" is another count."""
    names = [attribute.name for attribute in ours.attributes]
    return all(attribute.name in names for attribute in theirs.attributes)


def _objects(ours: Fact, theirs: Fact) -> State:
    state = _values(ours.object, theirs.object)
    if state != "conflict":
        return state
    relation = ours.relations[0] if ours.relations else ""
    if theirs.object.modifier not in _EXACT or ours.object.modifier not in _EXACT:
        return "unknown"
    if relation in _DATES:
        return "conflict"
    if relation in _DATES_BY_WORD:
        return "conflict" if _verb(ours) == _verb(theirs) else "unknown"
    if ours.object.value is not None and ours.object.value.datatype == "quantity":
        return "conflict" if _predicate(ours) == _predicate(theirs) and _as_plain(ours, theirs) else "unknown"
    if relation in _NAMES:
        return "conflict" if _full(ours.object) and _full(theirs.object) else "unknown"
    if relation in _HOLDERS:
        now = ours.tense == theirs.tense == "present" and not _PRIVATIVE.search(
            f"{ours.predicate} {theirs.predicate}"
        )
        return "conflict" if now and _full(ours.object) and _full(theirs.object) else "unknown"
    if relation in _MAKERS:
        whole = theirs.predicate.endswith(" by") and _full(ours.object) and _full(theirs.object)
        return "conflict" if whole else "unknown"
    if relation in _PLACES:
        return "conflict" if _of_a_kind(ours.object, theirs.object) else "unknown"
    return "unknown"


def _values(ours: Argument, theirs: Argument) -> State:
    """Whether two objects are one; "conflict" where they are two that could be told apart."""
    if ours.value is not None and theirs.value is not None:
        if ours.text.casefold() == theirs.text.casefold() and ours.modifier == theirs.modifier:
            return "agree"
        if theirs.modifier not in _EXACT:
            return "unknown"
        return compare(ours.value, theirs.value, modifier=ours.modifier)
    if ours.value is not None or theirs.value is not None or pronoun(ours) or pronoun(theirs):
        return "unknown"
    if _same(ours, theirs):
        return "agree"
    a, b = fold(ours.text), fold(theirs.text)
    if b.endswith(f" {a}") and not a[:1].isupper() and not ours.mentions:
        return "unknown" if _PRIVATIVE.search(theirs.text) else "agree"
    return "conflict" if like_words(ours.text, theirs.text) == "other" else "unknown"


def _full(argument: Argument) -> bool:
    """A name of two words or of a known entity: a description or a single word may stand for anybody."""
    words = argument.text.split()
    named = (
        len(words) >= 2
        and words[0][:1].isupper()
        and words[-1][:1].isupper()
        and words[0] not in ("The", "A")
    )
    return named or bool(ids_of(argument))


def _of_a_kind(ours: Argument, theirs: Argument) -> bool:
    """Two places of one class, two towns or two countries: neither lies in the other."""
    first, second = ours.mention, theirs.mention
    if first is None or second is None or first.entity is None or second.entity is None:
        return False
    return first.entity.id != second.entity.id and bool(set(first.entity.types) & set(second.entity.types))
