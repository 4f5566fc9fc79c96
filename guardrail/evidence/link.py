"""Entity linking: the mentions of a text and what each may stand for.

    stretches of words ──alias index──▶ readings ──longest first──▶ mentions ──scores──▶ best, and second within a margin

One query asks the alias index for every stretch of a sentence. A reading's score is log-linear: prior (popularity),
how well the written form fits the name, what the words around say of its description and types, and whether the graph
joins it to the other mentions, those of the question and of earlier claims. Names the graph does not know come back
without candidates (NIL).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from guardrail.evidence import names
from guardrail.evidence.disambiguate import Reading, form_score, scored
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.spans import Case, Scanned, Stretch, capitalised_runs, function_words, scan, stretches
from guardrail.types import Candidate, Context, Entity, Mention, Span

_PER_NAME = 8
"""Readings of one name that are looked at: the best known."""
_REMEMBERED = 50_000
_NOTHING = Context()


@dataclass(slots=True)
class _Found:
    """A mention in the making: words `first..last`, and what they may stand for."""

    first: int
    last: int
    readings: list[Reading] = field(default_factory=list)


class AliasLinker:
    """Links by the alias index of a graph. Safe to share between threads.

    `margin`: a second reading whose score is within it is kept. `threshold`: readings below it are NIL.
    """

    def __init__(self, graph: Knowledge, *, margin: float = 1.0, threshold: float = 0.5) -> None:
        self._graph, self._margin, self._threshold = graph, margin, threshold
        self._entities: dict[int, Entity] = {}
        self._version = ""

    def link(self, text: str, *, offset: int = 0, context: Context = _NOTHING) -> list[Mention]:
        """Mentions in `text`, in order, not overlapping; spans are shifted by `offset`."""
        scanned = scan(text)
        if not scanned.words:
            return []
        found = self._find(scanned, context)
        self._recall(found)
        readings = scored(self._graph, scanned, [f.readings for f in found], _anchors(context))
        mentions = []
        for each, candidates in zip(found, readings, strict=True):
            mention = self._mention(scanned, each, candidates, offset)
            if mention is not None:
                mentions.append(mention)
        return mentions

    def _find(self, scanned: Scanned, context: Context) -> list[_Found]:
        """Disjoint stretches with their readings: the longest name wins; then the names the graph does not know."""
        asked = stretches(scanned)
        forms: dict[str, list[str]] = {}
        for stretch in asked:
            forms.setdefault(stretch.key, []).append(scanned.surface(stretch.first, stretch.last))
        by_key = self._look_up(forms)
        earlier = _earlier_names(context)
        matched: list[tuple[Stretch, list[Reading]]] = []
        for stretch in asked:
            readings = _fitting(scanned, stretch, by_key.get(stretch.key, ()))
            readings += _recalled(scanned, stretch, earlier, readings)
            if readings:
                matched.append((stretch, readings))
        matched.sort(key=lambda m: (m[0].first - m[0].last, m[0].first))
        taken = [False] * len(scanned.words)
        found: list[_Found] = []
        for stretch, readings in matched:
            if not any(taken[stretch.first : stretch.last + 1]):
                taken[stretch.first : stretch.last + 1] = [True] * (stretch.last - stretch.first + 1)
                found.append(_Found(stretch.first, stretch.last, readings))
        found.sort(key=lambda f: f.first)
        return _with_unknown(scanned, found)

    def _look_up(self, forms: Mapping[str, Sequence[str]]) -> dict[str, list[Reading]]:
        by_key: dict[str, dict[int, Reading]] = {}
        for key, n, text, kind, popularity, degree in self._graph.named(forms):
            reading = Reading(n, text, kind, popularity, degree)
            of_key = by_key.setdefault(key, {})
            kept = of_key.get(n)
            if kept is None or (kind, text) < (kept.kind, kept.text):
                of_key[n] = (
                    reading
                    if kept is None
                    else Reading(n, text, kind, popularity, degree, (*kept.forms, kept.text))
                )
            else:
                of_key[n] = Reading(n, kept.text, kept.kind, popularity, degree, (*kept.forms, text))
        return {
            key: sorted(of_key.values(), key=lambda r: (-r.prior, r.kind, r.n))
            for key, of_key in by_key.items()
        }

    def _recall(self, found: Sequence[_Found]) -> None:
        """Fetches the entities of all readings that are not in memory."""
        version = self._graph.version
        if version != self._version or len(self._entities) > _REMEMBERED:
            self._entities, self._version = {}, version
        entities = self._entities
        missing = {r.n for f in found for r in f.readings if r.entity is None and r.n not in entities}
        if missing:
            entities |= self._graph.entities(sorted(missing))
        for each in found:
            each.readings = [
                r.of(r.entity or entities[r.n]) for r in each.readings if r.entity or r.n in entities
            ]

    def _mention(
        self, scanned: Scanned, found: _Found, candidates: Sequence[Candidate], offset: int
    ) -> Mention | None:
        start, end = scanned.words[found.first].start, scanned.words[found.last].end
        kept = tuple(c for c in candidates[:2] if c.score >= candidates[0].score - self._margin)
        name = any(scanned.cases[i] is not Case.LOWER for i in range(found.first, found.last + 1))
        if kept and kept[0].score < self._threshold:
            kept = ()
        if not kept and not name:
            return None
        return Mention(Span(start + offset, end + offset), scanned.text[start:end], kept)


def _fitting(scanned: Scanned, stretch: Stretch, readings: Sequence[Reading]) -> list[Reading]:
    """Readings whose name is written as the text writes it, the best known few."""
    if not readings:
        return []
    surface = scanned.surface(stretch.first, stretch.last)
    initial = scanned.initial[stretch.first]
    fitting = [(form_score(surface, reading, initial=initial), reading) for reading in readings]
    kept = [reading.fits(score) for score, reading in fitting if score is not None]
    return kept[:_PER_NAME]


def _earlier_names(context: Context) -> dict[str, list[Mention]]:
    """Earlier mentions with an entity by each word of their names: "Curie" may mean the Marie Curie of before."""
    by_word: dict[str, list[Mention]] = {}
    mentions = [*context.question_mentions, *(m for claim in context.earlier for m in claim.mentions)]
    for mention in mentions:
        if mention.entity is not None:
            for word in {*names.key(mention.text).split(), names.key(mention.text)}:
                by_word.setdefault(word, []).append(mention)
    return by_word


def _recalled(
    scanned: Scanned, stretch: Stretch, earlier: dict[str, list[Mention]], readings: Sequence[Reading]
) -> list[Reading]:
    """Readings that only the context gives: part of the name of somebody who was named in full before."""
    if stretch.first != stretch.last or scanned.cases[stretch.first] is Case.LOWER:
        return []
    known = {r.entity.id for r in readings if r.entity}
    found = []
    for mention in reversed(earlier.get(stretch.key, [])):
        entity = mention.entity
        if entity is not None and entity.id not in known and stretch.key not in function_words():
            known.add(entity.id)
            found.append(Reading(-1, entity.label, 1, entity.popularity, 0, (), entity, 1.0))
    return found[:2]


def _with_unknown(scanned: Scanned, found: list[_Found]) -> list[_Found]:
    """Adds the capitalised names that the graph does not know, and takes back matches that are part of one.

    "Paris Hilton" is no mention of Paris where the graph has no Paris Hilton.
    """
    result = list(found)
    for first, last in capitalised_runs(scanned):
        inside = [f for f in result if f.first <= last and f.last >= first]
        covered = {i for f in inside for i in range(f.first, f.last + 1)}
        free = [i for i in range(first, last + 1) if i not in covered]
        if not free:
            continue
        if not inside:
            if not scanned.blocked(first, last):
                result.append(_Found(first, last))
            continue
        if _one_name(scanned, free, inside):
            result = [f for f in result if f not in inside]
            result.append(_Found(min(first, inside[0].first), max(last, inside[-1].last)))
    return sorted(result, key=lambda f: f.first)


def _one_name(scanned: Scanned, free: Sequence[int], inside: Sequence[_Found]) -> bool:
    """Whether the words that no match covers make one longer name with the single match beside them."""
    if len(inside) != 1 or inside[0].first != inside[0].last:
        return False
    return all(
        scanned.cases[i] is Case.TITLE and scanned.words[i].folded not in function_words() for i in free
    ) and (not scanned.initial[free[0]])


def _anchors(context: Context) -> list[Entity]:
    """Entities that the text is already about."""
    mentions = [*context.question_mentions, *(m for claim in context.earlier[-6:] for m in claim.mentions)]
    return list({m.entity.id: m.entity for m in mentions if m.entity is not None}.values())
