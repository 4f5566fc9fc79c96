"""Where a sentence ends: pure decisions about one place of a text that may go on.

Each takes the text from the beginning of the pending sentence and answers with the offset of the sentence's end, 0 for
"it does not end here", or None for "more text is needed", which never happens when `final`. Look-ahead is bounded.
"""

from __future__ import annotations

import re

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
_BLOCK_START = re.compile(r"[#>|]|```|~~~|\$\$|\\\[|\*\*|__|(?:[-*+•◦▪‣·–]|\d{1,3}[.)])[ \t]|[-=_*]{3}")

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
    closer = _CLOSER.match(text, match.end(), match.end() + LOOK)
    closed = closer.end() if closer else match.end()
    if closed >= len(text):
        return closed if final else None
    if not final and _opening(text, closed):
        return None
    if match.group()[0] not in ".!?…":
        return closed
    return _terminator(text, match, closed, final=final)


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
    space = (_QUOTE if quote else SPACE).match(text, at + 1)
    after = space.end() if space else at + 1
    if after - at > LOOK or line.endswith(":") or _KEY_VALUE.match(line) or BOLD_LINE.fullmatch(line):
        return at
    if len(text) < after + 5 and not final and "\n" not in text[after:]:
        return None
    ahead = text[after : after + 5]
    if not ahead or ahead[0] == "\n" or _BLOCK_START.match(ahead):
        return at
    return 0 if ahead[0].islower() or len(line) >= _WRAPPED or _GOES_ON.search(line) else at


def _terminator(text: str, match: re.Match[str], closed: int, *, final: bool) -> int | None:
    """Whether `.`, `!`, `?` or `…` with its closing quotes and brackets ends the sentence."""
    space = SPACE.match(text, closed)
    after = space.end() if space else closed
    if after == closed and text[closed] != "\n":
        return 0
    if after - closed > LOOK:
        return closed
    before = _BEFORE.search(text[max(0, match.start() - 24) : match.start()])
    word = before.group() if before else ""
    stop = match.group() == "."
    if text[after : after + 1] == "\n":
        return 0 if stop and word.lower() in _NEVER else closed
    if _LEADER.fullmatch(match.group()) and _LED.fullmatch(text, 0, match.start()):
        return 0 if after < len(text) or final else None  # the line may end here
    opener = _OPENER.match(text, after, after + LOOK)
    first = opener.end() if opener else after
    if first + 1 >= len(text) and not final:
        return None
    if first >= len(text):
        return closed
    if text[first].islower():
        return closed if text[first + 1 : first + 2].isupper() and stop else 0
    if not stop:
        return closed
    return _full_stop(text, word, match.start(), first, closed, final=final)


def _full_stop(text: str, word: str, at: int, first: int, closed: int, *, final: bool) -> int | None:
    """A single full stop before a word that is not lower-case: abbreviation, initial, enumeration, or the end."""
    low = word.lower()
    if _ENUMERATOR.match(text[:at][-8:]) and at < 8:
        return 0
    if low in _NEVER and not (len(word) == 1 and word.isupper()):
        return 0
    if low in _SELDOM or _ACRONYM.fullmatch(word):
        if low == "no" and not text[first].isdigit():
            return closed
        following = WORD.match(text, first)
        if following and following.end() >= len(text) and not final:
            return None
        return closed if following and following.group().lower() in _STARTERS else 0
    return closed
