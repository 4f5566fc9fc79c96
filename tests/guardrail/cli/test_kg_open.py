"""How statements are shown, and which graph a command is about."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.cli.kg import kg
from guardrail.cli.kg_open import qualified, sentence, shown
from tests.world import day, node, term, triplet


def test_entities_are_shown_with_their_ids_and_literals_as_they_are() -> None:
    """An id that is the name is shown once."""
    assert shown(node("Q76")).plain == "Barack Obama (Q76)"
    assert shown(node("Acme")).plain == "Acme"
    assert shown(day("1990")).plain == "1990"


def test_a_statement_on_one_line() -> None:
    """With its qualifiers."""
    statement = triplet("Q30", "P35", "Q76", *term("2009", "2017"))
    assert sentence(statement) == (
        "United States — head of state → Barack Obama  [start time: 2009; end time: 2017]"
    )
    assert qualified(()) == ""


def test_without_a_name_it_is_the_graph_of_guardrail_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made from the starter knowledge at the first call."""
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    result = CliRunner().invoke(kg, ["stats"])
    assert result.exit_code == 0
    assert str(tmp_path / "knowledge.db") in result.output


def test_a_graph_named_at_the_command_wins(tmp_path: Path, world: Path) -> None:
    """Over the one named at the group."""
    result = CliRunner().invoke(kg, ["-k", str(tmp_path / "none.db"), "stats", "-k", str(world)])
    assert result.exit_code == 0
