from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail import Guardrail
from guardrail.segment import SentenceReader, readable, segment
from tests.disguises import disguises, listings, statements
from tests.guardrail.segment.test_machine import texts

WAYS = dict(disguises())


@pytest.fixture(scope="module")
def guardrail() -> Guardrail:
    return Guardrail.open()


@pytest.mark.parametrize("way", WAYS)
def test_a_disguised_statement_gets_the_label_of_the_plain_one(guardrail: Guardrail, way: str) -> None:
    """However a sentence is written, it is judged as what a person reads, and its span is exact."""
    for one in statements():
        text = WAYS[way](one["text"])
        report = guardrail.check(text)
        labels = {verdict.label.value for verdict in report.verdicts} - {"extrapolatory"}
        assert labels == {one["label"]}, text
        assert all(v.claim.span.of(text) == v.claim.text for v in report.verdicts)


@pytest.mark.parametrize(
    "text",
    [
        "## The history of Sydney",
        "**Capital cities**",
        "## What is the capital of Australia?",
        "| Country | Capital |",
        "```python\ncapital = find(x)\nfor city in range(3):\n    print(city)\n```",
        "```sh\npip install sydney\n```",
    ],
)
def test_what_states_nothing_stays_so(guardrail: Guardrail, text: str) -> None:
    """Headings that only name what follows, questions and pure code are no claims."""
    report = guardrail.check(text)
    assert report.verdicts == ()
    assert report.skipped


@settings(max_examples=200, deadline=None)
@given(texts)
def test_every_part_lies_in_its_sentence(text: str) -> None:
    """What is read of a sentence points into it, in order and without overlaps."""
    reader = SentenceReader()
    for sentence in segment(text):
        at = sentence.span.start
        for readings in reader.read(sentence):
            (raw,) = {part.raw for part in readings}
            assert at <= raw.span.start <= raw.span.end <= sentence.span.end
            assert raw.text == raw.span.of(text)
            assert all(part.plain.span.start == raw.span.start for part in readings)
            at = raw.span.end


@pytest.mark.parametrize(("way", "text", "label"), list(listings()))
def test_a_property_gets_the_label_of_the_sentence_about_it(
    guardrail: Guardrail, way: str, text: str, label: str
) -> None:
    """A key with its value says the same in a list, a table and every format of data."""
    report = guardrail.check(text)
    labels = {verdict.label.value for verdict in report.verdicts} - {"extrapolatory"}
    assert labels == {label}, way
    assert all(v.claim.span.of(text) == v.claim.text for v in report.verdicts)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_reading_never_fails(text: str) -> None:
    """Any text has a reading, whose characters each have a place."""
    view = readable(text)
    assert len(view.text) == len(view.starts) == len(view.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(view.starts, view.ends, strict=True))
