from __future__ import annotations

from guardrail.segment import AsRead, readable
from guardrail.types import BlockKind, Claim, Sentence, Span, Unchecked
from guardrail.types.verdicts import NotChecked


def as_read(text: str, at: int) -> AsRead:
    sentence = Sentence(Span(at, at + len(text)), text)
    return AsRead.of(sentence, readable(text), BlockKind.PROSE)


def test_a_claim_is_put_where_it_stands() -> None:
    """A claim on what is read gets the words and the span of what was delivered."""
    part = as_read("**Aus**tralia is big.", 10)
    assert part.plain.text == "Australia is big."
    claim = part.claim(Claim(0, part.plain.span, part.plain.text, part.plain.text))
    assert (claim.span, claim.text) == (Span(10, 31), "**Aus**tralia is big.")


def test_what_is_not_checked_is_put_there_too() -> None:
    """A part that was not checked has its delivered words, and one that was passed over whole stays as it is."""
    part = as_read("A&amp;B", 3)
    found = part.put(Unchecked(Span(4, 5), "&", NotChecked.ERROR))
    assert isinstance(found, Unchecked)
    assert (found.span, found.text) == (Span(4, 9), "&amp;")
    whole = Unchecked(part.raw.span, part.raw.text, NotChecked.ERROR)
    assert part.put(whole) == whole


def test_what_replaces_words_keeps_the_marks_around_them() -> None:
    """A mark inside of the replaced words whose partner stands outside is written again; capitals stay capitals."""
    part = as_read("**The capital is Syd**ney.", 0)
    assert part.written(part.place(Span(15, 21)), "Canberra") == "Canberra**"
    shouted = as_read("IT IS SYDNEY.", 0).spelled("It is Sydney.")
    assert shouted.written(Span(6, 12), "Canberra") == "CANBERRA"
