from __future__ import annotations

import pytest

from guardrail.casing import printed
from guardrail.verifier import Verifier


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("THE CAPITAL OF AUSTRALIA IS SYDNEY.", "The capital of Australia is Sydney."),
        ("taylor swift was born in december 1989", "Taylor Swift was born in December 1989"),
        ("The eiffel tower is in berlin.", "The Eiffel Tower is in Berlin."),
        ("marie curie was a polish physicist", "Marie Curie was a Polish physicist"),
    ],
)
def test_names_get_their_capitals(text: str, spelled: str) -> None:
    """A sentence in capitals or small letters is spelled as in print, character for character."""
    assert printed(text, Verifier.open().linker.link) == spelled


@pytest.mark.parametrize(
    "text",
    [
        "The capital of Australia is Sydney.",
        "NASA and ESA agreed.",
        "i was reading in a nice hotel",
        "It was a good day for us all.",
        "The larvae glow because of a dose of toxin.",
        "USA",
    ],
)
def test_common_words_are_no_names(text: str) -> None:
    """A sentence in ordinary spelling stays, and common words in small letters do not become names."""
    spelled = printed(text, Verifier.open().linker.link)
    assert spelled[1:].replace("I ", "i ") == text[1:]
