"""References in the request: the sentences kept for a claim, and what exact comparison and the model make of them.

The second table: texts that people judged by references, decided by exact comparison alone, by the model alone, and by the
cascade of both. A text is Contradictory where one of its claims is, Attributable where all are. Each set is cut in two halves
by a hash of its reference; rules were written with a look at the first (`seen`), the second was only counted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from statistics import mean

from eval.datasets.judged import judge_sets
from eval.datasets.multihop import Asked, in_context
from guardrail.evidence.request.passages import PassageRetriever
from guardrail.models.embed import Embedder
from guardrail.types import Claim, Passage, Span

CUTS = (2, 4, 8)
_QUESTIONS = 150


def run() -> int:
    """Prints the share of questions whose whole evidence is kept; 0 when fusing loses nowhere at the cut that is used."""
    print(f"{'':24}" + "".join(f"{f'@{k}':>8}" for k in CUTS) + "   CPU time per claim")
    met = True
    for name in ("hotpot", "2wiki"):
        asked = in_context(name, limit=_QUESTIONS)
        alone, fused = _kept(name, "BM25", asked, None), _kept(name, "fused", asked, Embedder(threads=1))
        met = met and fused >= alone
    judge_sets()
    return 0 if met else 1


def _kept(name: str, how: str, asked: Sequence[Asked], embedder: Embedder | None) -> float:
    hits: dict[int, list[bool]] = {k: [] for k in CUTS}
    spent = 0.0
    for one in asked:
        retriever = PassageRetriever(one.references, keep=max(CUTS), embedder=embedder)
        retriever.retrieve(_as_claim("x"))  # the one pass over the references
        began = time.process_time()
        found = retriever.retrieve(_as_claim(one.claim)).passages
        spent += time.process_time() - began
        for k in CUTS:
            hits[k].append(all(_among(found[:k], title, text) for title, text in one.gold))
    shares = "".join(f"{100 * mean(hits[k]):8.1f}" for k in CUTS)
    print(f"{name + ', ' + how:24}{shares}   {1000 * spent / len(asked):.1f} ms")
    return mean(hits[max(CUTS)])


def _as_claim(text: str) -> Claim:
    return Claim(0, Span(0, len(text)), text, text)


def _among(found: Sequence[Passage], title: str, text: str) -> bool:
    """Sentences may be cut elsewhere than in the data set."""
    return any(one.title == title and (one.text in text or text in one.text) for one in found)
