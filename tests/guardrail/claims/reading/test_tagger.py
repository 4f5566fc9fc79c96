"""Parts of speech."""

from __future__ import annotations

from pathlib import Path

from guardrail.claims.reading.tagger import load, save
from guardrail.claims.reading.tokens import Token


def _tags(text: str) -> list[str]:
    tokens = [Token(word, word.lower(), 0, 0) for word in text.split()]
    load().tag(tokens)
    return [token.tag for token in tokens]


def test_a_plain_sentence_is_tagged() -> None:
    """Names, participles, numbers and prepositions are told apart, whatever the case of the first word."""
    assert _tags("The tower was designed by Gustave Eiffel in 1889 .") == [
        *("DT", "NN", "VBD", "VBN", "IN", "NNP", "NNP", "IN", "CD", ".")
    ]


def test_the_same_word_is_tagged_by_its_place() -> None:
    """ "directed" is a participle after "was" and a past tense after a name."""
    assert _tags("It was directed by him .")[2] == "VBN"
    assert _tags("Cameron directed it .")[1] == "VBD"


def test_a_model_that_is_saved_tags_as_it_was_trained(tmp_path: Path) -> None:
    """Weights survive to a hundredth; what rounds to nothing is left out."""
    save(tmp_path / "m.npz", ["A", "B"], {"w new": {0: 1.25, 1: -0.004}, "w old": {1: 0.001}}, {"the": "A"})
    tagger = load(tmp_path / "m.npz")
    assert (tagger.classes, dict(tagger.rows), dict(tagger.known)) == (("A", "B"), {"w new": 0}, {"the": "A"})
    assert tagger.weights.tolist() == [[125, 0]]
