"""Sentences inside JSON strings: checked as they read, told where they stand."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from guardrail.types import (
    Claim,
    Entity,
    Linked,
    NotChecked,
    Report,
    Sentence,
    Span,
    Unchecked,
    Verdict,
)
from proxy.wire.json_strings import Places, Quotation, Quoted, unescape
from tests.fakes import judge


def quoted(raw: str, start: int = 0) -> Quoted:
    return Quoted(Span(start, start + len(raw)), raw)


@given(st.text(), st.booleans())
def test_what_a_string_says_is_what_json_says(text: str, ascii_only: bool) -> None:
    """The plain sentence is the string as any JSON parser reads it, and each character of it leads back to its place."""
    clean = text.encode("utf-8", "replace").decode()
    raw = json.dumps(clean, ensure_ascii=ascii_only)[1:-1]
    found = Quotation(quoted(raw, 7))
    assert found.plain.text == clean
    assert found.plain.span == Span(7, 7 + len(clean))
    for at, letter in enumerate(clean):
        place = found.place(Span(7 + at, 8 + at))
        assert json.loads(f'"{raw[place.start - 7 : place.end - 7]}"') == letter


def test_half_a_surrogate_and_an_unknown_escape_do_no_harm() -> None:
    """What no JSON writer makes is read as a replacement character, or as the letter itself."""
    assert [unescape(one) for one in ("\\ud83d", "\\ud83d\\ude00", "\\x", "\\")] == [
        "\ufffd",
        "😀",
        "x",
        "\\",
    ]


def test_findings_stand_in_the_text_as_delivered() -> None:
    """A claim's words and offsets, and those of its revision, are those of the raw JSON; the revision is escaped."""
    raw = r"He \"said\" it is wrong."
    text = f'{{"a": "{raw}"}}'
    places = Places()
    plain = places.plain(quoted(raw, text.index(raw)))
    verdict = judge(plain)
    assert isinstance(verdict, Verdict)
    (revision,) = verdict.revisions
    found = places.put(
        Verdict(
            **{f: getattr(verdict, f) for f in Verdict.__slots__}
            | {"revisions": (type(revision)(revision.span, 'the "right"', revision.text),)}
        )
    )
    assert isinstance(found, Verdict)
    assert found.claim.text == found.claim.span.of(text) == raw
    edit = found.revisions[0]
    assert edit.span.of(text) == "wrong"
    revised = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    assert json.loads(revised)["a"] == 'He "said" it is the "right".'


def test_a_report_is_placed_as_a_whole() -> None:
    """Verdicts, unchecked passages, skipped claims and entities of a report all point into the delivered text, and tile it."""
    raw = [r"A \"true\" one.", r"Was it\n?", r"It may \"fail\"."]
    text = json.dumps([json.loads(f'"{one}"') for one in raw])
    places = Places()
    findings = [judge(places.plain(quoted(one, text.index(one)))) for one in raw]
    words = Linked(Entity("Q1", "one"), (Span(text.index(raw[0]) + 2, text.index(raw[0]) + 8),))
    report = places.put_report(
        Report(
            text,
            verdicts=tuple(f for f in findings if isinstance(f, Verdict)),
            unchecked=tuple(f for f in findings if isinstance(f, Unchecked)),
            skipped=tuple(f for f in findings if isinstance(f, Claim)),
            entities=(words,),
        )
    )
    assert [v.claim.text for v in report.verdicts] == [raw[0]]
    assert [u.text for u in report.unchecked] == [raw[2]]
    assert [c.text for c in report.skipped] == [raw[1]]
    assert report.entities[0].spans[0].of(text) == r"\"true\""
    spans = [v.claim.span for v in report.verdicts] + [u.span for u in report.unchecked] + list(report.gaps)
    assert "".join(span.of(text) for span in sorted(spans)) == text


def test_what_was_passed_over_or_is_prose_stays() -> None:
    """A finding on the sentence as it stands, or on one that is no JSON, is left alone."""
    places = Places()
    sentence = quoted(r"It \"may\" be.")
    places.plain(sentence)
    passed = Unchecked(sentence.span, sentence.text, NotChecked.OVERLOAD)
    assert places.put(passed) is passed
    prose = Sentence(Span(90, 101), "It is true.")
    assert places.plain(prose) is prose
    verdict = judge(prose)
    assert places.put(verdict) is verdict
