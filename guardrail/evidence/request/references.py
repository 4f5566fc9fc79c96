"""Evidence that came with the request: triplets (ClaimVer's ret_triplets) and reference passages.

Triplets are few and given on purpose, so a claim sees every one that shares a content word with it, most shared first, and those that are
nearest to it in meaning. References may be long: passages.py picks the sentences that bear on the claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.query.nearest import as_text, divided
from guardrail.evidence.request.passages import PassageRetriever, opens_with_pronoun
from guardrail.language.lists import word_list
from guardrail.types import Claim, Embedder, Evidence, Passage, Setting, Triplet

_WORD = re.compile(r"\w+")
_EMPTY = word_list("stop words")
_MOST = 200  # triplets that are compared in meaning, the first ones


class RequestRetriever:
    """Implements `Retriever` over what the request brought."""

    def __init__(
        self,
        references: Sequence[Passage] = (),
        triplets: Sequence[Triplet] = (),
        *,
        setting: Setting = Setting.NOISY,
        embedder: Embedder | None = None,
    ) -> None:
        self._references = PassageRetriever(references, embedder=embedder)
        self._accurate = setting is Setting.ACCURATE
        self._triplets = tuple((triplet, _words(_wording(triplet))) for triplet in triplets)
        self._embedder = embedder

    def retrieve(self, claim: Claim) -> Evidence:
        wanted = _words(f"{claim.text} {claim.resolved}")
        shared = [(len(wanted & words), triplet) for triplet, words in self._triplets]
        related = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
        found = self._references.retrieve(claim)
        passages = tuple(self._of_subject(passage, claim) for passage in found.passages)
        nearest, peers = divided(self._nearest(claim.resolved))
        told = tuple(triplet for _, triplet in related)
        return replace(found, triplets=told, passages=passages, nearest=nearest, peers=peers)

    def _nearest(self, text: str) -> Sequence[Triplet]:
        """The triplets in the order of their nearness; none without an embedder."""
        if self._embedder is None or not self._triplets:
            return ()
        (vector,) = self._embedder.embed([text])
        order = np.argsort(-(self._vectors @ vector), kind="stable").tolist()
        return list(dict.fromkeys(self._triplets[at][0] for at in order))

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        assert self._embedder is not None
        return self._embedder.embed([as_text(triplet) for triplet, _ in self._triplets[:_MOST]])

    def _of_subject(self, passage: Passage, claim: Claim) -> Passage:
        """A document that the answer is about, and that names nobody, speaks of the claim's subject when it says "he"."""
        told = passage.title or passage.about or not opens_with_pronoun(passage.text)
        if not self._accurate or told or not claim.mentions:
            return passage
        return replace(passage, about=claim.mentions[0].text)


def _wording(triplet: Triplet) -> str:
    return " ".join((triplet.subject.label, triplet.predicate.label, triplet.object.label))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _EMPTY
