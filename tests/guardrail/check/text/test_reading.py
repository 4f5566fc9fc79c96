"""The sentences nearest to a claim are found by its words and by its meaning, and read alone, together and among their neighbours."""

import pytest

from guardrail.check.text.reading import PassageReader, PassageReading
from guardrail.models.embed import Embedder
from tests.scripted_nli import Scripted, claim, passages

EMBEDDER = Embedder(threads=1)
HOTEL = passages(
    "The garden is open to guests. Dogs are welcome in every room. Breakfast is served until ten.",
    "The bar is closed on Mondays. You may leave your car in the yard behind the house at no charge.",
)


def read(text: str, *, alone: bool = True) -> tuple[PassageReading, Scripted]:
    model = Scripted({})
    reader = PassageReader(model, EMBEDDER)
    near = reader.nearest(claim(text), HOTEL.passages)
    assert near is not None
    return reader.read(near, alone=alone), model


def test_a_sentence_in_other_words_is_nearest_by_its_meaning() -> None:
    """It shares no word with the claim."""
    reading, _ = read("Pets can stay with their owners.")
    assert reading.sentences[0].own == "Dogs are welcome in every room."
    assert read("Parking is free.")[0].sentences[0].own.startswith("You may leave your car")


def test_a_sentence_with_the_claims_words_is_nearest_by_them() -> None:
    reading, _ = read("Breakfast is served until noon.")
    assert reading.sentences[0].own == "Breakfast is served until ten."
    assert reading.covered > 0.5


def test_the_nearest_sentences_are_read_alone_and_together() -> None:
    """Together they stand in their order, also from two passages."""
    reading, model = read("Dogs may not come into the bar on Mondays.")
    alone, together = (premise for premise, _ in model.asked[-2:])
    assert alone == reading.sentences[0].own
    assert together.index("Dogs are welcome") < together.index("The bar is closed")
    assert len(reading.alone) == 2


def test_only_windows_are_read_where_no_signals_are_needed() -> None:
    reading, model = read("Dogs may not come into the bar.", alone=False)
    assert reading.alone == []
    assert len(model.asked) == len(reading.windows)


def test_what_is_nearest_alone_and_all_there_is_is_read_once() -> None:
    """A passage of one sentence is its nearest sentence, its few nearest ones and its only window."""
    model = Scripted({"ten": (0.7, 0.2, 0.1)})
    reader = PassageReader(model, EMBEDDER)
    near = reader.nearest(claim("Breakfast ends early."), passages("Breakfast ends at ten.").passages)
    assert near is not None
    reading = reader.read(near, alone=True)
    assert model.asked == [("Breakfast ends at ten.", "Breakfast ends early.")]
    assert [*map(tuple, reading.alone), reading.first.row] == [pytest.approx((0.7, 0.2, 0.1))] * 3


@pytest.mark.parametrize(
    ("text", "said", "same"),
    [
        ("The grant pays 1500 euros once per child", "The grant pays €1,500 once per child.", True),
        ("The lease ends on 3 May 2021.", "The lease ends on May 3, 2021.", True),
        ("It lasts thirty days.", "It lasts 30 days.", True),
        ("It lasts about 30 days.", "It lasts 30 days.", False),
        ("It lasts 30 hours.", "It lasts 30 days.", False),
        ("It costs 30 dollars.", "It costs €30.", False),
        ("It lasts up to 30 days.", "It lasts 30 days.", False),
        ("The lease ends in May 2021.", "The lease ends on 3 May 2021.", False),
        ("The hall is closed on Mondays.", "On Mondays, the hall is closed.", True),
        ("If it rains the match is off.", "The match is off if it rains.", True),
        ("The hall is closed on Mondays.", "The café is open; the hall is closed on Mondays.", True),
        ("Ada thanked Bo.", "Bo thanked Ada.", False),
        ("The match is off.", "The match is off if it rains.", False),
    ],
)
def test_a_sentence_is_the_claim_however_it_is_written(text: str, said: str, same: bool) -> None:
    near = PassageReader(Scripted({}), EMBEDDER).nearest(claim(text), passages(said).passages)
    assert near is not None
    assert (near.verbatim is not None) is same
