"""Claims beside long evidence: how it is cut, and what its windows say together."""

import numpy as np
import pytest

from eval.datasets.files import data_dir
from eval.datasets.grounding import SETS, Text, auc, drawn, nearest, together, windows
from eval.train.example import ATTRIBUTABLE, UNSUPPORTED


def words(texts: list[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def test_a_window_holds_neighbouring_sentences_and_no_more_than_its_room() -> None:
    """Every word is in one window, in the order of the text; what is longer than a window is cut between words."""
    text = " ".join(f"Sentence {n} has five words." for n in range(30)) + "\n" + "word " * 33
    found = windows(text, words, room=16)
    assert " ".join(found).split() == text.split()
    assert max(words(found)) <= 16
    assert found[0] == " ".join(f"Sentence {n} has five words." for n in range(3))


def test_the_nearest_windows_share_rare_words() -> None:
    """A word that every window holds tells nothing."""
    found = ["The ship has two masts.", "The ship is red.", "The ship was built of oak in Bergen."]
    assert nearest("The ship came from Bergen.", found, count=1) == [found[2]]


def test_a_text_is_as_good_as_its_weakest_sentence_in_its_best_window() -> None:
    """Support is the least over sentences of the most over windows; contradiction the most of all."""
    rows = np.array([[0.9, 0, 0.1], [0.2, 0, 0.6], [0.4, 0, 0.3], [0.8, 0.1, 0.1]], np.float32)
    owners = [(0, 0), (0, 0), (0, 1), (1, 0)]
    assert np.allclose(together(rows, owners, 2), [[0.4, 0.6], [0.8, 0.1]])


def test_the_area_is_a_half_for_what_tells_nothing_apart() -> None:
    """1 where all stand in order, .5 for ties."""
    assert auc([0.9, 0.8], [0.1]) == 1
    assert auc([0.3], [0.3, 0.3]) == 0.5


def test_a_drawn_sample_is_balanced_and_the_same_every_time() -> None:
    """Half of it is supported where there are enough of either; a set that has few of one is filled with the other."""
    texts = [Text((f"e{n}",), ("s",), ATTRIBUTABLE if n % 10 else UNSUPPORTED) for n in range(200)]
    found = drawn(texts, 60)
    assert len(found) == 60
    assert sum(text.labels == UNSUPPORTED for text in found) == 20
    assert found == drawn(texts, 60)


@pytest.mark.skipif(not data_dir().exists(), reason="the data sets are not there (GUARDRAIL_DATA)")
@pytest.mark.parametrize("name", sorted(SETS))
def test_every_set_reads(name: str) -> None:
    """Texts with evidence, sentences, and more than one label."""
    texts = list(SETS[name]())
    assert len(texts) >= 200
    assert all(text.evidence and text.sentences for text in texts)
    assert len({text.labels for text in texts}) > 1
