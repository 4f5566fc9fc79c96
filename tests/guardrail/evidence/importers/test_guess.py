"""What the columns of a table are is guessed from its headers and first rows."""

from pathlib import Path

import pytest

from guardrail.errors import ImportFailed
from guardrail.evidence.importers.guess import first_rows, guess, guess_of
from guardrail.evidence.importers.mapping import PLAIN, Relation, mapping_section, section_mapping
from guardrail.evidence.importers.source import Source


def test_statements_whatever_their_columns_are_called() -> None:
    """By our names they need no mapping; by others they get one."""
    assert guess(["subject", "predicate", "object", "start"], [["a", "p", "b", ""]]).mapping == PLAIN
    found = guess(["Entity", "Property", "Value", "valid until"], [["a", "p", "b", ""]])
    assert (found.mapping.rows, found.question) == ("statements", "")
    assert dict(found.mapping.columns) == {
        "subject": "Entity",
        "predicate": "Property",
        "object": "Value",
        "end": "valid until",
    }


def test_a_row_is_a_thing() -> None:
    """Its id, its name and its aliases are told by their headers, all else is a property; headers keep their capitals."""
    header = ["SKU", "Name", "Also called", "Weight (kg)", "Wi-Fi", "CEO", "Colours"]
    rows = [
        ["a1", "Lamp", "Lux", "2", "yes", "Ann Lee", "red; blue"],
        ["a2", "Desk", "", "30", "no", "Bo Ek", "oak"],
    ]
    found = guess(header, rows)
    assert found.question == ""
    assert dict(found.mapping.columns) == {"id": "SKU", "label": "Name", "aliases": "Also called"}
    assert dict(found.mapping.relations) == {
        "SKU": Relation("SKU", "string"),
        "Weight (kg)": Relation("weight", "auto", unit="kg"),
        "Wi-Fi": Relation("Wi-Fi", "auto"),
        "CEO": Relation("CEO", "auto"),
        "Colours": Relation("colours", "auto", ";"),
    }


def test_a_key_is_no_name() -> None:
    """Where a key and names both tell the rows apart, a row is called by its name, and its key is said of it."""
    header = ["Asset number", "Device", "Model", "Replaces"]
    rows = [["EQ-1", "Heron pump", "KM 40", "Plover pump"], ["EQ-2", "Plover pump", "KM 12", ""]]
    found = guess(header, rows)
    assert (dict(found.mapping.columns), found.question) == ({"id": "Device", "label": "Device"}, "")
    assert found.mapping.relations["Asset number"] == Relation("asset number", "string")
    assert dict(guess(header[:3], [row[:3] for row in rows]).mapping.columns) == {
        "id": "Asset number",
        "label": "Device",
    }


def test_a_name_that_is_missing_is_told() -> None:
    """Rows without a name would be left out, so somebody has to say yes to that."""
    found = guess(["sku", "name"], [["a1", "Lamp"], ["a2", ""], ["a3", "Desk"]])
    assert found.question.startswith("The column 'name' is empty in 1 of 3 rows")
    rows = [["Lamp", "a1"], ["", "a2"], ["Desk", "a3"], ["Chair", "a4"]]
    found = guess(["Product", "SKU"], rows)
    assert (found.mapping.columns["id"], found.mapping.columns["label"]) == ("SKU", "Product")
    assert found.question.startswith("The column 'Product' is empty in 1 of 4 rows")


def test_words_and_values_are_no_ids() -> None:
    """Of two people with one name neither the job nor the pay is the id, and nothing that a table says is lost; a code may be one."""
    header = ["Name", "Title", "Pay", "Badge"]
    rows = [["Ann Lee", "Head of Sales", "€10", "x-1"], ["Ann Lee", "Accountant", "€20", "x-2"]]
    found = guess(header[:3], [row[:3] for row in rows])
    assert found.question
    assert (found.mapping.columns["id"], set(found.mapping.relations)) == ("Name", {"Title", "Pay"})
    found = guess(header, rows)
    assert (found.mapping.columns["id"], found.mapping.columns["label"]) == ("Badge", "Name")
    assert found.mapping.relations["Badge"] == Relation("badge", "string")


@pytest.mark.parametrize("name", ["id", "No", "#"])
def test_a_bare_id_is_said_of_nothing(name: str) -> None:
    """It only tells the rows apart."""
    found = guess([name, "Name", "Size"], [["1", "Lamp", "7"], ["2", "Desk", "8"]])
    assert found.mapping.columns["id"] == name
    assert set(found.mapping.relations) == {"Size"}


def test_since_and_until_belong_to_their_column() -> None:
    """A column "Director since" says since when the one in "Director" is it."""
    found = guess(["Museum", "Director", "Director since"], [["Wendle", "Mirella", "2016"]])
    assert dict(found.mapping.relations) == {"Director": Relation("director", "auto", start="Director since")}


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("In post from", "In post until"),
        ("Start date", "End date"),
        ("Post start", "Post end"),
        ("From", "To"),
    ],
)
def test_a_post_begins_and_ends(start: str, end: str) -> None:
    """The dates of a post are told of it, whether they are called by its name or stand alone."""
    row = ["Ann Lee", "treasurer", "2016-02-01", "2019-03-31", "2012"]
    found = guess(["Name", "Post", start, end, "Year of birth"], [row]).mapping.relations
    assert (found["Post"].start, found["Post"].end) == (start, end)
    assert (found["Year of birth"].start, found["Year of birth"].end) == ("", "")


@pytest.mark.parametrize(
    "header", [["Name", "Start date", "End date"], ["Name", "Post", "Contract runs until"]]
)
def test_dates_of_nothing_else_stay_properties(header: list[str]) -> None:
    """Where no column has what begins or ends, the date is one of the row."""
    found = guess(header, [["Ann Lee", "2016-02-01", "2019-03-31"]]).mapping.relations
    assert set(found) == set(header[1:])
    assert not any(one.start or one.end for one in found.values())


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        (["city", "year", "visitors"], [["Ulm", "2020", "7"], ["Ulm", "2021", "8"]]),
        (["Ulm", "2020", "7"], [["Jena", "2021", "8"]]),
        (["a", "a"], [["x", "y"]]),
        (["name", "size"], []),
    ],
)
def test_what_is_not_sure_is_asked(header: list[str], rows: list[list[str]]) -> None:
    """Rows of one name, data in the place of headers, headers that are twice there, no rows."""
    assert guess(header, rows).question


def test_the_sign_between_cells_is_seen(tmp_path: Path) -> None:
    """Spreadsheets write semicolons; an empty file is none."""
    path = tmp_path / "a.csv"
    path.write_text("\ufeffname;size\nLamp;7\n")
    with Source.open(path) as source:
        assert guess_of(source).mapping.delimiter == ";"
    with Source.open(path) as source:
        assert first_rows(source, delimiter=";") == [["name", "size"], ["Lamp", "7"]]
    path.write_text("")
    with Source.open(path) as source, pytest.raises(ImportFailed, match="empty"):
        guess_of(source)


def test_a_guess_can_be_written_as_a_mapping() -> None:
    """And read again as the same one."""
    found = guess(
        ["id", "name", "Height (m)", "Head", "Head since"], [["1", "Tower", "60", "Ann", "2019"]]
    ).mapping
    assert section_mapping(mapping_section(found), where="test") == found
