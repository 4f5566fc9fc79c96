from __future__ import annotations

import pytest

from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.close_apposition import name_before_noun
from guardrail.types import Candidate, Entity, Mention, Sentence, Span
from tests.reading import read


@pytest.mark.parametrize(
    ("text", "name", "kind", "found"),
    [
        ("Anna founded the Lund Standard newspaper.", "Lund Standard", "", True),
        ("Anna founded the Lund Standard newspaper.", "Lund Standard", "Q515", False),
        ("Anna founded the Lund Standard series.", "Lund Standard", "", False),
        ("Anna founded a Lund Standard newspaper.", "Lund Standard", "", False),
        ("Anna founded the old Lund Standard newspaper.", "Lund Standard", "", False),
    ],
)
def test_the_name_before_a_noun_of_its_kind(text: str, name: str, kind: str, found: bool) -> None:
    """Between "the" and such a noun the name is meant, unless it is known for something else."""
    start = text.index(name)
    entity = Entity("Q:1", name, types=(kind,) if kind else ())
    mention = Mention(Span(start, start + len(name)), name, (Candidate(entity, 0.0),))
    reading = read(Sentence(Span(0, len(text)), text), [mention])
    np = [chunk for chunk in reading.chunks if isinstance(chunk, NP)][-1]
    assert (name_before_noun(np, reading, load_kinds()) == mention) is found
