"""`guardrail corpus`: what a user sees."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from guardrail.cli.corpus import corpus
from guardrail.errors import KnowledgeMissing


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path / "home"))
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "tower.txt").write_text("The tower opened in 1889. It is 330 m high.")
    (tmp_path / "documents" / "noise.txt").write_bytes(bytes(range(256)) * 4)

    def invoke(*arguments: str):
        return CliRunner().invoke(corpus, list(arguments))

    return invoke


def test_index_search_and_stats(run, tmp_path):
    """Index a directory, be told what was skipped, find a passage, see how much there is."""
    indexed = run("index", str(tmp_path / "documents"))
    assert indexed.exit_code == 0
    assert "1 documents read, 2 passages added" in indexed.output
    assert "noise.txt: a binary file" in indexed.output
    assert (tmp_path / "home" / "corpus.db").exists()
    found = run("search", "When was the tower opened?")
    assert "The tower opened in 1889." in found.output
    assert (
        found.output.index("tower opened") < found.output.index("330 m") if "330 m" in found.output else True
    )
    assert "passages  2 (sentence)" in run("stats").output


def test_a_second_run_says_that_nothing_changed(run, tmp_path):
    """Unchanged files are counted as such."""
    run("index", str(tmp_path / "documents"))
    again = run("index", str(tmp_path / "documents"))
    assert "2 files (2 unchanged): 0 documents read" in again.output


def test_the_size_of_frames_is_chosen_once(run, tmp_path):
    """A corpus of documents cannot be filled with sentences."""
    assert run("index", str(tmp_path / "documents"), "--frame", "document").exit_code == 0
    assert "(document)" in run("stats").output
    refused = run("index", str(tmp_path / "documents"), "--frame", "sentence")
    assert refused.exit_code == 2
    assert "frames of the size document" in refused.output


def test_searching_without_a_corpus_is_an_error(run):
    """There is nothing to search before something was indexed."""
    assert isinstance(run("search", "anything").exception, KnowledgeMissing)


def test_a_source_that_is_not_there_is_a_usage_error(run, tmp_path):
    """click says which path does not exist."""
    refused = run("index", str(tmp_path / "nowhere"))
    assert refused.exit_code == 2
    assert "nowhere" in refused.output


def test_nothing_found_is_said(run, tmp_path):
    """A search without a hit is no silence."""
    run("index", str(tmp_path / "documents"))
    assert "nothing in the corpus" in run("search", "zzyx").output


def test_names_may_be_linked_to_a_knowledge_file(run, tmp_path):
    """With `--knowledge` the entities of the graph are nodes of the corpus."""
    from guardrail.evidence.corpus import Corpus
    from guardrail.evidence.graph import Graph, NewEntity
    from guardrail.types import Entity

    with Graph.create(tmp_path / "k.db") as graph, graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q243", "Eiffel Tower", popularity=3.0))])
    (tmp_path / "documents" / "e.txt").write_text("We saw the Eiffel Tower in Paris.")
    linked = run("index", str(tmp_path / "documents"), "--knowledge", str(tmp_path / "k.db"))
    assert linked.exit_code == 0
    with Corpus.open(tmp_path / "home" / "corpus.db") as opened:
        assert "=Q243" in opened.nodes(["=Q243"])
