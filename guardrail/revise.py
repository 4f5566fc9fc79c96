"""From a contradicted claim to sentences that say what is known instead (FLEEK §2.2).

`propose` only proposes: the verifier reads each revised sentence again and offers it when the slot agrees and every other
claim keeps its label. What is replaced is the claimed words and nothing else, in their own surface form: the date as it was
written, the unit it was given in, "a" or "an", a capital at the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrail.types import Claim, Fact, Label, Node, Object, Revision, Sentence, Slot, Span, Value, Verdict
from guardrail.values import render

__all__ = ["propose"]

MOST = 6
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_BRACKET = re.compile(r"\s+\([^)]*\)$")
_VOWEL = re.compile(r"[aeiou]|8|11\b|18\b|hour|honest|heir", re.IGNORECASE)
_LIKE_A_CONSONANT = re.compile(r"uni|use|usu|eu|one\b|once", re.IGNORECASE)
# Removing a negation, the nearest words first. English puts the verb back by itself only after an auxiliary.
_DENIALS = (
    (re.compile(r"\b(has|have|had)\s+never\s+", re.IGNORECASE), r"\1 "),
    (
        re.compile(
            r"\b(is|was|are|were|has|have|had|did|does|do|can|could|will|would)(?:\s+not|n['’]t)\b",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"\bnever\s+", re.IGNORECASE), ""),
    (re.compile(r"\b(has|have|had|is|are|was|were)\s+no\b", re.IGNORECASE), r"\1 a"),
)
_ANY = (
    (re.compile(r"\bany(one|body|thing|where)\b"), r"some\1"),
    (re.compile(r"\bany\s+"), ""),
)


def propose(claim: Claim, verdict: Verdict, sentence: Sentence) -> list[Revision]:
    """Candidate revisions of a Contradictory claim, likeliest first; none where the words at fault are not known."""
    slot = verdict.slot
    if verdict.label is not Label.CONTRADICTORY or slot is None or slot.fact >= len(claim.facts):
        return []
    fact = claim.facts[slot.fact]
    source = verdict.evidence.triplets[0].source if verdict.evidence.triplets else ""
    found = list(_replacements(slot, fact, claim, sentence))
    revisions = [
        Revision(span, words, _edited(sentence, span, words), source)
        for span, words in dict.fromkeys(found)
        if sentence.span.contains(span)
    ]
    return [r for r in revisions if r.text != sentence.text][:MOST]


def _replacements(slot: Slot, fact: Fact, claim: Claim, sentence: Sentence) -> Iterator[tuple[Span, str]]:
    if fact.negated or fact.universal:
        denied = _affirmed(claim, sentence)
        if denied:
            yield denied
        if not slot.values:
            return
    if slot.span is None or not sentence.span.contains(slot.span):
        return
    like = _words(sentence, slot.span)
    for value in slot.values:
        words = _surface(value, like)
        if words:
            yield _with_article(sentence, slot.span, words)


def _words(sentence: Sentence, span: Span) -> str:
    return sentence.text[span.start - sentence.span.start : span.end - sentence.span.start]


def _edited(sentence: Sentence, span: Span, words: str) -> str:
    start, end = span.start - sentence.span.start, span.end - sentence.span.start
    return sentence.text[:start] + words + sentence.text[end:]


def _surface(known: Object, like: str) -> str:
    """The known object in the manner of the claimed words."""
    if isinstance(known, Value):
        return render(known, like)
    return _name(known, like)


def _name(node: Node, like: str) -> str:
    words = _BRACKET.sub("", node.label)
    if re.search(r"['’]s?$", like) and not re.search(r"['’]s?$", words):
        words += "'s"
    article = re.match(r"(an?|the)\s+", like, re.IGNORECASE)
    if article and words[:1].islower():
        first = article[1] if article[1].casefold() == "the" else _article(words, article[1])
        return f"{first} {words}"
    if words[:1].islower() and like[:1].isupper():
        words = words[:1].upper() + words[1:]
    return words


def _with_article(sentence: Sentence, span: Span, words: str) -> tuple[Span, str]:
    """Takes the article before the words in, where it would no longer fit."""
    before = sentence.text[: span.start - sentence.span.start]
    match = _ARTICLE.search(before)
    if not match or _article(words, match[1]) == match[1]:
        return span, words
    return Span(
        sentence.span.start + match.start(), span.end
    ), f"{_article(words, match[1])}{match[2]}{words}"


def _article(words: str, like: str) -> str:
    fitting = "an" if _VOWEL.match(words) and not _LIKE_A_CONSONANT.match(words) else "a"
    return fitting.capitalize() if like[:1].isupper() else fitting


def _affirmed(claim: Claim, sentence: Sentence) -> tuple[Span, str] | None:
    """The claim's words without their negation."""
    text = _words(sentence, claim.span) if sentence.span.contains(claim.span) else ""
    for pattern, replacement in _DENIALS:
        match = pattern.search(text)
        if match is None:
            continue
        rest = text[match.end() :]
        for any_, some in _ANY:
            rest = any_.sub(some, rest, count=1)
        start = claim.span.start + match.start()
        return Span(start, claim.span.end), match.expand(replacement) + rest
    return None
