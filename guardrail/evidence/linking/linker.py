"""Entity linking: the mentions of a text and what each may stand for.

    stretches of words ──alias index──▶ readings ──longest first──▶ mentions ──scores──▶ best, and second within a margin

One query asks the alias index for every stretch of a sentence. A reading's score is log-linear: prior (popularity),
how well the written form fits the name, what the words around say of its description and types, and whether the graph
joins it to the other mentions, those of the question and of earlier claims. Names the graph does not know come back
without candidates (NIL).
"""

from __future__ import annotations

from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.linking.disambiguate import Disambiguator, NameReading, Option, option
from guardrail.evidence.linking.name_memory import NameMemory
from guardrail.evidence.linking.ner import Recognizer
from guardrail.evidence.linking.spans import Case, Scanned, Stretch, function_words, scan, stretches
from guardrail.evidence.linking.unknown import (
    DraftMention,
    Introduced,
    relative,
    relatives,
    with_recognized,
    with_unknown,
    words_of,
)
from guardrail.types import Candidate, Context, Entity, Mention, Span

_NOTHING = Context()
_NAMED_BEFORE = 1.0
"""How well part of a name fits what was named in full before."""

_MOST_RECALLED = 2

_Matched = dict[tuple[int, int], list[Option]]
"""Readings of the stretches `first..last` that are names."""


class AliasLinker:
    """Links by the alias index of a graph. Safe to share between threads.

    `margin`: a second reading whose score is within it is kept. `threshold`: readings below it are NIL. `recognizer`: adds
    the names that it sees and the index does not, held back common words too ("May resigned").
    """

    def __init__(
        self,
        graph: Knowledge,
        *,
        margin: float = 1.0,
        threshold: float = 0.5,
        recognizer: Recognizer | None = None,
    ) -> None:
        self._graph, self._margin, self._threshold = graph, margin, threshold
        self._recognizer = recognizer
        self._names = NameMemory(graph)
        self._disambiguator = Disambiguator(graph)

    def link(self, text: str, *, offset: int = 0, context: Context = _NOTHING) -> list[Mention]:
        """Mentions in `text`, in order, not overlapping; spans are shifted by `offset`."""
        scanned = scan(text)
        if not scanned.words:
            return []
        version = self._names.refresh()
        found = self._find(scanned, context)
        options, anchors = [f.options for f in found], _anchors(context)
        candidates = self._disambiguator.scored(scanned, options, anchors, version=version)
        mentions = []
        introduced, kin = Introduced(context), relatives(scanned)
        for each, ranked in zip(found, candidates, strict=True):
            if each.first in kin and each.first == each.last:
                ranked = relative(ranked)
            mention = self._mention(scanned, each, ranked, offset)
            if mention is not None:
                mentions.append(introduced.read(mention, scanned.words[each.first : each.last + 1]))
        return mentions

    def _find(self, scanned: Scanned, context: Context) -> list[DraftMention]:
        """Disjoint stretches with their readings: the longest name wins; then the names the graph does not know."""
        asked = stretches(scanned, self._names.begun)
        fitting = self._names.fitting(asked)
        earlier = _earlier_names(context)
        matched: _Matched = {}
        for stretch in asked:
            first, last, _, form, singular = stretch
            options = fitting[form][scanned.initial[first]]
            if earlier and first == last:
                options = _recalled(scanned, stretch, earlier, options)
            if options and not (singular and (first, last) in matched):
                matched[first, last] = options
        found = _longest(scanned, matched)
        known = with_unknown(scanned, found)
        if self._recognizer is None:
            return known
        spans = self._recognizer.places(scanned.text)
        return with_recognized(scanned, known, spans, lambda first, last: self._options(scanned, first, last))

    def _options(self, scanned: Scanned, first: int, last: int) -> list[Option]:
        """Readings of a stretch that was not asked for: a recognizer holds it for a name."""
        form = scanned.surface(first, last)
        stretch = Stretch(first, last, " ".join(scanned.words[first : last + 1]), form)
        return list(self._names.fitting([stretch])[form][scanned.initial[first]])

    def _mention(
        self, scanned: Scanned, found: DraftMention, candidates: tuple[Candidate, ...], offset: int
    ) -> Mention | None:
        kept = candidates
        if len(kept) > 1 and kept[1].score < kept[0].score - self._margin:
            kept = kept[:1]
        surface = scanned.surface(found.first, found.last)
        if kept and kept[0].score < self._threshold:
            kept = ()
        if not kept and not found.recognized and scanned.lower(found.first, found.last):
            return None
        start, end = scanned.places[found.first][0], scanned.places[found.last][1]
        return Mention(Span(start + offset, end + offset), surface, kept)


def _longest(scanned: Scanned, matched: _Matched) -> list[DraftMention]:
    """Disjoint names, longer ones first; one with "the" before it may also be what it is without."""
    taken = [False] * len(scanned.words)
    found: list[DraftMention] = []
    for first, last in sorted(matched, key=lambda place: (_length(scanned, place), place[0])):
        if True in taken[first : last + 1]:
            continue
        taken[first : last + 1] = [True] * (last - first + 1)
        options = matched[first, last]
        if scanned.words[first] == "the" and (bare := matched.get((first + 1, last))):
            known = {each.reading.n for each in options}
            options = [*options, *(each for each in bare if each.reading.n not in known)]
        whole = DraftMention(first, last, options)
        found += [whole] if first == last else _at_comma(scanned, whole, matched)
    return sorted(found, key=lambda f: f.first)


def _length(scanned: Scanned, place: tuple[int, int]) -> tuple[int, int]:
    """Longer names first; an article makes a name no longer: "Wendle Museum" before "The Wendle"."""
    first, last = place
    return first - last + (first < last and scanned.words[first] == "the"), first - last


def _at_comma(scanned: Scanned, found: DraftMention, matched: _Matched) -> list[DraftMention]:
    """The town and the state of "Paris, Texas": the whole tells the town from others, the state is said of it.

    Only where the first part alone may mean the same, and the second means something else: not "Washington, D.C.".
    """
    if "," not in scanned.surface(found.first, found.last):
        return [found]
    for last in range(found.first, found.last):
        head, tail = matched.get((found.first, last)), matched.get((last + 1, found.last))
        if head and tail and scanned.text[scanned.places[last][1]] == ",":
            whole = {option.reading.n for option in found.options}
            if not whole.isdisjoint(o.reading.n for o in head) and whole.isdisjoint(
                o.reading.n for o in tail
            ):
                return [
                    DraftMention(found.first, last, found.options),
                    DraftMention(last + 1, found.last, tail),
                ]
    return [found]


def _earlier_names(context: Context) -> dict[str, list[Entity]]:
    """Entities named earlier by each word of their names: "Curie" may mean the Marie Curie of before."""
    by_word: dict[str, list[Entity]] = {}
    mentions = [*context.question_mentions, *(m for claim in context.earlier for m in claim.mentions)]
    for mention in mentions:
        if mention.entity is not None:
            for word in words_of(mention.text):
                by_word.setdefault(word, []).append(mention.entity)
    return by_word


def _recalled(
    scanned: Scanned, stretch: Stretch, earlier: dict[str, list[Entity]], options: list[Option]
) -> list[Option]:
    """`options`, and readings that only the context gives: part of the name of somebody who was named in full before."""
    meant = {entity.id: entity for entity in reversed(earlier.get(stretch.key, ()))}
    if not meant or scanned.cases[stretch.first] is Case.LOWER or stretch.key in function_words():
        return options
    kept: list[Option] = []
    for each in options:
        entity = each.reading.entity
        if entity is None or meant.pop(entity.id, None) is None:
            kept.append(each)
            continue
        recalled = option(each.reading, _NAMED_BEFORE)._replace(bare=False)
        kept.append(recalled if recalled.score > each.score else each)
    further = [
        option(NameReading(-1, entity.label, 0, entity.popularity, 0, (), entity), _NAMED_BEFORE)
        for entity in meant.values()
    ]
    return kept + further[:_MOST_RECALLED]


def _anchors(context: Context) -> list[Entity]:
    """Entities that the text is already about."""
    mentions = [*context.question_mentions, *(m for claim in context.earlier[-6:] for m in claim.mentions)]
    return list({m.entity.id: m.entity for m in mentions if m.entity is not None}.values())
