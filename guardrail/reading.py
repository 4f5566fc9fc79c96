"""Reads passages as answers are read: sentences, then claims with their facts, for exact comparison with a claim.

Linking and reading cost some two milliseconds a sentence, so each passage is read once and remembered.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from threading import Lock

from guardrail.check.passages import Read
from guardrail.segment import segment
from guardrail.types import Claim, Context, Extractor, Kind, Linker, Mention, Passage, Span

__all__ = ["PassageReader"]

_REMEMBERED = 4_096  # passages
_LONGEST = 4_000  # characters of a passage that are read; the checker gives long ones sentence by sentence


class PassageReader:
    """A `guardrail.check.passages.Reader`. Thread-safe where its parts are."""

    def __init__(
        self, linker: Linker, extractor: Extractor, *, version: Callable[[], str] = lambda: ""
    ) -> None:
        """`version`: of the graph that `linker` links to; what was read with another one is read again."""
        self._linker, self._extractor, self._version = linker, extractor, version
        self._known: OrderedDict[tuple[str, str, str], tuple[Read, ...]] = OrderedDict()
        self._lock = Lock()

    def __call__(self, passage: Passage) -> tuple[Read, ...]:
        """The sentences of the passage in order, each with its claims; their spans are places of its text."""
        about = passage.about or passage.title
        key = (about, passage.text, self._version())
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        read = self._sentences(about, passage.text)
        with self._lock:
            self._known[key] = read
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return read

    def _sentences(self, about: str, text: str) -> tuple[Read, ...]:
        context = Context(earlier=(self._heading(about),) if about else ())
        found: list[Read] = []
        for sentence in segment(text[:_LONGEST]):
            mentions = self._linker.link(sentence.text, offset=sentence.span.start, context=context)
            claims = self._extractor.extract(sentence, mentions, context, first_id=len(context.earlier))
            context = replace(context, earlier=(*context.earlier, *claims)[-24:])
            found.append(Read(sentence, tuple(claims)))
        return tuple(found)

    def _heading(self, about: str) -> Claim:
        """What the passage is about, as a heading above it: whom "he" or "the company" means in its first sentence."""
        whole = Span(0, len(about))
        linked = [mention for mention in self._linker.link(about) if mention.span == whole]
        return Claim(
            0, whole, about, about, mentions=tuple(linked) or (Mention(whole, about),), kind=Kind.HEADING
        )
