from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from guardrail.segment import Segmenter, segment
from guardrail.types import BlockKind, Sentence

TRICKY = [
    "Dr. A. B. Smith (b. 1867) lives in the U.S. capital. ",
    "It is 3.5 km, i.e. v1.2... and more.\n",
    "The U.S. The end. ",
    "# Head\n",
    "**Bold head**\n\n",
    "These are:\n",
    "- one. Two\n",
    "  - sub: x\n",
    "12. twelve\n",
    "> quote. More\n",
    "| a | b |\n|---|:-:|\n| 1 | 2. x |\n\n",
    "+---+===+\n| a | b |\n+===+---+\n| 1 | 2. x |\n+---+---+\n\n",
    "```py\nx = 1. Y\n```\n",
    "$$a. B$$ ",
    "\\[ a. B \\]\n",
    "`a. B` costs $5. And $x. Y$ ",
    "東京は首都です。人口は「多い。」",
    "राम गया। वह आया। ",
    "Hi! 🎉 e\u0301. \u0301 👩\u200d👩\u200d👧 ",
    '"Is it?" he asked. [1] Yes.[2] ',
    "\r\n",
    "\r\n\r\n",
    "\n\n",
    "    indented. Code\n",
    "---\n",
    "=====\n",
    "https://a.b/c?d=e. ",
    'An [address](https://a.b/c. D_(e) "F. G") here. ',
    "<b>Bold.</b> <i class='x'>So it",
    "Hidden.\u200b Next\ufeff. ",
    "> wrapped in\n> a quote\n",
    "\u202e.dloB\u202c ",
    "word ",
    ", and so on; ",
    ".",
    "*",
    "`",
    "|",
    " ",
]
texts = st.lists(st.one_of(st.sampled_from(TRICKY), st.text(max_size=12)), max_size=14).map("".join)


def in_chunks(text: str, sizes: list[int], limit: int = 400) -> list[Sentence]:
    segmenter = Segmenter(limit)
    out: list[Sentence] = []
    at = 0
    for size in sizes:
        out += segmenter.feed(text[at : at + size])
        at += size
    return out + segmenter.feed(text[at:]) + segmenter.flush()


def words(text: str) -> list[str]:
    return [sentence.text for sentence in segment(text)]


@settings(max_examples=400, deadline=None)
@given(texts, st.lists(st.integers(1, 9), max_size=40), st.sampled_from([20, 33, 60, 400]))
@example("a. \r\nB" * 4, [1] * 40, 20)
def test_every_chunking_gives_the_batch_result(text: str, sizes: list[int], limit: int) -> None:
    """However the text is cut, character by character included, the sentences are those of the whole text."""
    whole = in_chunks(text, [], limit)
    assert in_chunks(text, sizes, limit) == whole
    assert in_chunks(text, [1] * len(text), limit) == whole


@settings(max_examples=300, deadline=None)
@given(texts, st.sampled_from([20, 60, 400]))
def test_spans_are_exact_ordered_and_disjoint(text: str, limit: int) -> None:
    """Each sentence is the text at its span, holds a word, is trimmed, and begins where the last one has ended or later."""
    at = 0
    for sentence in in_chunks(text, [], limit):
        assert sentence.text == sentence.span.of(text)
        assert sentence.text == sentence.text.strip()
        assert sentence.text
        assert sentence.span.start >= at
        at = sentence.span.end


@settings(max_examples=200, deadline=None)
@given(texts, st.lists(st.integers(1, 30), max_size=20))
def test_nothing_starts_before_the_committed_offset(text: str, sizes: list[int]) -> None:
    """`committed` never goes back, and every later sentence starts at or after it."""
    segmenter = Segmenter()
    at = last = 0
    for size in [*sizes, len(text)]:
        before = segmenter.committed
        assert before >= last
        last = before
        assert all(sentence.span.start >= before for sentence in segmenter.feed(text[at : at + size]))
        at += size
    segmenter.flush()
    assert segmenter.committed == len(text)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_every_word_lies_in_a_sentence(text: str) -> None:
    """Only blanks, marks and markers are left out: what lies between sentences has no ordinary word in it."""
    at = 0
    for sentence in segment(text):
        between = text[at : sentence.span.start]
        assert "word" not in between
        assert "lives" not in between
        at = sentence.span.end
    assert "word" not in text[at:]


def test_blocks_know_what_they_are() -> None:
    """Headings, items, quotes, code and math are told apart, and markers belong to no sentence."""
    text = "# Top\nProse here.\n- item\n> quoted\n```\ncode. Here\n```\n$$x. Y$$\n\n    indented. Code\n"
    assert [(s.kind, s.text) for s in segment(text)] == [
        (BlockKind.HEADING, "Top"),
        (BlockKind.PROSE, "Prose here."),
        (BlockKind.ITEM, "item"),
        (BlockKind.QUOTE, "quoted"),
        (BlockKind.CODE, "```\ncode. Here\n```"),
        (BlockKind.MATH, "$$x. Y$$"),
        (BlockKind.CODE, "indented. Code"),
    ]


def test_items_know_their_heading() -> None:
    """An item has the lead-in above its list, a nested item its parent, and other sentences the section's heading."""
    text = "## France\nIts symbols are:\n\n- flag\n- **Money**\n  - euro\n\nProse again.\n\n**Spain**\n- Madrid\n"
    assert [(s.text, s.heading) for s in segment(text) if s.kind is not BlockKind.HEADING] == [
        ("Its symbols are:", "France"),
        ("flag", "Its symbols are"),
        ("**Money**", "Its symbols are"),
        ("euro", "Money"),
        ("Prose again.", "France"),
        ("Madrid", "Spain"),
    ]


def test_rows_know_their_columns() -> None:
    """A row carries the heads of its columns; the delimiter row is no sentence, and the table's head is no section."""
    text = "## Capitals\n| Country | **Capital** |\n|---|---|\n| France | Paris |\n\nText.\n"
    sentences = segment(text)
    row = next(s for s in sentences if s.kind is BlockKind.ROW)
    assert row.text == "| France | Paris |"
    assert row.header == ("Country", "Capital")
    assert [s.text for s in sentences] == [
        "Capitals",
        "| Country | **Capital** |",
        "| France | Paris |",
        "Text.",
    ]
    assert sentences[-1].heading == "Capitals"


@pytest.mark.parametrize("line", ["+---------+---------+", "+=========+=========+"])
def test_frames_of_a_table_are_no_text(line: str) -> None:
    """A table that is drawn in ASCII has the same header and rows as one in Markdown, however long its lines are."""
    frame = "+---------+---------+"
    text = f"{frame}\n| Country | Capital |\n{line}\n| France  | Paris   |\n{frame}\n| Spain   | Madrid  |\n{frame}\n\nThe end.\n"
    found = [(one.kind, one.header) for one in segment(text)]
    columns = ("Country", "Capital")
    assert found == [
        (BlockKind.HEADING, ()),
        (BlockKind.ROW, columns),
        (BlockKind.ROW, columns),
        (BlockKind.PROSE, ()),
    ]
    assert [one.kind for one in segment("+ an item\n+ another\n")] == [BlockKind.ITEM, BlockKind.ITEM]


def test_key_value_lines_stay_apart() -> None:
    """Lines of the form "Key: value" are sentences of their own; hard-wrapped prose is joined."""
    assert words("Born: 1867 in Warsaw, a city of the former Congress Poland\nDied: 1934") == [
        "Born: 1867 in Warsaw, a city of the former Congress Poland",
        "Died: 1934",
    ]
    wrapped = "This line is quite long enough to have been wrapped in\nParis by hand."
    assert words(wrapped) == [wrapped]
    assert words("Paris is the capital of\nFrance.") == ["Paris is the capital of\nFrance."]
    assert words("Anna, Berta,\nClara and\nDora met.") == ["Anna, Berta,\nClara and\nDora met."]
    assert words("Paris is big\nRome is old") == ["Paris is big", "Rome is old"]


def test_long_sentence_is_cut_at_a_clause() -> None:
    """The hold limit forces a commit after a comma, marks it, and loses nothing."""
    text = "The list has " + ", ".join(f"item number {n}" for n in range(60)) + "."
    sentences = segment(text)
    assert len(sentences) > 1
    assert all(s.forced for s in sentences[:-1])
    assert all(len(s.text) <= 400 for s in sentences)
    assert all(s.text.endswith(",") for s in sentences[:-1])
    assert " ".join(s.text for s in sentences) == text


def test_unbroken_text_is_cut_too() -> None:
    """A text without a single space is held no longer than the limit."""
    segmenter = Segmenter(50)
    out = segmenter.feed("x" * 500)
    assert len(out) == 9
    assert segmenter.committed == 450


def test_a_sentence_is_given_out_with_the_next_word() -> None:
    """One token of look-ahead is enough: nothing waits for the end of the paragraph."""
    segmenter = Segmenter()
    assert segmenter.feed("Paris is in France.") == []
    assert [s.text for s in segmenter.feed(" It is")] == ["Paris is in France."]
    assert segmenter.committed == 20


@pytest.mark.parametrize(
    "text", ["", " \n\r\n ", "***", "---\n---", "|", "```", "$$", "\\[", "#", "- ", "\u0301", ">"]
)
def test_text_without_words_has_no_sentence(text: str) -> None:
    """Blanks, lone markers and unclosed marks give nothing, and no error."""
    assert segment(text) == []


def test_open_fence_ends_with_the_text() -> None:
    """Code whose fence was never closed is code to the end."""
    assert [(s.kind, s.text) for s in segment("```py\nx. Y\n# not a heading")] == [
        (BlockKind.CODE, "```py\nx. Y\n# not a heading")
    ]


def test_feeding_after_the_end_is_an_error() -> None:
    """A flushed segmenter takes no more text, and a hold limit too small for a clause is refused."""
    segmenter = Segmenter()
    segmenter.flush()
    with pytest.raises(ValueError, match="flushed"):
        segmenter.feed("x")
    with pytest.raises(ValueError, match="hold_limit"):
        Segmenter(5)


@pytest.mark.parametrize(
    "piece", ["A sentence of text. ", "x", "!", "*", " ", "`", "$", "[", "e\u0301", "- ", "| a |\n", "\n"]
)
def test_time_grows_linearly(piece: str) -> None:
    """Four times the text, fed character by character, takes about four times as long, whatever it consists of."""

    def seconds(size: int) -> float:
        text = (piece * (size // len(piece) + 1))[:size]
        start = time.process_time()
        in_chunks(text, [1] * size)
        return time.process_time() - start

    seconds(2_000)
    least = [
        min(seconds(size) for _ in range(3)) for size in (4_000, 16_000)
    ]  # other work can only make it slower
    assert least[1] < 12 * max(least[0], 0.004)
