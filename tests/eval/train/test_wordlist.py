from __future__ import annotations

from eval.train.wordlist import entries


def test_names_keep_their_capital() -> None:
    """A word is a name if four of five times it is one; foreign words, addresses and numbers are no entries."""
    told = [("West", "NNP"), ("west", "NN"), ("Paris", "NNP"), ("In", "IN"), ("und", "FW"), ("1990", "CD")]
    assert entries([*told, *[("May", "NNP")] * 5, ("may", "MD")]) == ["May", "Paris", "in", "west"]
