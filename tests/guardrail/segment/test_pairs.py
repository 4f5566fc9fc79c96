from __future__ import annotations

import pytest

from guardrail.segment.pairs import PAIR, below, told
from guardrail.segment.view import View
from guardrail.types import Span


@pytest.mark.parametrize(
    ("line", "above", "sentence"),
    [
        ("Capital: Sydney", ["Australia"], "The capital of Australia is Sydney."),
        ("place_of_birth = 'Ulm'", ["Albert Einstein"], "The place of birth of Albert Einstein is Ulm."),
        ("Australia: Sydney", ["Capitals by country"], "The capital of Australia is Sydney."),
        ("Australia's capital: Sydney", [], "Australia's capital is Sydney."),
        ("Capital of Australia → Sydney", [], "The capital of Australia is Sydney."),
        ('"capitalCity": "Sydney",', ["Australia"], "The capital City of Australia is Sydney."),
    ],
)
def test_a_pair_is_read_as_a_sentence(line: str, above: list[str], sentence: str) -> None:
    """Key, value and what stands above them make a sentence, whose value keeps its place."""
    pair = PAIR.fullmatch(line)
    assert pair is not None
    views = told(View.of(line), Span(*pair.span("key")), Span(*pair.span("value")), above)
    assert sentence in [view.text for view in views]
    for view in views:
        at = view.text.index(pair["value"])
        assert view.place(Span(at, at + len(pair["value"]))).of(line) == pair["value"]


@pytest.mark.parametrize("line", ["https://a.example/b", "It is so.", "a == b", ""])
def test_other_lines_are_no_pairs(line: str) -> None:
    """Addresses, comparisons and sentences have no key."""
    assert PAIR.fullmatch(line) is None


@pytest.mark.parametrize(
    ("item", "sentences"),
    [
        ("Born in Ulm", ["Ada Stone was born in Ulm."]),
        ("Studied at Yale.", ["Ada Stone studied at Yale."]),
        ("32nd president of Utopia", ["Ada Stone was 32nd president of Utopia."]),
        ("Member of the Blue Party", ["Ada Stone was member of the Blue Party."]),
        ("Milk", []),
        ("Ulm", []),
    ],
)
def test_an_item_without_a_subject_is_about_its_heading(item: str, sentences: list[str]) -> None:
    """What begins with a verb, an ordinal or a role says it of the one that the heading names; a mere name says nothing."""
    assert [view.text for view in below(View.of(item), "Ada Stone (née Berg)")] == sentences
