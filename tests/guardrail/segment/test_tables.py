from __future__ import annotations

import pytest

from guardrail.segment import Segmenter, segment
from guardrail.segment.tables import bare, cells, delimiter, html_row, parts
from guardrail.types import BlockKind, Sentence

BARE = "Town | Country\n--- | :---:\nGraz | Austria\n**Turku** | Finland\n\nThe end is near."
HTML = (
    "Look:\n<table class='x'>\n<caption>Anna made this table.</caption>\n<tr><th>Town</th><th>Country</th></tr>\n"
    "<tr>\n  <td>Graz</td>\n  <td><b>Austria</b></td>\n</tr><tr><td>Turku<td>Finland</tr>\n</table>\nThe end is near."
)


def rows(text: str) -> list[Sentence]:
    return [one for one in segment(text) if one.kind is BlockKind.ROW]


@pytest.mark.parametrize("text", [BARE, HTML])
def test_rows_have_the_head_of_their_columns(text: str) -> None:
    """Each row is one sentence with the column heads, whatever the table is written in."""
    found = rows(text)
    assert [one.header for one in found] == [("Town", "Country")] * 2
    assert "Graz" in found[0].text
    assert "Finland" in found[1].text


@pytest.mark.parametrize("text", [BARE, HTML])
def test_what_follows_a_table_is_prose(text: str) -> None:
    """The table ends, and the last sentence is no row."""
    last = segment(text)[-1]
    assert (last.text, last.kind, last.header) == ("The end is near.", BlockKind.PROSE, ())


@pytest.mark.parametrize("text", [BARE, HTML, "<table>" * 3 + "a | b\n-|-\n1 | 2"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 19])
def test_chunks_do_not_matter(text: str, size: int) -> None:
    """The same rows come out however the text arrives, each at its place."""
    machine = Segmenter()
    found = [one for at in range(0, len(text), size) for one in machine.feed(text[at : at + size])]
    found += machine.flush()
    assert found == segment(text)
    assert all(one.span.of(text) == one.text for one in found)


def test_nothing_in_a_table_is_passed_over() -> None:
    """What stands in a table outside of its cells is shown, and so it is read."""
    assert any("Anna made this table." in one.text for one in segment(HTML))
    text = "<table>" + "<tr><td>" + "Graz is a town in Austria. " * 40 + "</td></tr></table>"
    assert sum(len(one.text) for one in segment(text)) > 900


def test_a_bar_alone_makes_no_table() -> None:
    """Without the line of dashes below, a bar is a character of the prose."""
    assert not rows("The value of | x | is large.\nGraz is a town.")


def test_a_line_without_a_bar_ends_the_table() -> None:
    """The next line is prose again."""
    found = segment("A | B\n--|--\n1 | 2\nGraz is a town.")
    assert [one.kind for one in found] == [BlockKind.HEADING, BlockKind.ROW, BlockKind.PROSE]


def test_cells() -> None:
    """Cells are what stands between bars or cell tags."""
    assert cells("| *a* | b |") == ("a", "b")
    assert parts("Graz</td> <td>Austria") == ["Graz", "Austria"]
    assert bare("<b>a</b>").strip() == "a"
    row = html_row("<tr><td>Graz</td><td>Austria</td>")
    assert row is not None
    assert (row.head, row.cells) == (False, ("Graz", "Austria"))
    assert html_row("no cells") is None


def test_line_of_dashes() -> None:
    """A delimiter line has dashes and bars only; what may still become one is not decided."""
    assert delimiter("--- | ---\nx", final=False)
    assert delimiter("--- | --", final=False) is None
    assert delimiter("--- | --", final=True)
    assert not delimiter("a | b\n", final=False)
