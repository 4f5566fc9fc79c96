"""What a column holds is read from its cells."""

from guardrail.evidence.properties.columns import column_of


def test_a_column_of_one_type_tells_of_every_other_value() -> None:
    """It is kept as text, and what is odd about it is said."""
    column = column_of("length", ["128 m", "74 m", *["36 m"] * 40, "long"])
    value, odd = column.read("long")
    assert value is not None
    assert (value.datatype, value.value) == ("string", "long")
    assert odd == "length: 'long' is not like the others (length)"
    assert column.read("42 m")[1] == ""


def test_units_that_clash_are_told_and_kept() -> None:
    """A mass among lengths."""
    column = column_of("size", ["128 m"] * 30)
    value, odd = column.read("3 kg")
    assert value is not None
    assert value.unit is not None
    assert value.unit.label == "kilogram"
    assert "3 kg" in odd


def test_without_a_majority_each_value_is_what_it_looks_like() -> None:
    """Half names, half numbers."""
    column = column_of("note", ["12", "Ann Lee", "13", "Bo Ek"])
    assert column.read("12")[0] is not None
    assert column.read("Ann Lee") == (None, "")


def test_years_by_the_name_of_the_column() -> None:
    """A number of four digits is a year of building, but a count of births."""
    built, births = column_of("built", ["1998", "2011"]), column_of("births a year", ["1998", "1850"])
    [year, count] = [column.read("1998")[0] for column in (built, births)]
    assert year is not None
    assert count is not None
    assert (year.datatype, year.precision, count.datatype) == ("date", 9, "quantity")


def test_a_unit_in_the_name_is_that_of_bare_numbers() -> None:
    """And stands in the record of the property."""
    column = column_of("weight (kg)", ["12", "13.5"])
    value, _ = column.read("12")
    assert value is not None
    assert value.unit is not None
    record = column.record("weight")
    assert record is not None
    assert record.unit == value.unit


def test_codes_stay_text() -> None:
    """A version 4.10 is not 4.1."""
    value, _ = column_of("software version", ["4.10", "4.7"]).read("4.10")
    assert value is not None
    assert (value.datatype, value.value) == ("string", "4.10")


def test_a_column_of_ids_names_things() -> None:
    """However much they look like numbers."""
    column = column_of("manager", ["3", "3", "7"], frozenset({"3", "7"}))
    assert column.read("3") == (None, "")


def test_phrases_are_no_things() -> None:
    """A text that no thing is called is a text; a name is a thing."""
    column = column_of("free parking", ["first 30 minutes", "never", "20th Century Club"])
    assert column.read("first 30 minutes")[0] is not None
    assert column.read("20th Century Club") == (None, "")


def test_a_day_that_is_none_is_text_and_told() -> None:
    """Also where every cell is one, and no type could be read from them."""
    column = column_of("founded", ["31/02/2001", "February 30, 2001"])
    for text in ("31/02/2001", "February 30, 2001"):
        value, odd = column.read(text)
        assert value is not None
        assert (value.datatype, value.value) == ("string", text)
        assert odd == f"founded: {text!r} is no day of the calendar"


def test_days_in_numbers_are_read_as_the_column_has_them() -> None:
    """15/06 can only have the day first, 06/15 only the month."""
    for plain, expected in (("15/06/2022", "2021-04-03"), ("06/15/2022", "2021-03-04")):
        value, odd = column_of("launched", ["03/04/2021", plain, "01/02/2020"]).read("03/04/2021")
        assert value is not None
        assert (value.datatype, value.value, odd) == ("date", expected, "")


def test_days_whose_order_nothing_tells_are_text_and_told() -> None:
    """The hint says how to write them."""
    value, odd = column_of("launched", ["03/04/2021", "01/02/2020"]).read("03/04/2021")
    assert value is not None
    assert value.datatype == "string"
    assert odd == "launched: '03/04/2021' may be 2021-04-03 or 2021-03-04: write one of these"
