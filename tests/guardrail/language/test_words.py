"""Words of a sentence as the text encoder has them."""

from __future__ import annotations

import numpy as np

from guardrail.language.words import word_states


def _words(text: str) -> list[tuple[int, int]]:
    out, at = [], 0
    for word in text.split(" "):
        out.append((at, at + len(word)))
        at += len(word) + 1
    return out


def test_each_word_has_states_of_its_own() -> None:
    """A word that stands twice in a sentence has other states at each place, as its neighbours are others."""
    text = "The duck had to duck twice"
    states = word_states(text, _words(text))
    assert len(states) == len(text.split())
    assert np.abs(states).sum(axis=1).min() > 0
    assert not np.allclose(states[1], states[4])


def test_a_word_is_the_mean_of_its_pieces() -> None:
    """A word that the encoder cuts into pieces has the mean of what these have."""
    text = "Norrvik"
    whole = word_states(text, [(0, 7)])
    parts = word_states(text, [(0, 1), (1, 7)])
    assert whole.shape == (1, parts.shape[1])
    assert np.abs(parts).sum() > 0


def test_what_the_encoder_does_not_see_has_zeros() -> None:
    """A blank, and what lies behind the encoder's window, has no states; what stands before has its own."""
    text = "a " * 600
    states = word_states(text, [*_words(text.strip()), (len(text) - 1, len(text))])
    assert np.abs(states[0]).sum() > 0
    assert not states[-1].any()
    assert not states[-2].any()


def test_a_text_without_words_has_no_states() -> None:
    """An empty text is read as nothing."""
    assert word_states("", []).shape[0] == 0
