"""A hospital that nobody's lexicon knows, and how a sentence about it is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.check.kg.aligned.alignment import Alignment
from guardrail.check.kg.aligned.fillers import ClaimSentence
from guardrail.types import Claim, Evidence
from tests import clinic


@pytest.fixture
def read_sentence() -> Callable[[str], ClaimSentence]:
    return clinic.sentence


@pytest.fixture
def claim_of() -> Callable[[str], tuple[Claim, Evidence]]:
    """A claim with what the graph has of all that it names."""

    def made(text: str) -> tuple[Claim, Evidence]:
        claim = clinic.claimed(text)
        return claim, Evidence(profiles=tuple(clinic.profile(one.text) for one in claim.mentions))

    return made


@pytest.fixture
def found() -> Callable[[str], Alignment]:
    return clinic.aligned


@pytest.fixture
def told() -> Callable[[str], list[tuple[str, str, str]]]:
    """State, property and claimed words of each value of a sentence."""
    return clinic.told
