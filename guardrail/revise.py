"""From a contradicted claim to sentences that say what is known instead (FLEEK §2.2).

`propose` only proposes: the verifier reads each revised sentence again and offers it when the slot agrees and every other
claim keeps its label. What is replaced is the claimed words and nothing else, in their own surface form: the date as it was
written, the unit it was given in, "a" or "an", a capital at the start.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from guardrail.errors import ModelError
from guardrail.types import (
    Claim,
    Evidence,
    Fact,
    Label,
    Mention,
    Node,
    Object,
    Revision,
    Sentence,
    Slot,
    Span,
    Unchecked,
    Value,
    Verdict,
)
from guardrail.values import render
from guardrail.values.cells import says_none
from guardrail.values.demonyms import ADJECTIVES, DEMONYMS

__all__ = ["first_different", "propose", "put_right", "verified"]

MOST = 6
_DAY = 11  # the precision of a date, as Wikidata has it
OFFERED = 3
_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)
_ON = re.compile(r"\bon(\s+)$", re.IGNORECASE)
_BRACKET = re.compile(r"\s+\([^)]*\)$")
_VOWEL = re.compile(r"[aeiou]|8|11\b|18\b|hour|honest|heir", re.IGNORECASE)
_LIKE_A_CONSONANT = re.compile(r"uni|use|usu|eu|one\b|once", re.IGNORECASE)
# Removing a negation, the nearest words first. English puts the verb back by itself only after an auxiliary.
_DENIALS = (
    (re.compile(r"\b(has|have|had)\s+never\s+", re.IGNORECASE), r"\1 "),
    (
        re.compile(
            r"\b(is|was|are|were|has|have|had|did|does|do|can|could|will|would)(?:\s+not|n['’]t)\b",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(r"\bnever\s+", re.IGNORECASE), ""),
    (re.compile(r"\b(has|have|had|is|are|was|were)\s+no\b", re.IGNORECASE), r"\1 a"),
)
_ANY = (
    (re.compile(r"\bany(one|body|thing|where)\b"), r"some\1"),
    (re.compile(r"\bany\s+"), ""),
)


def first_different(revisions: Iterable[Revision], limit: int = OFFERED) -> tuple[Revision, ...]:
    """The first revisions that make different texts, at most `limit`; no more of `revisions` are made than that takes."""
    found: dict[str, Revision] = {}
    for revision in revisions:
        found.setdefault(revision.text, revision)
        if len(found) == limit:
            break
    return tuple(found.values())


def verified(
    sentence: Sentence,
    findings: Sequence[Verdict | Unchecked | Claim],
    *,
    read: Callable[[Sentence], tuple[list[Claim], list[Mention]]],
    check: Callable[[Claim], tuple[Verdict, Evidence]],
    until: float | None = None,
) -> Iterator[Verdict | Unchecked | Claim]:
    """The findings of a sentence, the contradictory ones with the revisions that verify.

    `read`, `check`: how a sentence and a claim are judged. `until`: a `time.monotonic()` value, after which none is sought.
    """

    def holds(target: Verdict, revision: Revision) -> bool:
        """FLEEK §2.2: s' ⊨ t_dest, and every other claim of the sentence keeps its label, at its place or as a part of another.

        What else the claim says need not be known, as long as every slot that conflicted agrees.
        """
        span = Span(sentence.span.start, sentence.span.start + len(revision.text))
        claims, _ = read(replace(sentence, span=span, text=revision.text))
        try:
            if len(claims) != len(findings):  # other words, and the sentence may be cut elsewhere
                return _holds_anew(claims, findings, target, revision, check)
            return all(
                _keeps(before, claim, target, check) for before, claim in zip(findings, claims, strict=True)
            )
        except ModelError:
            return False  # nobody has judged it

    for finding in findings:
        late = until is not None and time.monotonic() > until
        if late or not isinstance(finding, Verdict) or finding.label is not Label.CONTRADICTORY:
            yield finding
            continue
        holding = (one for one in propose(finding.claim, finding, sentence) if holds(finding, one))
        yield replace(finding, revisions=first_different(holding))


def _keeps(
    before: Verdict | Unchecked | Claim,
    claim: Claim,
    target: Verdict,
    check: Callable[[Claim], tuple[Verdict, Evidence]],
) -> bool:
    """Whether a claim of the revised sentence says what it should: the revised one what is known, any other what it did."""
    if not isinstance(before, Verdict):
        return True
    if not claim.kind.checkable:
        return False
    after, _ = check(claim)
    return put_right(target, after) if before is target else after.label is before.label


def _holds_anew(
    claims: Sequence[Claim],
    findings: Sequence[Verdict | Unchecked | Claim],
    target: Verdict,
    revision: Revision,
    check: Callable[[Claim], tuple[Verdict, Evidence]],
) -> bool:
    """Whether claims that are cut otherwise than before say what is known in the new words, and elsewhere what was said there."""
    others = [one for one in findings if isinstance(one, Verdict) and one is not target]
    places = [_was(claim.span, revision) for claim in claims]
    edited = [claim for claim, was in zip(claims, places, strict=True) if was.overlaps(revision.span)]
    if not edited or not all(one.kind.checkable and put_right(target, check(one)[0]) for one in edited):
        return False
    if not all(any(one.claim.span.overlaps(was) for was in places) for one in others):
        return False  # what somebody said is not said any more
    return all(
        check(claim)[0].label in _labels_at(was, others)
        for claim, was in zip(claims, places, strict=True)
        if claim not in edited and claim.kind.checkable
    )


def _labels_at(place: Span, verdicts: Sequence[Verdict]) -> set[Label]:
    """The labels of the claims there were at a place; where there were none of their own, all that refute nothing."""
    found = {one.label for one in verdicts if one.claim.span.overlaps(place)}
    return found or {Label.ATTRIBUTABLE, Label.EXTRAPOLATORY}


def _was(span: Span, revision: Revision) -> Span:
    """The place in the sentence of what is at a place in the revised one."""
    start, end = revision.span.start, revision.span.end
    grown = start + len(revision.replacement) - end

    def place(at: int, inside: int) -> int:
        return at if at <= start else at - grown if at >= end + grown else inside

    return Span(place(span.start, start), place(span.end, end))


def propose(claim: Claim, verdict: Verdict, sentence: Sentence) -> list[Revision]:
    """Candidate revisions of a Contradictory claim, likeliest first; none where the words at fault are not known.

    Where several slots of the claim conflict, all of them are put right at once: one alone would leave the claim wrong.
    """
    decisive = verdict.slot
    if verdict.label is not Label.CONTRADICTORY or decisive is None:
        return []
    source = verdict.evidence.triplets[0].source if verdict.evidence.triplets else ""
    revisions: dict[Revision, None] = {}
    for edits in _joint_edits(decisive, verdict.slots, claim, sentence):
        revision = _revision(edits, sentence, source)
        said_twice = any(_repeats(one, claim, sentence) for one in edits)
        if revision and not said_twice and revision.text != sentence.text:
            revisions[revision] = None
    return list(revisions)[:MOST]


def _joint_edits(
    decisive: Slot, slots: Sequence[Slot], claim: Claim, sentence: Sentence
) -> Iterator[list[tuple[Span, str]]]:
    """Each edit of the decisive slot with those of the others at fault, and then alone."""
    others = [
        s for s in slots if s.state == "conflict" and s.fact != decisive.fact and s.span != decisive.span
    ]
    for edit in dict.fromkeys(_edits(decisive, claim, sentence)):
        rest = _besides(edit, others, claim, sentence)
        if rest:
            yield [edit, *rest]
        yield [edit]


def put_right(before: Verdict, after: Verdict) -> bool:
    """Whether every slot that conflicted agrees, and nothing conflicts."""
    if after.label is Label.ATTRIBUTABLE:
        return True
    wrong = {slot.property for slot in before.slots if slot.state == "conflict"}
    right = {slot.property for slot in after.slots if slot.state == "agree"}
    return after.label is Label.EXTRAPOLATORY and bool(wrong) and wrong <= right


def _repeats(edit: tuple[Span, str], claim: Claim, sentence: Sentence) -> bool:
    """Whether the claim already says the new words elsewhere: "in Ulm in Ulm", "Ann and Ann"."""
    span, words = edit
    inside = sentence.span.contains(claim.span) and claim.span.contains(span)
    start, text = (
        (claim.span.start, _words(sentence, claim.span)) if inside else (sentence.span.start, sentence.text)
    )
    rest = f"{text[: span.start - start]}\n{text[span.end - start :]}"
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", rest) is not None


def _besides(
    edit: tuple[Span, str], others: Sequence[Slot], claim: Claim, sentence: Sentence
) -> list[tuple[Span, str]]:
    """One edit for each other slot at fault, no value twice: of two founders both are named."""
    chosen, used = [], {edit[1]}
    for slot in others:
        found = next((one for one in _edits(slot, claim, sentence) if one[1] not in used), None)
        if found is not None:
            chosen.append(found)
            used.add(found[1])
    return chosen


def _edits(slot: Slot, claim: Claim, sentence: Sentence) -> Iterator[tuple[Span, str]]:
    """What to put in the place of the claimed words, best first; only where they stand in the sentence."""
    if slot.fact >= len(claim.facts):
        return
    of_fact = slot.fact >= 0  # what was compared in words is of none
    if of_fact and _denies(claim.facts[slot.fact]) and (affirmed := _affirmed(claim, sentence)):
        yield affirmed
    if slot.span is None or not sentence.span.contains(slot.span):
        return
    like = _words(sentence, slot.span)
    # The most exact of several values first: 29 May 1918 before 1918.
    for value in sorted(slot.values, key=lambda v: -(getattr(v, "precision", None) or 0)):
        words = _surface(value, like)
        if words:
            words += _full_stop(words, like, sentence.text[slot.span.end - sentence.span.start :])
            yield _with_preposition(value, *_with_article(sentence, slot.span, words), sentence)


def _denies(fact: Fact) -> bool:
    return fact.negated or fact.universal


def _revision(edits: Sequence[tuple[Span, str]], sentence: Sentence, source: str) -> Revision | None:
    """The edits as one replacement, from the first to the last of them; None where they overlap."""
    ordered = sorted(edits)
    if any(left[0].overlaps(right[0]) for left, right in pairwise(ordered)):
        return None
    text = sentence.text
    for span, words in reversed(ordered):
        rest = text[span.end - sentence.span.start :]
        if _denied(words, rest):
            return None
        words = words.removesuffix(".") if rest.startswith(".") else words  # one full stop, of "a.m." too
        text = text[: span.start - sentence.span.start] + words + rest
    whole = Span(ordered[0][0].start, ordered[-1][0].end)
    kept = len(sentence.text) - (whole.end - sentence.span.start)
    replacement = text[whole.start - sentence.span.start : len(text) - kept]
    return Revision(whole, replacement, text, source)


def _denied(words: str, rest: str) -> bool:
    """Whether the sentence goes on to deny the very words: "Canberra, not Canberra, is …"."""
    return (
        re.match(rf",? (?:and |but )?(?:not|rather than|instead of) {re.escape(words)}\b", rest) is not None
    )


def _words(sentence: Sentence, span: Span) -> str:
    return sentence.text[span.start - sentence.span.start : span.end - sentence.span.start]


def _full_stop(words: str, like: str, rest: str) -> str:
    """The full stop of a sentence that ends with an abbreviation, where other words take its place: "8 a.m."."""
    return "." if like.endswith(".") and not words.endswith(".") and not rest.strip() else ""


def _surface(known: Object, like: str) -> str:
    """The known object in the manner of the claimed words; "" where it says that there is none."""
    if says_none(known.label):
        return ""
    if isinstance(known, Value):
        return render(known, like)
    return _name(known, like)


def _name(node: Node, like: str) -> str:
    words = _BRACKET.sub("", node.label)
    if like.casefold() in DEMONYMS and node.id in ADJECTIVES:
        return ADJECTIVES[node.id]  # "a Brazilian footballer" becomes an Argentine one
    if re.search(r"['’]s?$", like) and not re.search(r"['’]s?$", words):
        words += "'s"
    article = re.match(r"(an?|the)\s+", like, re.IGNORECASE)
    if article and words[:1].islower():
        first = article[1] if article[1].casefold() == "the" else _article(words, article[1])
        return f"{first} {words}"
    if words[:1].islower() and like[:1].isupper():
        words = words[:1].upper() + words[1:]
    return words


def _with_article(sentence: Sentence, span: Span, words: str) -> tuple[Span, str]:
    """Takes the article before the words in, where it would no longer fit."""
    before = sentence.text[: span.start - sentence.span.start]
    match = _ARTICLE.search(before)
    if not match or _article(words, match[1]) == match[1]:
        return span, words
    return Span(
        sentence.span.start + match.start(), span.end
    ), f"{_article(words, match[1])}{match[2]}{words}"


def _with_preposition(value: Object, span: Span, words: str, sentence: Sentence) -> tuple[Span, str]:
    """Takes "on" before a day in, where only a month or a year is known: "in 2011"."""
    match = _ON.search(sentence.text[: span.start - sentence.span.start])
    dated = isinstance(value, Value) and value.datatype == "date" and (value.precision or 0) < _DAY
    if not match or not dated or not any(map(str.isdigit, words)):
        return span, words
    before = Span(sentence.span.start + match.start(), span.end)
    return before, f"{'In' if match[0][0].isupper() else 'in'}{match[1]}{words}"


def _article(words: str, like: str) -> str:
    fitting = "an" if _VOWEL.match(words) and not _LIKE_A_CONSONANT.match(words) else "a"
    return fitting.capitalize() if like[:1].isupper() else fitting


def _affirmed(claim: Claim, sentence: Sentence) -> tuple[Span, str] | None:
    """The claim's words without their negation."""
    text = _words(sentence, claim.span) if sentence.span.contains(claim.span) else ""
    for pattern, replacement in _DENIALS:
        match = pattern.search(text)
        if match is None:
            continue
        rest = text[match.end() :]
        for any_, some in _ANY:
            rest = any_.sub(some, rest, count=1)
        start = claim.span.start + match.start()
        return Span(start, claim.span.end), match.expand(replacement) + rest
    return None
