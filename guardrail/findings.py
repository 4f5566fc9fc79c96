"""The findings of a sentence in one list: those for text that was not read beside the others, in the order of the text.

Overlong text, commands, other languages, code, and checks that broke give findings, too. Without a language model a stretch in
another language is not checked; with one it is a claim that this model may still judge.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from traceback import format_tb

from guardrail.claims.checkable.coverage import Stretch, data, filler, hidden_in_code
from guardrail.claims.checkable.legibility import commanding
from guardrail.errors import ModelError, ModelTimeout
from guardrail.types import (
    BlockKind,
    Claim,
    Evidence,
    Finding,
    Kind,
    Label,
    Link,
    Mention,
    NotChecked,
    Reason,
    Sentence,
    Span,
    Unchecked,
    Verdict,
    tile,
)

__all__ = [
    "language_unchecked",
    "next_id",
    "open_verdict",
    "unchecked_after_error",
    "unchecked_stretch",
    "unchecked_unreadable",
    "unchecked_without_answer",
    "with_rest",
    "with_unread",
]

LONGEST_SENTENCE = 1000  # characters; `segment` gives no more than 400, and more cost more than in proportion
_NAME = "language"  # stands for the checker of a verdict that no checker has given yet

log = logging.getLogger(__name__)


def unchecked_unreadable(sentence: Sentence) -> Unchecked | None:
    """A sentence that is not read at all, with the reason; None: it is read."""
    if len(sentence.text) > LONGEST_SENTENCE:
        reason, detail = NotChecked.OVERLOAD, f"longer than {LONGEST_SENTENCE} characters"
    elif commanding(sentence.text):
        reason, detail = NotChecked.UNREAD, "commands of a terminal"
    else:
        return None
    return Unchecked(sentence.span, sentence.text, reason, detail)


def next_id(findings: Iterable[Finding]) -> int:
    """The first number after those of the claims among the findings."""
    claims = (item.claim if isinstance(item, Verdict) else item for item in findings)
    return max((item.id + 1 for item in claims if isinstance(item, Claim)), default=0)


def unchecked_after_error(sentence: Sentence, error: Exception) -> Unchecked:
    """A sentence whose check raised what it should not; the log has the trace, without the message, which may quote the answer."""
    kind, trace = type(error).__name__, "".join(format_tb(error.__traceback__))
    log.error("%s in a check:\n%s", kind, trace)
    return Unchecked(sentence.span, sentence.text, NotChecked.ERROR, kind)


def unchecked_without_answer(claim: Claim, error: ModelError) -> Unchecked:
    """A claim whose model on a server gave no answer: what is late is so by its deadline."""
    if isinstance(error, ModelTimeout):
        return Unchecked(claim.span, claim.text, NotChecked.DEADLINE, str(error))
    return Unchecked(claim.span, claim.text, NotChecked.ERROR, type(error).__name__)


def unchecked_stretch(stretch: Stretch) -> Unchecked:
    """A stretch that cannot be judged, with the reason."""
    sentence = stretch.sentence
    return Unchecked(sentence.span, sentence.text, stretch.reason or NotChecked.UNREAD, stretch.detail)


def open_verdict(stretch: Stretch, number: int, mentions: Sequence[Mention]) -> Verdict:
    """A stretch in another language, as a claim for a language model: the rules have read nothing of it."""
    sentence = stretch.sentence
    claim = Claim(number, sentence.span, sentence.text, sentence.text, mentions=tuple(mentions))
    return Verdict(claim, Label.EXTRAPOLATORY, 0.0, Evidence(), stretch.detail, _NAME, reason=Reason.NOT_READ)


def language_unchecked(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, in which what no model has judged either is not checked."""
    return [
        Unchecked(item.claim.span, item.claim.text, NotChecked.LANGUAGE, item.rationale)
        if isinstance(item, Verdict) and item.checker == _NAME
        else item
        for item in findings
    ]


def with_unread(findings: Sequence[Finding], unread: Sequence[Unchecked]) -> list[Finding]:
    """The findings of a sentence with what is `unread` of it, in the order of the text.

    It takes the place of a non-claim, of a verdict that says nothing, and of one that finds support for words in which nothing
    was read; any other verdict stands.
    """
    places = {item.span: item for item in unread}
    out: list[Finding] = []
    for item in findings:
        span = _span(item)
        replaced = places.pop(span, None)
        out.append(item if replaced is None or _stands(item) else replaced)
    return sorted([*out, *places.values()], key=_start)


def with_rest(sentence: Sentence, findings: Sequence[Finding], link: Link, *, first_id: int) -> list[Finding]:
    """The findings of a sentence that was read in parts, disjoint, with what stands between them: the head of a row, or code,
    which is unchecked where it names known things.
    """
    read = _disjoint(item for item in findings if not (isinstance(item, Claim) and item.kind is Kind.CODE))
    at, code = sentence.span.start, sentence.kind is BlockKind.CODE
    covered = [_span(item).shift(-at) for item in read]
    gaps = [gap for gap in tile(sentence.text, covered) if not filler(gap.of(sentence.text))]
    words = " ; ".join(gap.of(sentence.text) for gap in gaps)
    whole = data(sentence.text) and not any(map(_decided, read))  # of what is read the names stand around it
    hidden = hidden_in_code(words, link, data=whole) if code else None
    for number, gap in enumerate(gaps, first_id):
        words, place = gap.of(sentence.text), gap.shift(at)
        read.append(
            Unchecked(place, words, *hidden)
            if hidden
            else Claim(number, place, words, words, kind=Kind.CODE if code else Kind.HEADING)
        )
    return sorted(read, key=_start)


def _disjoint(findings: Iterable[Finding]) -> list[Finding]:
    """In the order of the text; of two that overlap the one that supports or refutes something, else the first."""
    kept: list[Finding] = []
    for item in sorted(findings, key=_start):
        if not kept or _start(item) >= _span(kept[-1]).end:
            kept.append(item)
        elif _decided(item) and not _decided(kept[-1]):
            kept[-1] = item
    return kept


def _stands(item: Finding) -> bool:
    if isinstance(item, Verdict) and item.label is Label.ATTRIBUTABLE:
        return any(fact.relations for fact in item.claim.facts)
    return _decided(item) or isinstance(item, Unchecked)


def _decided(item: Finding) -> bool:
    return isinstance(item, Verdict) and item.label is not Label.EXTRAPOLATORY


def _span(item: Finding) -> Span:
    return item.claim.span if isinstance(item, Verdict) else item.span


def _start(item: Finding) -> int:
    return _span(item).start
