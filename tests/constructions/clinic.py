"""A sentence beside a small graph with properties of its own."""

from __future__ import annotations

from datetime import date

from guardrail.check.kg.aligned.alignment import Alignment
from guardrail.check.kg.aligned.options import asked, wording
from guardrail.check.kg.aligned.orders import compared
from tests import clinic
from tests.constructions.corpus import Reader


def left_open(found: Alignment) -> bool:
    """Nothing conflicts, and what agrees is not all that is said."""
    return (not found.whole or not found.values) and "conflict" not in {one.state for one in found.values}


def first_property(text: str) -> str:
    sentence = clinic.sentence(text)
    named = sentence.named[0]
    return asked(named, wording(sentence, named), clinic.embedder())[0].record.label


def order(text: str) -> str | None:
    found = compared(clinic.sentence(text), clinic.embedder(), date.today())
    return found.state if found else None


READERS = {
    "whole": Reader(lambda text: clinic.aligned(text).whole),
    "states": Reader(lambda text: {one.state for one in clinic.aligned(text).values}),
    "values": Reader(lambda text: [[state, meant] for state, meant, _ in clinic.told(text)]),
    "open": Reader(lambda text: left_open(clinic.aligned(text))),
    "words_of_values": Reader(lambda text: [one.argument.text for one in clinic.sentence(text).values]),
    "property": Reader(first_property),
    "order": Reader(order),
}
