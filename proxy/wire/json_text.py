"""Splits an answer's text into sentences. If the text is JSON, its sentences are those of its string values.

A text that begins with `{` or `[` is read as JSON as long as it is; where it is not, it is prose from there on (from its
beginning, if no string was read before), so that nothing said escapes the check. Numbers and literals hold no
sentences, and keys only where they are some themselves. Like `guardrail.segment.Segmenter`: any chunking gives the same sentences, and none changes once it is given out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from guardrail.segment import HOLD_LIMIT, Segmenter
from guardrail.types import Sentence, Span
from proxy.wire.json_strings import Quoted, unescape

__all__ = ["TextReader"]

_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r'[^"\\]+')
_WORD = re.compile(r"[A-Za-z0-9+\-.]+")
_LITERAL = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_FENCE = re.compile(r"```\w{0,20}[ \t]{0,20}\n")
_LONGEST = 400  # characters of a number, literal or fence: what is longer is none
_SENTENCE = 3  # words of a key that may be one
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{4}")
_LOW_HALF = re.compile(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_PAIRS = {"}": "{", "]": "["}


class TextReader:
    """One answer. `asked`: JSON was asked for, so a lone string or a fence around the JSON is expected, too."""

    def __init__(self, hold_limit: int = HOLD_LIMIT, *, asked: bool = False) -> None:
        self._limit = hold_limit
        self._asked = asked
        self._rest = ""  # what was received and is not read yet
        self._at = 0  # the offset of its first character
        self._head: str | None = ""  # all before it, as long as no string was read
        self._state: Callable[[int], int] = self._beginning
        self._open: list[str] = []
        self._names: list[str] = []  # of the open objects and arrays …
        self._firsts: list[str] = []  # … and the first value in each, which often names the thing
        self._name = self._said = ""  # the last key, and what stands in the last string so far
        self._key = False
        self._final = False
        self._prose: Segmenter | None = None
        self._prose_at = 0
        self._value: _Value | None = None
        self._found: list[Sentence] = []

    @property
    def committed(self) -> int:
        """Before this offset no further sentence can start or change."""
        if self._prose is not None:
            return self._prose_at + self._prose.committed
        if self._final:
            return self._at + len(self._rest)
        if self._head is not None:
            return self._at - len(self._head)
        return self._value.committed if self._value is not None else self._at

    def feed(self, text: str) -> list[Sentence]:
        """Takes the next piece; returns the sentences that it completes."""
        if self._prose is not None:
            return self._shifted(self._prose.feed(text))
        self._rest += text
        self._read()
        return self._taken()

    def flush(self) -> list[Sentence]:
        """Ends the text; returns what was still held."""
        self._final = True
        if self._prose is None:
            self._read()
        if self._prose is not None:
            self._found += self._shifted(self._prose.flush())
        elif self._value is not None:
            self._found += self._value.end()
        return self._taken()

    def _taken(self) -> list[Sentence]:
        found, self._found = self._found, []
        if found and self._prose is None:
            self._head = None
        return found

    def _read(self) -> None:
        """Each state reads on from an offset in what has arrived and tells how far it came; no way: it needs more."""
        at = 0
        while at < len(self._rest) and self._prose is None and (on := self._state(at)) > at:
            at = on
        if self._prose is None:
            if self._head is not None and not self._found:
                self._head += self._rest[:at]
            self._at += at
            self._rest = self._rest[at:]

    def _beginning(self, at: int) -> int:
        if (begun := _match_end(_SPACE, self._rest, at)) > at:
            return begun
        if self._asked:
            if fence := _FENCE.match(self._rest, at):
                return fence.end()
            if self._rest[at] == "`" and len(self._rest) - at < _LONGEST and not self._final:
                return at
        if self._rest[at] in "{[" or (self._asked and self._rest[at] == '"'):
            self._state = self._structure
            return self._structure(at)
        return self._give_up(at)

    def _structure(self, at: int) -> int:
        mark = self._rest[at]
        if mark == '"' and (self._open or self._asked):
            self._value = _Value(self._at + at + 1, self._limit, **self._place())
            self._state, self._said = self._string, ""
            return at + 1
        if mark in "{[":
            self._enter(mark)
        elif self._open and _PAIRS.get(mark) == self._open[-1]:
            self._leave()
        elif mark in ",:" and self._open:
            self._key = (mark, self._open[-1]) == (",", "{")
        elif mark not in " \t\r\n":
            return self._word(at)
        return at + 1

    def _enter(self, mark: str) -> None:
        """An object or array, which is called by its key or else as the one around it."""
        self._open.append(mark)
        self._names.append(self._name or (self._names[-1] if self._names else ""))
        self._firsts.append("")
        self._name, self._key = "", mark == "{"

    def _leave(self) -> None:
        for opened in (self._open, self._names, self._firsts):
            opened.pop()
        self._key = False

    def _word(self, at: int) -> int:
        end = _match_end(_WORD, self._rest, at)
        if end == len(self._rest) and end - at < _LONGEST and not self._final:
            return at
        good = self._open and end - at < _LONGEST and _LITERAL.fullmatch(self._rest, at, end)
        return end if good else self._give_up(at)

    def _string(self, at: int) -> int:
        mark = self._rest[at]
        if mark == '"':
            if self._value is not None:
                self._found += self._value.end()
                self._value = None
            self._told()
            self._state = self._structure
            return at + 1
        end = (
            _match_end(_PLAIN, self._rest, at)
            if mark != "\\"
            else _escape_end(self._rest, at, final=self._final)
        )
        if len(self._said) < _LONGEST:
            self._said += self._rest[at:end]
        if self._value is not None and end > at:
            self._found += self._value.feed(self._rest[at:end], escape=mark == "\\")
        return end

    def _place(self) -> dict[str, Any]:
        """What a string stands below: a key alone says nothing but where it is a sentence."""
        if self._key:
            return {"key": True}
        if not self._open or self._open[-1] != "{":
            return {}
        return {"heading": self._names[-1], "header": (self._name, self._firsts[-1])}

    def _told(self) -> None:
        """A string has ended: it is the key of what comes, or the value of the last one."""
        if self._key:
            self._name = self._said
        elif self._open:
            self._firsts[-1] = self._firsts[-1] or self._said
            self._name = ""

    def _give_up(self, at: int) -> int:
        """It is no JSON: prose from here, or from the beginning where nothing was given out yet."""
        self._prose = Segmenter(self._limit)
        text = self._rest[at:]
        self._prose_at = self._at + at
        if self._head is not None and not self._found:
            self._prose_at = self._at - len(self._head)
            text = self._head + self._rest
        self._found += self._shifted(self._prose.feed(text))
        return at

    def _shifted(self, sentences: list[Sentence]) -> list[Sentence]:
        if not self._prose_at:
            return sentences
        return [replace(one, span=one.span.shift(self._prose_at)) for one in sentences]


class _Value:
    """One string; `start` is the offset behind its opening quote. Of a `key` only sentences of several words are given out.

    `header`: the key of a value and the first value beside it; `heading`: the key of the object that they are in.
    """

    def __init__(
        self, start: int, limit: int, *, key: bool = False, heading: str = "", header: tuple[str, ...] = ()
    ) -> None:
        self._is_key, self._heading, self._header = key, heading, header
        self._segmenter = Segmenter(limit)
        self._raw = ""  # from the last sentence on, as it stands
        self._raw_at = self._end = start
        self._length = 0  # of what it says
        self._after: list[int] = [0]  # in what it says, behind each escape …
        self._places: list[int] = [start]  # … and the offset where that is

    @property
    def committed(self) -> int:
        return self._place(self._segmenter.committed)

    def feed(self, raw: str, *, escape: bool) -> list[Sentence]:
        text = unescape(raw) if escape else raw
        self._raw += raw
        self._length += len(text)
        self._end += len(raw)
        if escape:
            self._after.append(self._length)
            self._places.append(self._end)
        return self._quoted(self._segmenter.feed(text))

    def end(self) -> list[Sentence]:
        return self._quoted(self._segmenter.flush())

    def _quoted(self, sentences: list[Sentence]) -> list[Sentence]:
        found: list[Sentence] = []
        for one in sentences:
            span = Span(self._place(one.span.start), self._place(one.span.end))
            self._raw = self._raw[span.start - self._raw_at :]
            self._raw_at = span.start
            words = self._raw[: len(span)]
            if self._is_key and len(words.split()) < _SENTENCE:
                continue
            heading, header = one.heading or self._heading, one.header or self._header
            found.append(Quoted(span, words, one.kind, heading, header, one.forced))
        return found

    def _place(self, offset: int) -> int:
        known = bisect_right(self._after, offset) - 1
        return self._places[known] + offset - self._after[known]


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _escape_end(text: str, at: int, *, final: bool) -> int:
    r"""Where the escape ends that begins at `at`; `at` while it may go on: `\ud83d` waits for its other half."""
    if not final and _cut_short(text, at):
        return at
    if text[at + 1 : at + 2] != "u":
        return min(at + 2, len(text))
    if not _HEXADECIMAL.fullmatch(text, at + 2, at + 6):
        return at + 2
    if not 0xD800 <= int(text[at + 2 : at + 6], 16) < 0xDC00:
        return at + 6
    other = text[at + 6 : at + 12]
    if len(other) < 6 and "\\u"[: len(other)] == other[:2] and not final:
        return at
    return at + 12 if _LOW_HALF.fullmatch(other) else at + 6


def _cut_short(text: str, at: int) -> bool:
    return len(text) < at + (6 if text[at + 1 : at + 2] == "u" else 2)
