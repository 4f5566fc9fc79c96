"""Reading policies: what is accepted, and how precisely the rest is refused."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import yaml

from guardrail.errors import PolicyError
from guardrail.types import Source
from policies.policy import (
    PRESETS,
    Action,
    Mode,
    Policy,
    Request,
    load,
    load_all,
    parse,
    preset_text,
    problems,
)
from policies.reader import schema
from policies.terms import Hold, Range


def read(text: str) -> Policy:
    policies, wrong = parse(text, "p.yaml")
    assert not wrong, wrong
    return policies[0]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_loads_by_its_name(name: str) -> None:
    """A preset is called what it is asked for by, and carries a hash."""
    policy = load(name)
    assert policy.name == name
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", policy.hash)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_explains_every_key_that_it_may_set(name: str) -> None:
    """A preset shows all keys of the schema but `extends`, `match` and `messages`, each under or beside a comment."""
    given = yaml.safe_load(preset_text(name))
    assert set(schema()["properties"]) - set(given) == {"extends", "match", "messages"}
    assert preset_text(name).count("#") >= len(given)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_valid_by_the_published_schema_too(name: str) -> None:
    """What we accept, an editor that validates against the JSON schema accepts."""
    jsonschema.validate(yaml.safe_load(preset_text(name)), schema())


def test_the_published_schema_is_a_valid_json_schema() -> None:
    """Editors can load it."""
    jsonschema.Draft202012Validator.check_schema(schema())


def test_a_file_is_read_with_its_stem_as_name(tmp_path: Path) -> None:
    """Without `name` a policy is called what its file is called; silence means the documented defaults."""
    path = tmp_path / "clinic.yaml"
    path.write_text("deadline_ms: 900\n")
    policy = load(path)
    assert (policy.name, policy.deadline_ms, policy.mode, policy.on_flag) == (
        "clinic",
        900,
        Mode.OBSERVE,
        Action.ANNOTATE,
    )


@pytest.mark.parametrize(
    ("more", "same"),
    [("", True), ("match: {model: gpt*}", True), ("claims: []", False), ("on_error: pass", False)],
)
def test_what_a_preset_says_of_itself_is_not_said_of_a_file_that_changes_it(more: str, same: bool) -> None:
    """Nobody reads that contradicted answers are withheld where they are not."""
    assert read(f"extends: block\nname: mine\n{more}").description == (
        load("block").description if same else ""
    )
    assert read(f"extends: block\ndescription: Mine.\n{more}").description == "Mine."


def test_extends_takes_the_rest_from_a_preset() -> None:
    """Keys of the file win over those of the preset it extends, mappings key by key."""
    policy = read("extends: block\nblock: {with: error}\non_error: attach")
    assert (policy.mode, policy.on_flag, policy.on_error) == (Mode.BUFFER, Action.BLOCK, Action.ATTACH)
    assert (policy.block.form, policy.block.finish_reason) == ("error", "stop")


def test_the_hash_is_over_the_meaning_not_the_layout() -> None:
    """Comments, order and spelled-out defaults do not change the hash; a threshold does."""
    one = read("name: a\nmode: hold\n# why\nclaims: [{when: {confidence: {min: 0.5}}}]")
    same = read(
        "mode: hold\nname: a\ndescription: other\nshadow: false\nclaims:\n- when:\n    confidence: {min: 0.50}\n"
    )
    other = read("name: a\nmode: hold\nclaims: [{when: {confidence: {min: 0.51}}}]")
    assert one.hash == same.hash != other.hash


def test_norwegian_is_a_language_and_off_is_a_word() -> None:
    """YAML 1.1's yes/no/on/off are plain words here."""
    policy = read("messages: {no: {block: Nei}}\nmatch: {language: [no, off]}")
    assert policy.words("no").block == "Nei"
    assert Request(language="no") in policy.match


def test_messages_fall_back_to_english_field_by_field() -> None:
    """A language that brings one message takes the others from English."""
    policy = read("messages: {nl: {block: Geblokkeerd}, en: {heading: Findings}}")
    assert (policy.words("nl-BE").block, policy.words("nl").heading) == ("Geblokkeerd", "Findings")
    assert policy.words("sv,nl-be,en").block == "Geblokkeerd"


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("mode: observ", 1, "mode", "did you mean `observe`? allowed values: observe, hold, buffer"),
        ("mode:", 1, "mode", "needs one of observe, hold, buffer"),
        ("mode: [hold]", 1, "mode", "needs one of observe, hold, buffer, not a list"),
        ("\n\nshadow: yes", 3, "shadow", "needs true or false"),
        ("deadline_ms: 0", 1, "deadline_ms", "needs a whole number from 1 to 600000"),
        ("deadline_ms: 1.5", 1, "deadline_ms", "needs a whole number"),
        ("deadline_ms: .inf", 1, "deadline_ms", "needs a whole number"),
        ("deadline_ms: true", 1, "deadline_ms", "needs a whole number"),
        ("modes: hold", 1, "modes", "did you mean `mode`? allowed keys: name, description"),
        ("mode: hold\nmode: hold", 2, "mode", "given twice"),
        ("name: ''", 1, "name", "is empty"),
        ("name: a b", 1, "name", "not of the form"),
        ("name: 2026-01-01", 1, "name", ""),
        ("claims: {}", 1, "claims", "needs a list"),
        ("claims: [contradictory]", 1, "claims[0]", "needs keys and values, not `contradictory`"),
        ("claims:\n- then: block", 2, "claims[0].when", "missing"),
        (
            "claims:\n- when:\n    label: [wrong]",
            3,
            "claims[0].when.label[0]",
            "allowed values: attributable",
        ),
        ("claims:\n- when: {label: []}", 2, "claims[0].when.label", "empty list"),
        (
            "claims:\n- when: {confidence: 0.5}",
            2,
            "claims[0].when.confidence",
            "needs keys and values, not `0.5`",
        ),
        (
            "claims:\n- when: {confidence: {min: 50}}",
            2,
            "claims[0].when.confidence.min",
            "number from 0 to 1",
        ),
        ("claims:\n- when: {confidence: {min: .nan}}", 2, "claims[0].when.confidence.min", "needs a number"),
        ("claims:\n- when: {confidence: {}}", 2, "claims[0].when.confidence", "allowed keys: min, below"),
        ("claims:\n- when: {tms: {min: 0.5,\n    below: 0.5}}", 3, "claims[0].when.tms", "can never apply"),
        (
            "answer:\n- when: {kas: {below: 0.1}}\n  then: revise",
            3,
            "answer[0].then",
            "annotate, attach, regenerate, block",
        ),
        (
            "answer:\n- when: {}\n  then: attach",
            2,
            "answer[0].when",
            "allowed keys: kas, outcome, count, share",
        ),
        (
            "answer:\n- when: {count: {liars: {min: 1}}}\n  then: attach",
            2,
            "answer[0].when.count.liars",
            "unknown key",
        ),
        ("on_error: revise", 1, "on_error", "allowed values: pass, annotate, attach, block"),
        ("on_flag: block", 1, "on_flag", "mode observe shows it at once; use mode hold or buffer"),
        ("mode: observe\non_flag: revise", 2, "on_flag", "mode observe"),
        ("on_timeout: block", 1, "on_timeout", "mode observe"),
        ("claims:\n- when: {}\n  then: block", 3, "claims[0].then", "mode observe"),
        ("extends: revise\nmode: observe", 2, "on_flag", "mode observe"),
        ("beside: withhold", 1, "beside", "mode observe shows the words beside the answer at once"),
        (
            "mode: hold\nanswer:\n- when: {kas: {below: 0.1}}\n  then: block",
            4,
            "answer[0].then",
            "use mode buffer",
        ),
        ("block: {status: 409}", 1, "block.status", "allowed values: 400, 403, 422"),
        ("block: {status: '403'}", 1, "block.status", "needs one of 400, 403, 422"),
        ("audit: {store: all}", 1, "audit.store", "allowed values: full, flagged, hash"),
        ("messages: {EN: {block: x}}", 1, "messages.EN", "not of the form"),
        (
            "messages: {en: {block: '{user}'}}",
            1,
            "messages.en.block",
            "unknown placeholder `{user}`; allowed: claim,",
        ),
        ("messages: {en: {block: '{claim.__class__}'}}", 1, "messages.en.block", "unknown placeholder"),
        ("messages:\n  en:\n    note: 'a { b'", 3, "messages.en.note", "lone `{`"),
        ("messages: {en: {noet: x}}", 1, "messages.en.noet", "did you mean `note`?"),
        ("match: {models: x}", 1, "match.models", "did you mean `model`?"),
        ("match: {model: 3}", 1, "match.model", "needs text"),
        ("? [a]\n: b", 1, "", "a key must be one word"),
        ("<<: {mode: hold}", 1, "<<", "unknown key"),
        ("name: !!python/object:os.system x", 1, "name", "not allowed"),
        ("- mode: hold", 1, "", "needs keys and values, not a list"),
        ("hello", 1, "", "needs keys and values, not `hello`"),
        ("", 1, "", "contains no policy"),
        ("# only a comment", 1, "", "contains no policy"),
        ("name: a\n---\nname: a", 3, "name", "a second policy `a`"),
    ],
)
def test_a_bad_file_is_refused_with_line_key_and_allowed_values(
    text: str, line: int, key: str, words: str
) -> None:
    """Each mistake is found where it stands, and the message says what is allowed."""
    policies, wrong = parse(text, "p.yaml")
    if not words:
        assert policies[0].name == "2026-01-01"
        return
    assert not policies
    assert [(problem.line, problem.key) for problem in wrong][:1] == [(line, key)]
    assert words in wrong[0].message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [", 1),
        ("mode: hold\n\tname: x", 2),
        ("a: &x [*x", 1),
        ("a: *x", 1),
        ("%YAML 9", None),
        ("a: \x00", None),
        ("[" * 2000, None),
    ],
)
def test_what_is_no_yaml_is_refused_at_the_line(text: str, line: int | None) -> None:
    """A parser's complaint becomes a PolicyError with the line."""
    with pytest.raises(PolicyError, match=r"not valid YAML|nested too deeply") as caught:
        parse(text, "p.yaml")
    if line:
        assert caught.value.line in (line, line + 1)


def test_an_alias_bomb_is_refused_quickly() -> None:
    """Anchors that multiply cannot make the reader expand them."""
    levels = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    _, wrong = parse("\n".join(levels), "p.yaml")
    assert len(wrong) == 40
    bomb = "claims:\n- when: &w {label: contradictory}\n" + "- when: *w\n" * 300
    _, wrong = parse(bomb, "p.yaml")
    assert "at most 200" in wrong[0].message


def test_a_huge_file_is_refused() -> None:
    """Half a megabyte is no policy."""
    with pytest.raises(PolicyError, match="larger than"):
        parse("#" * 600_000, "p.yaml")


def test_load_names_file_line_and_key(tmp_path: Path) -> None:
    """The error reads file:line: message (key)."""
    path = tmp_path / "p.yaml"
    path.write_text("mode: hold\non_flag: blok\nshadow: 3\n")
    with pytest.raises(PolicyError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:2: `blok` is not allowed; did you mean `block`?")
    assert "(and 1 more)" in str(caught.value)
    assert (caught.value.file, caught.value.line, caught.value.key) == (str(path), 2, "on_flag")


@pytest.mark.parametrize(
    "make", [lambda p: p / "none.yaml", lambda p: p, lambda p: p / "bin.yaml", lambda p: "a\0b"]
)
def test_what_cannot_be_read_is_a_policy_error(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    """A missing file, a folder, a file that is no text, an impossible name."""
    (tmp_path / "bin.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PolicyError):
        load(make(tmp_path))
    assert problems(make(tmp_path))


def test_a_file_of_several_policies_is_no_single_one(tmp_path: Path) -> None:
    """`load` wants exactly one; `load_all` gives them in order."""
    path = tmp_path / "p.yaml"
    path.write_text("name: a\n---\nname: b\n")
    assert [policy.name for policy in load_all(path)] == ["a", "b"]
    with pytest.raises(PolicyError, match="has 2 policies"):
        load(path)


def test_shadow_may_hold_what_observe_cannot_do() -> None:
    """A shadow policy changes nothing, so it may say block in mode observe."""
    assert read("shadow: true\non_flag: block").strongest is Action.BLOCK


def test_ranges_are_half_open() -> None:
    """min belongs to a range, below does not."""
    both = Range(0.2, 0.5)
    assert [value in both for value in (0.19, 0.2, 0.49, 0.5)] == [False, True, True, False]


@pytest.mark.parametrize("seed", range(200))
def test_a_generated_mistake_is_found_on_its_line(seed: int) -> None:
    """Two hundred presets, each broken in one random place: refused, with the line of that place."""
    draw = random.Random(seed)
    lines = preset_text(draw.choice(PRESETS)).splitlines()
    places = [n for n, line in enumerate(lines) if re.match(r"\s*[\w-]+:", line.removeprefix("  - "))]
    place = draw.choice(places)
    before, key, after = re.match(r"(\s*(?:- )?)([\w-]+)(:.*)", lines[place]).groups()  # type: ignore[union-attr]
    value = after[1:].split(" #")[0].strip()
    if draw.random() < 0.5 or not value or "name" in key or "description" in key:
        lines[place] = f"{before}{key}x{after}"
    else:
        lines[place] = f"{before}{key}: [[]]"
    policies, wrong = parse("\n".join(lines), "p.yaml")
    assert not policies
    assert place + 1 in [problem.line for problem in wrong]


def test_limits_of_hold_need_mode_hold(tmp_path: Path) -> None:
    """A window in a mode that holds nothing is a mistake, told with its line; in mode hold it is taken."""
    path = tmp_path / "window.yaml"
    path.write_text("extends: annotate\nhold: {sentences: 3}\n")
    (problem,) = problems(path)
    assert (problem.line, problem.key) == (2, "hold")
    path.write_text("extends: annotate\nmode: hold\nhold: {sentences: 3}\n")
    assert load(path).hold == Hold(3, 0, 0)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("extends: block", True),
        ("extends: revise\nclaims: [{name: a, when: {label: contradictory}, then: block}]", True),
        ("mode: buffer\non_flag: block", True),
        ("mode: hold\non_error: block", True),
        ("extends: block\nsources: [request, kg]", False),
        ("extends: revise", False),
        ("extends: annotate", False),
    ],
)
def test_who_asks_does_not_outrank_what_may_block(tmp_path: Path, text: str, last: bool) -> None:
    """Where a policy may block, evidence of the request comes last unless the operator writes another order."""
    path = tmp_path / "p.yaml"
    path.write_text(f"name: p\n{text}\n")
    assert (load(path).sources[-1] is Source.REQUEST) is last
