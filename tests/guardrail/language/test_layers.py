"""The first layers of the pipeline as one graph."""

from __future__ import annotations

import numpy as np
import pytest
import spacy
from spacy.language import Language

from guardrail.language.layers import frozen
from guardrail.language.pipeline import MODEL

TEXTS = (
    "No.",
    "Sydney is the capital of Australia, and Canberra is its largest city.",
    "The Xyzzy-9000 (€4.50 a day) was designed by Żaneta O'Brien in 1998 — or so it's said…",
    "one " * 600,
)


@pytest.fixture(scope="module")
def pipeline() -> Language:
    return spacy.load(MODEL)


@pytest.mark.parametrize("text", TEXTS)
def test_the_graph_gives_what_spacy_gives(pipeline: Language, text: str) -> None:
    """Each word has the vector that the layers give it one by one, at both ends of a text and behind the encoder's window, too."""
    layers = pipeline.get_pipe("tok2vec").model  # type: ignore[attr-defined]
    doc = pipeline.make_doc(text)
    assert np.allclose(frozen(layers).predict([doc])[0], layers.predict([doc])[0], atol=1e-4)


def test_several_texts_keep_their_order(pipeline: Language) -> None:
    """A text's vectors do not depend on what else is read with it."""
    graph = frozen(pipeline.get_pipe("tok2vec").model)  # type: ignore[attr-defined]
    docs = [pipeline.make_doc(text) for text in TEXTS]
    together = graph.predict(docs)
    assert [len(one) for one in together] == [len(doc) for doc in docs]
    for doc, found in zip(docs, together, strict=True):
        assert np.array_equal(found, graph.predict([doc])[0])
