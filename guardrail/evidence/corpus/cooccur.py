"""GraphRetrieve (Mongiovì and Gangemi): cross-document evidence from the graph of entities that occur together.

    G = (V, E), E = {(u, v, f)}: u and v are mentioned in frame f; F(u, v) are the frames that mention both (§2)

For a claim that mentions the entities M_c, with paths of at most l = 2 hops between two of them, the paper keeps three
kinds of nodes: mentioned ones, those between two mentioned ones, and the rest, which go. The evidence is the union of
F(u, v) over the edges that are left, and all sentences of the pages of the mentioned entities. Of the sentences that
mention none of M_c the edges are dropped first (§3, the procedure); entities above 1,000 mentions are cut.
The paper's baselines are here too: the pages alone, the mentions alone, and both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from guardrail.evidence.corpus.corpus import Corpus

__all__ = [
    "Neighbourhood",
    "entity_and_mention_retrieve",
    "entity_retrieve",
    "graph_retrieve",
    "mention_retrieve",
    "neighbourhood",
]

TOO_GENERAL = 1_000


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The part of the graph around a claim. `frames`: the nodes that each frame with a mentioned node mentions.

    `between`: for each node between mentioned ones, which of these it lies between.
    """

    mentioned: frozenset[int]
    between: Mapping[int, frozenset[int]]
    frames: Mapping[int, frozenset[int]]

    @property
    def nodes(self) -> frozenset[int]:
        """V_c: the mentioned nodes and those between them."""
        return self.mentioned | self.between.keys()


def neighbourhood(
    corpus: Corpus, mentioned: Iterable[int], *, too_general: int = TOO_GENERAL
) -> Neighbourhood:
    """G_c for the nodes a claim mentions; entities above `too_general` mentions take no part."""
    asked = set(mentioned)
    frequency = corpus.frequency(asked, most=too_general + 1)
    kept = frozenset(node for node in asked if frequency.get(node, 0) <= too_general)
    inside = sorted({int(frame) for node in kept for frame in corpus.mentions(node)})
    frames = {frame: frozenset(nodes) for frame, nodes in corpus.names_in(inside).items()}
    beside: dict[int, set[int]] = {}
    for nodes in frames.values():
        met = nodes & kept
        for node in nodes - kept:
            beside.setdefault(node, set()).update(met)
    between = {node: frozenset(ends) for node, ends in beside.items() if len(ends) > 1}
    common = corpus.frequency(between, most=too_general + 1)
    between = {node: ends for node, ends in between.items() if common[node] <= too_general}
    return Neighbourhood(kept, between, frames)


def graph_retrieve(corpus: Corpus, mentioned: Iterable[int], *, too_general: int = TOO_GENERAL) -> set[int]:
    """∪ F(u, v) over E_c, and the pages of the mentioned entities."""
    around = neighbourhood(corpus, mentioned, too_general=too_general)
    left = around.nodes
    edges = {frame for frame, nodes in around.frames.items() if len(nodes & left) > 1}
    return edges | entity_retrieve(corpus, around.mentioned)


def entity_retrieve(corpus: Corpus, mentioned: Iterable[int]) -> set[int]:
    """All frames of the pages of the mentioned entities."""
    return {frame for frames in corpus.pages(mentioned).values() for frame in frames}


def mention_retrieve(corpus: Corpus, mentioned: Iterable[int]) -> set[int]:
    """All frames that mention at least one of the entities."""
    return {int(frame) for node in mentioned for frame in corpus.mentions(node)}


def entity_and_mention_retrieve(corpus: Corpus, mentioned: Iterable[int]) -> set[int]:
    """Both of the above."""
    nodes = list(mentioned)
    return entity_retrieve(corpus, nodes) | mention_retrieve(corpus, nodes)
