"""What the graph says of names, remembered until it changes: so that a name is looked for once, not in every sentence.

A form is a name as a text writes it. Its readings are those entities whose name is written so; which names are longer than
one word is asked by their first two words, because most pairs of words begin no name at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from threading import Lock
from typing import NamedTuple

from guardrail import ontology
from guardrail.evidence.knowledge import Knowledge, NameRow
from guardrail.evidence.linking.disambiguate import NameReading, Option, form_score, option
from guardrail.evidence.linking.spans import Stretch
from guardrail.evidence.linking.spoken_names import MOST_NAMES, SpokenNames

_PER_NAME = 8
"""Readings of one name that are looked at: the best known."""
_REMEMBERED = 100_000
"""Forms of names, found or not, that are kept in memory (about 40 MB with what they stand for), and as many beginnings."""

# Classes of names themselves and of pages that list their bearers: a text that says "Michael" means somebody.
_OF_NAMES = ontology.classes("name")

Fitting = tuple[list[Option], list[Option]]
"""Readings of a form inside a sentence, and at its beginning, where a common word has a capital too."""

_NONE: Fitting = ([], [])


class _Pairs(NamedTuple):
    """Pairs of words: all that the graph was asked for, and those of them with which a name begins."""

    asked: set[str]
    begun: set[str]


class NameMemory:
    """The alias index of a graph as the linker asks it. Safe to share between threads."""

    def __init__(self, graph: Knowledge) -> None:
        self._graph = graph
        self._forms: dict[str, Fitting] = {}
        self._pairs = _Pairs(set(), set())
        self._spoken = SpokenNames()
        self._version = ""
        self._lock = Lock()

    def refresh(self) -> str:
        """Forgets what is out of date; gives the graph's version, as it was at most a moment ago."""
        version = self._graph.recent_version
        with self._lock:
            self._forget(version)
        return version

    def _forget(self, version: str) -> None:
        if version != self._version:
            self._spoken = SpokenNames(self._graph.own_names(MOST_NAMES))
        if version != self._version or max(len(self._forms), len(self._pairs.asked)) > _REMEMBERED:
            self._forms, self._pairs, self._version = {}, _Pairs(set(), set()), version

    def begun(self, keys: Sequence[str]) -> Collection[str]:
        """Of pairs of words those with which a name begins, or which are one: of `keys` and of all that were asked before."""
        known = self._pairs
        unknown = set(keys) - known.asked
        if unknown:
            known.begun.update(self._graph.begun(sorted(unknown)))
            known.begun.update(self._spoken.begun(unknown))
            known.asked.update(unknown)
        return known.begun

    def fitting(self, asked: Sequence[Stretch]) -> dict[str, Fitting]:
        """The options of every form in which a name is written, best known first."""
        known = self._forms
        unknown: dict[str, list[str]] = {}
        for _, _, key, form, _ in asked:
            if form not in known:
                unknown.setdefault(key, []).append(form)
        if unknown:
            found = _by_key([*self._graph.named(unknown), *self._spoken.named(unknown)])
            for key, forms in unknown.items():
                readings = found.get(key)
                for form in forms:
                    known[form] = _fitting(form, readings) if readings else _NONE
        return known


def _by_key(rows: Iterable[NameRow]) -> dict[str, list[NameReading]]:
    """Readings of each key; the ways in which one entity's name is written are put together."""
    by_key: dict[str, dict[int, NameReading]] = {}
    for key, n, text, kind, popularity, degree, known in rows:
        if known is not None and not _OF_NAMES.isdisjoint(known.types):
            continue
        of_key = by_key.setdefault(key, {})
        kept = of_key.get(n)
        if kept is None:
            of_key[n] = NameReading(n, text, kind, popularity, degree, (), known)
        elif (kind, text) < (kept.kind, kept.text):
            of_key[n] = NameReading(n, text, kind, popularity, degree, (*kept.forms, kept.text), known)
        else:
            of_key[n] = kept._replace(forms=(*kept.forms, text))
    return {
        key: sorted(of_key.values(), key=lambda r: (-r.prior, r.kind, r.n)) for key, of_key in by_key.items()
    }


def _fitting(form: str, readings: Sequence[NameReading]) -> Fitting:
    """Readings whose name is written as the text writes it, the best known few."""
    inside = _options(form, readings, initial=False)
    if form.islower() or not form[1:].islower():
        return inside, inside  # not a common word with a sentence's capital
    return inside, _options(form, readings, initial=True)


def _options(form: str, readings: Sequence[NameReading], *, initial: bool) -> list[Option]:
    kept: list[Option] = []
    for reading in readings:
        fit = form_score(form, reading, initial=initial)
        if fit is not None:
            kept.append(option(reading, fit))
            if len(kept) == _PER_NAME:
                break
    return kept
