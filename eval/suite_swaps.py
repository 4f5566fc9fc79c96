"""Re-DocRED dev, one single-valued fact of a sentence swapped, with its document's triplets given: precision and recall of red."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from eval.datasets.benchtext import Gold, Item, Set, property_labels, read_document
from eval.datasets.files import find, open_text
from guardrail import ontology
from guardrail.types import Label, Span, Triplet, Value, Verdict
from guardrail.values import render
from guardrail.verifier import Verifier

DOCUMENTS = 500
_BARS = (0.9, 0.6, 0.004)
Pools = Mapping[tuple[str, str], Sequence[Gold]]


def run() -> int:
    """Bars: precision 90 %, recall 60 %, at most 0.4 % of the claims of true sentences contradicted."""
    found = measured(Verifier.open())
    precision = found["right"] / max(1, found["red"])
    recall = found["right"] / max(1, found["swapped"])
    wrong = found["red of true"] / max(1, found["claims of true"])
    print(f"{found['swapped']} swaps: precision {precision:.1%}, recall {recall:.1%}; ", end="")
    print(f"{found['red of true']} of {found['claims of true']} claims of true sentences red ({wrong:.2%})")
    return int(precision < _BARS[0] or recall < _BARS[1] or wrong > _BARS[2])


def measured(verifier: Verifier) -> Counter[str]:
    """Counts over the sentences of the first documents: each as it is, and with one fact swapped."""
    documents = list(_documents())
    pools = _pools(documents)
    chooser = random.Random(5)
    found: Counter[str] = Counter()
    for document in documents[:DOCUMENTS]:
        given = [t for t in document.triplets if t.predicate.label]
        for item in document.items:
            facts = [gold for gold in item.facts if _single(gold.triple)]
            if not facts:
                continue
            true = verifier.check(item.text, triplets=given, sources=["request"]).verdicts
            found["claims of true"] += len(true)
            found["red of true"] += len(_red(true))
            swapped = _swapped(item, chooser.choice(facts), pools, chooser)
            if swapped is None:
                continue
            text, place = swapped
            red = _red(verifier.check(text, triplets=given, sources=["request"]).verdicts)
            found["swapped"] += 1
            found["red"] += len(red) + len(_red(true))
            found["right"] += any(one.claim.span.overlaps(place) for one in red)
    return found


def _documents() -> Iterator[Set]:
    labels = property_labels()
    for document in json.loads(open_text(find("redocred/dev_revised.json.gz"))):
        found = Set("redocred")
        read_document(found, document, labels)
        yield found


def _red(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [one for one in verdicts if one.label is Label.CONTRADICTORY]


def _single(fact: Triplet) -> bool:
    return ontology.record(fact.predicate.id).cardinality == "single"


def _pools(documents: Sequence[Set]) -> Pools:
    """The facts by property and kind of object."""
    found: dict[tuple[str, str], list[Gold]] = defaultdict(list)
    for document in documents:
        for item in document.items:
            for gold in item.facts:
                found[gold.triple.predicate.id, gold.kind].append(gold)
    return found


def _swapped(item: Item, gold: Gold, pools: Pools, chooser: random.Random) -> tuple[str, Span] | None:
    """The sentence with another object of the same property, and where it stands; None where none fits."""
    span, old = gold.span, gold.span.of(item.text)
    for _ in range(20):
        new = chooser.choice(pools[gold.triple.predicate.id, gold.kind]).triple.object
        words = render(new, old) if isinstance(new, Value) else new.label
        apart = words.casefold() not in item.text.casefold() and old.casefold() not in words.casefold()
        if words and apart and type(new) is type(gold.triple.object):
            text = item.text[: span.start] + words + item.text[span.end :]
            return text, Span(span.start, span.start + len(words))
    return None
