"""Text that hides its words."""

from __future__ import annotations

import base64

import pytest

from guardrail.claims.checkable.legibility import illegible

HIDDEN = "The longest river of Africa is the Nile."


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (base64.b64encode(HIDDEN.encode()).decode(), "encoded text"),
        (base64.b32encode(HIDDEN.encode()).decode(), "encoded text"),
        (HIDDEN.encode().hex(), "encoded text"),
        (" ".join(str(ord(one)) for one in HIDDEN), "encoded text"),
        (" ".join(f"{ord(one):02x}" for one in HIDDEN), "encoded text"),
        (" ".join(f"{ord(one):08b}" for one in HIDDEN), "encoded text"),
        ("".join(f"\\u{ord(one):04x}" for one in HIDDEN), "encoded text"),
        ("".join(f"%{ord(one):02X}" for one in HIDDEN), "encoded text"),
        ("Decode this: " + base64.b64encode(HIDDEN.encode()).decode(), "encoded text"),
        (" ".join(HIDDEN), "spelled letters"),
        ("-".join("Nileisthelongest"), "spelled letters"),
        ("the river N, i, l, e, s", "spelled letters"),
        ("the river " + "\n".join("Niles"), "spelled letters"),
        ("the river November India Lima Echo", "spelled letters"),
        ("the river 14-9-12-5-19", "encoded text"),
        ("the river ⠝⠊⠇⠑", "encoded text"),
        ("The l\u043engest river is the Nile.", "letters of several scripts"),
        ("The l\u03bfngest river is the Nile.", "letters of several scripts"),
        ("The lon\u200bgest river is the Nile.", "hidden characters"),
        ("The \U0001d425\U0001d428\U0001d427\U0001d420est river is the Nile.", "styled letters"),
        ("Th3 l0ng3st r1v3r 1s th3 N1l3.", "digits for letters"),
    ],
)
def test_hidden_words_are_told(text: str, how: str) -> None:
    """Whatever hides the words is named."""
    assert illegible(text) == how


@pytest.mark.parametrize(
    "text",
    [
        HIDDEN,
        "The commit 9f3a5bc2d7e84f1a9b0c6d2e8f7a1b3c4d5e6f70 fixes it.",
        "The UUID is 123e4567-e89b-12d3-a456-426614174000.",
        "See https://example.com/a?b=VGhlIGxvbmdlc3Qgcml2ZXIgb2YgQWZyaWNh.",
        "A 5 kΩ resistor, a 10 μF capacitor, δ18O and β2m.",
        "H2O, CO2, MP3 and B2B are short forms of the 20th century.",
        "👨‍👩‍👧 is a family, 🇦🇺 a flag.",
        "Grades are A, B, C, D and E.",
        "internationalization_of_user_interfaces is a long name.",
        "The numbers 10 20 30 40 50 60 70 80 90 are tens.",
    ],
)
def test_ordinary_text_is_legible(text: str) -> None:
    """Hashes, addresses, units, formulas and emoji hide nothing."""
    assert illegible(text) == ""
