"""Literals of many notations become the same typed values."""

import pytest

from guardrail.evidence.properties.literals import (
    XSD,
    date_value,
    kgtk_value,
    plain_value,
    quantity_value,
    rdf_value,
)
from guardrail.types import Node, Value


@pytest.mark.parametrize(
    ("text", "precision", "value", "label", "kept"),
    [
        ("+1989-12-13T00:00:00Z", 11, "1989-12-13", "13 December 1989", 11),
        ("+1989-12-00T00:00:00Z", 10, "1989-12", "December 1989", 10),
        ("+1960-01-01T00:00:00Z", 9, "1960", "1960", 9),
        ("+1994-01-01T00:00:00Z", 8, "1990", "1990s", 8),
        ("+2000-01-01T00:00:00Z", 7, "1901", "20th century", 7),
        ("+1901-00-00T00:00:00Z", 7, "1901", "20th century", 7),
        ("+2000-01-01T00:00:00Z", 6, "1001", "2nd millennium", 6),
        ("-0044-03-15T00:00:00Z", 11, "-0044-03-15", "15 March 44 BC", 11),
        ("+1989-00-00T00:00:00Z", 11, "1989", "1989", 9),
        ("1989-12-13", None, "1989-12-13", "13 December 1989", 11),
        ("1989-12", None, "1989-12", "December 1989", 10),
        ("1989", None, "1989", "1989", 9),
        ("1952-01-01T00:00:00Z", None, "1952", "1952", 9),
        ("1952-03-11T00:00:00Z", None, "1952-03-11", "11 March 1952", 11),
        ("0079-08-24", None, "0079-08-24", "24 August 79", 11),
        ("+1900-02-29T00:00:00Z", 11, "1900-02-29", "29 February 1900", 11),  # Julian
    ],
)
def test_dates(text: str, precision: int | None, value: str, label: str, kept: int) -> None:
    """Precision cuts what is filler; centuries and decades hold their first year."""
    assert date_value(text, precision) == Value(label, value, "date", kept)


@pytest.mark.parametrize("text", ["", "yesterday", "1989-13-01", "1989-12-32", "1989-02-29", "12/13/1989"])
def test_what_is_no_date_is_refused(text: str) -> None:
    """A ValueError with the text in it."""
    with pytest.raises(ValueError, match="not a date"):
        date_value(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+10567", Value("10567", "10567", "quantity")),
        (
            "+43[+42,+44]Q11573",
            Value("43 Q11573", "43", "quantity", unit=Node("Q11573", ""), lower="42", upper="44"),
        ),
        ("-3.5e2", Value("-3.5e2", "-3.5e2", "quantity")),
        ("^1822-01-07T00:00:00Z/11", Value("7 January 1822", "1822-01-07", "date", 11)),
        ("'Gab\\'on'@fr", Value("Gab'on", "Gab'on", "string", language="fr")),
        ('"02108"', Value("02108", "02108", "string")),
        ("@48.85/2.35", Value("48.85,2.35", "48.85,2.35", "coordinate")),
        ("Q42", None),
        ("some name", None),
    ],
)
def test_kgtk_literals(text: str, value: Value | None) -> None:
    """The notation of KGTK files; ids are none."""
    assert kgtk_value(text) == value


@pytest.mark.parametrize("text", ["^soon/11", "'open@fr"])
def test_broken_kgtk_literals_are_refused(text: str) -> None:
    """Better a bad record than a wrong fact."""
    with pytest.raises(ValueError, match="not a "):
        kgtk_value(text)


@pytest.mark.parametrize(
    ("text", "datatype", "language", "expected"),
    [
        ("1989-12-13", XSD + "date", "", "date"),
        ("1989", XSD + "gYear", "", "date"),
        ("42", XSD + "integer", "", "quantity"),
        ("4.2", XSD + "double", "", "quantity"),
        ("Gabon", "", "fr", "string"),
        ("x", "http://example.org/type", "", "string"),
        ("Point(2.35 48.85)", "http://www.opengis.net/ont/geosparql#wktLiteral", "", "coordinate"),
    ],
)
def test_rdf_literals(text: str, datatype: str, language: str, expected: str) -> None:
    """XSD types, language tags, WKT points; unknown types are text."""
    assert rdf_value(text, datatype, language).datatype == expected


def test_wkt_points_are_longitude_first() -> None:
    """And ours are latitude first."""
    assert (
        rdf_value("Point(2.35 48.85)", "http://www.opengis.net/ont/geosparql#wktLiteral", "").value
        == "48.85,2.35"
    )


def test_cells_by_kind() -> None:
    """`auto` tells numbers and dates by their looks; the rest are names."""
    assert plain_value("1,234", "quantity") == quantity_value("1234")
    assert plain_value("42", "auto") == quantity_value("42")
    assert plain_value("1989-12-13", "auto") == date_value("1989-12-13")
    assert plain_value("Acme", "auto") is plain_value("Acme", "entity") is None
    assert plain_value("Acme", "string") == Value("Acme", "Acme", "string")
    with pytest.raises(ValueError, match="not a number"):
        plain_value("many", "quantity")
