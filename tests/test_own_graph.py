"""A user's own graph, imported by the command of the manual, against what a text says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.cli.kg import kg
from guardrail.verifier import Verifier

_FACTS = """subject,predicate,object,start,end,complete
Acme Corp,chief executive,Ann Lee,2019-04-01,,
Acme Corp,chief executive,Bo Ek,2011-01-01,2019-03-31,
Acme Corp,board member,Ann Lee,,,
Acme Corp,board member,Bo Ek,,,
Acme Corp,board member,Cy Day,,,
Acme Corp,board member,Di Fox,,,yes
Brill Ltd,board member,Eva Holm,,,
Acme Corp,loading bay,North Bay,,,
Acme Corp,loading bay,South Bay,,,yes
"""


def imported(target: Path, table: str, *, source: str = "") -> None:
    """The table in the knowledge file `target`."""
    path = target.with_suffix(".csv")
    path.write_text(table, encoding="utf-8")
    command = ["import", str(path), "--into", str(target), "--quiet", "--allow-bad", "--again"]
    done = CliRunner().invoke(kg, [*command, "--source", source] if source else command)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    path = tmp_path_factory.mktemp("graph") / "acme.db"
    imported(path, _FACTS)
    return Verifier.open(path)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Acme Corp has four board members.", "attributable"),
        ("Acme Corp has three board members.", "contradictory"),
        ("Acme Corp has five board members.", "contradictory"),
        ("Acme Corp has three or four board members.", "attributable"),
        ("Acme Corp has two or three board members.", "contradictory"),
        ("Acme Corp has at least three board members.", "attributable"),
        ("Acme Corp has only three board members.", "contradictory"),
        ("There are three board members at Acme Corp.", "contradictory"),
        ("The number of board members of Acme Corp is 4.", "attributable"),
        ("Acme Corp's four board members are Ann Lee, Bo Ek, Cy Day and Di Fox.", "attributable"),
        ("Acme Corp's five board members are Ann Lee, Bo Ek, Cy Day and Di Fox.", "contradictory"),
        ("Acme Corp has two loading bays.", "attributable"),
        ("Acme Corp has three loading bays.", "contradictory"),
        ("Acme Corp has three large loading bays.", "extrapolatory"),
        ("Acme Corp has three board members in London.", "extrapolatory"),
        ("Brill Ltd has three board members.", "extrapolatory"),
    ],
)
def test_a_complete_list_is_counted(acme: Verifier, text: str, label: str) -> None:
    """As many as a complete list has are supported, any other number is wrong; of an open list nothing is said."""
    assert [verdict.label for verdict in acme.check(text).verdicts] == [label]
