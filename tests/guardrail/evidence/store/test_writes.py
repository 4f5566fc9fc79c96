"""Rows are made of nouns as the tables want them."""

from pathlib import Path

import numpy as np
import pytest

from guardrail.errors import KnowledgeError
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.writes import (
    ADD_EDGES,
    NewEntity,
    add_rows,
    alias_rows,
    entity_row,
    examine,
)
from guardrail.types import Entity


def test_an_entity_without_a_label_is_called_by_its_id() -> None:
    """Never by nothing."""
    assert entity_row(1, Entity("Q1", ""))[2] == "Q1"


def test_names_without_letters_are_not_indexed() -> None:
    """Symbols find nothing anyway; label and alias are told apart."""
    rows = list(alias_rows([NewEntity(Entity("Q2", "Earth"), ("⊕", "Terra"))], {"Q2": 7}))
    assert rows == [("earth", 7, "Earth", "en", 0), ("terra", 7, "Terra", "en", 1)]


def test_what_cannot_be_an_entity() -> None:
    """No id; a name as long as a page."""
    with pytest.raises(KnowledgeError, match="needs an id"):
        examine(NewEntity(Entity("", "x")))
    with pytest.raises(KnowledgeError, match="1001 characters"):
        examine(NewEntity(Entity("Q1", "x" * 1001)))


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 1000, 64_033])
def test_rows_are_written_whatever_their_number(tmp_path: Path, count: int) -> None:
    """Also those that do not fill an insert of many."""
    rows = np.stack([np.arange(count) + start for start in (1, 2, 3, -4)], axis=1)
    with Graph.create(tmp_path / "g.db") as graph:
        with graph.database.transaction() as cursor:
            add_rows(cursor, ADD_EDGES, rows)
            add_rows(cursor, ADD_EDGES, rows[: count // 2])
        assert graph.database.rows("SELECT a, p, b, k FROM edge ORDER BY a") == list(
            map(tuple, rows.tolist())
        )
