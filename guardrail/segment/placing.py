"""Findings on what was read, put where it stands in the text as delivered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from guardrail.segment.view import View
from guardrail.types import (
    Argument,
    BlockKind,
    Claim,
    Fact,
    Finding,
    Mention,
    Revision,
    Sentence,
    Span,
    Statement,
    Unchecked,
    Verdict,
)

__all__ = ["AsRead", "Placing"]


class Placing:
    """`plain` is what is read of `raw`; both begin at the same offset."""

    raw: Sentence
    plain: Sentence

    def place(self, span: Span) -> Span:
        """Where words of the plain sentence stand."""
        raise NotImplementedError

    def stretch(self, span: Span) -> Span:
        """Where a stretch of the plain sentence stands, with what belongs to it."""
        return self.place(span)

    def written(self, place: Span, words: str) -> str:
        """How `words` are written in the place of what is delivered there."""
        del place
        return words

    def put(self, finding: Finding) -> Finding:
        """A finding on the plain sentence, with the places and words of the delivered one."""
        if isinstance(finding, Verdict):
            slot = finding.slot and replace(finding.slot, span=self._put(finding.slot.span))
            slots = tuple(replace(one, span=self._put(one.span)) for one in finding.slots)
            revisions = tuple(filter(None, map(self.revision, finding.revisions)))
            return replace(
                finding, claim=self.claim(finding.claim), slot=slot, slots=slots, revisions=revisions
            )
        return self.claim(finding) if isinstance(finding, Claim) else self.unchecked(finding)

    def unchecked(self, finding: Unchecked) -> Unchecked:
        """The same for what was not checked."""
        if finding.span == self.raw.span:  # it may tell the words as they were read
            return finding if finding.text == self.raw.text else replace(finding, text=self.raw.text)
        span = self.stretch(finding.span)
        return replace(finding, span=span, text=self._words(span))

    def claim(self, claim: Claim) -> Claim:
        """The same for a claim."""
        span = self.stretch(claim.span)
        facts = tuple(map(self._fact, claim.facts))
        return replace(
            claim, span=span, text=self._words(span), facts=facts, mentions=self.mentions(claim.mentions)
        )

    def mentions(self, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
        """The same for mentions; one that is written nowhere stands where the sentence begins."""
        nowhere = Span(self.raw.span.start, self.raw.span.start)
        return tuple(replace(one, span=self._put(one.span) or nowhere) for one in mentions)

    def _put(self, span: Span | None) -> Span | None:
        # What a claim takes from an earlier sentence lies outside; that sentence's own placing knows where.
        if span is None or not self.plain.span.contains(span):
            return span
        place = self.place(span)
        return place if len(place) else None  # understood, and written nowhere

    def _words(self, span: Span) -> str:
        return span.shift(-self.raw.span.start).of(self.raw.text)

    def _fact(self, fact: Fact) -> Fact:
        attributes = tuple(replace(one, object=self._argument(one.object)) for one in fact.attributes)
        return replace(
            fact,
            subject=self._argument(fact.subject),
            object=self._argument(fact.object),
            attributes=attributes,
            predicate_span=self._put(fact.predicate_span),
        )

    def _argument(self, argument: Argument) -> Argument:
        return replace(argument, span=self._put(argument.span), mentions=self.mentions(argument.mentions))

    def revision(self, revision: Revision) -> Revision | None:
        """The same for a revision; None where it cannot be written."""
        place = self.place(revision.span)
        return replace(revision, span=place, replacement=self.written(place, revision.replacement))


@dataclass(frozen=True, slots=True)
class AsRead(Placing):
    """A sentence with the view of its text. `plain` stands where `raw` begins, whatever its length."""

    raw: Sentence
    plain: Sentence
    view: View

    @classmethod
    def of(
        cls, raw: Sentence, view: View, kind: BlockKind, heading: str = "", header: tuple[str, ...] = ()
    ) -> AsRead:
        """The words of `view`, in a block of this `kind`, below this heading and these column heads."""
        start = raw.span.start
        span = Span(start, start + len(view.text))
        return cls(raw, Sentence(span, view.text, kind, heading, header, raw.forced), view)

    @property
    def _alike(self) -> bool:
        return self.view.text is self.raw.text

    def spelled(self, text: str) -> AsRead:
        """The same with other characters in the same places."""
        if text == self.plain.text:
            return self
        return AsRead(self.raw, replace(self.plain, text=text), self.view.spelled(text))

    def answering(self, statement: Statement) -> AsRead:
        """The same, read as the statement that it makes of its question."""
        return AsRead.of(self.raw, self._worded(statement), BlockKind.PROSE)

    def naming(self, statement: Statement) -> AsRead:
        """The same, with words that are only understood: names that "both" means, or a verb that is said once."""
        plain = self.plain
        return AsRead.of(self.raw, self._worded(statement), plain.kind, plain.heading, plain.header)

    def _worded(self, statement: Statement) -> View:
        return self.view.composed(statement.parts).spelled(statement.text)

    def put(self, finding: Finding) -> Finding:
        return finding if self._alike else Placing.put(self, finding)

    def claim(self, claim: Claim) -> Claim:
        return claim if self._alike else Placing.claim(self, claim)

    def place(self, span: Span) -> Span:
        start = self.raw.span.start
        return self.view.place(span.shift(-start)).shift(start)

    def stretch(self, span: Span) -> Span:
        start = self.raw.span.start
        return self.view.stretch(span.shift(-start)).shift(start)

    def revision(self, revision: Revision) -> Revision | None:
        """Its `text` is the delivered sentence after it. None where letters are shown in the opposite order, or are only understood."""
        placed = Placing.revision(self, revision)
        if placed is None or len(placed.span) < min(1, len(revision.span)):
            return None
        if self.view.backwards(revision.span.shift(-self.raw.span.start)):
            return None
        before, after = placed.span.start - self.raw.span.start, placed.span.end - self.raw.span.start
        return replace(placed, text=self.raw.text[:before] + placed.replacement + self.raw.text[after:])

    def written(self, place: Span, words: str) -> str:
        if self._words(place).isupper() and not self.plain.text.isupper() and len(place) > 4:
            words = words.upper()  # in a sentence that is all capitals
        return words + self.view.left_over(place.shift(-self.raw.span.start))
