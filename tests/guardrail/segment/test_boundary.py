from __future__ import annotations

import pytest

from guardrail.segment import segment
from guardrail.segment.boundary import CANDIDATE, newline, punctuation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 3.5 m long. It is old.", ["It is 3.5 m long.", "It is old."]),
        ("He lives in the U.S. He is old.", ["He lives in the U.S.", "He is old."]),
        ("The U.S. Senate met. It voted.", ["The U.S. Senate met.", "It voted."]),
        ("Some, e.g. Dr. Who, met Mr. Fox. Then left.", ["Some, e.g. Dr. Who, met Mr. Fox.", "Then left."]),
        ("J. R. R. Tolkien wrote it. He died.", ["J. R. R. Tolkien wrote it.", "He died."]),
        ("Use v1.2 now. It works.", ["Use v1.2 now.", "It works."]),
        ("He came... and left. She stayed…", ["He came... and left.", "She stayed…"]),
        ("See https://a.org/b.c?d=e. It helps.", ["See https://a.org/b.c?d=e.", "It helps."]),
        ('"Is it so?" he asked. "It is." She left.', ['"Is it so?" he asked.', '"It is."', "She left."]),
        ("It ended (in 1990). Then it began.", ["It ended (in 1990).", "Then it began."]),
        ("She won in 1903.[1][2] He did not.", ["She won in 1903.[1][2]", "He did not."]),
        ("東京は首都です。人口は多い。", ["東京は首都です。", "人口は多い。"]),
        ("Done! 🎉 Next one.", ["Done!", "🎉 Next one."]),
        ("Done!🎉 Next one.", ["Done!🎉", "Next one."]),
        ("One.\r\nTwo.\r\n\r\nThree", ["One.", "Two.", "Three"]),
        (
            "It cost **9.5** million. It was **big.** It sold.",
            ["It cost **9.5** million.", "It was **big.**", "It sold."],
        ),
        ("Apple Inc. was founded. It grew.", ["Apple Inc. was founded.", "It grew."]),
        ("It is No. 5 there. No. It is six.", ["It is No. 5 there.", "No.", "It is six."]),
        ("Yahoo! is a firm. Really?! Yes.", ["Yahoo! is a firm.", "Really?!", "Yes."]),
        ("It costs $5. That costs $10. Fine.", ["It costs $5.", "That costs $10.", "Fine."]),
        ("Call `a. B` first. Then $x. Y$ holds.", ["Call `a. B` first.", "Then $x. Y$ holds."]),
        ("Seat ........ Rome\nArea .... Big", ["Seat ........ Rome", "Area .... Big"]),
        ("Wait ....\nWe did it .... Now go.", ["Wait ....", "We did it .... Now go."]),
        ("He liked art. He did.", ["He liked art.", "He did."]),
        ("1. First one. Second one.", ["First one.", "Second one."]),
        (
            "It was founded in 1998. 30 people work there.",
            ["It was founded in 1998.", "30 people work there."],
        ),
        ("I own an old phone. iPhones are new.", ["I own an old phone.", "iPhones are new."]),
        ("यह दिल्ली है। वह बड़ा है।", ["यह दिल्ली है।", "वह बड़ा है।"]),
        ("ما هذا؟ هذا كتاب.", ["ما هذا؟", "هذا كتاب."]),
    ],
)
def test_sentence_boundaries(text: str, expected: list[str]) -> None:
    """Full stops in numbers, abbreviations, initials, URLs and code do not end a sentence; those before a new one do."""
    assert [sentence.text for sentence in segment(text)] == expected


@pytest.mark.parametrize("text", ["It ended.", "It ended. ", "It ended.[1", "The U.S. Th", 'It ended."'])
def test_an_undecided_place_waits(text: str) -> None:
    """While the look-ahead touches the end of the text there is no answer; at the end of all text there is one."""
    match = list(CANDIDATE.finditer(text))[-1]
    assert punctuation(text, match, final=False) is None
    assert punctuation(text, match, final=True) is not None


def test_a_line_break_waits_for_the_next_line() -> None:
    """A line break is judged by how the next line begins: a list marker ends the sentence, a small letter goes on."""
    assert newline("A line\n", 6, final=False) is None
    assert newline("A line\n- item one", 6, final=False) == 6
    assert newline("A line\ngoes on", 6, final=False) == 0
    assert newline("A line\n", 6, final=True) == 6
