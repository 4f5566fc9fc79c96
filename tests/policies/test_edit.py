"""What decisions do to texts, and the way between the offsets of both."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.types import Report, Span
from policies.decide import Action, Edit, decide
from policies.edit import apply, edits, marks, pieces, render, section
from policies.policy import PRESETS, load
from tests.findings import BETTER, RIGHT, TEXT, report, reports, verdict

WRONG = verdict(revisions=(BETTER,))
UNREVISABLE = verdict(1, Span(62, 90))


def _edits(length: int) -> st.SearchStrategy[list[Edit]]:
    """Disjoint edits of a text of this length, insertions and deletions among them."""
    cuts = st.lists(st.integers(0, length), max_size=8, unique=True).map(sorted)
    words = st.text("ab🙂é", max_size=4)
    return cuts.flatmap(
        lambda at: st.tuples(
            *[st.tuples(st.just(Span(*pair)), words, st.booleans()) for pair in pairwise(at)]
        )
    ).map(lambda found: [Edit(span, word) for span, word, wanted in found if wanted])


def test_edits_are_applied_in_any_order() -> None:
    """Later edits do not shift earlier ones."""
    changes = [Edit(Span(6, 8), "!"), Edit(Span(0, 1), "A🙂"), Edit(Span(3, 3), "+")]
    assert apply("abcdefgh", changes) == "A🙂bc+def!"


@pytest.mark.parametrize("bad", [[Edit(Span(0, 3), ""), Edit(Span(2, 4), "")], [Edit(Span(5, 9), "")]])
def test_edits_that_overlap_or_leave_the_text_are_refused(bad: list[Edit]) -> None:
    """Neither the text nor the table is made of them."""
    with pytest.raises(ValueError, match="overlap or leave"):
        apply("abcdefgh", bad)
    with pytest.raises(ValueError, match="overlap or leave"):
        pieces(8, bad)


@given(st.text(max_size=40).flatmap(lambda text: st.tuples(st.just(text), _edits(len(text)))))
def test_the_table_tiles_both_texts(case: tuple[str, list[Edit]]) -> None:
    """The pieces lie end to end in the original and in the revised text, and kept ones read the same in both."""
    text, changes = case
    revised, table = apply(text, changes), pieces(len(text), changes)
    assert "".join(piece.original.of(text) for piece in table.pieces) == text
    assert "".join(piece.revised.of(revised) for piece in table.pieces) == revised
    for piece in table.pieces:
        if piece.kept:
            assert piece.original.of(text) == piece.revised.of(revised)


@given(
    st.text(min_size=1, max_size=40).flatmap(lambda text: st.tuples(st.just(text), _edits(len(text)))),
    st.data(),
)
def test_kept_words_are_found_in_both_directions(case: tuple[str, list[Edit]], data: st.DataObject) -> None:
    """A span of words that no edit touches maps to the same words, and back to itself."""
    text, changes = case
    revised, table = apply(text, changes), pieces(len(text), changes)
    kept = [piece.original for piece in table.pieces if piece.kept and len(piece.original)]
    if not kept:
        return
    home = data.draw(st.sampled_from(kept))
    start = data.draw(st.integers(home.start, home.end - 1))
    span = Span(start, data.draw(st.integers(start + 1, home.end)))
    there = table.to_revised(span)
    assert there.of(revised) == span.of(text)
    assert table.to_original(there) == span


def test_a_span_over_replaced_words_maps_to_the_whole_replacement() -> None:
    """The claim's span in the revised text holds the new words."""
    changes = decide(load("revise"), report(WRONG)).edits
    revised, table = apply(TEXT, changes), pieces(len(TEXT), changes)
    assert table.to_revised(WRONG.claim.span).of(revised) == "Ada Lovelace was born in 1815."
    assert table.to_original(Span(25, 27)) == Span(25, 29)


def test_revise_replaces_words_and_notes_the_rest() -> None:
    """What can be revised is, what cannot is numbered and explained below."""
    whole = report(WRONG, UNREVISABLE)
    text, _ = render(whole, decide(load("revise"), whole), load("revise"))
    assert text == (
        "Ada Lovelace was born in 1815. She wrote notes on the engine. She died in 1852, in London. [1]"
        "\n\n---\n**Checked statements**\n\n"
        "[1] “She died in 1852, in London.” (wrong): Ada Lovelace was born in 1815."
    )


def test_a_block_is_the_message_and_nothing_else() -> None:
    """No word of the original is left, and every offset of it maps to the whole message."""
    whole = report(WRONG)
    text, table = render(whole, decide(load("block"), whole), load("block"))
    assert text == load("block").words("en").block
    assert table.to_revised(Span(3, 5)) == Span(0, len(text))


@pytest.mark.parametrize("preset", ["shadow", "annotate"])
def test_shadow_and_annotate_leave_every_character(preset: str) -> None:
    """The text is the model's own."""
    whole = report(WRONG, UNREVISABLE)
    assert render(whole, decide(load(preset), whole), load(preset))[0] == TEXT


def test_a_footnote_number_never_splits_replaced_words() -> None:
    """A number that would fall inside an edit goes behind it."""
    whole = report(verdict(0, Span(0, 27)), verdict(1, Span(27, 30), revisions=(BETTER,)))
    changed = apply(TEXT, edits(decide(load("revise"), whole)))
    assert changed.startswith("Ada Lovelace was born in 1815 [1].")


def test_numbers_go_on_where_the_last_sentence_stopped() -> None:
    """Footnotes of a streamed answer are counted over its sentences."""
    notes = decide(load("attach"), report(verdict(), UNREVISABLE)).notes
    assert [edit.replacement for edit in marks(notes, first=4)] == [" [4]", " [5]"]


def test_there_is_no_section_without_notes() -> None:
    """An answer that needs no note gets no heading either."""
    assert section(load("attach"), ()) == ""


@given(reports(), st.sampled_from(PRESETS))
def test_any_report_can_be_rendered_under_any_preset(whole: Report, name: str) -> None:
    """The table always covers the original, and what passes stays word for word."""
    policy = load(name)
    decision = decide(policy, whole)
    text, table = render(whole, decision, policy)
    assert sum(len(piece.original) for piece in table.pieces) == len(whole.text)
    if decision.action is Action.PASS:
        assert text == whole.text


def test_a_clean_answer_is_not_touched() -> None:
    """Under the strictest preset too."""
    whole = report(verdict(**RIGHT))
    assert render(whole, decide(load("block"), whole), load("block"))[0] == TEXT
