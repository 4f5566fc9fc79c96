"""What of a sentence was not read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.claims.checkable.coverage import divided, filler, unread
from guardrail.segment import segment
from guardrail.types import Claim, Kind, Mention, NotChecked, Outcome, Sentence, Span
from guardrail.verifier import Verifier
from tests.told import untold

DATA = Path(__file__).parents[3] / "data"
UNREAD: dict[str, str] = yaml.safe_load((DATA / "unread.yaml").read_text(encoding="utf-8"))
ORDINARY: dict[str, str] = yaml.safe_load((DATA / "ordinary.yaml").read_text(encoding="utf-8"))
TRUE = "Paris is the capital of France. "


_VERIFIER = Verifier.open()


@pytest.fixture
def verifier() -> Verifier:
    return _VERIFIER


def nobody(text: str) -> Sequence[Mention]:
    return ()


@pytest.mark.parametrize("name", UNREAD)
def test_nothing_is_confirmed_beside_what_was_not_read(verifier: Verifier, name: str) -> None:
    """A true sentence makes no confirmed answer of one whose other sentence is in another language, hidden, data or code."""
    report = verifier.check(TRUE + UNREAD[name])
    assert report.outcome is not Outcome.CONFIRMED
    assert untold(report) == []


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_answers_are_read(verifier: Verifier, name: str) -> None:
    """Code, formulas, lists, letters, recipes and poems have nothing in them that is told of as not read."""
    report = verifier.check(ORDINARY[name])
    assert [(one.text, one.detail) for one in report.unchecked] == []
    assert untold(report) == []


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_word_is_told_of(data: st.DataObject) -> None:
    """However an answer is cut and put together, each of its words is in a claim, a named non-claim or told of as not read."""
    texts = st.sampled_from([*ORDINARY.values(), *UNREAD.values()])
    text = "\n\n".join(data.draw(st.lists(texts, min_size=1, max_size=2)))
    start = data.draw(st.integers(0, len(text)))
    text = data.draw(
        st.sampled_from([text[start:], text[:start], text[start:] + text[:start], text.swapcase()])
    )
    assert untold(_VERIFIER.check(text)) == []


def test_a_mixed_sentence_is_judged_where_it_is_english(verifier: Verifier) -> None:
    """The part in another language is cut out; what is wrong with the English part is found."""
    report = verifier.check(
        "The capital of Australia is Sydney, und die Hauptstadt von Frankreich ist Paris."
    )
    assert report.outcome is Outcome.FLAGGED
    assert [one.reason for one in report.unchecked] == [NotChecked.LANGUAGE]


def test_code_that_names_known_things_is_not_read(verifier: Verifier) -> None:
    """Identifiers count by the words in them; code that names nothing known is a named non-claim."""
    (one,) = verifier.check("```python\nCAPITAL_OF_AUSTRALIA = SYDNEY\n```").unchecked
    assert one.reason is NotChecked.CODE
    report = verifier.check("```python\ntotal_price = price * quantity\n```")
    assert [claim.kind for claim in report.skipped] == [Kind.CODE]
    assert report.unchecked == ()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Sydney is the capital of Australia, right?", "yes"),
        ("Does the bridge that we crossed and saw open?", "No."),
    ],
)
def test_a_yes_or_no_to_a_question_that_cannot_be_read_is_named(
    verifier: Verifier, question: str, answer: str
) -> None:
    """It states what was asked, and is no greeting."""
    report = verifier.check(answer, question=question)
    assert [(one.text, one.reason) for one in report.unchecked] == [(answer, NotChecked.UNREAD)]
    assert not report.skipped


@pytest.mark.parametrize("question", ["", "Can you help me?", "What is the capital of Australia?"])
def test_a_yes_that_answers_no_such_question_only_agrees(verifier: Verifier, question: str) -> None:
    report = verifier.check("Yes.", question=question)
    assert [one.kind for one in report.skipped] == [Kind.GREETING]
    assert not report.unchecked


def test_other_languages_may_be_let_through() -> None:
    """Where a checker reads them, no sentence is kept back for its language."""
    (sentence,) = segment("Die Hauptstadt von Australien ist Sydney.")
    assert [one.reason for one in divided(sentence)] == [NotChecked.LANGUAGE]
    assert [one.reason for one in divided(sentence, english_only=False)] == [None]


def test_words_that_no_claim_covers_are_unread() -> None:
    """A stretch that the claims leave out is told of, unless it only joins them."""
    sentence = Sentence(Span(0, 40), "One thing is said, and another is hidden.")
    claim = Claim(0, Span(0, 17), "One thing is said", "One thing is said")
    (one,) = unread(sentence, [claim], nobody)
    assert one.text == "and another is hidden."
    assert unread(Sentence(Span(0, 22), "One thing is said, and"), [claim], nobody) == []


def test_filler_is_short_and_joins() -> None:
    """Marks, numbers of items and "and" join; four words in a row do not."""
    assert filler(" 1. ")
    assert filler(", and ")
    assert not filler("Sydney")
    assert not filler("of the a an")
