"""Sentence vectors: texts that say the same lie closer together than texts that do not."""

from guardrail.embed import SentenceEmbedder


def test_a_text_is_nearest_to_itself() -> None:
    """The similarity of a text with itself is one."""
    assert abs(SentenceEmbedder().similarity("Paris is in France.", "Paris is in France.") - 1.0) < 1e-5


def test_related_words_are_nearer_than_unrelated_ones() -> None:
    """A claim is nearer to the triplet it repeats than to one about something else."""
    embedder = SentenceEmbedder()
    claim = "Marie Curie was born in Warsaw."
    assert embedder.similarity(claim, "Marie Curie place of birth Warsaw") > embedder.similarity(
        claim, "Boeing 737 manufacturer Boeing"
    )


def test_no_text_gives_no_vector() -> None:
    """Nothing in, nothing out: the array has no row and still the width of a vector."""
    assert SentenceEmbedder().embed([]).shape == (0, 384)
