"""Text that was received and may not be shown yet: kept as it came, and given out as far as allowed."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from policies.decide import Edit
from proxy.wire.sse import Decoder
from proxy.wire.surface import Json, Surface, parse


class _Piece(NamedTuple):
    start: int
    end: int
    text: str
    chunk: Json | None  # None with no `raw`: what else its event held has gone out already
    raw: (
        bytes | None
    )  # None: the event holds more than this one choice's text; otherwise `chunk` can be read from it
    whole: bool = True  # False: its log probabilities tell of words that are not released with it


class Withheld:
    """The withheld text of one choice. Offsets are code points of the upstream's text.

    `logprobs`: those of the upstream's words stay where the words are changed.
    """

    def __init__(self, choice: int, surface: Surface, *, logprobs: bool = False) -> None:
        self.logprobs = logprobs
        self._choice = choice
        self._surface = surface
        self._pieces: deque[_Piece] = deque()
        self._length = 0
        self.released = 0
        self.delivered: list[str] = []

    def add(self, text: str, chunk: Json | None, raw: bytes | None) -> None:
        # A parsed event takes several times the room of its bytes, so it is kept only where it cannot be had from them.
        kept = chunk if raw is None else None
        self._pieces.append(_Piece(self._length, self._length + len(text), text, kept, raw))
        self._length += len(text)

    def release(self, until: int, edits: Sequence[Edit] = ()) -> bytes:
        """The events for the text up to `until`, with `edits` made. Edits lie between the last release and `until`."""
        out: list[bytes] = []
        first = 0  # of the edits, the first that is not made yet
        until = min(until, self._length)
        while self._pieces and self._pieces[0].start < until:
            piece = self._pieces.popleft()
            if piece.end > until:
                self._pieces.appendleft(
                    _Piece(until, piece.end, piece.text[until - piece.start :], None, None)
                )
                piece = piece._replace(
                    end=until,
                    text=piece.text[: until - piece.start],
                    chunk=_chunk(piece),
                    raw=None,
                    whole=False,
                )
            while first < len(edits) and _before(edits[first], piece.start):
                first += 1
            if text := _edited(piece, edits, first):
                out.append(self._event(piece, text))
                self.delivered.append(text)
        if inserted := "".join(
            edit.replacement for edit in edits[first:] if edit.span.start == until == edit.span.end
        ):
            out.append(self.say(inserted))
        self.released = max(self.released, until)
        return b"".join(out)

    def _event(self, piece: _Piece, text: str) -> bytes:
        if piece.raw is not None and text == piece.text:
            return piece.raw
        if (chunk := _chunk(piece)) is None:
            return self._surface.words(self._choice, text)
        keep = piece.whole and (self.logprobs or text == piece.text)
        return self._surface.reword(chunk, self._choice, text, logprobs=keep)

    def say(self, text: str) -> bytes:
        """Words of our own at this place."""
        self.delivered.append(text)
        return self._surface.words(self._choice, text)

    def drop(self) -> None:
        """What is still withheld will never be shown."""
        self._pieces.clear()


def _chunk(piece: _Piece) -> Json | None:
    """The piece's event, parsed."""
    if piece.raw is None:
        return piece.chunk
    decoder = Decoder()
    events = [*decoder.decode(piece.raw), *decoder.flush()]
    return next((parse(event) for event in events if event.data is not None), None)


def _before(edit: Edit, start: int) -> bool:
    """The edit lies before a piece; an insertion at its very beginning is made in it."""
    return edit.span.end <= start and not edit.span.start == edit.span.end == start


def _edited(piece: _Piece, edits: Sequence[Edit], first: int) -> str:
    """The piece's words after the edits from `first` on; a replacement stands in the piece where its edit begins."""
    words, at = [], piece.start
    for edit in map(edits.__getitem__, range(first, len(edits))):
        start, end = edit.span.start, edit.span.end
        if start >= piece.end:
            break
        if start >= piece.start:
            words += [piece.text[at - piece.start : start - piece.start], edit.replacement]
        at = max(at, min(end, piece.end))
    return "".join([*words, piece.text[at - piece.start :]]) if at > piece.start or words else piece.text
