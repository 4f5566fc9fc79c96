"""Windows: everything is read, in pieces that fit, and each piece says where it came from."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.check.text.windows import Window, windows
from guardrail.types import Passage, Source


def words(texts: Sequence[str]) -> list[int]:
    """A tokenizer that counts words."""
    return [len(text.split()) for text in texts]


def letters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


def made(text: str, room: int, title: str = "", about: str = "") -> list[Window]:
    return windows([Passage("p", text, Source.REQUEST, title=title, about=about)], room=room, measure=words)


def test_a_title_stands_before_a_passage_that_does_not_name_it() -> None:
    """Pronouns need to know whose page they are on; the sentences are those of the passage alone."""
    (window,) = made("She won twice. Then she left.", 30, "Ann Lee")
    assert window.text == "Ann Lee: She won twice. Then she left."
    assert window.said == ("She won twice.", "Then she left.")
    assert made("Ann Lee won twice.", 30, "Ann Lee")[0].text == "Ann Lee won twice."
    assert made("He won.", 30, about="Bo Ray")[0].text == "Bo Ray: He won."


def test_a_passage_that_fits_is_read_whole() -> None:
    """No sentence is taken from its neighbours where there is room for all."""
    text = "One two three. Four five six. Seven eight nine."
    assert [window.text for window in made(text, 9)] == [text]
    assert [window.text for window in made(text, 6)] == ["One two three. Four five six.", "Seven eight nine."]


def test_the_marks_point_at_the_sentences_that_are_named() -> None:
    """Of a window some sentences or all are marked in its passage."""
    text = "One two.  Three four! Five six."
    (window,) = made(text, 30)
    (one,) = window.evidence(1).passages
    (all_,) = window.evidence().passages
    assert [mark.of(text) for mark in one.marks] == ["Three four!"]
    assert [mark.of(text) for mark in all_.marks] == [text]


def test_what_stands_between_sentences_counts() -> None:
    """A rule between two paragraphs and the line under a table's head are read with their neighbours."""
    text = "\n".join(
        f"Line {n} is here.\n{'= ' * 9}\n| a | b |\n| --- | --- |\n| {n} | x |" for n in range(9)
    )
    assert all(words([window.text])[0] <= 30 for window in made(text, 30))


@pytest.mark.parametrize("text", ["x" * 500, "word " * 300, "a.b.c. " * 90, "行" * 400])
def test_text_without_sentences_is_still_read_whole(text: str) -> None:
    """A stretch longer than the room is divided, and no part is longer."""
    found = windows([Passage("p", text, Source.REQUEST)], room=40, measure=letters)
    assert all(sum(map(len, window.said)) <= 40 for window in found)
    assert "".join("".join(window.said) for window in found).replace(" ", "") == text.replace(" ", "")


@given(st.text(alphabet="ab .!?\n\"'é漢🙂", max_size=300), st.integers(4, 30))
def test_windows_cover_what_the_segmenter_finds(text: str, room: int) -> None:
    """Whatever the passage, its sentences lie in exactly one window each, in order."""
    found = windows([Passage("p", text, Source.REQUEST)], room=room, measure=letters)
    spans = [span for window in found for span in window.sentences]
    assert spans == sorted(spans)
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))
