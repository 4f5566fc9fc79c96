"""Characters as a person sees them: what has no shape is taken out, and letters that only look like Latin ones are Latin ones.

Three things are told apart by where they stand. A letter of another script is read as its Latin look-alike only inside a word that
has Latin letters too, or that is made of look-alikes alone in a Latin text: a word of Russian stays one. Accents that a letter
is written with stay, a pile of marks does not. Superscript digits stay what they are ("km²", a footnote's mark).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from guardrail.segment.view import Edit, View

__all__ = ["INVISIBLE", "seen"]

# Unicode's default-ignorable characters, controls, and those that show nothing.
INVISIBLE = (
    "\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc\U000e0000-\U000e0fff\U0001d173-\U0001d17a"
)
_UNSEEN = re.compile(f"[{INVISIBLE}]+")
_TURNED = re.compile("\u202e([^\u202a-\u202e\u2066-\u2069\n]*)")
_OTHER = re.compile(r"[^\x00-\x7f]")
_MARKED = re.compile(
    "([^\\W\\d_])([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+)"
)
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_SYMBOL = re.compile(r"[A-Z]{1,6}[α-ω]|[μΩ][A-Za-z]{1,3}")  # "IFNγ", "μm"
_LETTER = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER"
    r"|PARENTHESIZED LATIN (?:SMALL|CAPITAL) LETTER) ([A-Z])"
)
_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff](?:[ \u200b-\u200d\u2060\ufeff]?[\U0001f1e6-\U0001f1ff])*")
_FIRST_INDICATOR = 0x1F1E6
_SHOWN = {"Zs": " ", "Zl": " ", "Zp": " ", "Cs": "\ufffd"}
"""By category: blanks, and half of a surrogate pair, which no parser takes."""
_PRINTED = {"ɑ": "a", "ɡ": "g"}
"""Letters of phonetics that are ordinary ones in another type."""
_KEPT = "\u00b5…ªº"
_TYPES = ("<wide>", "<narrow>", "<font>", "<circle>", "<square>")
_PLACES = ("<super>", "<sub>", "<fraction>", "<vertical>")


def seen(view: View) -> View:
    """The view with what a person sees in the place of each character; linear."""
    if view.text.isascii():
        return view.edited(_edits_of(_UNSEEN, view.text)) if _UNSEEN.search(view.text) else view
    for match in _TURNED.finditer(view.text):
        view = view.turned(*match.span(1))
    view = view.edited(_flags(view.text))
    view = view.edited(_edits_of(_UNSEEN, view.text))
    view = view.edited(_shapes(view.text))
    view = view.edited(_unpiled(view.text))
    return view.edited(_latin(view.text))


def _edits_of(pattern: re.Pattern[str], text: str) -> Iterator[Edit]:
    return (Edit(match.start(), match.end(), "") for match in pattern.finditer(text))


def _flags(text: str) -> Iterator[Edit]:
    """Regional indicators that make no flags: those of a word are shown as its letters."""
    for run in _INDICATORS.finditer(text):
        letters = [_indicated(one) for one in run[0]]
        pairs = {one for part in "".join(letters).split() for one in re.findall("..?", part)}
        if not pairs <= _regions():
            yield Edit(*run.span(), "".join(letters).replace(" ", ""))


def _indicated(character: str) -> str:
    """The letter that a regional indicator stands for; a blank for what stands between them."""
    at = ord(character) - _FIRST_INDICATOR
    return chr(ord("A") + at) if at >= 0 else " "


def _shapes(text: str) -> Iterator[Edit]:
    """Full-width, mathematical and other shapes of ordinary letters, ligatures, and blanks of other widths."""
    for match in _OTHER.finditer(text):
        shape = _shape(match[0])
        if shape != match[0]:
            yield Edit(match.start(), match.end(), shape)


@lru_cache(maxsize=4096)
def _shape(character: str) -> str:
    category = unicodedata.category(character)
    if shown := _SHOWN.get(category) or _PRINTED.get(character):
        return shown
    name = unicodedata.name(character, "")
    if found := _LETTER.fullmatch(name):
        return found[1].lower() if "SMALL" in name else found[1]
    if category == "Nd":
        return str(unicodedata.digit(character))
    return character if character in _KEPT else _decomposed(character)


def _decomposed(character: str) -> str:
    """What Unicode makes of it, where that is the same in another type, or letters in another place."""
    form, _, _ = unicodedata.decomposition(character).partition(" ")
    plain = unicodedata.normalize("NFKC", character)
    letters = plain.isascii() and plain.isalpha()
    if form in _PLACES:  # "ᴬ" is a letter, "²" and "™" say something of their own
        return plain if letters and len(plain) == 1 else character
    return plain if form in _TYPES or (letters and form.startswith("<")) else character


def _unpiled(text: str) -> Iterator[Edit]:
    """A letter with one accent that is written with it is one character; strokes through it and piles of marks are no accents."""
    for match in _MARKED.finditer(text):
        whole = unicodedata.normalize("NFC", match[0])
        if len(whole) > 1 and not _LATIN.match(match[1]) and match[1] not in _lookalikes():
            continue  # another script's own marks
        yield Edit(match.start(), match.end(), whole if len(whole) == 1 else match[1])


def _latin(text: str) -> Iterator[Edit]:
    """Words that mix Latin letters with their look-alikes."""
    like = _lookalikes()
    if not like.keys() & set(text):
        return
    mostly = 2 * len(_LATIN.findall(text)) > sum(map(str.isalpha, text))
    for match in _WORD.finditer(text):
        if _disguised(match[0], latin=mostly):
            for at, letter in enumerate(match[0], match.start()):
                if letter in like:
                    yield Edit(at, at + 1, like[letter])


def _disguised(word: str, *, latin: bool) -> bool:
    """Whether a word has look-alikes beside Latin letters or, in a `latin` text, instead of them."""
    if word.isascii() or _SYMBOL.fullmatch(word):
        return False
    other = [letter for letter in word if not _LATIN.match(letter)]
    placed = len(other) < len(word) or (latin and len(word) > 1)
    return bool(other) and placed and _lookalikes().keys() >= set(other)


@cache
def _regions() -> frozenset[str]:
    """The pairs of letters that Unicode has flags for."""
    lines = files("guardrail").joinpath("data", "regions.txt").read_text("utf-8").splitlines()
    return frozenset(code for line in lines if not line.startswith("#") for code in line.split())


@cache
def _lookalikes() -> dict[str, str]:
    lines = files("guardrail").joinpath("data", "lookalikes.txt").read_text("utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {other: latin for latin, others in pairs for other in others}
