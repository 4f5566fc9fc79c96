r"""Sentences inside JSON strings: as they are written there, and as they read.

A `Quoted` sentence lies in a string of a JSON text: its span and words are those of the text as delivered, escapes and
all. It is checked as it reads (`Quotation.plain`), and what is found is then put where it stands, so that every offset is
one of the delivered text, and a revision is written as a JSON string wants it. Escapes only ever make a text longer, so
the plain sentence begins where the quoted one does and ends no later: sentences stay disjoint and in order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

import orjson

from guardrail.segment import Placing
from guardrail.types import Claim, Finding, Linked, Report, Sentence, Span, Unchecked, Verdict, tile

__all__ = ["Places", "Quotation", "Quoted", "unescape"]

# A pair of surrogates is one code point; a half of one is none that could be written elsewhere.
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Quoted(Sentence):
    """A sentence inside a JSON string; what a backslash begins is one character."""


def unescape(escape: str) -> str:
    r"""The character that an escape such as `\n`, `\"` or `\u00e9` stands for."""
    if escape[1:2] != "u" or len(escape) < 6:
        return _PLAIN.get(escape[1:], escape[1:] or escape)
    code = int(escape[2:6], 16)
    if len(escape) == 12:
        return chr(0x10000 + ((code - 0xD800) << 10) + int(escape[8:], 16) - 0xDC00)
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)


class Quotation(Placing):
    """One quoted sentence: `plain` is what it says, at the place where it begins."""

    def __init__(self, sentence: Quoted) -> None:
        self.raw = sentence
        self._after: list[int] = [0]  # in the plain text, behind each escape …
        self._places: list[int] = [0]  # … and where that is in the quoted one
        words, at, length = [], 0, 0
        for escape in _ESCAPE.finditer(sentence.text):
            words += [sentence.text[at : escape.start()], unescape(escape[0])]
            length += escape.start() - at + len(words[-1])
            at = escape.end()
            self._after.append(length)
            self._places.append(at)
        text = "".join([*words, sentence.text[at:]])
        start = sentence.span.start
        self.plain = Sentence(
            Span(start, start + len(text)),
            text,
            sentence.kind,
            sentence.heading,
            sentence.header,
            sentence.forced,
        )

    def place(self, span: Span) -> Span:
        """Where a span of the plain sentence stands."""
        return Span(self._at(span.start), self._at(span.end))

    def written(self, place: Span, words: str) -> str:
        """As a JSON string wants it."""
        del place
        return orjson.dumps(words).decode()[1:-1]

    def _at(self, offset: int) -> int:
        start = self.raw.span.start
        offset -= start
        known = bisect_right(self._after, offset) - 1
        return start + self._places[known] + offset - self._after[known]


class Places:
    """All quoted sentences of one answer; one that is not quoted is left as it is."""

    def __init__(self) -> None:
        self._quotations: list[Quotation] = []

    def __bool__(self) -> bool:
        return bool(self._quotations)

    def plain(self, sentence: Sentence) -> Sentence:
        """What is to be checked of `sentence`; sentences come in order."""
        if not isinstance(sentence, Quoted):
            return sentence
        self._quotations.append(Quotation(sentence))
        return self._quotations[-1].plain

    def put(self, finding: Finding) -> Finding:
        """A finding on a plain sentence, where it stands in the text as delivered."""
        span = finding.claim.span if isinstance(finding, Verdict) else finding.span
        found = self._of(span)
        return found.put(finding) if found else finding

    def put_report(self, report: Report) -> Report:
        """A report on plain sentences as one on the text as delivered."""
        if not self._quotations:
            return report
        told: tuple[Finding, ...] = (*report.verdicts, *report.unchecked, *report.skipped)
        found = [self.put(one) for one in told]
        verdicts = tuple(one for one in found if isinstance(one, Verdict))
        unchecked = tuple(one for one in found if isinstance(one, Unchecked))
        covered = [one.claim.span for one in verdicts] + [one.span for one in unchecked]
        return replace(
            report,
            verdicts=verdicts,
            unchecked=unchecked,
            skipped=tuple(one for one in found if isinstance(one, Claim)),
            gaps=tile(report.text, covered),
            entities=tuple(self._linked(one) for one in report.entities),
        )

    def _linked(self, linked: Linked) -> Linked:
        spans = ((self._of(span), span) for span in linked.spans)
        return replace(linked, spans=tuple(found.place(span) if found else span for found, span in spans))

    def _of(self, span: Span) -> Quotation | None:
        after = bisect_right(self._quotations, span.start, key=lambda one: one.plain.span.start)
        if not after:
            return None
        found = self._quotations[after - 1]
        return found if span.start < found.plain.span.end or not len(found.plain.span) else None
