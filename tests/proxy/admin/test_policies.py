"""The policies over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from policies.policy import preset_text
from tests.proxy.servers import serving
from tests.records import record

ADMIN = {"authorization": "Bearer secret"}


@pytest.fixture
def root(tmp_path: Path) -> Iterator[str]:
    """A proxy that runs a policy file of its own, with two answers in its log."""
    file = tmp_path / "mine.yaml"
    file.write_text("extends: annotate\nname: mine\ndescription: Ours.\n")
    with serving(tmp_path, policy=str(file), admin_token="secret") as (root, services):
        for number in (1, 2):
            services.log.append_now(record(number))
        yield f"{root}/guardrail/policies"


async def ask(url: str, body: object = None, *, headers: dict[str, str] = ADMIN) -> tuple[int, Any]:
    method = "GET" if body is None else "POST"
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.request(method, url, json=body) as response,
    ):
        return response.status, await response.json()


async def test_what_runs_is_told_in_words_and_as_it_is_written(root: str) -> None:
    """With the presets to start from."""
    _, told = await ask(root)
    assert [(one["name"], one["mode"]) for one in told["policies"]] == [("mine", "observe")]
    assert "Text passes at once" in told["policies"][0]["explained"][0]
    assert told["text"].startswith("extends: annotate")
    assert told["presets"]["block"] == preset_text("block")


async def test_problems_stand_at_their_lines(root: str) -> None:
    """All of them at once, in the words of `policy lint`."""
    text = "mode: hold\nclaims:\n- name: c\n  when: {label: contradictry}\non_flag: explode\n"
    _, told = await ask(f"{root}/lint", {"text": text})
    assert [one["line"] for one in told["problems"]] == [4, 5]
    assert "did you mean `contradictory`?" in told["problems"][0]["message"]
    assert told["policies"] == []


@pytest.mark.parametrize("kind", [{}, {"content-type": "text/yaml"}])
async def test_a_body_without_the_type_of_json_says_so(root: str, kind: dict[str, str]) -> None:
    """And not that it is no object."""
    async with (
        aiohttp.ClientSession(headers=ADMIN, skip_auto_headers=("content-type",)) as http,
        http.post(f"{root}/lint", data=b'{"text": "mode: hold"}', headers=kind) as response,
    ):
        told = await response.json()
    assert response.status == 415
    assert "`content-type: application/json`" in told["error"]["message"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: [", 1, "not valid YAML"),
        ("\n\n: : :", 3, "not valid YAML"),
        ("", 1, "contains no policy"),
        ("name: a\nextends: block\n---\nname: b\nextends: block\n", 1, "never reached"),
    ],
)
async def test_what_is_no_policy_is_a_problem_not_an_error(
    root: str, text: str, line: int, said: str
) -> None:
    """Also where two policies do not go together."""
    status, told = await ask(f"{root}/lint", {"text": text})
    assert status == 200
    assert said in told["problems"][0]["message"]
    assert told["problems"][0]["line"] >= line
    assert "edited" not in told["problems"][0]["message"]


async def test_a_good_text_is_explained(root: str) -> None:
    """As it would be if it ran."""
    _, told = await ask(f"{root}/lint", {"text": preset_text("block")})
    assert told["problems"] == []
    assert "the answer is withheld" in " ".join(told["policies"][0]["explained"])


async def test_a_backtest_shows_the_answers_that_would_have_been_treated_otherwise(root: str) -> None:
    """With their words, and what runs stays what runs."""
    _, told = await ask(f"{root}/backtest", {"text": preset_text("block")})
    assert (told["answers"], told["changed"]) == (2, 2)
    assert {"before": "revise", "after": "block", "answers": 2} in told["moves"]
    example = told["examples"][0]
    assert (example["before"], example["after"]) == ("revise", "block")
    assert example["claims"][0]["text"] == "Ada Lovelace was born in 1816."
    _, narrow = await ask(f"{root}/backtest", {"text": preset_text("block"), "until": "2000"})
    assert narrow["answers"] == 0
    assert [one["name"] for one in (await ask(root))[1]["policies"]] == ["mine"]


async def test_a_broken_policy_is_not_tried_out(root: str) -> None:
    """The problem and its line come back."""
    status, told = await ask(f"{root}/backtest", {"text": "mode: never"})
    assert status == 400
    assert told["error"]["message"].startswith("line 1: ")


@pytest.mark.parametrize("path", ["", "/lint", "/backtest"])
async def test_policies_are_the_admins(root: str, path: str) -> None:
    """They say whom they are for and what slips through."""
    assert (await ask(root + path, {"text": ""} if path else None, headers={}))[0] == 401


@pytest.mark.parametrize("body", [{}, {"text": 1}, {"text": "a", "more": 1}, {"text": "x" * 600_000}])
async def test_nonsense_is_refused(root: str, body: object) -> None:
    """Before anything is read."""
    assert (await ask(f"{root}/lint", body))[0] == 422
