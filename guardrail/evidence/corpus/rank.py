"""Our ranker over the co-occurrence graph: which frames to read first for a claim, cut at k.

GraphRetrieve says which frames may matter, and ignores what they say. Here a frame is scored by how much of the claim's
wording it covers (rare terms count more), by the mentioned entities in it (rare ones count more), and by standing on the
page of one. Then one hop further: the names in the best frames are bridges to pages and frames that may share nothing
with the claim but what the first frame left open ("The Beatles … Liverpool", "Liverpool … England"). Last, the order:
each place goes to the frame that adds most to those before it, by the claim's words that it covers and by standing on the
page of a name that these mention, so that the few that are read cover the whole claim and hang together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guardrail.evidence.corpus.bm25 import Floats, idf
from guardrail.evidence.corpus.cooccur import TOO_GENERAL, neighbourhood
from guardrail.evidence.corpus.corpus import Corpus, Hit
from guardrail.evidence.corpus.terms import terms

__all__ = ["WEIGHTS", "Weights", "rank"]


@dataclass(frozen=True, slots=True)
class Weights:
    """Set by hand. A random search on half of the questions of eval/suites/graphretrieve.py gained nothing on the others."""

    mention: float = 0.3  # of all the mentioned entities, weighted by rarity
    page: float = 0.25  # standing on the page of a mentioned entity
    lead: float = 0.15  # … as its first frame
    link: float = 0.1  # an edge of GraphRetrieve's graph lies in it
    length: float = 0.02  # off, for each doubling of length beyond ten terms
    carried: float = 0.5  # of the first frame's score, to what it bridges to
    open: float = 1.0  # covering what the first frame left open
    bridge: float = 0.15  # by rarity of the bridging name
    bridge_lead: float = 0.1  # first frame of the bridging name's page
    added: float = 1.0  # covering what the frames before it do not
    next: float = (
        0.2  # by rarity: standing on the page, not read so far, of a name that a frame before it mentions
    )


WEIGHTS = Weights()

_SEARCHED = 150  # frames taken from the inverted index
_PAGE = 40  # frames of one page that are looked at
_FIRST = 12  # frames whose names are followed
_FOLLOWED = 40  # names
_BRIDGE_PAGE = 8
_CHOSEN = 12  # places that are filled greedily
_CHOSEN_FROM = 60
_BRIDGE_MENTIONS = 12  # a name with no more mentions is followed to these as well


class _Frames:
    """What is known of the frames looked at so far: which of the claim's terms each holds, and the names in it."""

    def __init__(self, corpus: Corpus, wording: Mapping[str, float]) -> None:
        self.corpus = corpus
        self._query = list(wording)
        self.weights: Floats = np.array(list(wording.values()))
        self._held: dict[int, NDArray[np.bool_]] = {}
        self.lengths: dict[int, int] = {}
        self.names: dict[int, list[int]] = {}

    def read(self, numbers: Iterable[int]) -> None:
        fresh = [n for n in numbers if n not in self._held]
        ordered, held, lengths = self.corpus.holding(self._query, fresh)
        self._held.update(zip(ordered, held, strict=True))
        self.lengths.update(zip(ordered, lengths.tolist(), strict=True))

    @property
    def width(self) -> int:
        """How many terms the claim has."""
        return len(self._query)

    def held(self, number: int) -> NDArray[np.bool_]:
        """Which of the claim's terms the frame holds: `[width]`."""
        return self._held[number]

    def covered(self, number: int, *, within: NDArray[np.bool_] | None = None) -> float:
        """How much of the claim the frame covers; of the terms `within` only."""
        held = self._held[number] if within is None else self._held[number] & within
        return float(held @ self.weights)


def rank(
    corpus: Corpus,
    claim: str,
    *,
    mentioned: Collection[int] | None = None,
    limit: int = 10,
    weights: Weights = WEIGHTS,
) -> list[Hit]:
    """The frames of the corpus to read for `claim`, best first. `mentioned`: its nodes; None: found by name."""
    asked = list(corpus.nodes_in(claim).values()) if mentioned is None else list(mentioned)
    query = corpus.telling(terms(claim))
    wording = _wording(corpus, query)
    if not wording:
        return []
    frames = _Frames(corpus, wording)
    first = _first_hop(frames, query, asked, weights)
    second = _second_hop(frames, first, asked, weights)
    scores = {number: max(first.get(number, 0.0), second.get(number, 0.0)) for number in {*first, *second}}
    return _ordered(frames, scores, limit=limit, weights=weights)


def _ordered(frames: _Frames, scores: Mapping[int, float], *, limit: int, weights: Weights) -> list[Hit]:
    """Greedily: each next frame by its score, by what it adds, and by leading on from those before it."""
    rest = sorted(scores, key=lambda number: (-scores[number], number))[: max(limit, _CHOSEN_FROM)]
    chain = _Chain(frames.corpus, rest)
    held = np.array([frames.held(number) for number in rest])
    own = np.array([scores[number] for number in rest])
    left = np.ones(len(rest), dtype=np.bool_)
    open_terms = np.ones(frames.width, dtype=np.bool_)
    order: list[Hit] = []
    least = float("inf")
    while len(order) < min(limit, len(rest)):
        added = held @ (frames.weights * open_terms)
        led_to = np.array([chain.leads_to(number) for number in rest])
        values = np.where(left, own + weights.added * added + weights.next * led_to, -np.inf)
        if len(order) >= _CHOSEN:  # by now little is left to add: the rest as it stands
            by_value = np.argsort(-values, kind="stable")[: min(limit, len(rest)) - len(order)]
            return order + [Hit(rest[place], min(float(values[place]), least)) for place in by_value]
        place = int(np.argmax(values))
        least = min(least, float(values[place]))  # what was led to is worth no more than what led to it
        order.append(Hit(rest[place], least))
        left[place] = False
        open_terms &= ~held[place]
        chain.read(rest[place])
    return order


class _Chain:
    """Which frames those chosen so far lead on to: "… directed by Jia Zhangke", then the page of Jia Zhangke."""

    def __init__(self, corpus: Corpus, numbers: Sequence[int]) -> None:
        self._named = corpus.names_in(numbers)
        self._page = {number: nodes[0] for number, nodes in corpus.title_nodes(numbers).items()}
        self._rarity = _rarity(corpus, set(self._page.values()))
        self._met: set[int] = set()
        self._seen: set[int] = set()

    def read(self, number: int) -> None:
        self._met.update(self._named.get(number, ()))
        if number in self._page:
            self._seen.add(self._page[number])

    def leads_to(self, number: int) -> float:
        """How rare the name is by which a chosen frame leads to this one's page, in [0, 1]; 0 for a page read already."""
        node = self._page.get(number)
        if node is None or node in self._seen or node not in self._met:
            return 0.0
        return self._rarity.get(node, 0.0)


def _wording(corpus: Corpus, query: Sequence[str]) -> dict[str, float]:
    """The claim's terms by how much they tell; those that no frame holds tell nothing here."""
    count = int(corpus.meta()["passages"])
    frequency = corpus.term_frequency(query)
    raw = {term: idf(frequency[term], count) for term in query if frequency.get(term)}
    total = sum(raw.values())
    return {term: weight / total for term, weight in raw.items()} if total else {}


def _first_hop(
    frames: _Frames, query: Sequence[str], asked: Sequence[int], weights: Weights
) -> dict[int, float]:
    corpus = frames.corpus
    around = neighbourhood(corpus, asked)
    pages = {node: numbers[:_PAGE] for node, numbers in corpus.pages(asked).items()}
    left = around.nodes
    links = {number for number, nodes in around.frames.items() if len(nodes & left) > 1}
    on_page = {number for numbers in pages.values() for number in numbers}
    leads = {numbers[0] for numbers in pages.values() if numbers}
    searched = [hit.passage for hit in corpus.search_terms(query, limit=_SEARCHED)]
    looked_at = {*searched, *on_page, *links}
    frames.read(looked_at)
    frames.names = corpus.names_in(looked_at)
    rarity = _rarity(corpus, asked)
    whole = sum(rarity.values()) or 1.0
    return {
        number: frames.covered(number)
        + weights.mention * sum(rarity.get(node, 0.0) for node in frames.names.get(number, ())) / whole
        + weights.page * (number in on_page)
        + weights.lead * (number in leads)
        + weights.link * (number in links)
        - _long(frames, number, weights)
        for number in looked_at
    }


def _second_hop(
    frames: _Frames, first: Mapping[int, float], asked: Sequence[int], weights: Weights
) -> dict[int, float]:
    """Frames that the best ones lead to by a name, scored by what these leave open."""
    corpus = frames.corpus
    best = sorted(first, key=lambda number: (-first[number], number))[:_FIRST]
    titles = corpus.title_nodes(best)
    bridges: dict[int, list[int]] = {}
    for number in best:
        for node in {*frames.names.get(number, ()), *titles.get(number, ())}.difference(asked):
            bridges.setdefault(node, []).append(number)
    rarity = _rarity(corpus, bridges)
    followed = sorted(rarity, key=lambda n: (-rarity[n] * max(first[f] for f in bridges[n]), n))[:_FOLLOWED]
    pages = corpus.pages(followed)
    frequency = corpus.frequency(followed, most=_BRIDGE_MENTIONS + 1)
    reached: dict[int, list[int]] = {}
    for node in followed:
        numbers = pages.get(node, [])[:_BRIDGE_PAGE]
        if frequency.get(node, 0) <= _BRIDGE_MENTIONS:
            numbers = [*numbers, *(int(n) for n in corpus.mentions(node))]
        reached[node] = numbers
    frames.read({number for numbers in reached.values() for number in numbers})
    scores: dict[int, float] = {}
    for node, numbers in reached.items():
        lead = pages.get(node, [None])[0]
        for origin in bridges[node]:
            base = weights.carried * first[origin] + weights.bridge * rarity[node]
            for number in numbers:
                if number == origin:
                    continue
                score = (
                    base
                    + weights.open * frames.covered(number, within=~frames.held(origin))
                    + weights.bridge_lead * (number == lead)
                    - _long(frames, number, weights)
                )
                scores[number] = max(scores.get(number, score), score)
    return scores


def _rarity(corpus: Corpus, nodes: Iterable[int]) -> dict[int, float]:
    """1 for a node of one mention, falling to 0 at those too general to tell anything."""
    wanted = list(nodes)
    frequency = corpus.frequency(wanted, most=TOO_GENERAL)
    top = float(np.log1p(TOO_GENERAL))
    return {
        node: 1 - float(np.log1p(frequency.get(node, 0))) / top
        for node in wanted
        if frequency.get(node, 0) < TOO_GENERAL
    }


def _long(frames: _Frames, number: int, weights: Weights) -> float:
    return weights.length * max(float(np.log2(max(frames.lengths[number], 1) / 10)), 0.0)
