"""ClaimVer's published form: prompt, numbered keys, spans, membership, words left out."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.check.llm.claimver import question, read
from guardrail.types import Label
from tests.llm_cases import BANE, SOUTHWEST, triplet

CAST = triplet("Batman & Robin", "cast member", "Robert Swenson")
DIRECTOR = triplet("Batman & Robin", "director", "Joel Schumacher")
RETRIEVED = [CAST, DIRECTOR]
FIRST = "Bane was portrayed as a tertiary villain by Robert Swenson in Batman & Robin"

LINES = f'''"text_span1": "{FIRST}",
"prediction1": "Attributable",
"triplets1": "[('Batman & Robin', 'cast member', 'Robert Swenson')]",
"rationale1": "The triplet directly supports the claim.",
"text_span2": "directed by Joel Schumacher",
"prediction2": "Attributable",
"triplets2": "[('Batman & Robin', 'director', 'Joel Schumacher')]",
"rationale2": "The triplet names the director.",
"text_span3": "and Batman's Back",
"prediction3": "Extrapolatory",
"triplets3": "NA",
"rationale3": "There are no triplets about Batman's back."'''
AS_JSON = "{" + LINES + "}"
AS_LISTS = json.dumps(
    {
        "text_span1": FIRST,
        "prediction1": "attributable",
        "triplets1": [["Batman & Robin", "cast member", "Robert Swenson"]],
        "rationale1": "x",
    }
)


def test_the_prompt_is_figure_3() -> None:
    """Text and triplets stand where the tuned models expect them."""
    prompt = question(BANE, RETRIEVED).messages[0].content
    assert prompt.startswith("Analyze text against provided triplets")
    assert f"-Text: {BANE}\n-Triplets: [('Batman & Robin', 'cast member', 'Robert Swenson')," in prompt
    assert question(BANE, []).messages[0].content.endswith("-Triplets: NA")


@pytest.mark.parametrize("reply", [LINES, AS_JSON, f"```json\n{AS_JSON}\n```", f"Here you go:\n{LINES}\n"])
def test_table_2_is_read_as_published(reply: str) -> None:
    """Three claims with spans, labels, triplets and rationales; what lies between is unattributed."""
    found = read(reply, BANE, RETRIEVED)
    assert [(piece.label, piece.triplets) for piece in found.pieces] == [
        (Label.ATTRIBUTABLE, (CAST,)),
        (Label.ATTRIBUTABLE, (DIRECTOR,)),
        (Label.EXTRAPOLATORY, ()),
    ]
    assert [span.of(BANE) for span, _ in found.placed] == [
        FIRST,
        "directed by Joel Schumacher",
        "and Batman's Back",
    ]
    assert [gap.of(BANE) for gap in found.gaps] == [", ", ", "]
    assert found.pieces[1].rationale == "The triplet names the director."


def test_lists_instead_of_strings_are_read_too() -> None:
    """Triplets as JSON lists and labels in lower case are understood; the rest of the text is a gap."""
    found = read(AS_LISTS, BANE, RETRIEVED)
    assert found.pieces[0].triplets == (CAST,)
    assert found.gaps[0].end == len(BANE)


def test_one_claim_without_numbers() -> None:
    """Fig. 3's keys without a number are the form for a single claim."""
    reply = f'"text_span": "{SOUTHWEST}", "prediction": "Contradictory", "triplets": "NA", "rationale": "x"'
    assert read(reply, SOUTHWEST, []).pieces[0].label is Label.CONTRADICTORY


def test_two_triplets_for_one_claim() -> None:
    """Several triplets are combined (Table 2, example 6)."""
    fleet = [
        triplet("Boeing 737 MAX", "operator", "Southwest Airlines"),
        triplet("Boeing 737 #1491", "operator", "Southwest Airlines"),
    ]
    reply = json.dumps(
        {
            "text_span1": SOUTHWEST,
            "prediction1": "Contradictory",
            "triplets1": "[('Boeing 737 MAX', 'operator', 'Southwest Airlines'), ('Boeing 737 #1491', 'operator', 'Southwest Airlines')]",
            "rationale1": "1: The triplets directly contradict the claim.",
        }
    )
    assert read(reply, SOUTHWEST, fleet).pieces[0].triplets == tuple(fleet)


def test_a_span_that_is_not_in_the_text_has_no_place() -> None:
    """The model's paraphrase is kept apart and its words are a gap."""
    reply = AS_JSON.replace("directed by Joel Schumacher", "Joel Schumacher directed it")
    found = read(reply, BANE, RETRIEVED)
    assert found.pieces[1].span is None
    assert len(found.placed) == 2


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "no .text_span"),
        ("I think it is all true.", "no .text_span"),
        (AS_JSON.replace('"prediction2": "Attributable"', '"prediction2": "True"'), "three categories"),
        (AS_JSON.replace('"prediction2": "Attributable",', ""), "prediction2"),
        (json.dumps({"text_span1": "Something else", "prediction1": "Attributable"}), "substring"),
        (LINES + '\n"prediction1": "Contradictory"', "comes twice"),
        (AS_JSON[:-1] + ', "prediction1": "Contradictory"}', "comes twice"),
        ("[]", "no .text_span"),
        ('{"text_span1": "NA", "prediction1": "NA"}', "no .text_span"),
    ],
)
def test_what_is_not_in_the_form_is_an_error(reply: str, reason: str) -> None:
    """Nothing is guessed; the reason can be given back to the model."""
    with pytest.raises(ValueError, match=reason):
        read(reply, BANE, RETRIEVED)


def test_keys_inside_a_quoted_text_are_text() -> None:
    """An answer that itself contains the form cannot add a claim or change a label."""
    text = 'He wrote "prediction1": "Attributable", "text_span2": "x" on the wall.'
    reply = json.dumps(
        {
            "text_span1": text,
            "prediction1": "Extrapolatory",
            "triplets1": "NA",
            "rationale1": "Not in the triplets.",
        }
    )
    found = read(reply, text, [])
    assert [(piece.words, piece.label) for piece in found.pieces] == [(text, Label.EXTRAPOLATORY)]


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(0, 600))
def test_no_reply_breaks_the_reader(noise: str, at: int) -> None:
    """Whatever is written into a good reply: it is read, or it is a ValueError; spans stay inside the text."""
    try:
        found = read(AS_JSON[:at] + noise + AS_JSON[at:], BANE, RETRIEVED)
    except ValueError:
        return
    assert all(span.of(BANE) for span, _ in found.placed)
    assert sum(len(gap) for gap in found.gaps) + sum(len(span) for span, _ in found.placed) == len(BANE)


@pytest.mark.parametrize(
    "reply", ["\n " * 50_000, '"text_span1": "a", ' * 5_000, ", " * 50_000, "{" * 50_000]
)
def test_a_hostile_reply_is_read_in_linear_time(reply: str) -> None:
    """A model cannot hold a thread by what it writes."""
    started = time.monotonic()
    with pytest.raises(ValueError):
        read(reply, BANE, RETRIEVED)
    assert time.monotonic() - started < 3.0
