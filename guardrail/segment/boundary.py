"""Where a sentence ends: pure decisions about one place of a text that may go on.

Each takes the text from the beginning of the pending sentence and answers with the offset of the sentence's end, 0 for
"it does not end here", or None for "more text is needed", which never happens when `final`. Look-ahead is bounded.
"""

from __future__ import annotations

import re
import sys

from guardrail.segment.characters import INVISIBLE

__all__ = [
    "ABBREVIATIONS",
    "BOLD_LINE",
    "CANDIDATE",
    "LOOK",
    "SPACE",
    "WORD",
    "newline",
    "opaque",
    "punctuation",
]

LOOK = 80  # blanks and closing marks are read no further ahead than this
_OPAQUE = 160  # inline code and inline math are not longer than this
_WRAPPED = 50  # a line this long that ends without a terminator is taken for hard-wrapped prose
# … and so is one that ends in the middle of a phrase.
_GOES_ON = re.compile(
    r"(?:\w,|\b(?:of|the|an?|in|on|at|by|to|for|from|with|into|and|or|is|was|are|were|as|that|than|its|their))\Z",
    re.IGNORECASE,
)

CANDIDATE = re.compile(r"[.!?…]+|[。！？｡؟۔।॥։።។]+|\n|`+|\$|\\\(|\]\(")
_CLOSER = re.compile(
    rf"(?:\]\([^()\s]{{0,60}}\)|</?[a-zA-Z][^<>\n]{{0,40}}>|[{INVISIBLE}]"
    r"|[\"'”’»›)\]}*_~`」』）】》\u0300-\u036f\ufe0e\ufe0f\u200d\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff]"
    r"|\[\^?[\w,–-]{1,12}\]|【[^】\n]{1,30}】)*"
)
_CLOSING = {"\\(": r"\\\)", "](": r"\A(?:[^()\n]|\([^()\n]*\))*\)"}
_OPEN_LINK = re.compile(r"\([^()\s]{0,60}")
_OPEN_TAG = re.compile(r"</?(?:[a-zA-Z][^<>\n]{0,40})?")
_OPEN_CITATION = re.compile(r"\[\^?[\w,–-]{0,12}|【[^】\n]{0,30}")
# A change of direction shows, and so does what commands a terminal.
_UNSHOWN = INVISIBLE.replace("\u202a-\u202e", "")
_UNSHOWN = _UNSHOWN.replace("\u0008\u000e-\u001f", "\u0007\u000e-\u001a\u001c-\u001f").replace(
    "\u0086-\u009f", "\u0086-\u009a\u009c-\u009f"
)
SPACE = re.compile(f"[ \t\r\u00a0\u3000{_UNSHOWN}]*")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?){0,4}[ \t]{0,3}")
_OPENER = re.compile(r"[\"'“‘«‹(\[{*_~「『（【《¿¡–—-]*")
WORD = re.compile(r"\w[\w’'-]{0,23}")
_BEFORE = re.compile(r"[^\s(\[“\"‘'*_/]*\Z")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]\Z")
BOLD_LINE = re.compile(r"(\*\*|__)(?!\s)[^*\n]+?\1:?")
_KEY_VALUE = re.compile(r"\W{0,4}[A-Z][\w ]{1,30}:\W")
_ENUMERATOR = re.compile(r"\W{0,3}(?:\d{1,3}|[a-zA-Z]|[ivx]{2,4})\Z")
# Between a key of some words and its value on the same line, as in "Capital ........ Paris".
_LEADER = re.compile(r"\.{4,}|…{2,}")
_LED = re.compile(r"\W{0,4}\w[\w'’-]{0,30}(?: [\w'’-]{1,30}){0,3} ?")
_BLOCK_START = re.compile(r"\Z|\n|[#>|]|```|~~~|\$\$|\\\[|\*\*|__|(?:[-*+•◦▪‣·–]|\d{1,3}[.)])[ \t]|[-=_*]{3}")

# After these a full stop never ends a sentence …
_NEVER = frozenset(
    "dr mr mrs ms mx prof gen sen rep gov capt lt sgt maj cmdr adm rev hon mt e.g i.e cf ca c approx vs viz fig figs eq "
    "vol vols pp p b d r op ibid".split()
)
# … after these, initials and dotted acronyms only when a word follows that sentences like to begin with.
_SELDOM = frozenset(
    "jr sr st inc ltd co corp bros ph.d al no dept univ assn ave blvd rd ft fl ste col messrs "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
ABBREVIATIONS = _NEVER | _SELDOM
_STARTERS = frozenset(
    "the a an it its he she they his her their this that these those in on at as by for from with after before during "
    "since while when where what who how why there here however although though but and or so yet if because also many "
    "most some several all both each one two another other we our you your i my today despite once until according "
    "additionally furthermore moreover meanwhile later then thus therefore not no".split()
)


def punctuation(text: str, match: re.Match[str], *, final: bool) -> int | None:
    """Whether a run of terminators with its closing quotes, brackets and citations ends the sentence."""
    closed = _past(_CLOSER, text, match.end(), match.end() + LOOK)
    if closed >= len(text):
        return closed if final else None
    if not final and _opening(text, closed):
        return None
    if match.group()[0] not in ".!?…":
        return closed
    return _terminator(text, match, closed, final=final)


def _past(pattern: re.Pattern[str], text: str, at: int, end: int = sys.maxsize) -> int:
    """Where that ends which a pattern finds at a place; the place itself if it finds nothing."""
    found = pattern.match(text, at, end)
    return found.end() if found else at


def _opening(text: str, at: int) -> bool:
    """Whether what began at `at`, a citation, a tag or a link's address, may yet be closed by what arrives."""
    if text[at] == "(":
        return text[at - 1] == "]" and _OPEN_LINK.fullmatch(text, at) is not None
    if text[at] == "<":
        return _OPEN_TAG.fullmatch(text, at) is not None
    return text[at] in "[【" and _OPEN_CITATION.fullmatch(text, at) is not None


def opaque(text: str, match: re.Match[str], *, final: bool) -> tuple[int | None, int]:
    """Inline code, math or a link's address: no sentence ends inside. A dollar sign before a number is money unless it closes like math."""
    start = match.end()
    window, broken, _ = text[start : start + _OPAQUE].partition("\n")
    complete = final or bool(broken) or len(text) > start + _OPAQUE
    found = re.compile(_CLOSING.get(match.group(), re.escape(match.group()))).search(window)
    if found is None:
        return (0 if complete else None), start
    end = start + found.end()
    if end >= len(text) and not final:
        return None, start
    if match.group() == "$" and _is_money(window, found.start(), text[end : end + 1]):
        return 0, start
    return 0, end


def _is_money(inside: str, length: int, after: str) -> bool:
    return length == 0 or inside[0].isspace() or inside[length - 1].isspace() or after.isdigit()


def newline(text: str, at: int, *, quote: bool = False, final: bool) -> int | None:
    """A line break ends the sentence unless the line is hard-wrapped prose; in a `quote` the next line has a marker."""
    line = text[text.rfind("\n", 0, at) + 1 : at].rstrip()
    after = _past(_QUOTE if quote else SPACE, text, at + 1)
    if after - at > LOOK or _stands_alone(line):
        return at
    if len(text) < after + 5 and not final and "\n" not in text[after:]:
        return None
    ahead = text[after : after + 5]
    if _BLOCK_START.match(ahead):
        return at
    return 0 if ahead[0].islower() or _is_wrapped(line) else at


def _is_wrapped(line: str) -> bool:
    return len(line) >= _WRAPPED or _GOES_ON.search(line) is not None


def _stands_alone(line: str) -> bool:
    """Whether a line announces what follows, gives a key its value, or is a label in bold type."""
    return line.endswith(":") or bool(_KEY_VALUE.match(line) or BOLD_LINE.fullmatch(line))


def _terminator(text: str, match: re.Match[str], closed: int, *, final: bool) -> int | None:
    """Whether `.`, `!`, `?` or `…` with its closing quotes and brackets ends the sentence: by the blanks behind it."""
    after = _past(SPACE, text, closed)
    if after - closed > LOOK:
        return closed
    if text[after : after + 1] == "\n":
        return 0 if match.group() == "." and _word_before(text, match.start()).lower() in _NEVER else closed
    if after == closed:
        return 0
    if _LEADER.fullmatch(match.group()) and _LED.fullmatch(text, 0, match.start()):
        return 0 if after < len(text) or final else None  # the line may end here
    return _before_word(text, match, closed, after, final=final)


def _before_word(text: str, match: re.Match[str], closed: int, after: int, *, final: bool) -> int | None:
    """The same by the first letters of what begins at `after`, with its opening quotes and brackets."""
    first = _past(_OPENER, text, after, after + LOOK)
    if first + 1 >= len(text) and not final:
        return None
    if first >= len(text):
        return closed
    stop = match.group() == "."
    if text[first].islower():
        return closed if text[first + 1 : first + 2].isupper() and stop else 0
    return _full_stop(text, match.start(), first, closed, final=final) if stop else closed


def _word_before(text: str, at: int) -> str:
    before = _BEFORE.search(text[max(0, at - 24) : at])
    return before.group() if before else ""


def _full_stop(text: str, at: int, first: int, closed: int, *, final: bool) -> int | None:
    """A single full stop before a word that is not lower-case: abbreviation, initial, enumeration, or the end."""
    word = _word_before(text, at)
    low = word.lower() if len(word) > 1 else word  # a capital by itself is an initial
    if low in _NEVER or _ENUMERATOR.fullmatch(text, 0, at):
        return 0
    if low == "no" and not text[first].isdigit():
        return closed
    if low in _SELDOM or _ACRONYM.fullmatch(word):
        return _before_starter(text, first, closed, final=final)
    return closed


def _before_starter(text: str, first: int, closed: int, *, final: bool) -> int | None:
    """The sentence ends only before a word that sentences like to begin with."""
    end = _past(WORD, text, first)
    if end >= len(text) and not final:
        return None
    return closed if text[first:end].lower() in _STARTERS else 0
