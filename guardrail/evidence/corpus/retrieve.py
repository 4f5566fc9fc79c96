"""Evidence for a claim from a corpus: the frames that the ranker puts first, each in a window of its neighbours.

A frame is ranked alone, and read beside those around it in its document: "It seats forty" says nothing without the sentence
before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from guardrail.evidence.corpus.corpus import Corpus, Hit
from guardrail.evidence.corpus.localize import marks
from guardrail.evidence.corpus.rank import rank
from guardrail.evidence.names import key
from guardrail.types import Claim, Evidence, Passage, Span

__all__ = ["CorpusRetriever"]

_WINDOW = 1_100  # characters of a window: some 220 tokens
_REACH = 6  # frames before and behind that may belong to it
_APART = 4  # characters of white space that may stand between two frames of one window
_RANKED = 8


class CorpusRetriever:
    """Implements `Retriever` over a corpus. Thread-safe. `keep`: windows per claim."""

    def __init__(self, corpus: Corpus, *, keep: int = 3) -> None:
        self._corpus, self._keep = corpus, keep

    def retrieve(self, claim: Claim) -> Evidence:
        """The best windows for the claim's self-contained wording; its linked entities count by label too."""
        wording = claim.resolved or claim.text
        named = self._corpus.nodes(_names(claim)) | self._corpus.nodes_in(wording)
        hits = rank(self._corpus, wording, mentioned=set(named.values()), limit=max(_RANKED, self._keep))
        found = [
            replace(window, marks=marks(wording, window.text)) for window in self._windows(hits)[: self._keep]
        ]
        return Evidence(passages=tuple(found))

    def _windows(self, hits: Sequence[Hit]) -> list[Passage]:
        near = {hit.passage + step for hit in hits for step in range(-_REACH, _REACH + 1)}
        documents = self._corpus.documents_of(near)
        frames = self._corpus.passages(documents)
        windows: list[Passage] = []
        taken: set[int] = set()
        for hit in hits:
            if hit.passage in taken:
                continue
            places = _around(hit.passage, documents, frames, taken)
            taken.update(places)
            windows.append(replace(_joined([frames[n] for n in places]), relevance=hit.score))
        return windows


def _around(
    number: int, documents: Mapping[int, int], frames: Mapping[int, Passage], taken: set[int]
) -> list[int]:
    """The frame with its neighbours in the document, alternately before and behind, as many as a window holds."""
    first = last = number
    spent = len(frames[number].text)
    grown = True
    while grown:
        grown = False
        for near, edge in ((first - 1, first), (last + 1, last)):
            if near in taken or documents.get(near) != documents[number]:
                continue
            if not _adjoin(frames[near], frames[edge]) or spent + len(frames[near].text) > _WINDOW:
                continue
            first, last, grown = min(first, near), max(last, near), True
            spent += len(frames[near].text)
    return list(range(first, last + 1))


def _adjoin(one: Passage, other: Passage) -> bool:
    """Whether nothing but a little white space stands between two frames."""
    left, right = sorted(
        (one.span, other.span) if one.span and other.span else (Span(0, 0), Span(_APART + 1, _APART + 1))
    )
    return 0 <= right.start - left.end <= _APART


def _joined(frames: Sequence[Passage]) -> Passage:
    """The frames as one passage, as long as the stretch of the document that it stands for."""
    text = ""
    for frame, following in zip(frames, (*frames[1:], None), strict=True):
        gap = following.span.start - frame.span.end if following and following.span and frame.span else 0
        text += frame.text + (" " if gap == 1 else "\n" * gap)
    start = frames[0].span
    return replace(frames[0], text=text, span=Span(start.start, start.start + len(text)) if start else None)


def _names(claim: Claim) -> Iterable[str]:
    """Keys under which the corpus may know the claim's entities: their labels, and their ids where it was linked so."""
    for mention in claim.mentions:
        if mention.entity is not None:
            yield key(mention.entity.label)
            yield f"={mention.entity.id}"
