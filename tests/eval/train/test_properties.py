"""Sentences that say a property: how they are written down, and what the encoder is given."""

import pytest

from eval.train.properties import SENTENCES, Said, groups_of, masked

WRITTEN = """
# group: ending a contract
notice period | period of notice
	{s} can be cancelled {v} ahead.
	You must give {v} notice to leave {s}.

minimum term | initial term
	{s} binds you for {v}.

# group: money
price | cost
	{s} sets you back {v}.
"""


def test_groups_hold_properties_with_their_names_and_sentences() -> None:
    """A group is opened by its title, a property by its names."""
    contract, money = groups_of(WRITTEN.splitlines())
    assert [said.names for said in contract] == [
        ("notice period", "period of notice"),
        ("minimum term", "initial term"),
    ]
    assert money == (Said(("price", "cost"), ("{s} sets you back {v}.",)),)


def test_a_sentence_has_one_subject_and_one_value() -> None:
    """Of a sentence without a value, or with two, nobody knows what it says."""
    for sentence in ("{s} is cheap.", "{s} costs {v} or {v}."):
        with pytest.raises(ValueError, match=r"one \{s\} and one \{v\} are wanted"):
            list(groups_of(["# group: money", "price | cost", f"\t{sentence}"]))


def test_a_sentence_is_given_with_its_ends_marked_or_exchanged() -> None:
    """Who supervises is not who is supervised."""
    assert masked("{s} reports to {v}.") == "it reports to something."
    assert masked("{s} reports to {v}.", exchanged=True) == "something reports to it."


def test_what_is_written_can_be_trained_on() -> None:
    """Every group has properties to be confused, every property other names and several sentences, none of them twice."""
    groups = [
        group for file in SENTENCES.glob("*.txt") for group in groups_of(file.read_text("utf-8").splitlines())
    ]
    assert len(groups) > 100
    assert all(len(group) >= 3 for group in groups)
    assert all(len(said.names) >= 2 and len(said.sentences) >= 6 for group in groups for said in group)
    assert all(len(set(said.sentences)) == len(said.sentences) for group in groups for said in group)
