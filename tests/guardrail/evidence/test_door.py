"""A graph is opened wherever it lives."""

from pathlib import Path

import pytest

from guardrail.errors import KnowledgeError, KnowledgeMissing
from guardrail.evidence.door import open_graph, open_knowledge, open_or_create
from guardrail.evidence.store.graph import NewEntity
from guardrail.types import Entity


def test_a_file_is_made_once_and_opened_after(tmp_path: Path) -> None:
    """An empty file counts as none."""
    path = tmp_path / "deep" / "g.db"
    with pytest.raises(KnowledgeMissing):
        open_graph(path)
    with open_or_create(path) as made, made.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "universe"))])
    with open_or_create(path) as again:
        assert again.entity("Q1") is not None
    with open_graph(str(path)) as reader:
        assert reader.entity("Q1") is not None


def test_an_endpoint_can_be_asked_but_not_changed() -> None:
    """`sparql+https://…`."""
    with open_knowledge("sparql+https://example.org/sparql") as remote:
        assert remote.name == "https://example.org/sparql"
    for opener in (open_graph, open_or_create):
        with pytest.raises(KnowledgeError, match="not changed"):
            opener("sparql+https://example.org/sparql")
