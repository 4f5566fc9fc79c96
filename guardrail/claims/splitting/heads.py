"""The words of a sentence that head claims of their own."""

from __future__ import annotations

from collections.abc import Iterator

from guardrail.language import Doc, Token

__all__ = ["clausal", "heads"]

# Both sides of these state facts. Not "even though … still": that is the same. "if", "when", "because", "until" decide whether
# the other side holds.
_CONTRASTING = frozenset("while whereas although though so".split())
_RELATIVE = frozenset("which who whom whose where when".split())
_SAYING = frozenset(
    "say tell write report note add explain announce claim state warn argue believe think find suggest reply ask confirm insist".split()
)
_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
_SUBJECTS = ("nsubj", "csubj", "expl")
_OUTSIDE = frozenset({"punct", "cc", "mark", "discourse", "reparandum"})


def heads(doc: Doc) -> list[int]:
    """The places of the heads, in order; the first root is one of them."""
    found: set[int] = set()
    for root in doc.roots():
        if not found or clausal(doc, root):
            found.add(root.at)
            found.update(_within(doc, root))
    return sorted(found)


def clausal(doc: Doc, token: Token) -> bool:
    """Whether a word is a predicate: a verb, or what a form of "be" or an auxiliary leads to."""
    return token.tag in _VERBS or any(
        kid.dep in ("cop", "aux", "aux:pass") or kid.dep.startswith("nsubj") for kid in doc.kids(token.at)
    )


def subject(doc: Doc, token: Token) -> Token | None:
    return next((kid for kid in doc.kids(token.at) if kid.dep.startswith(_SUBJECTS)), None)


def finite(doc: Doc, token: Token) -> bool:
    """Whether a predicate has a tense, of its own or by its auxiliary."""
    return token.tag in _FINITE or any(
        kid.tag in _FINITE and kid.dep in ("cop", "aux", "aux:pass") for kid in doc.kids(token.at)
    )


def _within(doc: Doc, top: Token) -> Iterator[int]:
    """Below a claim's head the heads of other claims."""
    for kid in doc.kids(top.at):
        if _stands_alone(doc, top, kid):
            yield kid.at
            yield from _within(doc, kid)
        elif kid.dep not in ("advcl", "acl:relcl", "ccomp", "csubj"):
            yield from _nested(doc, kid)


def _nested(doc: Doc, token: Token) -> Iterator[int]:
    """Clauses that hang on a noun phrase at the end of the sentence."""
    for kid in doc.kids(token.at):
        if _added(doc, kid):
            yield kid.at
            yield from _within(doc, kid)
        elif kid.dep in ("obj", "obl", "nmod", "conj", "appos", "xcomp", "nsubj:pass", "nsubj", "amod", "acl"):
            yield from _nested(doc, kid)


def _stands_alone(doc: Doc, top: Token, kid: Token) -> bool:
    if kid.dep == "conj":
        return clausal(doc, kid) and clausal(doc, top) and not _listed(doc, top, kid)
    if kid.dep.startswith("parataxis"):
        return _beside(doc, top, kid)
    if kid.dep == "ccomp":
        return subject(doc, kid) is not None and _marked_off(doc, top, kid)
    if kid.dep.startswith("advcl") and subject(doc, kid) is not None:
        return _contrasting(doc, kid)
    return _added(doc, kid)


def _listed(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether verbs stand side by side over one object: "read, write and delete files"."""
    between = [doc.tokens[at] for at in range(top.at + 1, kid.at)]
    bare = all(one.dep in ("punct", "cc", "conj") for one in between)
    return bare and subject(doc, kid) is None and not any(one.dep == "aux:pass" for one in doc.kids(top.at))


def _beside(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether a clause is set beside another, and is not who says it."""
    if not clausal(doc, kid) or kid.lemma in _SAYING or subject(doc, kid) is None:
        return False
    return True


def _marked_off(doc: Doc, top: Token, kid: Token) -> bool:
    first, last = doc.first[kid.at], doc.last[kid.at]
    left = doc.tokens[first - 1].text if first else ""
    right = doc.tokens[last + 1].text if last + 1 < len(doc) else ""
    own = {doc.tokens[first].text, doc.tokens[last].text}
    return bool({left, right, *own} & set(";:—–")) and top.lemma not in _SAYING


def _contrasting(doc: Doc, kid: Token) -> bool:
    marks = [one for one in doc.kids(kid.at) if one.dep == "mark"]
    return any(
        mark.low in _CONTRASTING and not list(doc.kids(mark.at)) and not _that(doc, mark) for mark in marks
    )


def _that(doc: Doc, mark: Token) -> bool:
    """ "so that"."""
    following = doc.tokens[mark.at + 1].low if mark.at + 1 < len(doc) else ""
    return mark.low == "so" and following == "that"


def _added(doc: Doc, kid: Token) -> bool:
    """Whether a clause at an end of the sentence adds a fact: ", which …", ", founded in 1998", "Founded in 1998, …"."""
    first, last = doc.first[kid.at], doc.last[kid.at]
    if kid.dep == "acl:relcl":
        lead = [doc.tokens[at].low for at in range(first, min(first + 3, len(doc)))]
        return _behind_comma(doc, first) and bool(_RELATIVE & set(lead)) and _ends(doc, last)
    if kid.dep in ("acl", "advcl") and kid.tag == "VBN" and subject(doc, kid) is None:
        bare = not any(one.dep == "mark" for one in doc.kids(kid.at))
        return bare and ((_behind_comma(doc, first) and _ends(doc, last)) or first == 0)
    return False


def _behind_comma(doc: Doc, first: int) -> bool:
    return doc.tokens[first].text in (",", "–", "—") or (first > 0 and doc.tokens[first - 1].text in (",", "–", "—"))


def _ends(doc: Doc, last: int) -> bool:
    return all(one.dep == "punct" for one in doc.tokens[last + 1 :])
