"""A verb that is said once for two names: "Mozart was born in Salzburg and Beethoven in Bonn" is read with it behind either."""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrail.claims.lexicon.name_kinds import likely
from guardrail.language import Doc, Parse, Token
from guardrail.rules import rule
from guardrail.types import Sentence, Span, Statement

__all__ = ["with_verbs"]

_HINT = re.compile(r"(?:,|;|\band\b|\bwhile\b) (?:the )?[A-Z][^,;]*? (?:in|on|at|by|from|into) \w")
_LINKS = frozenset({"and", "while", "whereas", ",", ";"})
_MOST = 4  # words of what is understood


@rule("gapping")
def with_verbs(sentence: Sentence, parse: Parse) -> Statement | None:
    """The sentence with what its later parts leave out; None where they leave out nothing, or it is not safe to say."""
    if not _HINT.search(sentence.text):
        return None
    doc = parse(sentence.text)
    said = _said_once(doc)
    if said is None:
        return None
    subject, marker, words = said
    gaps = list(_gaps(doc, subject, marker))
    if not gaps or any(one.tag.startswith(("VB", "MD")) for one in doc.tokens[marker.at :]):
        return None
    return Statement.replacing(doc.text, ((Span(end, end), f" {words}") for end in gaps))


def _said_once(doc: Doc) -> tuple[str, Token, str] | None:
    """The name that a sentence begins with, the first preposition behind its verb, and what stands between."""
    verb = next((one for one in doc.roots() if one.tag.startswith("VB")), None)
    if verb is None:
        return None
    subject = next((one for one in doc.kids(verb.at) if one.dep.startswith("nsubj")), verb)
    marker = next((one for one in doc.tokens[verb.at :] if one.tag == "IN"), None)
    if marker is None or not subject.tag.startswith("NNP") or doc.first[subject.at] > 0:
        return None
    start = doc.tokens[doc.last[subject.at]].end
    words = doc.text[start : marker.start].split()
    return (
        (doc.text[:start].removeprefix("The "), marker, " ".join(words)) if 0 < len(words) <= _MOST else None
    )


def _gaps(doc: Doc, subject: str, marker: Token) -> Iterator[int]:
    """The ends of the names behind which the same preposition follows, and then a value or a name as behind the first one."""
    tokens = doc.tokens
    for token in tokens[marker.at + 2 : -1]:
        first = _name_before(token, doc)
        link = tokens[first - 2 if tokens[first - 1].low == "the" else first - 1]
        again = token.low == marker.low and _like(tokens[token.at + 1], tokens[marker.at + 1])
        if again and first < token.at and link.low in _LINKS:
            end = tokens[token.at - 1].end
            if _alike(doc.text[tokens[first].start : end], subject):
                yield end


def _name_before(token: Token, doc: Doc) -> int:
    """Where the name begins that ends before a token; its own place where none does."""
    at = token.at
    while at > 0 and doc.tokens[at - 1].tag.startswith("NNP"):
        at -= 1
    return at


def _like(one: Token, other: Token) -> bool:
    return (one.tag == "CD") == (other.tag == "CD")


def _alike(name: str, subject: str) -> bool:
    """Whether they may be of one kind: in "lived in Vienna and Prague in Bohemia" they are not."""
    return likely(name) in ("", likely(subject)) or (not likely(subject) and likely(name) != "place")
