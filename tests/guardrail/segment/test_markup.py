from __future__ import annotations

import time

import pytest

from guardrail.segment.markup import unmarked
from guardrail.segment.view import View


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("**Aus**tralia", "Australia"),
        ("***a*** _b_ ~~c~~ `d*e`", "a b c d*e"),
        ("*a **b** c*", "a b c"),
        ('[Ulm](https://a.b/c_(d) "A title.") and ![Bonn](x.png) and [Kiel][1]', "Ulm and Bonn and Kiel"),
        ("<b class='x > y'>Aus</b>tralia<br>is &amp; &#83;ydney", "Australia is & Sydney"),
        (r"5\% of C\* ", "5% of C* "),
        ("a<!-- hidden -->b", "ab"),
        ("**It is. Aus**tralia**", "It is. Australia"),
    ],
)
def test_marks_are_not_read(text: str, read: str) -> None:
    """Emphasis, links, code spans, tags, entities and escapes are read as their words."""
    assert unmarked(View.of(text)).text == read


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4",
        "snake_case_name",
        "a < b > c",
        "Syd* is",
        "[1][2]",
        "[see]",
        "AT&T & co;",
        "f(x)",
        "`open",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    """Asterisks between blanks, underscores in words, citations and unclosed marks are read as they stand."""
    assert unmarked(View.of(text)).text == text


@pytest.mark.parametrize(
    "piece",
    [
        "*",
        "**a ",
        "_a",
        "`",
        "[",
        "[a](",
        "<a ",
        "<!--",
        "&",
        "](",
        "~~",
        "`a``",
        "*_",
        "<b>",
        "[a](b(",
        '<a "',
    ],
)
def test_time_grows_linearly(piece: str) -> None:
    """Eight times the text takes about eight times as long, whatever it consists of."""

    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        start = time.process_time()
        unmarked(View.of(text))
        return time.process_time() - start

    assert min(seconds(80_000), seconds(80_000)) < 28 * max(seconds(10_000), 0.02)
