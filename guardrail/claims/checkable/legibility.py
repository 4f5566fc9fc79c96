"""Text that hides its words: encoded, spelled out, or written with letters that only look like letters.

What is found here was not read, whatever the rules made of it. Each test is linear in the length of the text.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable
from string import ascii_lowercase
from urllib.parse import unquote

__all__ = ["commanding", "illegible", "spelled"]

_RUN = re.compile(r"[A-Za-z0-9+/_=-]{16,}")
_BITS = re.compile(r"(?:[01]{7,8}[ ,]?){4,}")
_CODES = re.compile(r"(?:\b(?:0[xX])?[0-9A-Fa-f]{2,3}\b[ ,;:]+){7,}")
_ESCAPES = re.compile(
    r"(?:\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[0-7]{3})){4,}|(?:&#[xX]?[0-9A-Fa-f]{1,6};?){4,}"
)
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}\w?){4,}")
_LINK = re.compile(r"(?:https?://|www\.|/)\S+")
_MORSE = re.compile(r"(?:[.·-]{1,6}[ /]+){6,}")
_SPELLED = re.compile(r"(?:(?<![^\W_])[^\W\d_][ .*_|-]{1,3}){6,}(?<![^\W_])[^\W\d_](?![^\W_])")
# Fewer letters, with the same marks or line breaks between them; the notes of a tune and an alphabet are no word.
_APART = re.compile(
    r"(?<![^\W_])[^\W\d_](?P<mark>[^\w\s]{0,2}\s{0,2}|\s{1,3}[^\w\s]\s{1,3})(?<=[^\w])[^\W\d_](?:(?P=mark)[^\W\d_]){3,40}(?![^\W_])"
)
_NOTES = frozenset("abcdefg")
_DOTS = re.compile("[\u2801-\u28ff]{3,}|[\u2800-\u28ff]{5,}")  # Braille
_PLACES = re.compile(r"(?<![\w.-])\d{1,2}(?:[-–.]\d{1,2}){4,40}(?![\w-]|\.\d)")  # of letters in the alphabet
_RADIO = re.compile(
    r"(?i)\b(?:(?:alfa|alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec"
    r"|romeo|sierra|tango|uniform|victor|whiskey|x-?ray|yankee|zulu)\b[ ,.-]{0,3}){4,40}"
)
_HIDDEN = re.compile(
    r"[^\W\d_][\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]+[^\W\d_]"
)
_WORD = re.compile(r"[^\W_]+")
_SWAPPED = re.compile(r"[a-z]\d+[a-z]|^\d[a-z]+\d|[a-z]\d[a-z]*\d", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_LOOKALIKES = frozenset({"CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
_LATIN_SHAPED = frozenset(
    "οΟΑΒΕΖΗΙΚΜΝΡΤΥΧνιυϲϳ"
)  # of Greek, whose other letters stand in "μm", "kΩ" and "β2m"
_COMMAND = re.compile("[\x08\x1b\x9b]")  # back, and what opens a command
_PRINTABLE = 0.9  # of what an encoded text decodes to


def commanding(text: str) -> bool:
    """Whether a text, as delivered, commands a terminal, which may then show something else than is written."""
    return _COMMAND.search(text) is not None


def illegible(text: str) -> str:
    """How a text hides its words: "encoded text", "spelled letters", "styled letters", "letters of several scripts",
    "hidden characters" or "digits for letters"; "" for one that shows them.
    """
    return next((name for name, found in _TESTS if found(text)), "")


def _encoded(text: str) -> bool:
    """Whether something decodes to words. A hash, a key or a picture does not."""
    plain = _LINK.sub(" ", text)
    if any(pattern.search(plain) for pattern in (_BITS, _ESCAPES, _MORSE, _DOTS)):
        return True
    if any(_lettered(re.split(r"[-–.]", run[0])) for run in _PLACES.finditer(plain)):
        return True
    codes = _CODES.search(plain)
    if codes and _worded(_numbers(codes.group())):
        return True
    percent = _PERCENT.search(plain)
    return (percent is not None and _worded(unquote(percent.group()))) or any(
        _worded(_decoded(run.group())) for run in _RUN.finditer(plain)
    )


def _decoded(run: str) -> str:
    """The text in base64, base32 or hexadecimal digits that a run of characters may be; "" for anything else."""
    digits = run.strip("=")
    decoders: tuple[tuple[str, Callable[[], bytes]], ...] = (
        (r"(?:[0-9a-fA-F]{2})+", lambda: bytes.fromhex(digits)),
        (r"[A-Z2-7]+", lambda: base64.b32decode(digits + "=" * (-len(digits) % 8))),
        (r"[A-Za-z0-9+/_-]+", lambda: base64.urlsafe_b64decode(_padded(digits))),
    )
    for shape, decode in decoders:
        if re.fullmatch(shape, digits):
            try:
                found = decode().decode("utf-8")
            except (binascii.Error, ValueError):
                continue
            if _worded(found):
                return found
    return ""


def _padded(digits: str) -> str:
    digits = digits.replace("+", "-").replace("/", "_")
    return digits + "=" * (-len(digits) % 4)


def _numbers(codes: str) -> str:
    """The characters of a row of codes, decimal or hexadecimal; "" when they are none."""
    found = [code.lower().removeprefix("0x") for code in re.split(r"[ ,;:]+", codes.strip()) if code]
    base = 10 if all(code.isdigit() and 31 < int(code) < 127 for code in found) else 16
    return "".join(chr(int(code, base)) for code in found)


def _worded(text: str) -> bool:
    """Whether decoded text reads like words: letters nearly all through, of which some in small letters or blanks."""
    if len(text) < 8:
        return False
    fair = sum(one.isascii() and (one.isalnum() or one in " .,;:!?'\"-{}[]=\n") for one in text)
    return fair >= _PRINTABLE * len(text) and sum(one.isalpha() for one in text) >= 0.6 * len(text)


def _lettered(numbers: list[str]) -> bool:
    """Whether numbers may be the places of a word's letters in the alphabet: not a count up or down, and with vowels in it."""
    places = [int(one) for one in numbers]
    if (
        not all(1 <= one <= len(ascii_lowercase) for one in places)
        or len(set(places)) < 3
        or max(places) < 10
    ):
        return False  # a score, a version
    word = [ascii_lowercase[one - 1] for one in places]
    vowels = sum(letter in "aeiouy" for letter in word)
    return _ordinary(word) and 0.2 <= vowels / len(word) <= 0.6


def _ordinary(letters: list[str]) -> bool:
    """Whether letters stand in no order of the alphabet, as those of a word seldom do."""
    return sorted(letters) != letters and sorted(letters, reverse=True) != letters


def spelled(text: str) -> bool:
    """Whether a text has a word letter by letter, with marks or blanks between, or in the radio alphabet."""
    if _SPELLED.search(text):
        return True
    runs = [re.findall(r"[^\W\d_]", run[0].lower()) for run in _APART.finditer(text)]
    runs += [[word[0].lower() for word in re.findall(r"\w[\w-]*", run[0])] for run in _RADIO.finditer(text)]
    return any(_ordinary(run) and not set(run) <= _NOTES and len(set(run)) > 2 for run in runs)


def _styled(text: str) -> bool:
    """Three letters or more in a row that are Latin ones of another look: mathematical, wide, in circles."""
    run = 0
    for letter in text:
        styled = letter > "\u2000" and unicodedata.normalize("NFKC", letter).strip("()").isascii()
        run = run + 1 if styled and unicodedata.normalize("NFKC", letter).strip("()").isalpha() else 0
        if run > 2:
            return True
    return False


def _mixed(text: str) -> bool:
    """A word with letters of Latin and of a script that looks like it."""
    if text.isascii():
        return False
    for match in _WORD.finditer(text):
        word = match.group()
        if word.isascii():
            continue
        scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in word if letter.isalpha()}
        if "LATIN" in scripts and (scripts & _LOOKALIKES or not _LATIN_SHAPED.isdisjoint(word)):
            return True
    return False


def _hidden(text: str) -> bool:
    return not text.isascii() and _HIDDEN.search(text) is not None


def _swapped(text: str) -> bool:
    """Several words, and a third of all, with digits where letters should stand: "c4p1t4l"."""
    words = [match.group() for match in _WORD.finditer(_LINK.sub(" ", text))]
    found = sum(
        _SWAPPED.search(word) is not None and word.upper() != word and not _HEXADECIMAL.fullmatch(word)
        for word in words
    )
    return found > 1 and found * 3 >= len(words)


_TESTS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("hidden characters", _hidden),
    ("letters of several scripts", _mixed),
    ("styled letters", _styled),
    ("spelled letters", spelled),
    ("encoded text", _encoded),
    ("digits for letters", _swapped),
)
