"""What is masked, and what a fact checker must be able to read."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.audit.redact import find, mask


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ada.lovelace+x@mail.example.org", "email"),
        ("Ada@Example.CO.UK", "email"),
        ("4111 1111 1111 1111", "card"),
        ("378282246310005", "card"),
        ("5555-5555-5555-4444", "card"),
        ("DE89 3704 0044 0532 0130 00", "iban"),
        ("GB82WEST12345698765432", "iban"),
        ("NO9386011117947", "iban"),
        ("078-05-1120", "ssn"),
        ("192.168.1.254", "ip"),
        ("2001:db8::8a2e:370:7334", "ip"),
        ("+44 20 7946 0958", "phone"),
        ("+1-202-555-0143", "phone"),
        ("+4915112345678", "phone"),
        ("(202) 555-0143", "phone"),
        ("202-555-0143", "phone"),
        ("(0131) 496 0958", "phone"),
        ("030 901820", "phone"),
        ("01 42 68 53 00", "phone"),
        ("06 698 83000", "phone"),
        ("84eb:99bd:3326:d90f:f0ca:5b42:f38a:1e14", "ip"),
        ("sk-proj-abcdefghijklmnopqrstuvwx", "secret"),
        ("ghp_" + "a1B2" * 9, "secret"),
        ("AKIAABCDEFGHIJKLMNOP", "secret"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4", "secret"),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "Call {} now.", "[{}]", "a: {}, b", "Ünïcödé 🙂 {} 日本"])
def test_personal_data_is_found_in_any_surroundings(text: str, kind: str, frame: str) -> None:
    """Exactly the datum is masked, and its length stays."""
    whole = frame.format(text)
    start = whole.index(text)
    assert [(f.start, f.end, f.kind) for f in find(whole)] == [(start, start + len(text), kind)]
    masked, counts = mask(whole)
    assert len(masked) == len(whole)
    assert counts == {kind: 1}
    assert text not in masked


@pytest.mark.parametrize(
    "text",
    [
        "Sources: (1682-1725), 1987/1988; 12 34 56 78 are the first even squares' digits.",
        "He ruled from 1939-1945 and again 1951–1955.",
        "The Burj Khalifa is 828 m (2,717 ft) tall; it cost 1,500,000,000 dollars.",
        "Its population was 1,353,392,000 in 2014, 17.5 % of 7 400 000 000.",
        "Version 3.11.7 and section 1.2.3.4.5 of ISO 8601-1:2019.",
        "π is 3.14159265358979 and e is 2.718281828459045.",
        "At 12:30:45 on 2026-03-01T12:00:00Z, flight 4111.",
        "ISBN 978-3-16-148410-0, ISSN 2049-3630, DOI 10.1000/182.",
        "Order 1234567890123456 has no valid check digit.",
        "@ada and a@b are no addresses; C++ :: scope :: it.",
        "The number 0000 0000 0000 0000 is no card.",
        "666-12-3456, 000-12-3456 and 123-00-4567 are none.",
        "300.300.300.300 is no address, 255.255.255.0 a mask, 127.0.0.1 everybody's.",
        "Barack Obama was born in Honolulu on 4 August 1961.",
        "Wikidata Q7259, P569, CAS 58-08-2, Boeing 737-800.",
        "The coordinates are 48.8584, 2.2945.",
        "Ratio 1:2:3:4 and time 10:11:12.",
    ],
)
def test_facts_stay_readable(text: str) -> None:
    """Dates, amounts, versions, identifiers and names are no personal data of the kinds that are masked."""
    assert mask(text) == (text, {})


def test_the_password_in_an_address_is_masked() -> None:
    """User and password of a URL go, the host stays."""
    masked = "postgresql://" + "[secret]".ljust(len("ada:s3cret"), "·") + "@db.example.org/x"
    assert mask("postgresql://ada:s3cret@db.example.org/x") == (masked, {"secret": 1})


@settings(deadline=None)
@given(st.text(max_size=300))
def test_length_is_kept_for_any_text(text: str) -> None:
    """Offsets of the record stay true."""
    assert len(mask(text)[0]) == len(text)


@pytest.mark.parametrize(
    "piece",
    [
        "a@",
        "1-",
        "1 ",
        "202-555-0143 ",
        "12 34 56 78 90 ",
        "+1 ",
        ":",
        "a.",
        "(2",
        "eyJ",
        "sk-",
        "1.",
        "://a:",
        "A1 ",
    ],
)
def test_no_text_makes_it_slow(piece: str) -> None:
    """The patterns are linear: a hundred thousand characters of near misses take a moment."""
    started = time.perf_counter()
    mask(piece * (100_000 // len(piece)))
    assert time.perf_counter() - started < 5
