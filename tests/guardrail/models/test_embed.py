"""Sentence vectors: texts that say the same lie closer together than texts that do not."""

import numpy as np
import pytest

from guardrail.models.embed import Embedder, PropertyEmbedder


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder()


def test_a_text_is_nearest_to_itself(embedder: Embedder) -> None:
    """The similarity of a text with itself is one."""
    assert embedder.similarity("Paris is in France.", "Paris is in France.") == pytest.approx(1.0, abs=1e-5)


def test_a_claim_is_near_the_triplet_it_repeats(embedder: Embedder) -> None:
    """A claim is far nearer to the triplet it repeats than to one about something else."""
    claim = "Marie Curie was born in Warsaw."
    repeated = embedder.similarity(claim, "Marie Curie: place of birth: Warsaw.")
    assert repeated > 0.8
    assert repeated > embedder.similarity(claim, "Boeing 737: manufacturer: Boeing.") + 0.5


def test_meaning_counts_more_than_letters(embedder: Embedder) -> None:
    """A paraphrase without a shared word is nearer than a sentence with shared words."""
    paraphrase = embedder.similarity("The physician purchased an automobile.", "A doctor bought a car.")
    assert paraphrase > embedder.similarity(
        "The physician purchased an automobile.", "The physician slept badly."
    )


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    """Nothing in, nothing out: the array has no row and still the width of a vector."""
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.parametrize("text", ["", " \n\t", "🙂", "漢字かな", "\x00", "word " * 5000])
def test_odd_texts_have_a_unit_vector(embedder: Embedder, text: str) -> None:
    """Empty, foreign, broken and very long texts all get a finite vector of length one."""
    vector = embedder.embed([text])[0]
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-4)


def test_a_vector_does_not_depend_on_its_company(embedder: Embedder) -> None:
    """A text gets the same vector alone and among longer ones."""
    texts = [
        "Hello.",
        "A rather longer sentence about the history of bridges in Italy.",
        "x " * 120,
        "Hello again.",
    ]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert float(np.abs(together - alone).max()) < 1e-6


@pytest.mark.parametrize(
    ("said", "meant", "others"),
    [
        ("it sits in something.", "address", ("architect", "opening year", "floor area")),
        ("it can seat something.", "capacity", ("year opened", "staff", "annual revenue")),
        ("something looks after it.", "caretaker", ("price", "opening year", "floor area")),
    ],
)
def test_a_sentence_is_nearest_to_the_property_it_speaks_of(
    said: str, meant: str, others: tuple[str, ...]
) -> None:
    """Without a word of its name."""
    embedder = PropertyEmbedder()
    assert embedder.similarity(said, meant) > max(embedder.similarity(said, other) for other in others)


def test_who_has_a_property_is_told_by_the_order_of_the_words() -> None:
    """What belongs to something is owned by it; the plain encoder hardly tells the two apart."""
    tuned, plain = PropertyEmbedder(), Embedder()

    def gap(embedder: Embedder) -> float:
        owned, owner = (
            embedder.similarity(one, "belongs to")
            for one in ("it is owned by something", "something is owned by it")
        )
        return owned - owner

    assert gap(tuned) > 0.1 > gap(plain)


def test_many_texts_are_compared_at_once(embedder: Embedder) -> None:
    """As each two of them are, in the order given, a text that stands twice included."""
    texts, others = ["Hello.", "The capital of Peru."], ["Lima", "a greeting", "Lima"]
    table = embedder.similarities(texts, others)
    assert table.shape == (2, 3)
    for row, text in enumerate(texts):
        for column, other in enumerate(others):
            assert table[row, column] == pytest.approx(embedder.similarity(text, other), abs=1e-6)
