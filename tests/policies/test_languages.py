"""Which languages a request accepts, and which policies are for them."""

from __future__ import annotations

import pytest

from policies.languages import accepted, speaks, tags


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("en-GB", "en-gb"),
        ("en-US,en;q=0.9", "en-us,en"),
        ("de;q=0.5, en-GB", "en-gb,de"),
        ("fr; q=0.2, de;q=0.8, *;q=0.1", "de,fr"),
        ("de, en;q=0", "de"),
        ("de;q=much, en;q=0.9, de", "de,en"),
        ("*", ""),
        ("", ""),
        ("<script>, en_GB, it", "it"),
        (",".join(f"a{chr(97 + n)}" for n in range(20)), "aa,ab,ac,ad,ae,af,ag,ah,ai,aj"),
    ],
)
def test_a_header_gives_its_tags_by_weight(header: str, found: str) -> None:
    """In small letters; what is unwanted, no tag or said twice is left out, and so is what comes after ten."""
    assert accepted(header) == found


@pytest.mark.parametrize(
    ("language", "pattern", "holds"),
    [
        ("en-gb", "en", True),
        ("en-us,en", "EN", True),
        ("de,en-gb", "en", True),
        ("en", "en-GB", False),
        ("eng", "en", False),
        ("zh-hant-tw", "zh-Hant", True),
        ("de-at", "de*", True),
        ("", "en", False),
        ("", "*", True),
    ],
)
def test_a_language_stands_for_its_kinds(language: str, pattern: str, holds: bool) -> None:
    """Tags match by their beginnings, as in basic filtering; patterns stay patterns."""
    assert speaks(language, pattern) is holds


def test_a_request_without_a_language_has_one_empty_tag() -> None:
    """So that it is still tried once."""
    assert (tags(""), tags("en-gb,de")) == (("",), ("en-gb", "de"))
