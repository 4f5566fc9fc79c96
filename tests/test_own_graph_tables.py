"""Tables of a user's own, imported without a mapping, against what a text says of their rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.types import Label
from guardrail.verifier import Verifier
from tests.test_own_graph import imported

_TABLES = {
    "houses": """Name,Beds,Opened,Weight,Price
Maple House,22,1999,3 kg,£31
Oak House,12,2003,4 kg,£9
Fir House,15,2001,5 kg,£9.80
""",
}


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verifier]:
    """A verifier over each of the tables."""
    home = tmp_path_factory.mktemp("tables")
    for name, table in _TABLES.items():
        imported(home / f"{name}.db", table)
    return {name: Verifier.open(Path(home / f"{name}.db")) for name in _TABLES}


def _label(verifier: Verifier, text: str) -> Label:
    (verdict,) = verifier.check(text).verdicts
    return verdict.label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Maple House costs thirty-one pounds.", "attributable"),
        ("Maple House costs 31 pounds.", "attributable"),
        ("Maple House is priced at thirty-one pounds.", "attributable"),
        ("Oak House costs ten pounds.", "contradictory"),
        ("The price of Fir House is just under ten pounds.", "attributable"),
        ("The price of Maple House is just under ten pounds.", "contradictory"),
        ("Maple House weighs 6.6 pounds.", "attributable"),
        ("Maple House weighs thirty-one pounds.", "contradictory"),
    ],
)
def test_pounds_are_money_or_a_mass(verifiers: dict[str, Verifier], text: str, label: str) -> None:
    """What costs so many pounds is compared with its price, what weighs so many with its weight."""
    assert _label(verifiers["houses"], text) == label
