"""The sentences nearest to a claim are found by its words and by its meaning, and read alone, together and among their neighbours."""

from guardrail.check.text.reading import Reader, Reading
from guardrail.models.embed import Embedder
from tests.scripted_nli import Scripted, claim, passages

EMBEDDER = Embedder(threads=1)
HOTEL = passages(
    "The garden is open to guests. Dogs are welcome in every room. Breakfast is served until ten.",
    "The bar is closed on Mondays. You may leave your car in the yard behind the house at no charge.",
)


def read(text: str, *, alone: bool = True) -> tuple[Reading, Scripted]:
    model = Scripted({})
    reading = Reader(model, EMBEDDER).read(claim(text), HOTEL.passages, alone=alone)
    assert reading is not None
    return reading, model


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
