"""Markdown as pages of the manual: anchors, links, sections."""

from __future__ import annotations

import pytest

from proxy.manual.markdown import render, slug

TEXT = """# A page
It says [this](other.md#place), with `code`.

## First part
| a | b |
|---|---|
| 1 | 2 |

```sh
run <this>
```

## First part
![a picture](one.png)
"""


def test_headings_have_anchors_of_their_own() -> None:
    """Two headings with the same words get different anchors."""
    page = render(TEXT, str)
    assert [section.anchor for section in page.sections] == ["a-page", "first-part", "first-part_1"]
    assert '<h2 id="first-part_1">First part</h2>' in page.html


@pytest.mark.parametrize(
    ("title", "anchor"),
    [("What is read, and what is not", "what-is-read-and-what-is-not"), ("`serve` – Ärger", "serve-arger")],
)
def test_anchors_are_those_of_the_site(title: str, anchor: str) -> None:
    """Python-Markdown makes the same, so that a link leads to the same place on both."""
    assert slug(title) == anchor


def test_links_and_pictures_go_where_the_caller_says() -> None:
    """Both are given as they are written."""
    page = render(TEXT, lambda written: f"/docs/{written}")
    assert '<a href="/docs/other.md#place">' in page.html
    assert 'src="/docs/one.png"' in page.html


def test_a_section_has_the_words_below_its_heading() -> None:
    """Without markup, with cells and code."""
    first, second, _ = render(TEXT, str).sections
    assert (first.level, first.title, first.text) == (1, "A page", "It says this, with code.")
    assert second.text.split() == ["a", "b", "1", "2", "run", "<this>"]


def test_what_scrolls_is_reached_by_keyboard() -> None:
    """Tables and code take the focus; code is escaped."""
    html = render(TEXT, str).html
    assert '<div class="scroll" tabindex="0"' in html
    assert '<pre tabindex="0"><code>run &lt;this&gt;' in html
