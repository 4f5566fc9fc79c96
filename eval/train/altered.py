"""Sentences of passages with one thing changed: pairs that differ in little and in their label.

A sentence stands as evidence, alone or with its neighbours, and the claims about it are the sentence itself, reworded, with less, or
with one thing exchanged for another (`edits`). Claim and evidence change places in half of the pairs, so that neither the
claim alone nor how near the two are tells the label.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from eval.train.edits import Change, Place, apart, applied, changes, openings
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example
from eval.train.senses import Senses
from guardrail.language import Doc
from guardrail.segment import sentences

__all__ = ["Read", "altered"]

Read = Callable[[str], Doc]
_WORDS = (5, 45)  # of a sentence that is changed
_ROOM = 380  # characters of evidence: about 95 tokens
_ALONE = 0.45  # share of the pairs whose evidence is the sentence alone
_SENTENCE = re.compile(r"[A-Z][^:]{0,40}(?:[^:]|$).*\.\s*$", re.S)  # not what a list or a play is made of
_OPENED, _JOINED = (
    0.06,
    0.07,
)  # share of the claims with words before them, and of those that say the next sentence too


def altered(passages: Sequence[str], read: Read, senses: Senses, rng: random.Random) -> Iterator[Example]:
    """The pairs of every sentence of these passages; those of one sentence follow each other."""
    for passage in passages:
        docs = [read(one.text) for one in sentences(passage)]
        for at, doc in enumerate(docs):
            if _WORDS[0] <= len(doc) <= _WORDS[1] and _SENTENCE.match(doc.text):
                others = [other for other in docs if other is not doc]
                yield from _pairs(Place(doc, others, senses, rng), docs, at, passage)


def _pairs(place: Place, docs: Sequence[Doc], at: int, group: str) -> Iterator[Example]:
    """About six pairs of one sentence: true ones, false ones, and what nobody says."""
    rng, found = place.rng, _by_kind(place)
    false, unsaid = (_drawn(found, label, rng) for label in (CONTRADICTORY, UNSUPPORTED))
    for changed in rng.sample(false, min(2, len(false))):
        yield from _both(place, changed, found, docs, at, group)
    if unsaid and rng.random() < 0.6:
        yield from _both(place, rng.choice(unsaid), found, docs, at, group)
    for less in (c for c in found if c.label == ATTRIBUTABLE and c.back != ATTRIBUTABLE):
        if rng.random() < 0.5:
            yield _pair(place, docs, at, group, ATTRIBUTABLE, ([], [less, *_reworded(found, [less], rng)]))
        else:
            yield _pair(place, docs, at, group, EXTRAPOLATORY, ([less], _reworded(found, [less], rng)))


def _both(
    place: Place, changed: Change, found: list[Change], docs: Sequence[Doc], at: int, group: str
) -> Iterator[Example]:
    """The change in the claim or in the evidence, and beside it the same claim where it is true."""
    rng = place.rng
    turned = rng.random() < 0.5 and changed.back
    claim = [] if turned else [changed]
    label = changed.back if turned else changed.label
    reworded = [*claim, *_reworded(found, [changed], rng)]
    yield _pair(place, docs, at, group, label, ([changed] if turned else [], reworded))
    yield _pair(
        place,
        docs,
        at,
        group,
        ATTRIBUTABLE,
        (claim, reworded if rng.random() < 0.5 else [*claim, *_reworded(found, [changed], rng)]),
    )


def _by_kind(place: Place) -> list[Change]:
    """At most two changes of each kind and label."""
    kept: dict[tuple[str, int], list[Change]] = {}
    for one in place.rng.sample(found := changes(place), len(found)):
        if applied(place.text, [one]) != place.text and len(kept.setdefault((one.kind, one.label), [])) < 2:
            kept[one.kind, one.label].append(one)
    return [one for group in kept.values() for one in group]


def _drawn(found: Sequence[Change], label: int, rng: random.Random) -> list[Change]:
    """One change of each kind with this label."""
    kinds = {one.kind: one for one in rng.sample(found, len(found)) if one.label == label}
    return list(kinds.values())


def _reworded(found: Sequence[Change], beside: Sequence[Change], rng: random.Random) -> list[Change]:
    """None to two changes that say the same and touch neither each other nor these."""
    chosen: list[Change] = []
    for one in rng.sample(found, len(found)):
        if (
            len(chosen) < rng.choice((0, 1, 2))
            and one.label == one.back == ATTRIBUTABLE
            and all(apart(one, other) for other in [*beside, *chosen])
        ):
            chosen.append(one)
    return chosen


def _pair(
    place: Place,
    docs: Sequence[Doc],
    at: int,
    group: str,
    label: int,
    made: tuple[list[Change], list[Change]],
) -> Example:
    """`made`: the changes in the evidence and in the claim."""
    premise, claim = (applied(place.text, part) for part in made)
    evidence = premise if place.rng.random() < _ALONE else _surrounded(premise, docs, at, place.rng)
    after = docs[at + 1].text if at + 1 < len(docs) else ""
    return Example(
        evidence, _framed(claim, after if after in evidence else "", place.rng), label, "altered", group
    )


def _surrounded(premise: str, docs: Sequence[Doc], at: int, rng: random.Random) -> str:
    """The sentence with one or both neighbours, where there is room."""
    evidence = premise
    for step in rng.sample((-1, 1), rng.choice((1, 2))):
        other = docs[at + step].text if 0 <= at + step < len(docs) else ""
        if other and len(evidence) + len(other) < _ROOM:
            evidence = f"{other} {evidence}" if step < 0 else f"{evidence} {other}"
    return evidence


def _framed(claim: str, after: str, rng: random.Random) -> str:
    """Some claims say the next sentence of the evidence too, some have words in front that change nothing."""
    if after and rng.random() < _JOINED and len(claim) < 160:
        return f"{claim} {after}"
    if rng.random() < _OPENED and claim.split()[0].lower() in _ARTICLES:
        return f"{rng.choice(openings())}{claim[:1].lower()}{claim[1:]}"
    return claim


_ARTICLES = frozenset("the a an this these all every if in when after before".split())
