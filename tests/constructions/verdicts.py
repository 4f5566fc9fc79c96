"""What the whole pipeline says of a text, with the knowledge that is shipped and the references that are given."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain

from guardrail.types import Label, Verdict
from guardrail.verifier import Verifier
from tests.constructions.corpus import Reader


@cache
def verifier() -> Verifier:
    return Verifier.open()


def verdicts(text: str, references: Sequence[str] = (), **given: Sequence[str]) -> tuple[Verdict, ...]:
    return verifier().check(text, references=references, **given).verdicts


def labels(text: str, **given: Sequence[str]) -> list[Label]:
    return [verdict.label for verdict in verdicts(text, **given)]


def reasons(text: str, **given: Sequence[str]) -> list[str | None]:
    return [verdict.reason for verdict in verdicts(text, **given)]


def corrections(text: str, **given: Sequence[str]) -> list[str]:
    return [revision.text for verdict in verdicts(text, **given) for revision in verdict.revisions]


def never_wrong(text: str, **given: Sequence[str]) -> list[str]:
    """The corrections, none of which is contradicted itself."""
    found = corrections(text, **given)
    assert Label.CONTRADICTORY not in chain.from_iterable(labels(one, **given) for one in found)
    return found


READERS = {
    "labels": Reader(labels),
    "every_label": Reader(labels, lambda observed, expected: set(observed) == {expected}),
    "no_label": Reader(labels, lambda observed, expected: expected not in observed),
    "verdicts": Reader(lambda text, **given: len(verdicts(text, **given))),
    "any_verdict": Reader(lambda text, **given: bool(verdicts(text, **given))),
    "reasons_among": Reader(reasons, lambda observed, expected: set(observed) <= set(expected)),
    "evidence": Reader(lambda text: [bool(verdict.evidence.triplets) for verdict in verdicts(text)]),
    "corrections": Reader(corrections),
    "among_corrections": Reader(never_wrong, lambda observed, expected: set(expected) <= set(observed)),
}
