from __future__ import annotations

from guardrail.claims.demonyms import DEMONYMS


def test_adjectives_of_nationality() -> None:
    """Each adjective stands for one country with its id; several adjectives may stand for the same one."""
    assert DEMONYMS["french"] == ("Q142", "France")
    assert DEMONYMS["argentine"] == DEMONYMS["argentinian"]
    assert all(entity[0] == "Q" and entity[1:].isdigit() and label for entity, label in DEMONYMS.values())
    assert len(DEMONYMS) > 150
