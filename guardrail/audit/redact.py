"""Personal data and secrets are masked before words are stored: patterns with their check sums, no model.

Phone numbers are found by libphonenumber's rules; everything else has a form of its own. Nothing is asked over the network.

A mask has the length of what it hides, so that the offsets of the record stay true. Names of people are not masked: the
claims of a fact checker are about named people, and without them a record could not be reviewed.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from phonenumbers import Leniency, PhoneNumberMatcher

__all__ = ["Finding", "find", "mask"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A stretch of text, in code points, that is to be masked."""

    start: int
    end: int
    kind: str


def _always(_: str) -> bool:
    return True


def _luhn(text: str) -> bool:
    """ISO/IEC 7812 check digit; card numbers have 13 to 19 digits."""
    digits = [int(char) for char in text if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = [digit if index % 2 == 0 else digit * 2 for index, digit in enumerate(reversed(digits))]
    return sum(digit - 9 if digit > 9 else digit for digit in doubled) % 10 == 0


def _iban(text: str) -> bool:
    """ISO 13616: moved to the end, letters as numbers, the remainder by 97 is 1."""
    compact = re.sub(r"\s", "", text).upper()
    if not 15 <= len(compact) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1


def _address(text: str) -> bool:
    """An address that somebody can have; masks (255.255.0.0), loopback and multicast are nobody's."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return False
    # Nearly all of IPv6 is reserved for later; what is written there by mistake is still somebody's.
    mask = found.version == 4 and found.is_reserved
    return not (mask or found.is_loopback or found.is_multicast or found.is_unspecified)


def _phone(text: str) -> bool:
    """Seven to fifteen digits (E.164)."""
    return 7 <= sum(char.isdigit() for char in text) <= 15


def _us_social_security(text: str) -> bool:
    area, group, serial = text.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


# The countries of the languages that policies have words for; a number with its country code is found from everywhere.
_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "BR", "PT", "NL", "AT", "CH", "IN", "AU")
# Not one digit at a time, as in a table's row.
_DIALLED = re.compile(r"(?<![\w.,+-])(?=[^\d]?\d\d)[(\d][\d ().\-/]{5,24}\d(?![\w-])")
# What looks like a number in use somewhere and is a span of years, an amount in thousands, an address, a numbered thing.
_COUNTED = re.compile(
    r"[12]\d{3} ?[-/] ?[12]\d{3}|\d{1,3}(?:[ .]\d{3})+|(?:\d{1,3}\.){3}\d{1,3}|\d{3}-\d{2}-\d{4}"
)


# In order: what an earlier pattern has found, a later one does not look at. All are linear in the text.
_PATTERNS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    (
        "secret",
        re.compile(r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,200}|\bgh[pousr]_[A-Za-z0-9]{36,200}\b"),
        _always,
    ),
    ("secret", re.compile(r"\bAKIA[A-Z0-9]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{10,200}"), _always),
    ("secret", re.compile(r"\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,4000}"), _always),
    ("secret", re.compile(r"(?<=://)[^\s/:@]{1,100}:[^\s/:@]{1,100}(?=@)"), _always),
    (
        "email",
        re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"),
        _always,
    ),
    ("iban", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), _iban),
    ("card", re.compile(r"(?<![\d.,+-])\d(?:[ -]?\d){12,18}(?![\d-])"), _luhn),
    ("ssn", re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])"), _us_social_security),
    ("ip", re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]\d)"), _address),
    ("ip", re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?![\w:])"), _address),
    ("phone", re.compile(r"(?<![\w+])\+\d{1,3}(?:[ ./-]?(?:\d{1,5}|\(\d{1,5}\))){2,6}(?!\d)"), _phone),
    ("phone", re.compile(r"(?<![\w(])\(\d{2,5}\) ?\d{3,4}[ .-]\d{3,5}(?!\d)"), _phone),
    ("phone", re.compile(r"(?<![\d.,-])[2-9]\d{2}([.-])[2-9]\d{2}\1\d{4}(?![\d-])"), _phone),
)


def find(text: str) -> list[Finding]:
    """What is to be masked, in order, not overlapping."""
    found: list[Finding] = []
    taken = bytearray(len(text))
    for finding in (*_by_pattern(text), *_national_phones(text)):
        if not any(taken[finding.start : finding.end]):
            taken[finding.start : finding.end] = b"\1" * (finding.end - finding.start)
            found.append(finding)
    return sorted(found, key=lambda finding: finding.start)


def _by_pattern(text: str) -> Iterator[Finding]:
    for kind, pattern, valid in _PATTERNS:
        for match in pattern.finditer(text):
            if valid(match[0]):
                yield Finding(match.start(), match.end(), kind)


def _national_phones(text: str) -> Iterator[Finding]:
    """Numbers in use in one of the countries, as written there; looked for only where as many digits stand together."""
    for stretch in _DIALLED.finditer(text):
        if not _phone(stretch[0]) or _COUNTED.fullmatch(stretch[0].strip(" ()")):
            continue
        for region in _REGIONS:
            for match in PhoneNumberMatcher(stretch[0], region, leniency=Leniency.VALID):
                if _phone(match.raw_string):
                    start = stretch.start()
                    yield Finding(start + match.start, start + match.end, "phone")


def mask(text: str) -> tuple[str, Mapping[str, int]]:
    """`text` with every finding replaced by a mask of its own length, and how many there were of each kind."""
    findings = find(text)
    parts: list[str] = []
    at = 0
    for finding in findings:
        length = finding.end - finding.start
        parts += [text[at : finding.start], f"[{finding.kind}]".ljust(length, "·")[:length]]
        at = finding.end
    return "".join([*parts, text[at:]]), Counter(finding.kind for finding in findings)
