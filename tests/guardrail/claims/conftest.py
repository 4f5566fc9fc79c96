"""The extractor over whole texts, with a small gazetteer in place of a linker."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from guardrail.types import Claim, Sentence, Span
from tests import gazetteer


@pytest.fixture(scope="session")
def claims_of() -> Callable[..., list[Claim]]:
    """All claims of a text."""
    return gazetteer.claims_of


@pytest.fixture(scope="session")
def facts_of() -> Callable[..., set[tuple[str, str, str]]]:
    """(subject, best relation, object) of all facts of a text."""
    return gazetteer.facts_of


@pytest.fixture(scope="session")
def sentence_of() -> Callable[[str], Sentence]:
    def run(text: str) -> Sentence:
        return Sentence(Span(0, len(text)), text)

    return run
