from __future__ import annotations

from guardrail.claims.discourse.expected_kinds import expected_kinds
from guardrail.claims.lexicon.relations import load_lexicon
from guardrail.types import Sentence, Span
from tests.reading import read


def told(text: str) -> dict[str, str]:
    """Name → kind."""
    reading = read(Sentence(Span(0, len(text)), text), [])
    found = expected_kinds(reading, load_lexicon())
    phrases = [
        np for clause in reading.clauses for np in [clause.subject, *(c.np for c in clause.comps)] if np
    ]
    return {reading.words(np.first, np.last): found[id(np)] for np in phrases if id(np) in found}


def test_who_is_born_is_a_person_and_what_it_is_in_a_place() -> None:
    """The verb and the preposition say what the names are."""
    assert told("Quill was born in Altdorf.") == {"Quill": "person", "Altdorf": "place"}


def test_what_is_founded_is_a_body() -> None:
    """A name that nobody knows is told by what was done to it."""
    assert told("Quill was founded by Berta.")["Quill"] == "org"


def test_a_verb_for_many_kinds_says_nothing() -> None:
    """Bodies move as people do."""
    assert "Quill" not in told("Quill released the record.")


def test_what_something_is_said_to_be() -> None:
    """The noun behind "is" tells the kind of the name, a team's that of a body; a station may be either."""
    assert told("Quill is a song by Berta.")["Quill"] == "work"
    assert told("Quill was a football club in Altdorf.")["Quill"] == "org"
    assert "Quill" not in told("Quill is a station in Altdorf.")
    assert "Quill" not in told("Quill is not a song.")


def test_whom_bodies_have() -> None:
    """What has a chief executive or is a subsidiary's parent is a body."""
    text = "Berta is the CEO of Quill."
    reading = read(Sentence(Span(0, len(text)), text), [])
    found = expected_kinds(reading, load_lexicon())
    behind = reading.clauses[0].comps[0].np
    assert behind is not None
    assert found[id(behind.of[0])] == "org"
