from __future__ import annotations

import pytest

from guardrail.claims.splitting import pieces
from guardrail.language import parser
from guardrail.types import Kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Please do not touch the lid.", Kind.INSTRUCTION),
        ("Hold the button for ten seconds.", Kind.INSTRUCTION),
        ("I think it is a good idea.", Kind.OPINION),
        ("I would take the larger one.", Kind.OPINION),
        ("We are glad to help.", Kind.OPINION),
        ("What a finish!", Kind.OPINION),
        ("Key facts about the kettle", Kind.HEADING),
        ("You can return the shoes within 30 days.", Kind.FACT),
        ("Staff must report losses.", Kind.FACT),
        ("The store does not open on Sundays.", Kind.FACT),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    """Orders, views, offers and exclamations are no claims; rules and permissions are."""
    assert [one.kind for one in pieces(parser().read(text))] == [kind]
