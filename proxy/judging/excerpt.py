"""What is told of a long text that is not checked: its place in full, of its words only the beginning."""

from __future__ import annotations

MOST_CHARACTERS = 1000  # code points of a stretch that is not checked, as far as it is told and put on record


def excerpt(text: str) -> str:
    """The text, or its beginning with an ellipsis; an excerpt of an excerpt is the same."""
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + " …"
