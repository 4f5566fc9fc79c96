"""Withheld text comes out as far as it may, edited, and otherwise as the bytes it came in."""

from __future__ import annotations

import itertools

import orjson
from hypothesis import given
from hypothesis import strategies as st

from guardrail.types import Span
from policies.decide import Edit
from policies.edit import apply
from proxy.apis.chat import ChatStream
from proxy.stream.release import Withheld
from proxy.wire.sse import Decoder
from tests.fakes import chunk


def text_of(wire: bytes) -> str:
    return "".join(
        orjson.loads(e.data)["choices"][0]["delta"]["content"] for e in Decoder().decode(wire) if e.data
    )


def holding(pieces: list[str]) -> Withheld:
    withheld = Withheld(0, ChatStream())
    for piece in pieces:
        withheld.add(piece, orjson.loads(chunk(piece)[6:]), chunk(piece))
    return withheld


def test_whole_pieces_come_out_as_they_came() -> None:
    """Pieces that end at the limit are the upstream's bytes; the one across it is split."""
    withheld = holding(["ab", "cd", "ef"])
    first = withheld.release(5)
    assert first.startswith(chunk("ab") + chunk("cd"))
    assert text_of(first) == "abcde"
    assert text_of(withheld.release(6)) == "f"
    assert withheld.release(99) == b""
    assert "".join(withheld.delivered) == "abcdef"


def test_dropped_text_never_comes_out() -> None:
    """After drop only words of our own can follow."""
    withheld = holding(["secret"])
    withheld.drop()
    assert withheld.release(99) == b""
    assert text_of(withheld.say("message")) == "message"


@given(data=st.data(), text=st.text(min_size=1, max_size=40))
def test_any_pieces_edits_and_steps_give_the_edited_text(data: st.DataObject, text: str) -> None:
    """However the text was cut, and in whatever steps it is released, the edits come out once and in place."""
    pieces, steps = (
        [0, *sorted(data.draw(st.sets(st.integers(1, len(text)), max_size=8))), len(text)] for _ in range(2)
    )
    withheld = holding([text[a:b] for a, b in itertools.pairwise(pieces) if a < b])
    made: list[Edit] = []
    wire = b""
    for start, end in itertools.pairwise(steps):
        edits = []
        if start < end and data.draw(st.booleans()):
            left = data.draw(st.integers(start, end))
            words = data.draw(st.sampled_from(["", "X", "longer words"]))
            edits = [Edit(Span(left, data.draw(st.integers(left, end))), words)]
        made += edits
        wire += withheld.release(end, edits)
    assert text_of(wire) == "".join(withheld.delivered) == apply(text, made)


def test_log_probabilities_never_tell_words_that_are_not_released() -> None:
    """They stay with an untouched chunk; with changed words as the policy says; with half a chunk never."""
    told = {"content": [{"token": "It is wrong", "logprob": -0.1}]}
    body = orjson.loads(chunk("It is wrong")[6:])
    body["choices"][0]["logprobs"] = told
    for keep in (True, False):
        edited = Withheld(0, ChatStream(), logprobs=keep)
        edited.add("It is wrong", body, None)
        assert (b"logprob" in edited.release(11, [Edit(Span(6, 11), "right")])) is keep
        untouched = Withheld(0, ChatStream(), logprobs=keep)
        untouched.add("It is wrong", body, None)
        assert b"logprob" in untouched.release(11)
        cut = Withheld(0, ChatStream(), logprobs=keep)
        cut.add("It is wrong", body, None)
        assert b"wrong" not in cut.release(5)
        assert b"logprob" not in cut.release(11)
