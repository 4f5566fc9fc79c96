"""Whatever a model's server sends: an answer in time, no error of our own making, nothing let through, nothing left over."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from proxy.settings import OFF
from tests.fuzz.arena import PATHS, Arena, Got, Play, arena, census
from tests.fuzz.corpus import keeping, kept, kind, play_of
from tests.fuzz.hostile import plays

# The words of a failed example are long whatever is done: bodies are.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),
    # The proxy runs beside the strategies, and draws its own pauses.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module"),
]
POLICIES = ("annotate", "attach", "revise", "block", OFF)
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
OURS = (502, 504)
STATUS = re.compile(rb"HTTP/1\.1 (\d{3})\b")
fuzzed = settings(
    max_examples=100,
    deadline=None,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)


Field = Mapping[str, Arena]


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    """An arena for each policy; all share one that checks but for `off`, which nobody may ask for there."""
    with (
        arena(tmp_path_factory.mktemp("fuzz")) as checking,
        arena(tmp_path_factory.mktemp("off"), policy=OFF) as passing,
    ):
        yield {policy: passing if policy == OFF else checking for policy in POLICIES}


@st.composite
def exchanges(draw: st.DrawFn) -> tuple[Play, str, str, bool]:
    path, stream = draw(st.sampled_from(PATHS)), draw(st.booleans())
    return draw(plays(path, stream=stream)), path, draw(st.sampled_from(POLICIES)), stream


def told(got: Got) -> str:
    """The error code of a whole answer, if it is an error of ours."""
    try:
        found = orjson.loads(got.body)
    except orjson.JSONDecodeError:
        return ""
    error = found.get("error") if isinstance(found, dict) else None
    return str(error.get("code")) if isinstance(error, dict) else ""


@fuzzed
@given(exchange=exchanges())
def test_no_answer_of_a_server_breaks_the_proxy(field: Field, exchange: tuple[Play, str, str, bool]) -> None:
    """The status is the server's own, or 502 or 504 of ours; the answer ends; permits and connections come back."""
    play, path, policy, stream = exchange
    with keeping(play, path):
        sound(field[policy], play, path, policy, stream=stream)


def sound(field: Arena, play: Play, path: str, policy: str, *, stream: bool) -> None:
    got = field.ask(play, path=path, policy=policy, stream=stream)
    # The first that is not 1xx; of an answer that is none, no status of the server's reaches anybody.
    sent = next((int(one) for one in STATUS.findall(b"".join(play.pieces)) if not one.startswith(b"1")), 0)
    assert got.status in (sent, *OURS) or told(got) == "content_blocked", got
    assert told(got) not in ("internal_error", "audit_failed"), got
    # Passed on as it came, an answer may end as badly as it came; read by us, it always ends well.
    assert got.complete or policy == OFF or not 200 <= sent < 300, got
    assert field.rests() == ""


@pytest.mark.parametrize("file", kept(), ids=lambda file: file.stem)
def test_what_is_kept_breaks_nothing(field: Field, file: Path) -> None:
    """The answers of the corpus, streamed or not, to a request of its kind, under a policy that withholds."""
    path = next(one for one in PATHS if kind(one) == file.stem.partition("-")[0])
    for stream in (True, False):
        sound(field["block"], play_of(file), path, "block", stream=stream)


@fuzzed
@given(play=plays(PATHS[0], stream=True), policy=st.sampled_from(["revise", "block"]))
def test_no_trick_of_a_server_lets_flagged_words_through(field: Field, play: Play, policy: str) -> None:
    """However the stream is bent, a client that reads it as the SDKs do never gets a flagged statement."""
    with keeping(play, PATHS[0]):
        got = field[policy].ask(play, policy=policy)
        if got.status == 200:
            assert "It is wrong." not in got.said(), got


@pytest.mark.parametrize(("path", "policy"), [*zip(PATHS, POLICIES, strict=False), (PATHS[0], OFF)])
@pytest.mark.parametrize(
    "play",
    [
        Play(()),
        Play((b"HTTP/1.1",)),
        Play((b"\x00" * 100,)),
        Play((b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 20_000 + b"\r\n",)),
        Play((b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n",)),
        Play((b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + HEAD,)),
        Play((b"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",)),
        Play((b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde",)),
        Play((), hang=True),
        Play((HEAD,), hang=True),
        Play((HEAD, b"data: {"), hang=True),
        Play((HEAD, *[b"data: "] * 40), pause=0.01),
    ],
    ids=range(12),
)
def test_no_broken_head_and_no_silence_hangs_a_client(
    field: Field, play: Play, path: str, policy: str
) -> None:
    """No head, half a head, too much of one, or nothing for ever: the client is told within the time-out."""
    got = field[policy].ask(play, path=path, policy=policy)
    assert got.status in (200, *OURS), got
    if got.status == 200 and policy != OFF:
        assert b"upstream_" in got.body, got
    assert field[policy].rests() == ""


@pytest.mark.parametrize("policy", ["annotate", "revise", "block"])
@pytest.mark.parametrize("stream", [True, False])
def test_an_endless_line_is_cut_off(field: Field, policy: str, stream: bool) -> None:
    """What never ends is ended by a limit, not by the memory of the machine."""
    kind = b"text/event-stream" if stream else b"application/json"
    head = HEAD.replace(b"text/event-stream", kind)
    got = field[policy].ask(
        Play((head, b"data: ", *[b"x" * (1 << 20)] * 80), hang=True), policy=policy, stream=stream
    )
    assert got.status in (200, *OURS)
    assert b"too large" in got.body or b"more than" in got.body
    assert len(got.body) < 1 << 20
    assert field[policy].rests() == ""


def test_nothing_is_left_behind(tmp_path_factory: pytest.TempPathFactory) -> None:
    """After a hundred broken answers there are as many tasks, sockets and objects of answers as after ten."""
    broken = Play(
        (HEAD, b'data: {"choices":[{"index":0,"delta":{"content":"It is wrong. "}}]}\n\n', b"data: {")
    )
    with arena(tmp_path_factory.mktemp("left")) as running:

        def some(count: int) -> None:
            for number in range(count):
                running.ask(
                    broken, path=PATHS[number % 4], policy=POLICIES[number % 4], stream=number % 2 == 0
                )
            assert running.rests() == ""

        some(10)
        before = census()
        some(100)
        left = _left(before)
        for _ in range(50):  # the last answer may still be on its way out
            if not left:
                break
            time.sleep(0.1)
            left = _left(before)
    assert left == {}


def _left(before: Mapping[str, int]) -> dict[str, int]:
    """What there is more of than before."""
    return {name: count - before[name] for name, count in census().items() if count > before[name]}
