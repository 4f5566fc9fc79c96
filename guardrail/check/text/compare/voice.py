"""A claim that is a sentence in the other voice: "Anna was hired by Karl", "Karl hired Anna"."""

from __future__ import annotations

from collections.abc import Iterator

from guardrail.language import Doc, Token
from guardrail.rules import rule

__all__ = ["restated"]

_SUBJECT = "subject"
_OBJECT = "object"
_SUBJECTS = ("nsubj", "csubj")


@rule("other-voice", silent=False)
def restated(claim: Doc, sentence: Doc) -> bool:
    """The claim is the sentence in the other voice: one predicate, the same phrases in its roles, and no other word more or less."""
    ours, theirs = _predication(claim), _predication(sentence)
    return ours is not None and ours == theirs


def _predication(doc: Doc) -> tuple[str, str, list[tuple[str, list[str]]], list[str]] | None:
    """The only predicate, its tense, its roles with all words of their phrases, and the words that are left."""
    verb = _only_predicate(doc)
    if verb is None:
        return None
    passive = next((kid for kid in doc.kids(verb.at) if kid.dep == "aux:pass"), None)
    roles = list(_roles(doc, verb))
    phrases = {at for _, head in roles for at in range(doc.first[head], doc.last[head] + 1)}
    left = [
        t.low for t in doc.tokens if t.at not in phrases and t not in (verb, passive) and t.dep != "punct"
    ]
    filled = sorted((role, _phrase(doc, head)) for role, head in roles)
    return verb.lemma, (passive or verb).tag.replace("VBP", "VBZ"), filled, sorted(left)


def _only_predicate(doc: Doc) -> Token | None:
    """None where there are several, and in a question."""
    predicates = [
        token for token in doc.tokens if token.tag.startswith("VB") and not token.dep.startswith("aux")
    ]
    return predicates[0] if len(predicates) == 1 and not doc.text.rstrip().endswith("?") else None


def _roles(doc: Doc, predicate: Token) -> Iterator[tuple[str, int]]:
    """Subject, object or preposition, passives turned round, each with the place of its phrase's head."""
    passive = any(kid.dep in ("aux:pass", "nsubj:pass") for kid in doc.kids(predicate.at))
    for kid in doc.kids(predicate.at):
        case = _case(doc, kid.at)
        if role := _role(kid.dep, case.low if case else "", passive=passive):
            yield role, kid.at


def _role(dep: str, case: str, *, passive: bool) -> str:
    kind = dep.split(":")[0]
    if kind in _SUBJECTS:
        return _OBJECT if passive else _SUBJECT
    if dep == "obl:agent" or (passive and case == "by"):
        return _SUBJECT
    if kind == "obj":
        return _OBJECT
    return case if kind in ("obl", "nmod") else ""


def _phrase(doc: Doc, at: int) -> list[str]:
    """The words of a phrase in order; its preposition is the role's name."""
    case = _case(doc, at)
    return [token.low for token in doc.tokens[doc.first[at] : doc.last[at] + 1] if token != case]


def _case(doc: Doc, at: int) -> Token | None:
    return next((kid for kid in doc.kids(at) if kid.dep == "case"), None)
