"""The text files in which knowledge is written: what they say, and what is refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.blocks import parse_date, parse_quantity, read
from guardrail.types import Node, Value

PROPERTIES = """
P31 instance of :: entity list
P21 gender :: entity single
P36 capital | seat of government :: entity single temporal inverse=P1376
P1082 population :: quantity single temporal
P2048 height :: quantity list
P585 point in time :: date single
P569 date of birth :: date single
P246 element symbol :: string single
"""
WORLD = """
# a comment
Q6256 country
Q11573 metre | m
Q142 France | French Republic — country in Western Europe :: Q6256 country
  P36 capital: Q90 Paris
  P1082 population: 68,374,591 {P585 point in time: 2023}
Q90 Paris
Q6581072 female
Q243 Eiffel Tower | Tour Eiffel
  P2048 height: 330 Q11573 metre
G1 Somebody
  P21 gender: Q6581072 female
  P569 date of birth: 1867-11
"""


def written(tmp_path: Path, text: str) -> Path:
    (tmp_path / "properties.txt").write_text(PROPERTIES, "utf-8")
    (tmp_path / "world.txt").write_text(text, "utf-8")
    return tmp_path


def parsed(tmp_path: Path, text: str):
    return read(sorted(written(tmp_path, text).glob("*.txt")), source="here", as_of="2025")


def test_an_entity_has_label_aliases_description_and_classes(tmp_path):
    """A line at the margin gives id, label, other names, description and classes."""
    found = {block.entity.id: block for block in parsed(tmp_path, WORLD).entities}
    france = found["Q142"]
    assert france.entity.label == "France"
    assert france.aliases == ("French Republic",)
    assert france.entity.description == "country in Western Europe"
    assert france.entity.types == ("Q6256",)
    assert france.entity.url == "https://www.wikidata.org/wiki/Q142"


def test_ids_of_our_own_claim_no_wikidata_page(tmp_path):
    """An entity whose id begins with G has no URL, and its gender comes from its statements."""
    somebody = next(b.entity for b in parsed(tmp_path, WORLD).entities if b.entity.id == "G1")
    assert somebody.url is None
    assert somebody.gender == "f"


def test_statements_carry_typed_values_and_qualifiers(tmp_path):
    """The datatype of the property says what the value is; braces hold qualifiers."""
    triplets = {(t.subject.id, t.predicate.id): t for t in parsed(tmp_path, WORLD).statements}
    assert triplets["Q142", "P36"].object == Node("Q90", "Paris")
    population = triplets["Q142", "P1082"]
    assert isinstance(population.object, Value)
    assert population.object.value == "68374591"
    assert population.qualifiers[0].predicate == Node("P585", "point in time")
    assert population.qualifiers[0].object == Value("2023", "2023", "date", 9)
    height = triplets["Q243", "P2048"].object
    assert isinstance(height, Value)
    assert height.unit == Node("Q11573", "metre")
    assert (population.source, population.as_of) == ("here", "2025")


def test_a_property_line_gives_cardinality_and_flags(tmp_path):
    """Words after `::` set datatype, cardinality, inverse and the other traits."""
    capital = next(p for p in parsed(tmp_path, WORLD).properties if p.id == "P36")
    assert (capital.cardinality, capital.inverse, capital.temporal) == ("single", "P1376", True)
    assert capital.aliases == ("seat of government",)


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Q142 Spain", "introduced before"),
        ("France", "expected an entity"),
        ("Q1 ", "expected an entity"),
        ("Q1 One |  | Uno", "a name is empty"),
        ("  P36 capital", "expected `P1 property: value`"),
        ("  P999 unheard of: Q90 Paris", "no property P999"),
        ("  P36 kapital: Q90 Paris", "P36 is “capital”"),
        ("  P36 capital: Q90 Pariss", "Q90 is “Paris”"),
        ("  P36 capital: Q91 Paris", "no entity Q91"),
        ("  P36 capital: Paris", "is not an entity"),
        ("  P569 date of birth: 1867-13-01", "is not a date"),
        ("  P569 date of birth: 1867-02-30", "is not a date"),
        ("  P569 date of birth: long ago", "is not a date"),
        ("  P1082 population: many", "is not a quantity"),
        ("  P1082 population: 3 {P585 point in time}", "is not a qualifier"),
        ("  P1082 population: 3 {P585 point in time: never}", "is not a date"),
        ("P5 thing", "needs its datatype"),
        ("P5 thing :: entity singel", "unknown word for a property: singel"),
    ],
)
def test_a_slip_of_the_pen_is_named_with_file_and_line(tmp_path, line, cause):
    """What cannot be read raises ImportFailed that names the file, the line and the cause."""
    with pytest.raises(ImportFailed) as caught:
        parsed(tmp_path, WORLD + line + "\n")
    assert cause in str(caught.value)
    number = (WORLD + line).count("\n") + 1
    assert caught.value.line == number
    assert f"world.txt:{number}" in str(caught.value)


def test_a_statement_above_every_entity_is_refused(tmp_path):
    """An indented line needs an entity above it in the file."""
    with pytest.raises(ImportFailed, match="needs an entity above it"):
        parsed(tmp_path, "  P36 capital: Q90 Paris\n")


def test_a_file_that_is_no_text_is_refused(tmp_path):
    """Bytes that are no UTF-8 are refused with the place of the first bad one."""
    path = tmp_path / "bad.txt"
    path.write_bytes(b"Q1 One\n\xff\xfe")
    with pytest.raises(ImportFailed, match=r"not UTF-8 text .* at byte 7"):
        read([path])


def test_a_file_that_is_not_there_is_refused(tmp_path):
    """A missing file is an ImportFailed, not a traceback of the operating system."""
    with pytest.raises(ImportFailed, match=r"none\.txt"):
        read([tmp_path / "none.txt"])


@pytest.mark.parametrize(
    ("text", "label", "value", "precision"),
    [
        ("1889-03-31", "31 March 1889", "1889-03-31", 11),
        ("1889-03", "March 1889", "1889-03", 10),
        ("1889", "1889", "1889", 9),
        ("1960s", "1960s", "1960", 8),
        ("18th century", "18th century", "1701", 7),
        ("-0044-03-15", "15 March 44 BC", "-0044-03-15", 11),
        ("0014-08-19", "19 August 14", "0014-08-19", 11),
    ],
)
def test_dates_keep_their_precision(text, label, value, precision):
    """Day, month, year, decade and century each keep how exact they are."""
    found = parse_date(text)
    assert found == Value(label, value, "date", precision)


def test_a_julian_date_says_so():
    """The calendar may be named after the date."""
    found = parse_date("1616-04-23 Julian")
    assert found is not None
    assert found.calendar == "julian"


@pytest.mark.parametrize("text", ["", "0000", "89", "1889-3-31", "1889-00-10", "1965s", "1889-03-31T00:00"])
def test_what_is_no_date_is_none(text):
    """Anything else is not a date."""
    assert parse_date(text) is None


def test_quantities_are_canonical():
    """Separators go, the unit stays."""
    metre = Node("Q11573", "metre")
    assert parse_quantity("8,848.86", unit=metre) == Value("8848.86 metre", "8848.86", "quantity", unit=metre)
    assert parse_quantity("68,374,591") == Value("68,374,591", "68374591", "quantity")
    assert parse_quantity("1.2.3") is None


def test_a_list_may_be_marked_as_complete(tmp_path: Path) -> None:
    """Of the entity above, by a property that was introduced."""
    text = "Q142 France\n  P36 capital: Q90 Paris\n  complete: P36 capital\nQ90 Paris\n"
    [*_, told] = parsed(tmp_path, text).statements
    assert (told.subject.id, told.predicate.id, told.source) == ("Q142", "complete-list", "here")
    assert isinstance(told.object, Value)
    assert told.object.value == "P36"
    with pytest.raises(ImportFailed, match="no property P37"):
        parsed(tmp_path, text.replace("complete: P36", "complete: P37"))
