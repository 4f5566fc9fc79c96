"""What is no mistake in a policy file, and is told all the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from policies.notes import notes
from policies.policy import PRESETS, problems


class Nothing:
    """A graph without classes."""

    def called(self, _: str, /) -> Sequence[str]:
        return []

    def near(self, _: str, /) -> Sequence[str]:
        return []


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(text)
    assert problems(path) == []
    return path


def test_a_rule_that_is_milder_than_its_preset_says_what_wins(tmp_path: Path) -> None:
    """Line, key and both actions; one that is as strict says nothing."""
    path = written(
        tmp_path,
        "extends: block\nclaims:\n- when: {label: contradictory}\n  then: attach\n- when: {conflict: true}\n  then: block\n",
    )
    (note,) = notes(path)
    assert (note.line, note.key) == (4, "claims[0].then")
    assert "`attach` is milder than `block`, the preset `block`'s action for flagged claims" in note.message
    assert "this file's rules replace those of the preset, so `attach` wins" in note.message


def test_rules_that_leave_out_one_of_the_preset_say_so(tmp_path: Path) -> None:
    """Rules replace those of the preset, also where each of them is as strict: of claims and of answers."""
    narrow = "- name: budget\n  when: {label: contradictory, property: annual budget}\n  then: block\n"
    (note,) = notes(written(tmp_path, f"extends: block\nclaims:\n{narrow}"))
    assert (note.line, note.key) == (2, "claims")
    assert "the rule `contradicted` of the preset `block`" in note.message
    assert "its `block` is lost there" in note.message
    (note,) = notes(written(tmp_path, "extends: block\nanswer: []\n"))
    assert (note.line, note.key) == (2, "answer")
    assert "the rule `low score`" in note.message


def test_rules_that_hold_wherever_those_of_the_preset_do_say_nothing(tmp_path: Path) -> None:
    """And those over a preset that changes nothing."""
    wide = "claims:\n- when: {label: contradictory}\n  then: block\n"
    narrow = "claims:\n- when: {label: contradictory, confidence: {min: 0.9}}\n"
    assert notes(written(tmp_path, f"extends: block\n{wide}")) == []
    assert notes(written(tmp_path, f"extends: annotate\n{narrow}")) == []


def test_a_fallback_that_is_milder_than_its_preset_says_what_wins(tmp_path: Path) -> None:
    """Such as what is done where a check failed."""
    (note,) = notes(written(tmp_path, "extends: block\non_timeout: annotate\n"))
    assert (note.line, note.key) == (2, "on_timeout")
    assert "`annotate` wins" in note.message


def test_an_id_of_which_the_graph_has_nothing_is_told_of(tmp_path: Path) -> None:
    """It is no mistake: the graph that knows it may come later."""
    path = written(tmp_path, "claims:\n- when: {label: contradictory, entity_type: Q12140}\n")
    (note,) = notes(path, Nothing())
    assert note.line == 2
    assert "no entity of the class Q12140" in note.message
    assert notes(path) == []


@pytest.mark.parametrize("text", ["extends: block\n", "mode: hold\non_flag: attach\n", "mode: [\n"])
def test_there_is_nothing_to_tell_of_most_files(tmp_path: Path, text: str) -> None:
    """Nor of one that cannot be read, of which the problems tell."""
    path = tmp_path / "p.yaml"
    path.write_text(text)
    assert notes(path) == []
    assert [notes(name) for name in PRESETS] == [[]] * len(PRESETS)


def test_a_note_that_asks_for_values_says_what_a_claim_without_gets(tmp_path: Path) -> None:
    """By line and key; a note that every claim can have says nothing."""
    (note,) = notes(
        written(
            tmp_path,
            'messages:\n  en:\n    note: "{claimed} is wrong, it is {known}"\n  de: {note: "{claim}!"}\n',
        )
    )
    assert (note.line, note.key) == (3, "messages.en.note")
    assert note.message.startswith("not every claim has {claimed} and {known}")
