"""Whether the entity that the graph was asked about is the one that the claim names.

A linker takes the best reading of a name that the graph has. Where the words around the name speak of another thing (a book, not the
film of that name; another year), what is known of the reading refutes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from guardrail import ontology
from guardrail.check.kg.compare.names import fold
from guardrail.language.lists import word_list
from guardrail.rules import rule
from guardrail.types import Argument, Claim, Entity, Span

__all__ = ["is_full_name", "is_other_referent", "reading_of"]

_HUMAN = ontology.classes("human")
# What a work is told or played in: the words for it, and the classes.
_MEDIA = {
    word: medium
    for medium, words in {
        "film": "film films movie movies",
        "series": "series sitcom show shows",
        "book": "book books novel novels novella comic comics manga memoir autobiography trilogy",
        "stage": "musical play opera ballet",
        "music": "album song single soundtrack",
        "game": "game games",
    }.items()
    for word in words.split()
}
_CLASSES = ontology.by_class("medium")
# Films and series are released and aired; what is published is print, music or a game.
_PUBLISHED = re.compile(r"\bpublish(?:ed|es)\b", re.IGNORECASE)
_STAGED = re.compile(r"\b(?:Broadway|West End|Opera House|on stage)\b")
_STAGE = frozenset({"stage"})
_PRINTED = frozenset({"book", "music", "game"})
# Nouns that stand for a body only together with the rest of its name.
_BODIES = word_list("bodies")
_AFTER = re.compile(r"['’]?s?[\"”’*_]*\s+([^\W\d_]+)")
_TAIL = re.compile(r"^['’]?s?[\"”’*_]*\s+(?P<head>[^\W\d_][\w'’ -]*)$")
_BEHIND = re.compile(r"\s(?:of|in|at|for|from|on|by|to|with|and|or|himself|herself|itself|alone)\b.*$")
_ARTICLES = frozenset("the a an this that these those his her its their our my your".split())
_HYPHENATED = re.compile(r"[^\W\d_]\s?[-–]\s?$")
_QUOTED = re.compile(r"[\"“](?P<title>[^\"“”]{2,80})[\"”]|\*(?P<italic>[^*]{2,80})\*")
_SMALL = frozenset(
    "a an the of in on at to by for from with and or as is de la le du der von et il el vs".split()
)


def reading_of(argument: Argument, id_: str) -> Entity | None:
    """The candidate of the argument's name with this id."""
    for mention in argument.mentions:
        for candidate in mention.candidates:
            if candidate.entity.id == id_:
                return candidate.entity
    return None


def is_other_referent(anchor: Argument, entity: Entity, claim: Claim) -> bool:
    """Whether `anchor`, which was taken for `entity`, may well name another thing."""
    return (
        not is_full_name(anchor, entity)
        or _in_title(anchor, claim)
        or _other_medium(anchor, entity, claim)
        or _bare_body(anchor, entity)
        or _nickname(anchor, entity)
    )


def is_full_name(argument: Argument, entity: Entity) -> bool:
    """Whether the linked name is all there is: "the New York needle" is no New York, nor "Argentine heavy metal" all of it.

    A noun behind the name that says what the entity is leaves it the same: "the Titanic liner".
    """
    mention = argument.mention
    if mention is None or mention.text not in argument.text:
        return True
    before, _, after = argument.text.partition(mention.text)
    tail = _TAIL.match(_BEHIND.sub("", after))
    if tail is not None and not _told(tail["head"].split()[-1], entity):
        return False
    lead = [word for word in fold(before).split() if word not in _ARTICLES]
    return not (lead and mention.text.islower())


def _told(noun: str, entity: Entity) -> bool:
    """Whether a noun is one of the words that say what the entity is."""
    words = fold(f"{entity.label} {entity.description}").split()
    singular = fold(noun).rstrip("s")
    return any(word.rstrip("s") == singular for word in words)


@rule("name-in-a-title", silent=False)
def _in_title(anchor: Argument, claim: Claim) -> bool:
    """Whether the name is only a part of a longer one: of a title in quotation marks, or behind a hyphen."""
    mention = anchor.mention
    if mention is None or not claim.span.contains(mention.span):
        return False
    start, end = mention.span.start - claim.span.start, mention.span.end - claim.span.start
    if _HYPHENATED.search(claim.text[:start]) and len(mention.text.split()) == 1:
        return True
    for found in _QUOTED.finditer(claim.text):
        inner = Span(*found.span(found.lastgroup or 0))
        title = inner.of(claim.text)
        longer = inner.contains(Span(start, end)) and fold(title) != fold(mention.text)
        if longer and _is_title(title.split()):
            return True
    return False


def _is_title(words: Sequence[str]) -> bool:
    """Whether all words but the small ones have a capital or a number: no sentence that somebody is quoted with."""
    return all(not word[:1].islower() or word.casefold().strip(",:;.") in _SMALL for word in words)


@rule("another-medium", silent=False)
def _other_medium(anchor: Argument, entity: Entity, claim: Claim) -> bool:
    """Whether the words around a title speak of a book, and the graph of the film of that name."""
    known = _media_of(entity)
    if not known:
        return False
    said = _said(anchor, claim)
    if not said:
        said = _PRINTED if _PUBLISHED.search(claim.text) else _STAGE if _STAGED.search(claim.text) else said
    return bool(said) and known.isdisjoint(said)


def _media_of(entity: Entity) -> frozenset[str]:
    """The media that a work is in, by its classes and its description; a musical film is a film."""
    words = fold(entity.description).split()
    found = {_CLASSES[kind] for kind in entity.types if kind in _CLASSES}
    found |= {_MEDIA[word] for word in words if word in _MEDIA} if found or words else set()
    if "film" in found:
        found = {"film", "series"} if "series" in found else {"film"}
    return frozenset(found)


def _said(anchor: Argument, claim: Claim) -> frozenset[str]:
    """The media that the words right before and behind the name speak of: "the comics", "the musical The Lion King"."""
    mention = anchor.mention
    if mention is None:
        return frozenset()
    nouns = fold(anchor.text.replace(mention.text, " ")).split()
    if claim.span.contains(mention.span):
        start, end = mention.span.start - claim.span.start, mention.span.end - claim.span.start
        nouns += re.findall(r"([^\W\d_]+)[,:]?\s*[\"“‘*_]*$", claim.text[:start].casefold())
        nouns += [match[1].casefold() for match in [_AFTER.match(claim.text[end:])] if match]
    return frozenset(_MEDIA[noun] for noun in nouns if noun in _MEDIA)


@rule("bare-body", silent=False)
def _bare_body(anchor: Argument, entity: Entity) -> bool:
    """Whether the name is a common noun for a body, "the Navy", of which the graph took a certain one."""
    name = fold(anchor.mention.text if anchor.mention else anchor.text)
    return name in _BODIES and name != fold(entity.label)


@rule("another-full-name", silent=False)
def _nickname(anchor: Argument, entity: Entity) -> bool:
    """Whether somebody's full name shares no word with that of the reading: James Carey need not be Jim Carrey."""
    mention = anchor.mention
    if _HUMAN.isdisjoint(entity.types) or mention is None:
        return False
    words = fold(mention.text).split()
    return len(words) > 1 and set(words).isdisjoint(fold(entity.label).split())
