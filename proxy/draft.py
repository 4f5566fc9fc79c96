"""What one choice has said so far, and how far it has been judged."""

from __future__ import annotations

from collections import deque

from guardrail.segment import Segmenter
from guardrail.types import Sentence


class Draft:
    """The text of one choice. Offsets are code points of that text as the upstream sent it."""

    def __init__(self, hold_limit: int = 400) -> None:
        self._segmenter = Segmenter(hold_limit)
        self._parts: list[str] = []
        self._waiting: deque[Sentence] = deque()
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
        """Takes the next words; returns the sentences that they complete."""
        self._parts.append(text)
        self._length += len(text)
        sentences = self._segmenter.feed(text)
        self._waiting.extend(sentences)
        return sentences

    def end(self) -> list[Sentence]:
        """No more words will come; returns the last sentences."""
        self.ended = True
        sentences = self._segmenter.flush()
        self._waiting.extend(sentences)
        return sentences

    @property
    def waiting(self) -> tuple[Sentence, ...]:
        """The sentences that were given out and are not yet judged, in order."""
        return tuple(self._waiting)

    @property
    def settled(self) -> bool:
        return self.ended and not self._waiting

    def judged(self, sentence: Sentence) -> bool:
        """A verdict has come. False when the sentence was not waiting for one."""
        if sentence not in self._waiting:
            return False
        self._waiting.remove(sentence)
        return True

    def give_up(self) -> tuple[Sentence, ...]:
        """Nobody will judge what is waiting; returns it."""
        left = self.waiting
        self._waiting.clear()
        return left

    @property
    def checked(self) -> int:
        """Everything before this offset is fully checked. It never goes back."""
        reached = self._waiting[0].span.start if self._waiting else self._segmenter.committed
        self._checked = max(self._checked, reached)
        return self._checked
