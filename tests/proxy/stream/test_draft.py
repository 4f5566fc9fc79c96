"""A draft gives out sentences and knows how far they have been judged."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from proxy.stream.draft import Draft

TEXT = "Paris is in France. Oslo is in Norway 🙂. It is cold.\n\n- A list\n- of two"


@given(cuts=st.lists(st.integers(0, len(TEXT)), max_size=20))
def test_any_cutting_gives_the_same_sentences(cuts: list[int]) -> None:
    """However the text arrives, the sentences are those of the whole, with exact spans."""
    edges = [0, *sorted(cuts), len(TEXT)]
    draft, whole = Draft(), Draft()
    sentences = [s for a, b in itertools.pairwise(edges) for s in draft.add(TEXT[a:b])] + draft.end()
    assert sentences == whole.add(TEXT) + whole.end()
    assert all(s.span.of(draft.text) == s.text for s in sentences)


def test_checked_stops_at_the_first_sentence_that_waits_and_never_goes_back() -> None:
    """A verdict on a later sentence does not move the offset past an earlier one that is still open."""
    draft = Draft()
    first, second, *_ = draft.add("Paris is in France. Oslo is in Norway. It is cold. And")
    assert draft.checked == 0
    assert draft.judged(second)
    assert draft.checked == 0
    assert draft.judged(first)
    reached = draft.checked
    assert reached >= second.span.end
    draft.add(" so it goes on")
    assert draft.checked >= reached


def test_an_ended_draft_is_settled_when_all_is_judged() -> None:
    """Only after the end and the last verdict is a draft settled, and then all of it is checked."""
    draft = Draft()
    draft.add("Paris is in France. Oslo")
    draft.end()
    assert not draft.settled
    assert [draft.judged(s) for s in draft.waiting] == [True, True]
    assert draft.settled
    assert draft.checked == len(draft) == len("Paris is in France. Oslo")


def test_a_verdict_that_nobody_waits_for_is_refused() -> None:
    """A second verdict on the same sentence changes nothing."""
    draft = Draft()
    draft.add("Paris is in France. Oslo")
    (sentence,) = draft.waiting
    assert draft.judged(sentence)
    assert not draft.judged(sentence)


def test_giving_up_returns_what_was_open() -> None:
    """What nobody will judge any more is named, so that it can be marked as not checked."""
    draft = Draft()
    draft.add("Paris is in France. Oslo is cold.")
    draft.end()
    assert [s.text for s in draft.give_up()] == ["Paris is in France.", "Oslo is cold."]
    assert draft.settled


@given(cuts=st.lists(st.integers(0, 3000), max_size=20))
def test_a_text_that_is_too_long_is_still_given_out_to_its_end(cuts: list[int]) -> None:
    """Behind the longest text that is read, stretches cover the rest exactly, however it came."""
    text = "A short sentence is here. " * 100
    edges = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    draft = Draft(longest=500)
    given_out = [s for a, b in itertools.pairwise(edges) for s in draft.add(text[a:b])] + draft.end()
    assert all(s.span.of(text) == s.text for s in given_out)
    whole = Draft(longest=500)
    assert given_out == whole.add(text) + whole.end()
    assert given_out[-1].span.end == len(text)
    assert [s for s in given_out if draft.judged(s)] == given_out
    assert draft.checked == len(draft) == len(text)


def test_words_behind_the_end_begin_a_new_sentence() -> None:
    """Offsets go on: what is said after an end is a part of the same text."""
    draft = Draft()
    assert [one.text for one in draft.add("It is so") + draft.end()] == ["It is so"]
    late = draft.add(" And so on. Or") + draft.end()
    assert [(one.span.start, one.text) for one in late] == [(9, "And so on."), (20, "Or")]
    assert draft.text == "It is so And so on. Or"
    assert all(one.span.of(draft.text) == one.text for one in late)
