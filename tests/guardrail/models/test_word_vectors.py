"""How like texts are by their words alone."""

import numpy as np
import pytest

from guardrail.models.word_vectors import WordVectors

WORDS = WordVectors()


def test_rare_words_count_more_than_common_ones() -> None:
    rare, common = WORDS.likeness("The Matterhorn", ["Matterhorn", "The"])
    assert rare > common


def test_likeness_is_a_cosine() -> None:
    same, other, none = WORDS.likeness("Paris: capital of: France", ["Paris: capital of: France", "Oslo", ""])
    assert same == pytest.approx(1, abs=1e-5)
    assert -1 <= other < same
    assert none == 0


def test_there_may_be_nothing_to_compare_with() -> None:
    assert WORDS.likeness("Paris", []).shape == (0,)
    assert WORDS.likeness("Paris", []).dtype == np.float32
