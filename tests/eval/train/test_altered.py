"""Pairs of altered sentences: every passage gives true and false ones, and claims alone tell nothing."""

import random
from collections import Counter

from eval.train.altered import altered
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, UNSUPPORTED, Example
from eval.train.senses import Senses
from guardrail.language import parser

PASSAGE = (
    "The tenant must send a letter before the lease ends. The landlord pays for the heating and the tenant pays for the water. "
    "Dogs are allowed in the garden, but cats have to stay inside. The deposit is paid back within four weeks."
)


def pairs(times: int = 20) -> list[Example]:
    return list(altered([PASSAGE] * times, parser().read, Senses(), random.Random(3)))


def test_true_and_false_claims_are_about_as_many() -> None:
    """No label has more than two thirds of the pairs."""
    found = Counter(one.labels for one in pairs())
    assert min(found[ATTRIBUTABLE], found[CONTRADICTORY], found[UNSUPPORTED]) > 0
    assert max(found.values()) < 2 / 3 * found.total()


def test_a_claim_has_more_than_one_label() -> None:
    """Claim and evidence change places, so the words of most claims stand in true and in false pairs."""
    labels: dict[str, set[int]] = {}
    for one in pairs():
        labels.setdefault(one.hypothesis, set()).add(one.labels)
    often = [found for text, found in labels.items() if text in PASSAGE]
    assert all(len(found) > 1 for found in often)


def test_evidence_is_short() -> None:
    """A sentence with at most two neighbours, which fits the body that reads short pairs."""
    assert all(len(one.premise) <= 400 and one.source == "altered" for one in pairs())
