"""Who does what to whom: parts of a sentence exchanged, active and passive."""

from __future__ import annotations

from collections.abc import Iterator

from eval.train.edits.base import (
    Change,
    Place,
    child,
    exchange,
    is_plural,
    lowered,
    made_false,
    made_same,
    phrase_of,
    root_of,
)
from guardrail.language import Doc, Token

__all__ = ["joined_nouns", "roles", "voice"]


def roles(place: Place) -> Iterator[Change]:
    """Who does it and to whom exchanged; the like parts of two joined clauses exchanged: false. Two joined things: the same."""
    doc = place.doc
    for verb in doc.tokens:
        if verb.tag[0] != "V":
            continue
        subject = child(doc, verb.at, "nsubj", "nsubj:pass")
        other = child(doc, verb.at, "obj", "obl:agent", "iobj")
        if subject and other and _exchangeable(doc, subject, other, verb):
            yield made_false(
                "roles", *exchange(doc.text, phrase_of(doc, subject.at), phrase_of(doc, other.at))
            )
    for conj in doc.tokens:
        if conj.dep == "conj" and conj.tag[0] in "VJN":
            yield from _mixed_up(doc, doc.tokens[conj.head], conj)


def _exchangeable(doc: Doc, left: Token, right: Token, verb: Token) -> bool:
    if left.tag[:2] != "NN" or right.tag[:2] != "NN" or left.lemma == right.lemma or verb.lemma in _UNLIKE:
        return False
    if any(kid.dep.startswith("acl") for at in (left.at, right.at) for kid in doc.kids(at)):
        return False
    fixed = verb.tag in ("VBZ", "VBP") or any(kid.lemma in ("be", "have") for kid in doc.kids(verb.at))
    spans = phrase_of(doc, left.at), phrase_of(doc, right.at)
    short = all(end - start < 45 for start, end in spans)
    return short and spans[0][1] < spans[1][0] and (_alike(left, right) or not fixed)


_UNLIKE = frozenset("have include meet marry equal".split())


def _mixed_up(doc: Doc, left: Token, right: Token) -> Iterator[Change]:
    """Like parts of two clauses exchanged: "A is red and B is blue" → "B is red and A is blue"."""
    for dep in ("nsubj", "nsubj:pass", "obj", "obl", "nummod", "amod"):
        one, other = child(doc, left.at, dep), child(doc, right.at, dep)
        if one and other and _comparable(doc, one, other):
            first, second = sorted((phrase_of(doc, one.at), phrase_of(doc, other.at)))
            if first[1] < second[0]:
                yield made_false("mix-up", *exchange(doc.text, first, second))


def _comparable(doc: Doc, one: Token, other: Token) -> bool:
    if one.lemma == other.lemma or one.tag[:2] != other.tag[:2] or one.tag == "PRP":
        return False
    cases = [[kid.low for kid in doc.kids(t.at) if kid.dep == "case"] for t in (one, other)]
    return cases[0] == cases[1] and _alike(one, other)


def _alike(left: Token, right: Token) -> bool:
    """Whether both are one thing, or both several."""
    return (left.tag in ("NNS", "NNPS")) == (right.tag in ("NNS", "NNPS"))


def joined_nouns(place: Place) -> Iterator[Change]:
    """Two joined things exchanged: "tea and coffee" → "coffee and tea" says the same."""
    doc = place.doc
    for token in doc.tokens:
        joined = [kid for kid in doc.kids(token.at) if kid.dep == "conj"]
        if token.tag[:2] == "NN" and len(joined) == 1 and _is_bare(doc, token, joined[0]):
            other = joined[0]
            yield made_same("joined", *exchange(doc.text, (token.start, token.end), (other.start, other.end)))


def _is_bare(doc: Doc, left: Token, right: Token) -> bool:
    """Whether two joined nouns have no words of their own."""
    if right.at - left.at != 2 or doc.tokens[left.at + 1].low not in ("and", "or"):
        return False
    own = any(kid.dep in ("amod", "compound", "nummod", "flat") for kid in doc.kids(left.at))
    return not own and doc.first[right.at] == left.at + 1 and doc.last[right.at] == right.at


def voice(place: Place) -> Iterator[Change]:
    """Active → passive, of a plain sentence with subject, verb and object: the same."""
    doc, root = place.doc, root_of(place.doc)
    if not root or any(t.tag in ("PRP", "WP", "WDT") or t.text == ":" for t in doc.tokens):
        return
    subject, thing = child(doc, root.at, "nsubj"), child(doc, root.at, "obj")
    if not subject or not thing or not _voiced(doc, root, subject, thing):
        return
    form = place.senses.form(root.lemma.lower(), "VBN")
    helper = _passive(doc, root, plural=is_plural(doc, thing))
    end = doc.tokens[doc.last[thing.at]].end
    if helper and form and end - root.end <= 70:
        agent = lowered(doc, 0, doc.text[: doc.tokens[doc.last[subject.at]].end])
        object_ = doc.text[doc.tokens[root.at + 1].start : end]
        yield made_same("voice", (0, end, f"{object_} {helper} {form} by {agent}"))


def _voiced(doc: Doc, root: Token, subject: Token, thing: Token) -> bool:
    """Whether a sentence is subject, helping verbs, verb, object, and little else."""
    if root.lemma in ("have", "be", "cost", "last", "get") or {subject.tag[:2], thing.tag[:2]} != {"NN"}:
        return False
    if any(kid.dep in ("conj", "advmod", "iobj", "xcomp", "parataxis") for kid in doc.kids(root.at)):
        return False
    helpers = sum(kid.dep.startswith("aux") for kid in doc.kids(root.at))
    begins = doc.first[subject.at] == 0 and doc.last[subject.at] + helpers + 1 == root.at
    return begins and doc.first[thing.at] == root.at + 1


_PASSIVE = {"VBD": ("was", "were"), "VBZ": ("is", "are"), "VBP": ("is", "are")}


def _passive(doc: Doc, root: Token, *, plural: bool) -> str:
    """The helping verbs of the passive, or "" where they are not known."""
    helpers = [kid.low for kid in doc.kids(root.at) if kid.dep.startswith("aux")]
    if not helpers:
        return _PASSIVE.get(root.tag, ("", ""))[plural]
    known = helpers[1:] == [] and helpers[0] in ("must", "may", "can", "will", "should")
    return f"{helpers[0]} be" if known else ""
