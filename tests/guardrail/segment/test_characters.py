from __future__ import annotations

import pytest

from guardrail.segment.characters import seen
from guardrail.segment.view import View


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Syd\u00adney\u200b", "Sydney"),
        ("Ｓｙｄｎｅｙ, 𝐒ydney, ﬁne, Ⓤlm", "Sydney, Sydney, fine, Ulm"),
        ("Sуdnеy and Αustralia", "Sydney and Australia"),
        ("s\u0336o\u0336", "so"),
        ("is \u202eyendyS\u202c.", "is Sydney."),
        ("Sa\u0303o Paulo", "São Paulo"),
        ("a\u00a0b", "a b"),
        ("🇺🇱🇲, 🇺\u200b🇱\u200b🇲", "ULM, ULM"),
        ("⒰⒧⒨", "ulm"),
        ("half \ud83d of a pair", "half \ufffd of a pair"),
        ("in ١٩٠١ or १९०१", "in 1901 or 1901"),
    ],
)
def test_what_looks_so_is_read_so(text: str, read: str) -> None:
    """Hidden characters, other shapes of a letter, look-alikes and strokes give the word that a person sees."""
    assert seen(View.of(text)).text == read


@pytest.mark.parametrize(
    "text",
    [
        "São Tomé",
        "Москва, Россия",
        "12 km²",
        "5 μm",
        "Node™",
        "東京。",
        "IFNγ",
        "Zürich ½",
        "«Δt»",
        "हिन्दी",
        "🇫🇷🇩🇪 🇮🇹",
    ],
)
def test_other_words_stay(text: str) -> None:
    """Accents, other languages, units and superscripts are left as they are."""
    assert seen(View.of(text)).text == text
