"""Which reading of a name is meant: a log-linear score over what is known without a model.

    score = prior + form + context words + coherence + recall

The weights were set by hand on the development part of the linking evaluation (docs/knowledge.md has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from guardrail.evidence import names
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.spans import Scanned, function_words
from guardrail.types import Candidate, Entity

PRIOR = 0.6
CONTEXT = 0.9
COHERENCE = 1.5
RECALL = 4.0
_LABEL = 0.7
_OTHER_CASE = -1.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a name may stand for: row number, the name as the graph writes it, kind 0 for a label and 1 for an alias."""

    n: int
    text: str
    kind: int
    popularity: float
    degree: int
    forms: tuple[str, ...] = ()
    entity: Entity | None = None
    form: float = 0.0

    @property
    def prior(self) -> float:
        return self.popularity or math.log1p(self.degree)

    def of(self, entity: Entity) -> Reading:
        return replace(self, entity=entity)

    def fits(self, form: float) -> Reading:
        return replace(self, form=form)


def form_score(surface: str, reading: Reading, *, initial: bool) -> float | None:
    """How well `surface` is this name as the graph writes it; None where it cannot be."""
    scores = [_one_form(surface, text, initial=initial) for text in (reading.text, *reading.forms)]
    possible = [score for score in scores if score is not None]
    if not possible:
        return None
    return max(possible) + (_LABEL if reading.kind == 0 else 0.0)


def _one_form(surface: str, name: str, *, initial: bool) -> float | None:
    if surface == name:
        return 0.5
    lower = surface.islower()
    if lower or name.islower():
        if lower and name.islower():
            return 0.5
        # "Physics is …" at a sentence's start; else a capital means a name, and lower case none.
        return 0.0 if initial and not lower and surface[1:].islower() else None
    if name.isupper() and len(name) <= 5 and not surface.isupper():
        return None  # "Who" is no "WHO"
    if surface.isupper() and len(surface) <= 4 and not name.isupper():
        return _OTHER_CASE
    return 0.2


def scored(
    graph: Knowledge, scanned: Scanned, mentions: Sequence[Sequence[Reading]], anchors: Sequence[Entity]
) -> list[list[Candidate]]:
    """Candidates of each mention, best first."""
    anchored = {entity.id for entity in anchors}
    ambiguous = any(len(readings) > 1 for readings in mentions)
    joined = _joined(graph, mentions, anchors) if ambiguous else {}
    around = {w.folded for w in scanned.words if w.folded not in function_words()} if ambiguous else set()
    result = []
    for readings in mentions:
        own = set(names.key(readings[0].text).split()) if readings else set()
        candidates = []
        for reading in readings:
            entity = reading.entity
            if entity is None:
                continue
            score = PRIOR * (entity.popularity or reading.prior) + reading.form
            if len(readings) > 1:
                score += CONTEXT * _overlap(entity, around - own) + COHERENCE * math.log1p(
                    joined.get(entity.id, 0)
                )
            if entity.id in anchored:
                score += RECALL
            candidates.append(Candidate(entity, score))
        candidates.sort(key=lambda c: (-c.score, c.entity.id))
        result.append(candidates)
    return result


def _overlap(entity: Entity, around: set[str]) -> float:
    """How many words of the description stand in the text, up to 3."""
    if not entity.description or not around:
        return 0.0
    return min(3.0, len(around.intersection(names.key(entity.description).split())))


def _joined(
    graph: Knowledge, mentions: Sequence[Sequence[Reading]], anchors: Sequence[Entity]
) -> dict[str, int]:
    """With how many other mentions (and anchors) the graph joins each reading directly."""
    place: dict[int, set[int]] = {}
    ids: dict[int, str] = {}
    for i, readings in enumerate(mentions):
        for reading in readings:
            if reading.entity is not None and reading.n >= 0:
                place.setdefault(reading.n, set()).add(i)
                ids[reading.n] = reading.entity.id
    for n in graph.numbers([entity.id for entity in anchors]).values() if anchors else ():
        place.setdefault(n, set()).add(-1)
    if len(place) < 2:
        return {}
    numbers = sorted(place)
    partners: dict[int, set[int]] = {}
    for a, b in {(edge.a, edge.b) for edge in graph.edges_between(numbers, numbers)}:
        if a != b:
            partners.setdefault(a, set()).update(place[b] - place[a])
            partners.setdefault(b, set()).update(place[a] - place[b])
    return {ids[n]: len(with_) for n, with_ in partners.items() if n in ids}
