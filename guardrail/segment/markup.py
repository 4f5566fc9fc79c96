"""Inline Markdown and HTML as a person sees them: the words without the marks. Linear in the length of the text.

Marks go in pairs as CommonMark pairs them (emphasis, strong, strike, code, links, images), tags and entities as HTML has
them. What is no markup stays: "2 * 3", "snake_case", an unpaired asterisk.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from guardrail.segment.view import Edit, Mark, View

__all__ = ["unmarked"]

_ANY = re.compile(r"[*_`~\[<&\\]")
_TOKEN = re.compile(
    r"""
    (?P<escape>\\[!-/:-@\[-`{-~])
  | (?P<code>`+)
  | (?P<comment><!--[^<>]{0,400}-->)
  | (?P<tag></?[a-zA-Z][\w-]{0,30}(?:[\s/](?:[^<>"']|"[^"<]{0,200}"|'[^'<]{0,200}'){0,200})?>)
  | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)
  | (?P<open>!?\[)
  | (?P<close>\](?:\([ \t]*<?(?:[^()\s<>]|\([^()\s<>]{0,200}\)){0,600}>?(?:\s+(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'))?[ \t]*\)|\[[^\[\]\n]{0,80}\]|(?=.)|$))
  | (?P<emphasis>\*+|_+|~~+)
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"\^?\d[\d,\s–-]*")
_APART = frozenset(
    "br p div li ul ol dl dt dd h1 h2 h3 h4 h5 h6 hr table tr details summary legend label caption figcaption".split()
)  # they stand apart
_KEYS = frozenset("dt summary legend label".split())  # what follows is theirs
_CELLS = frozenset("td th".split())  # the reader of tables wants them
_HIDDEN = frozenset("script style svg head meta link".split())  # their text is none


@dataclass(slots=True)
class _Run:
    """A run of emphasis marks: `end - start` of them are not paired yet."""

    start: int
    end: int
    opens: bool
    closes: bool


@dataclass(slots=True)
class _Marks:
    """What was found: pairs of marks, and what is read in the place of single ones."""

    text: str
    pairs: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    single: list[Edit] = field(default_factory=list)


def unmarked(view: View) -> View:
    """The view without its markup."""
    if not _ANY.search(view.text):
        return view
    found = _Marks(view.text)
    runs = _tokens(found)
    _emphasis(found, runs)
    found.single += [
        Edit(run.start, run.end, "") for run in runs if run.end - run.start > 1 and (run.opens or run.closes)
    ]
    edits = found.single + [Edit(start, end, "") for pair in found.pairs for start, end in pair]
    starts, ends = view.starts, view.ends
    marks: list[Mark] = []
    for (left, opened), (right, closed) in found.pairs:
        marks.append(Mark(starts[left], ends[opened - 1], starts[right]))
        marks.append(Mark(starts[right], ends[closed - 1], starts[left]))
    return view.edited(sorted(edits), tuple(sorted(marks)))


def _tokens(found: _Marks) -> list[_Run]:
    """Finds all marks but the pairs of emphasis; returns the runs that may be emphasis."""
    text, at = found.text, 0
    ticks = _ticks(text)
    brackets: list[tuple[int, int]] = []
    runs: list[_Run] = []
    tags: dict[str, list[tuple[int, int]]] = {}
    while match := _TOKEN.search(text, at):
        at = match.end()
        start, kind = match.start(), match.lastgroup
        if kind == "code":
            at = _code(found, match, ticks[len(match[0])])
        elif kind == "open":
            brackets.append((start, at))
        elif kind == "close":
            if not brackets:
                continue
            opened = brackets.pop()
            if len(match[0]) > 1 and not _NUMBER.fullmatch(text, opened[1], start):
                found.pairs.append((opened, (start, at)))
            else:
                at = start + 1
        elif kind == "emphasis":
            runs.append(_run(text, start, at))
        elif kind == "tag":
            _tag(found, match, tags)
        else:
            found.single += _single(match)
    found.single += [Edit(start, end, "") for places in tags.values() for start, end in places]
    return runs


def _code(found: _Marks, match: re.Match[str], ticks: list[int]) -> int:
    """Code goes on to the next run of as many backticks; returns where the search goes on behind it."""
    following = bisect_right(ticks, match.start())
    if following == len(ticks):
        return match.end()
    start = ticks[following]
    found.pairs.append((match.span(), (start, start + len(match[0]))))
    return start + len(match[0])


def _tag(found: _Marks, match: re.Match[str], opened: dict[str, list[tuple[int, int]]]) -> None:
    """A tag and its partner are a pair of marks; one that stands apart is read as a blank."""
    words, place = match[0], match.span()
    named = re.match(r"</?([\w-]*)", words)
    tag = named[1].lower() if named else ""
    if tag in _CELLS or tag in _HIDDEN:
        return
    if tag in _APART:
        keyed = tag in _KEYS and words[1] == "/" and found.text[place[0] - 1] != ":"
        found.single.append(Edit(*place, ": " if keyed else " "))
    elif words[1] != "/":
        opened.setdefault(tag, []).append(place)
    elif opened.get(tag):
        found.pairs.append((opened[tag].pop(), place))
    else:
        found.single.append(Edit(*place, ""))


def _ticks(text: str) -> dict[int, list[int]]:
    """Where the runs of so many backticks begin."""
    found: dict[int, list[int]] = {}
    for match in re.finditer("`+", text):
        found.setdefault(len(match[0]), []).append(match.start())
    return found


def _single(match: re.Match[str]) -> Iterator[Edit]:
    """An escape, a comment, an entity: what is read in its place."""
    words = match[0]
    if match.lastgroup == "escape":
        yield Edit(match.start(), match.start() + 1, "")
    elif match.lastgroup == "comment":
        yield Edit(match.start(), match.end(), "")
    elif (said := html.unescape(words)) != words:
        yield Edit(match.start(), match.end(), said)


def _run(text: str, start: int, end: int) -> _Run:
    """CommonMark 6.2: what a run of marks may do follows from what stands beside it."""
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    left, right = _flanking(after, before), _flanking(before, after)
    if text[start] == "_":
        return _Run(
            start, end, left and (not right or not _word(before)), right and (not left or not _word(after))
        )
    return _Run(start, end, left, right)


def _flanking(inner: str, outer: str) -> bool:
    return not inner.isspace() and (_word(inner) or not _word(outer))


def _word(character: str) -> bool:
    return character.isalnum() or ord(character) > 0x2FF


def _emphasis(found: _Marks, runs: list[_Run]) -> None:
    """Pairs the runs: each closing one with the nearest open one of its kind."""
    text = found.text
    open_runs: list[_Run] = []
    waiting = {"*": 0, "_": 0, "~": 0}
    for run in runs:
        mark = text[run.start]
        while run.closes and run.start < run.end and waiting[mark]:
            while text[open_runs[-1].start] != mark:
                waiting[text[open_runs.pop().start]] -= 1
            opener = open_runs[-1]
            count = min(opener.end - opener.start, run.end - run.start)
            found.pairs.append(((opener.end - count, opener.end), (run.start, run.start + count)))
            opener.end -= count
            run.start += count
            if opener.start == opener.end:
                open_runs.pop()
                waiting[mark] -= 1
        if run.start < run.end and run.opens:
            open_runs.append(run)
            waiting[mark] += 1
