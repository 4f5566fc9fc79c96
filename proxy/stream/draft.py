"""What a choice has said so far, and how far it has been judged."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from guardrail.types import BlockKind, Sentence, Span
from proxy.wire.json_text import TextReader

LONGEST = 300_000  # characters of one answer that are read sentence by sentence: some 75,000 tokens
LARGEST = 20_000_000  # characters after which an answer is ended: no model says so much
STEP = 4_000  # characters that are read in one step of the event loop: some milliseconds
STRETCH = (
    20_000  # what comes after them is given out in stretches of this length, to be marked as not checked
)


class Draft:
    """The text of one choice. Offsets are code points of that text as the upstream sent it. `json`: it was asked for."""

    def __init__(self, *, json: bool = False, longest: int = LONGEST) -> None:
        self._json = json
        self._segmenter = TextReader(asked=json)
        self._base = 0  # where what the segmenter reads begins
        self._longest = longest
        self._given = -1  # up to here stretches were given out; -1: the text is not too long yet
        self._parts: list[str] = []
        self._pending: deque[str | None] = deque()  # None: here the words had ended once
        self._seen = 0  # up to here it was read
        self._behind: list[str] = []  # of what lies behind the longest text, what was not given out yet
        self._waiting: deque[Sentence] = (
            deque()
        )  # those that were judged out of order stay until they come first
        self._open: set[Span] = set()
        self._length = 0
        self._checked = 0
        self.ended = False

    @property
    def text(self) -> str:
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def __len__(self) -> int:
        return self._length

    def add(self, text: str) -> list[Sentence]:
        """Takes the next words; returns the sentences that they complete, as far as they are read at once.

        Words behind the end begin a new sentence.
        """
        if self.ended:
            self.ended = False
            if self._pending:
                self._pending.append(None)
            else:
                self._begin_anew()
        self._parts.append(text)
        self._length += len(text)
        self._pending.extend(text[at : at + STEP] for at in range(0, len(text), STEP))
        return self.read()

    def end(self) -> list[Sentence]:
        """No more words will come; returns the next sentences, the last ones if all was read."""
        self.ended = True
        return self._give(self._last()) if not self._pending else []

    @property
    def pending(self) -> bool:
        """Words have come that `read` is to be called for."""
        return bool(self._pending)

    def read(self) -> list[Sentence]:
        """Reads on, a little at a time, as reading is work; returns the sentences that it completes."""
        if not self._pending:
            return []
        found = self._take(self._pending.popleft())
        return self._give(found + (self._last() if self.ended and not self._pending else []))

    def _take(self, text: str | None) -> list[Sentence]:
        if text is None:
            last = self._last()
            self._begin_anew()
            return last
        before, self._seen = self._seen, self._seen + len(text)
        if self._seen <= self._longest:
            return self._placed(self._segmenter.feed(text))
        found = []
        if self._given < 0:
            room = self._longest - before
            found = self._placed(self._segmenter.feed(text[:room]) + self._segmenter.flush())
            self._given, text = self._longest, text[room:]
        self._behind.append(text)
        return found + self._stretches(final=False)

    def _last(self) -> list[Sentence]:
        return self._stretches(final=True) if self._given >= 0 else self._placed(self._segmenter.flush())

    def _begin_anew(self) -> None:
        self._segmenter, self._base = TextReader(asked=self._json), self._seen

    def _placed(self, sentences: list[Sentence]) -> list[Sentence]:
        return (
            [replace(one, span=one.span.shift(self._base)) for one in sentences] if self._base else sentences
        )

    def _give(self, sentences: list[Sentence]) -> list[Sentence]:
        self._waiting.extend(sentences)
        self._open.update(one.span for one in sentences)
        return sentences

    def _stretches(self, *, final: bool) -> list[Sentence]:
        """What lies behind the longest text that is read: too much to be checked, and said to be so."""
        found = []
        if self._seen - self._given >= (1 if final else STRETCH):
            words = "".join(self._behind)
            for at in range(0, len(words) if final else len(words) - STRETCH + 1, STRETCH):
                text = words[at : at + STRETCH]
                span = Span(self._given, self._given + len(text))
                found.append(Sentence(span, text, BlockKind.PROSE, forced=True))
                self._given = span.end
            self._behind = [words[len(words) - (self._seen - self._given) :]]
        return found

    @property
    def waiting(self) -> tuple[Sentence, ...]:
        """The sentences that were given out and are not yet judged, in order."""
        return tuple(one for one in self._waiting if one.span in self._open)

    def late(self, until: int) -> list[Sentence]:
        """Those of them that begin before an offset."""
        begun = itertools.takewhile(lambda one: one.span.start < until, self._waiting)
        return [one for one in begun if one.span in self._open]

    @property
    def settled(self) -> bool:
        return self.ended and not self._open and not self._pending

    def judged(self, sentence: Sentence) -> bool:
        """A verdict has come. False when the sentence was not waiting for one."""
        if sentence.span not in self._open:
            return False
        self._open.remove(sentence.span)
        while self._waiting and self._waiting[0].span not in self._open:
            self._waiting.popleft()
        return True

    def give_up(self) -> tuple[Sentence, ...]:
        """Nobody will judge what is waiting; returns it."""
        left, rest = self.waiting, any(self._pending)
        begun = min(self._seen, max(self._base + self._segmenter.committed, self._given))
        self._forget()
        if not rest:
            return left
        words = self.text[begun:]
        return (*left, Sentence(Span(begun, begun + len(words)), words, BlockKind.PROSE, forced=True))

    def cut(self, at: int) -> None:
        """What comes after `at` counts as not said: the answer was ended there."""
        self._parts = [self.text[:at]]
        self._length = len(self._parts[0])
        self._forget()
        self.ended = True

    def _forget(self) -> None:
        self._waiting.clear()
        self._open.clear()
        self._pending.clear()

    @property
    def checked(self) -> int:
        """Everything before this offset is fully checked. It never goes back."""
        reached = max(self._base + self._segmenter.committed, self._given)
        if self._waiting:
            reached = self._waiting[0].span.start
        self._checked = max(self._checked, reached)
        return self._checked


class Pace:
    """Asks for one further step of reading at a time."""

    def __init__(self) -> None:
        self._asked = False

    def asks(self, drafts: Iterable[Draft], *, answered: bool) -> bool:
        """Whether a step is to be asked for now; `answered`: the last one was just taken."""
        ask = (answered or not self._asked) and any(draft.pending for draft in drafts)
        self._asked = ask or (self._asked and not answered)
        return ask
