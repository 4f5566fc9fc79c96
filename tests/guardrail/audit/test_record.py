"""What is written down, as bytes and back."""

from __future__ import annotations

import dataclasses
import re

import orjson
import pytest

from guardrail.audit.record import Record, Words, new_salt, now, salted
from tests.records import WORDS, record


def test_a_record_comes_back_as_it_was_written() -> None:
    """Every field survives, the words by their own way."""
    made = record()
    again = Record.read(made.body(), WORDS.blob())
    assert dataclasses.replace(again, commitment="") == made
    assert again.commitment


def test_without_its_words_a_record_is_whole_but_for_them() -> None:
    """Erasure takes the words and nothing else."""
    made = record()
    assert Record.read(made.body()) == dataclasses.replace(Record.read(made.body(), WORDS.blob()), words=None)


def test_the_bytes_of_a_record_do_not_depend_on_the_order_of_its_parts() -> None:
    """Fields stand in the class's order, mappings are sorted."""
    one = record(versions={"a": "1", "b": "2"}).body()
    assert one == record(versions={"b": "2", "a": "1"}).body()
    assert list(orjson.loads(one)) == [field.name for field in dataclasses.fields(Record)]


def test_a_body_is_bound_to_its_words() -> None:
    """Other words give another body, although no word is in it."""
    other = dataclasses.replace(WORDS, text="Ada Lovelace was born in 1815.")
    assert record().body() != record(words=other).body()
    assert b"Ada Lovelace was born" not in record().body()


def test_reading_and_writing_again_gives_the_same_bytes() -> None:
    """A record read without its words keeps its commitment."""
    body = record().body()
    assert Record.read(body).body() == body


def test_a_field_of_a_later_version_does_not_stop_the_reader() -> None:
    """Fields may be added; an older reader passes over them."""
    body = orjson.dumps(orjson.loads(record().body()) | {"mood": "good"})
    assert Record.read(body).id == "grd_1"


def test_a_record_from_before_the_sides_of_a_claim_were_kept_is_read_and_written_as_it_was() -> None:
    """It has no sides, and its bytes stay those that were chained."""
    given = orjson.loads(record().body())
    for claim in given["claims"]:
        del claim["by_source"]
    old = orjson.dumps(given)
    assert Record.read(old).claims[0].by_source == ()
    assert Record.read(old).body() == old


def test_salts_differ_and_hide_equal_texts() -> None:
    """The same text has another hash in every record."""
    assert new_salt() != new_salt()
    assert salted("a", "text") != salted("b", "text") != salted("b", "text ")
    assert salted("a", "\ud800")


def test_times_are_utc_with_milliseconds() -> None:
    """They sort as text."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now())
    assert now() <= now()


def test_words_that_are_no_text_cannot_be_written() -> None:
    """Half a surrogate pair has no bytes; the maker of the record must have replaced it."""
    with pytest.raises(TypeError):
        Words("salt", text="\ud800").blob()
