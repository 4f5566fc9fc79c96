"""Evidence for a claim from a corpus: the frames that the ranker puts first, with the words that bear on the claim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from guardrail.evidence.corpus import Corpus
from guardrail.evidence.localize import marks
from guardrail.evidence.names import key
from guardrail.evidence.rank import rank
from guardrail.types import Claim, Evidence

__all__ = ["CorpusRetriever"]


class CorpusRetriever:
    """Implements `Retriever` over a corpus. Thread-safe. `keep`: frames per claim."""

    def __init__(self, corpus: Corpus, *, keep: int = 8) -> None:
        self._corpus, self._keep = corpus, keep

    def retrieve(self, claim: Claim) -> Evidence:
        """The best frames for the claim's self-contained wording; its linked entities count by label too."""
        wording = claim.resolved or claim.text
        named = self._corpus.nodes(_names(claim)) | self._corpus.nodes_in(wording)
        hits = rank(self._corpus, wording, mentioned=set(named.values()), limit=self._keep)
        passages = self._corpus.passages(hit.passage for hit in hits)
        return Evidence(
            passages=tuple(
                replace(
                    passages[hit.passage],
                    relevance=hit.score,
                    marks=marks(wording, passages[hit.passage].text),
                )
                for hit in hits
            )
        )


def _names(claim: Claim) -> Iterable[str]:
    """Keys under which the corpus may know the claim's entities: their labels, and their ids where it was linked so."""
    for mention in claim.mentions:
        if mention.entity is not None:
            yield key(mention.entity.label)
            yield f"={mention.entity.id}"
