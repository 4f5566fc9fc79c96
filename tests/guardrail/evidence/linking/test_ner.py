"""What a spaCy pipeline takes for names becomes mentions, beside what the alias index finds."""

from __future__ import annotations

import pytest
import spacy

from guardrail.errors import ConfigError
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.linking.ner import SpacyRecognizer, open_recognizer
from guardrail.evidence.store.graph import Graph

PATTERNS = {
    "ORG": ["zorbax works", "Bank of the Zorbax", "the Apple", "Apple", "Paris", "Paris accord"],
    "PERSON": ["Ada zu Zorbax"],
    "DATE": ["last tuesday"],
    "CARDINAL": ["two dozen"],
}


@pytest.fixture(scope="module")
def recognizer() -> SpacyRecognizer:
    """A pipeline of a tokenizer and a ruler: what it calls a name is known."""
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [{"label": label, "pattern": text} for label, texts in PATTERNS.items() for text in texts]
    )
    return SpacyRecognizer(pipeline)


def linked(graph: Graph, text: str, recognizer: SpacyRecognizer | None) -> dict[str, str | None]:
    """Surface to the id of the best reading."""
    found = AliasLinker(graph, recognizer=recognizer).link(text, offset=7)
    assert all(text[m.span.start - 7 : m.span.end - 7] == m.text for m in found)
    return {m.text: m.entity.id if m.entity else None for m in found}


def test_an_unknown_name_in_lower_case_is_a_mention(graph: Graph, recognizer: SpacyRecognizer) -> None:
    """Nothing in its looks says that it is a name: the pipeline does."""
    text = "He left zorbax works for Honolulu."
    assert linked(graph, text, None) == {"Honolulu": "Q18094"}
    assert linked(graph, text, recognizer) == {"zorbax works": None, "Honolulu": "Q18094"}


def test_an_unknown_name_grows_to_what_the_pipeline_sees(graph: Graph, recognizer: SpacyRecognizer) -> None:
    """One name, not its capitalised parts."""
    text = "She is Ada zu Zorbax."
    assert "Ada zu Zorbax" not in linked(graph, text, None)
    assert linked(graph, text, recognizer) == {"Ada zu Zorbax": None}


def test_a_name_held_back_as_a_common_word_gets_its_readings(
    graph: Graph, recognizer: SpacyRecognizer
) -> None:
    """A sentence may begin with the fruit or with the company; the pipeline says that it is a name, the index whose."""
    assert linked(graph, "Apple and pears.", None) == {"Apple": "Q89"}
    assert linked(graph, "Apple and pears.", recognizer) == {"Apple": "Q312"}


def test_what_the_graph_knows_stays_as_it_is(graph: Graph, recognizer: SpacyRecognizer) -> None:
    """A span over a known name changes nothing, the article before a name is no part of it."""
    text = "Paris and the Apple of Paris accord."
    assert linked(graph, text, recognizer) == linked(graph, text, None)
    assert linked(graph, text, recognizer)["Paris"] == "Q90"


def test_dates_and_counts_are_no_names(graph: Graph, recognizer: SpacyRecognizer) -> None:
    """They are values."""
    text = "It sold two dozen last tuesday."
    assert recognizer.places(text) == []
    assert linked(graph, text, recognizer) == linked(graph, text, None)


def test_a_pipeline_that_is_not_installed_is_a_clear_error() -> None:
    """With the command that gets it."""
    with pytest.raises(ConfigError, match="spacy download xx_no_such"):
        SpacyRecognizer("xx_no_such")


def test_no_pipeline_is_asked_where_none_is_named() -> None:
    """The default."""
    assert open_recognizer("") is None
