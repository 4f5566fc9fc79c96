"""Whom "both", "they" or "the two films" mean: the sentence is read with their names in that place.

"Both" takes up two things that stand side by side in the sentence before: its subjects, what one of them has, or the two names of one
kind; or the subjects of the last two sentences. "They" takes up subjects that are joined. Where several such groups, or a plural noun
without names, may be meant, nothing is guessed. Only subjects are looked at: elsewhere ("directed both") no verdict got better by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from guardrail.claims.discourse.coreference import ends_sentence
from guardrail.claims.lexicon.kinds import Kinds
from guardrail.language import Doc, Parse, Token
from guardrail.rules import rule
from guardrail.types import Claim, Context, Kind, Mention, Sentence, Span, Statement

__all__ = ["with_names"]

_HINT = re.compile(r"\b(?:both|they|two|pair|couple|duo)\b", re.IGNORECASE)
_ALONE = re.compile(
    r"they|both(?: of (?:them|these|those|the two))?|(?:the|these|those) (?:two|pair|couple|duo)(?: of them)?"
)
_COUNTED = re.compile(r"(?:both|(?:the|these|those) two) \w+")
_GENDERED = {"men": "man", "women": "woman"}
_BACK = 2  # sentences
_SUBJECT = ("nsubj",)
_SIDES = (*_SUBJECT, "obj", "obl:agent", "appos")
_PAIR = 2

Names = tuple[Mention, ...]


class _Anaphor(NamedTuple):
    """Words that stand for several names. `kind`: of what, where a noun says so; `two`: whether they are two."""

    place: Span
    kind: str
    two: bool


@dataclass(frozen=True, slots=True)
class _Before:
    """A sentence before: the names in its claims, those of which something is said, and how each claim reads as it stands alone."""

    names: Names
    subjects: Names
    docs: Sequence[Doc]

    @classmethod
    def of(cls, claims: Sequence[Claim], parse: Parse) -> _Before:
        return cls(
            _distinct(one for claim in claims for one in claim.mentions if one.text[:1].isupper()),
            _distinct(fact.subject.mention for claim in claims for fact in claim.facts),
            [parse(claim.resolved) for claim in claims],
        )


@rule("plural-antecedents")
def with_names(sentence: Sentence, context: Context, kinds: Kinds, parse: Parse) -> Statement | None:
    """The sentence with the names that its plural subjects mean; None where it has none, or it is not safe to say."""
    if not _HINT.search(sentence.text) or not (context.earlier or context.question_mentions):
        return None
    doc = parse(sentence.text)
    found = [one for token in doc.tokens if (one := _anaphor(token, doc, kinds)) is not None]
    if not found or _names_before(doc, found[0].place.start):
        return None
    meant = _antecedents(found[0], context, kinds, parse)
    return _replaced(sentence.text, found, meant) if meant else None


def _names_before(doc: Doc, end: int) -> bool:
    """Whether the sentence itself names something before: it may be meant as well."""
    return any(token.tag in ("NNP", "NNPS") for token in doc.tokens if token.start < end)


# ── what points back ──────────────────────────────────────────────────────────────────────────────────


def _anaphor(token: Token, doc: Doc, kinds: Kinds) -> _Anaphor | None:
    """A subject that is "they", "both (of them)", "the two", "both films", "the two men"."""
    if not token.dep.startswith(_SUBJECT):
        return None
    place = Span(doc.tokens[doc.first[token.at]].start, doc.tokens[doc.last[token.at]].end)
    words = place.of(doc.text).lower()
    if _ALONE.fullmatch(words):
        return _Anaphor(place, "", two=words != "they")
    counted = token.tag == "NNS" and _COUNTED.fullmatch(words) is not None
    kind = _GENDERED.get(token.low) or kinds.noun(token.low)
    return _Anaphor(place, kind, two=True) if counted and kind else None


# ── what it points at ─────────────────────────────────────────────────────────────────────────────────


def _antecedents(anaphor: _Anaphor, context: Context, kinds: Kinds, parse: Parse) -> Names:
    """The nearest names that it can mean, in the order of the text; none where several groups of them are as near."""
    before = [_Before.of(claims, parse) for claims in islice(_sentences(context.earlier), _BACK)]
    for sentence in before:
        if not anaphor.kind and _rivalled(sentence, kinds):
            return ()
        groups = {frozenset(map(_key, one)): one for one in _groups(anaphor, sentence, kinds)}
        if groups:
            return next(iter(groups.values())) if len(groups) == 1 else ()
        if sentence.names and not anaphor.two:
            return ()
    return _apart(anaphor, before, context, kinds) if anaphor.two else ()


def _apart(anaphor: _Anaphor, before: Sequence[_Before], context: Context, kinds: Kinds) -> Names:
    """Two things that no sentence names together: the subjects of the last ones, the things of the noun's kind, or what the question names."""
    last = before[::-1]
    told = _distinct(one for sentence in last for one in sentence.subjects)
    named = _distinct(one for sentence in last for one in sentence.names)
    asked = _distinct(one for one in context.question_mentions if one.text[:1].isupper())
    of_kind = tuple(one for one in named if anaphor.kind in kinds.mention(one))
    return next((one for one in (told, of_kind, asked) if _alike(anaphor, one, kinds)), ())


def _groups(anaphor: _Anaphor, sentence: _Before, kinds: Kinds) -> Iterator[Names]:
    """Names that a sentence joins; for two things also all of the noun's kind, or where it joins none of that of its subject."""
    joined = [
        one for one in _joined(sentence, _SIDES if anaphor.two else _SUBJECT) if _alike(anaphor, one, kinds)
    ]
    yield from joined
    if joined or not anaphor.two:
        return
    wanted = frozenset({anaphor.kind} - {""})
    if not wanted and not any(True for _ in _joined(sentence, ("",))):
        wanted = kinds.mention(next(iter(sentence.subjects), None))
    of_kind = tuple(one for one in sentence.names if wanted and wanted <= kinds.mention(one))
    if _alike(anaphor, of_kind, kinds):
        yield of_kind


def _joined(sentence: _Before, sides: tuple[str, ...]) -> Iterator[Names]:
    """The names that are joined in these roles."""
    for doc in sentence.docs:
        for token in doc.tokens:
            parts = [token, *(one for one in doc.kids(token.at) if one.dep == "conj")]
            if (
                len(parts) > 1
                and token.tag.startswith("NNP")
                and token.dep.startswith(sides)
                and not _listed(token, doc)
            ):
                yield _distinct(_name_at(one, doc, sentence) for one in parts)


def _listed(token: Token, doc: Doc) -> bool:
    """Whether a name stands before it, so that the names that are joined are the last ones of a longer list."""
    start = doc.first[token.at]
    return start > 1 and doc.tokens[start - 1].text == "," and doc.tokens[start - 2].tag.startswith("NNP")


def _name_at(token: Token, doc: Doc, sentence: _Before) -> Mention | None:
    """The name that begins with a word or ends with it."""
    return next((one for one in sentence.names if _stands(one.text, token, doc.text)), None)


def _stands(name: str, token: Token, text: str) -> bool:
    return text.startswith(name, token.start) or text.endswith(name, 0, token.end)


def _alike(anaphor: _Anaphor, names: Names, kinds: Kinds) -> bool:
    """Whether as many names as it wants can be of one kind, and of the one that its noun says."""
    if len(names) < _PAIR or (anaphor.two and len(names) != _PAIR):
        return False
    known = [kinds.mention(one) for one in names]
    if anaphor.kind:
        return all(anaphor.kind in one for one in known)
    return bool(frozenset.intersection(*known)) or not any(known)


def _rivalled(sentence: _Before, kinds: Kinds) -> bool:
    """Whether a plural noun without names may be meant as well: "They wrote songs. They sold well"."""
    return any(
        token.tag == "NNS"
        and token.dep.startswith(_SIDES)
        and kinds.noun(token.low)
        and not _appositive(token, doc)
        for doc in sentence.docs
        for token in doc.tokens
    )


def _appositive(token: Token, doc: Doc) -> bool:
    """Whether the names of what it means stand beside it: "two moons, Phobos and Deimos"."""
    return any(one.dep.startswith("appos") for one in doc.kids(token.at))


# ── small things ──────────────────────────────────────────────────────────────────────────────────────


def _sentences(earlier: Sequence[Claim]) -> Iterator[list[Claim]]:
    """The claims of each sentence before, the last one first, as far as they are facts."""
    found: list[Claim] = []
    for claim in reversed(earlier):
        if found and ends_sentence(claim):
            yield found
            found = []
        if claim.kind is Kind.FACT:
            found.insert(0, claim)
    if found:
        yield found


def _distinct(mentions: Iterable[Mention | None]) -> Names:
    """Each thing once, by the first of its names."""
    found: dict[str, Mention] = {}
    for one in mentions:
        if one is not None:
            found.setdefault(_key(one), one)
    return tuple(found.values())


def _key(mention: Mention) -> str:
    return mention.entity.id if mention.entity is not None else mention.text


def _replaced(text: str, found: Sequence[_Anaphor], names: Names) -> Statement:
    words = ", ".join(one.text for one in names[:-1]) + f" and {names[-1].text}"
    return Statement.replacing(text, ((one.place, words) for one in found))
