"""Which policy is for whom, and what happens when its file changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guardrail.errors import PolicyError
from policies.chosen import PolicySet, Watched, load_set
from policies.terms import Request

FILE = """
name: clinic
mode: buffer
on_flag: block
match: {tenant: clinic}
---
name: german
match: {language: de}
---
name: strict
shadow: true
on_flag: block
---
name: rest
"""


@pytest.fixture
def several(tmp_path: Path) -> PolicySet:
    (tmp_path / "p.yaml").write_text(FILE)
    return load_set([tmp_path / "p.yaml"])


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        (Request(tenant="clinic", language="de"), "clinic"),
        (Request(language="de"), "german"),
        (Request(model="gpt"), "rest"),
    ],
)
def test_the_first_match_that_is_no_shadow_is_active(
    several: PolicySet, request_: Request, name: str
) -> None:
    """Order decides; the shadow stands beside each of them."""
    active = several.active(request_)
    assert active is not None
    assert active.name == name
    assert [policy.name for policy in several.beside(request_)] == ["strict"]


@pytest.mark.parametrize(
    ("language", "name"), [("de-at", "german"), ("de,en-gb", "german"), ("en-gb,de", "rest"), ("fr", "rest")]
)
def test_the_language_that_is_wanted_most_is_tried_first(
    several: PolicySet, language: str, name: str
) -> None:
    """A kind of a language is that language; one that is wanted less does not come before a policy for every request."""
    active = several.active(Request(language=language))
    assert active is not None
    assert active.name == name
    assert several.possible(Request(language=language))[0].name == name


def test_policies_that_leave_requests_over_say_so(tmp_path: Path, several: PolicySet) -> None:
    """A policy for every request, be it a shadow, leaves none."""
    (tmp_path / "q.yaml").write_text("match: {language: en}")
    assert "leaves no record" in load_set([tmp_path / "q.yaml"]).open_ended
    assert several.open_ended == load_set([tmp_path / "q.yaml", "shadow"]).open_ended == ""


def test_a_shadow_alone_is_active_and_has_none_beside_it() -> None:
    """The shadow preset decides for itself; it changes nothing anyway."""
    alone = load_set(["shadow"])
    assert alone.active(Request()) is alone.policies[0]
    assert alone.beside(Request()) == ()


def test_no_match_is_no_policy(tmp_path: Path) -> None:
    """The caller must know that nothing will be checked."""
    (tmp_path / "p.yaml").write_text("match: {tenant: clinic}")
    assert load_set([tmp_path / "p.yaml"]).active(Request()) is None


def test_policies_are_found_by_name(several: PolicySet) -> None:
    """And only such as there are."""
    assert several.named("strict") is several.policies[2]
    assert several.named("none") is None


@pytest.mark.parametrize(
    ("sources", "words"),
    [(["annotate", "annotate"], "a second policy"), (["annotate", "block"], "never reached")],
)
def test_policies_that_hide_one_another_are_refused(sources: list[str], words: str) -> None:
    """The same name twice, or one behind another that takes every request."""
    with pytest.raises(PolicyError, match=words):
        load_set(sources)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def write(path: Path, text: str) -> None:
    path.write_text(text)
    os.utime(path, ns=(path.stat().st_mtime_ns + 1, path.stat().st_mtime_ns + 1_000_000))


def test_a_change_is_taken_up_and_told(tmp_path: Path) -> None:
    """After the interval, not before; with another hash."""
    path, clock, told = tmp_path / "p.yaml", Clock(), []
    write(path, "on_flag: attach")
    watched = Watched([path], interval=1, clock=clock, on_change=told.append)
    first = watched.current
    write(path, "on_flag: pass")
    assert watched.current is first
    clock.now = 1.0
    assert watched.current.policies[0].on_flag == "pass"
    assert watched.current.policies[0].hash != first.policies[0].hash
    assert told == [watched.current]


@pytest.mark.parametrize("broken", ["on_flag: blok", "on_flag: block", "a: [", "", "\0"])
def test_a_broken_file_never_replaces_a_good_policy(tmp_path: Path, broken: str) -> None:
    """The old one stays, the problem is told once, and a mended file is taken up again."""
    path, clock, told = tmp_path / "p.yaml", Clock(), []
    write(path, "on_flag: attach")
    watched = Watched([path], interval=1, clock=clock, on_problem=told.append)
    good = watched.current
    write(path, broken)
    for clock.now in (1.0, 2.0, 3.0):
        assert watched.current is good
    assert len(told) == 1
    assert watched.problem == str(told[0])
    write(path, "on_flag: annotate")
    clock.now = 4.0
    assert watched.current.policies[0].on_flag == "annotate"
    assert watched.problem == ""


def test_a_file_that_vanishes_leaves_its_policy(tmp_path: Path) -> None:
    """A deployment that swaps files does not leave a moment without a policy."""
    path, clock = tmp_path / "p.yaml", Clock()
    write(path, "name: a")
    watched = Watched([path], interval=1, clock=clock)
    path.unlink()
    clock.now = 1.0
    assert watched.current.policies[0].name == "a"
    assert "no such policy file" in watched.problem


def test_a_server_does_not_start_on_a_broken_policy(tmp_path: Path) -> None:
    """Only a running one keeps going."""
    (tmp_path / "p.yaml").write_text("nonsense: 1")
    with pytest.raises(PolicyError):
        Watched([tmp_path / "p.yaml"])


def test_an_unread_file_costs_nothing_between_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the interval the disk is not asked."""
    path, clock = tmp_path / "p.yaml", Clock()
    write(path, "name: a")
    watched = Watched([path], interval=1, clock=clock)
    monkeypatch.setattr(Path, "stat", lambda *_, **__: pytest.fail("the disk was asked"))
    for _ in range(100):
        assert watched.current.policies[0].name == "a"


def test_two_hundred_broken_versions_never_get_through(tmp_path: Path) -> None:
    """Each truncation or garbling of a policy is either valid in itself or refused; the service always has a policy."""
    path, clock = tmp_path / "p.yaml", Clock()
    text = "name: a\nmode: hold\non_flag: revise\nclaims:\n- when: {label: contradictory, confidence: {min: 0.5}}\n"
    write(path, text)
    watched = Watched([path], interval=0, clock=clock)
    refused = 0
    for cut in range(200):
        place = cut % len(text)
        write(path, text[:place] + ("" if cut % 2 else "}:x ") + text[place + 1 :] + " " * cut)
        before = watched._set
        current = watched.current
        refused += bool(watched.problem)
        assert current is before if watched.problem else current.policies
    assert refused > 100


def test_a_changed_file_that_names_no_class_of_the_graph_is_not_taken_up(tmp_path: Path) -> None:
    """As any other mistake: the old policies stay."""

    class Nothing:
        def called(self, _: str, /) -> list[str]:
            return []

        def near(self, _: str, /) -> list[str]:
            return []

    path = tmp_path / "p.yaml"
    path.write_text("on_flag: annotate\n")
    watched = Watched([path], classes=Nothing(), interval=0.0)
    path.write_text("claims:\n- when: {entity_type: medicine}\n")
    assert watched.current.policies[0].claims[0].when.entity_type == ()
    assert "medicine" in watched.problem
