"""Log probabilities are shown as words by some clients: they stay where they spell the text, and nowhere else."""

from __future__ import annotations

import orjson
import pytest

from policies.terms import Mode
from proxy.apis.chat import ChatWhole
from proxy.apis.completions import CompletionWhole
from proxy.apis.responses import ResponseWhole
from proxy.stream.events import Data, Ended
from proxy.stream.whole import GuardedAnswer, Whole
from proxy.wire.logprobs import spells, spells_all
from tests.fakes import DONE, chunk
from tests.playbook import cut, drive
from tests.proxy.streams import machine, policy

TRUE, BAD = ["It is", " true", "."], ["It is", " wrong", "."]


def tokens(words: list[str]) -> list[dict[str, object]]:
    return [{"token": one, "logprob": -0.5, "bytes": [*one.encode()], "top_logprobs": []} for one in words]


def bodies(words: list[str]) -> list[tuple[Whole, dict[str, object]]]:
    said = {"role": "assistant", "content": "It is true."}
    part = {"type": "output_text", "text": "It is true.", "logprobs": tokens(words)}
    legacy = {"tokens": words, "token_logprobs": [-0.5] * 3, "text_offset": [0, 5, 10], "top_logprobs": None}
    return [
        (ChatWhole(), {"choices": [{"message": said, "logprobs": {"content": tokens(words)}}]}),
        (CompletionWhole(), {"choices": [{"text": "It is true.", "logprobs": legacy}]}),
        (ResponseWhole(), {"output": [{"type": "message", "content": [part]}]}),
    ]


@pytest.mark.parametrize("name", ["attach", "revise", "block"])
def test_of_a_whole_answer(name: str) -> None:
    """Those that spell another text are dropped, those of this one stay."""
    chosen = policy(name)
    for words, stay in ((TRUE, True), (BAD, False)):
        for surface, body in bodies(words):
            events = [Data(orjson.dumps(body)), Ended()]
            wire = drive(GuardedAnswer(surface, chosen), events, chosen, stream=False).wire
            assert (b"-0.5" in wire) is stay
            assert b"wrong" not in wire


@pytest.mark.parametrize(("name", "mode"), [("revise", Mode.HOLD), ("block", Mode.BUFFER)])
def test_of_a_stream(name: str, mode: Mode) -> None:
    """Event by event; a usage of null beside them changes nothing."""
    for words, stay in ((TRUE, True), (BAD, False)):
        told = orjson.loads(chunk("It is true.")[6:])
        told["choices"][0]["logprobs"] = {"content": tokens(words)}
        event = b"data: " + orjson.dumps({**told, "usage": None}) + b"\n\n"
        wire = drive(
            machine(policy(name, mode)), cut(event + chunk(finish="stop") + DONE, ()), policy(name, mode)
        ).wire
        assert (b"-0.5" in wire) is stay
        assert b"wrong" not in wire


def test_parts_of_a_character_are_told_by_their_bytes() -> None:
    """However a server writes them; an event may begin or end within one."""
    first, second = "🙂".encode()[:2], "🙂".encode()[2:]
    for form in ("replace", "backslashreplace"):
        halves = [{"token": half.decode(errors=form), "bytes": [*half]} for half in (first, second)]
        assert spells(halves, "🙂")
        assert spells([{"token": "Oh "}, halves[0]], "Oh ")
        assert spells([halves[1], {"token": "!"}], "🙂!")
    escaped = [{"token": f"bytes:{half.decode(errors='backslashreplace')}"} for half in (first, second)]
    assert spells(escaped, "🙂")


@pytest.mark.parametrize(
    "entry",
    [
        {"token": "wrong", "bytes": [*b"true"]},
        {"token": "true", "bytes": [*b"wrong"]},
        {"token": "true", "note": "It is wrong."},
        {"token": "true", "bytes": [400]},
        {"token": ["true"]},
        "true",
    ],
)
def test_a_token_that_says_two_things_spells_nothing(entry: object) -> None:
    """What a client would show of it cannot be told."""
    assert not spells([entry], "true")


def test_ends_and_blanks_do_not_count() -> None:
    """Servers leave the mark of the end and blanks at the ends out of the text; nothing else may be missing or added."""
    assert spells([{"token": " true"}, {"token": "<|im_end|>"}], "true")
    assert not spells([{"token": "true"}, {"token": "<|wrong|>"}], "true")
    assert not spells([{"token": "true"}], "true or not")
    assert not spells("true", "true")
    assert spells_all({"content": [], "refusal": [{"token": "No."}]}, "", "No.")
    assert not spells_all({"content": [{"token": "a"}], "said": ["It is wrong."]}, "a")
    assert not spells_all("wrong", "wrong")
