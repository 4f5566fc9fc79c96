"""Numbers as people write them: digits with separators, number words, and words of magnitude.

`read_number("1,250")`, `read_number("three hundred and five")`, `read_number("1.4 billion")`, all to Decimal; and back
again in the same manner with `write_number(Decimal(33), like="thirty")`.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

__all__ = [
    "DIGITS",
    "MAGNITUDES",
    "ORDINAL_WORDS",
    "WORDS",
    "as_decimal",
    "decimals",
    "plain",
    "read_number",
    "step",
    "write_number",
]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: i for i, word in enumerate(_ONES)} | {w: 10 * i for i, w in enumerate(_TENS) if w}
MAGNITUDES = {
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "million": Decimal(10) ** 6,
    "billion": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
    "dozen": Decimal(12),
}
SHORT_MAGNITUDES = {"k": Decimal(1000), "m": Decimal(10) ** 6, "mn": Decimal(10) ** 6, "bn": Decimal(10) ** 9}
ORDINAL_WORDS = {
    word: i
    for i, word in enumerate(
        (
            "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
        ).split()
    )
}

# Groups of three are joined by a comma, a thin or a no-break space; an ordinary space would join two numbers.
DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
)
_WORD = "|".join(sorted([*_SMALL, *MAGNITUDES], key=len, reverse=True))
WORDS = rf"(?:(?:an?|half\s+an?)\s+(?:{'|'.join(MAGNITUDES)})|(?:{'|'.join(_SMALL)}))(?:(?:[\s-]|\s+and\s+)+(?:{_WORD})\b)*"

_LARGE = MAGNITUDES.keys() - {"hundred", "dozen"}  # each ends a group of digits
_COUNTING = _SMALL.keys() | MAGNITUDES.keys()
_GROUPING = re.compile(r"[,\u00a0\u2009\u202f]")


def plain(number: Decimal) -> str:
    """Decimal without an exponent and without zeros that say nothing: Value.value's canonical form."""
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("", "-0") else text


def as_decimal(text: str) -> Decimal | None:
    """The number that a value holds; None where it holds none."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def read_number(text: str) -> Decimal | None:
    """The number that `text` writes, None if it writes none."""
    text = text.replace("*", "").strip().casefold().replace("−", "-")  # "**999** million" in Markdown
    match = re.fullmatch(rf"(-?{DIGITS})\s*(?:-?\s*({'|'.join([*MAGNITUDES, *SHORT_MAGNITUDES])}))?", text)
    if match:
        number = Decimal(_GROUPING.sub("", match[1]))
        return number * (MAGNITUDES | SHORT_MAGNITUDES)[match[2]] if match[2] else number
    return _read_words(text)


def _read_words(text: str) -> Decimal | None:
    words = [word for word in re.split(r"[\s-]+", text) if word not in ("and", "")]
    if _COUNTING.isdisjoint(words) or not set(words) <= _COUNTING | {"a", "an", "half"}:
        return None
    total, group = Decimal(0), Decimal(0)
    for word in words:
        group = _grouped(group, word)
        if word in _LARGE:
            total, group = total + group, Decimal(0)
    return total + group


def _grouped(group: Decimal, word: str) -> Decimal:
    """The number that the words of a group make with one more: "three" with "hundred"."""
    if word in ("a", "an"):
        return group or Decimal(1)
    if word == "half":
        return Decimal("0.5")
    if word in _SMALL:
        return group + _SMALL[word]
    return (group or Decimal(1)) * MAGNITUDES[word]


def step(text: str) -> tuple[Decimal, Decimal]:
    """How finely `text` states its number: the step of its last digit, and of its last digit that is no trailing zero.

    "25,000" → (1, 1000): it may be exact, or rounded to thousands. "1.4 billion" → (10**8, 10**8).
    """
    text = text.replace("*", "").strip().casefold().replace("−", "-")
    money = re.match(r"(?:us|a|c)?[$€£¥₹]\s?", text)
    scales = (
        MAGNITUDES | SHORT_MAGNITUDES if money else MAGNITUDES
    )  # "400 m" are metres, "$400m" are millions
    text = text[money.end() :] if money else text
    match = re.match(rf"-?({DIGITS})(?:\s*-?\s*({'|'.join(scales)})\b)?", text)
    if not match:
        number = read_number(text)
        return (Decimal(1), _last_digit(number)) if number else (Decimal(1), Decimal(1))
    digits = _GROUPING.sub("", match[1])
    scale = scales[match[2]] if match[2] else Decimal(1)
    if "." in digits:
        last = Decimal(1).scaleb(-len(digits.split(".")[1]))
        return last * scale, last * scale
    if match[2]:
        return scale, scale
    return Decimal(1), _last_digit(Decimal(digits))


def _last_digit(number: Decimal) -> Decimal:
    size = Decimal(1)
    while number and number == number.to_integral_value() and number % (size * 10) == 0:
        size *= 10
    return size


def decimals(number: Decimal) -> int:
    """How many decimals a number has, zeros at its end aside."""
    text = plain(number)
    return len(text.partition(".")[2])


def write_number(number: Decimal, *, like: str, least: int = 0) -> str:
    """`number` in the manner of `like`: words, separators, decimals and magnitude are kept where they can be.

    `least`: decimals that it gets where it has no magnitude, also where `like` has fewer: 24.5 for 22.
    """
    like_folded = like.strip().casefold()
    match = re.fullmatch(rf"-?({DIGITS})(\s*-?\s*)([a-z]+)?", like_folded)
    if not match:
        return _in_words(number) or _digits(number, places=least, grouped=number >= 10000)
    scale = (MAGNITUDES | SHORT_MAGNITUDES).get(match[3], Decimal(1))
    whole, _, part = match[1].partition(".")
    places, grouped = len(part), "," in whole or len(whole) < 4
    if scale == 1:
        return _digits(number, places=max(places, least), grouped=grouped)
    if number < scale:  # "2 million" for 350,000: the magnitude would lie
        return _digits(number, places=0, grouped=True)
    said = like.strip()[match.end(1) :]
    if number >= scale * 1000 and (word := _thousand(match[3])):
        scale *= 1000  # 1.4 billion, not 1,419.3 million
        said = match[2] + (word if match[3] == like.strip()[match.start(3) :] else word.capitalize())
    shown = _digits(number / scale, places=max(places, 1), grouped=True)
    return (shown if places else shown.rstrip("0").rstrip(".")) + said


def _thousand(magnitude: str) -> str:
    """The word for a thousand of them; "" where there is none, and for a short sign."""
    size = MAGNITUDES.get(magnitude, Decimal(0)) * 1000
    return next((word for word, known in MAGNITUDES.items() if known == size), "")


def _digits(number: Decimal, *, places: int, grouped: bool) -> str:
    rounded = number.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    if rounded == 0 and number != 0:
        rounded = number.normalize()
    return format(rounded, ",f" if grouped and abs(rounded) >= 1000 else "f")


def _in_words(number: Decimal) -> str:
    if number != number.to_integral_value() or not 0 <= number <= 100:
        return ""
    n = int(number)
    if n < 20:
        return _ONES[n]
    if n == 100:
        return "one hundred"
    return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
