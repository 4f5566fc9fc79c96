"""Passages are read as answers are: sentence by sentence, with what came before in mind, and once."""

from pathlib import Path

import pytest

from guardrail.claims.rules import RuleExtractor
from guardrail.evidence.graph import Graph
from guardrail.evidence.link import AliasLinker
from guardrail.reading import PassageReader
from guardrail.types import Passage, Source


@pytest.fixture
def reader(tmp_path: Path) -> PassageReader:
    """A reader over an empty graph: every name is new to it."""
    Graph.create(tmp_path / "empty.db").close()
    return PassageReader(AliasLinker(Graph.open(tmp_path / "empty.db")), RuleExtractor())


def passage(text: str, title: str = "", about: str = "") -> Passage:
    return Passage("p", text, Source.REQUEST, title=title, about=about)


def test_sentences_keep_their_places(reader: PassageReader) -> None:
    """Spans of sentences and claims are places of the passage's text."""
    text = "Anna Holm was born in 1950. She founded Holm AG in 1980."
    read = reader(passage(text))
    assert [one.sentence.span.of(text) for one in read] == [one.sentence.text for one in read]
    assert all(claim.span.of(text) == claim.text for one in read for claim in one.claims)
    assert len(read) == 2


def test_a_pronoun_means_who_was_named_before(reader: PassageReader) -> None:
    """A second sentence is read with the first in mind, and a first one with the title."""
    second = reader(passage("Anna Holm was born in 1950. She founded Holm AG in 1980."))[1]
    assert second.claims[0].resolved == "Anna Holm founded Holm AG in 1980."
    alone = reader(passage("She founded Holm AG in 1980.", title="Anna Holm"))[0]
    assert alone.claims[0].resolved == "Anna Holm founded Holm AG in 1980."


def test_a_passage_is_read_once(reader: PassageReader) -> None:
    """The second time the same is handed out, unless it is about somebody else."""
    one = passage("She founded Holm AG in 1980.", title="Anna Holm")
    assert reader(one) is reader(one)
    assert reader(one) is not reader(passage(one.text, about="Berta Lind"))


def test_another_graph_is_linked_to_anew(tmp_path: Path) -> None:
    """What a passage names may be known since it was read."""
    Graph.create(tmp_path / "empty.db").close()
    version = ["1"]
    linker = AliasLinker(Graph.open(tmp_path / "empty.db"))
    reader = PassageReader(linker, RuleExtractor(), version=lambda: version[0])
    one = passage("Anna Holm founded Holm AG in 1980.")
    first = reader(one)
    version[0] = "2"
    assert reader(one) is not first
