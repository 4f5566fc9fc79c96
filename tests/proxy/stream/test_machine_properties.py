"""What must hold of a stream for every chunking of its bytes and every order of events."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from policies.terms import Mode
from proxy.wire.sse import Decoder
from tests.fakes import DONE, spoken
from tests.playbook import cut, drive
from tests.proxy.streams import PRESETS, chunks, machine, policy, reports_of, text_of

WORDS = st.lists(
    st.sampled_from(
        [
            "This is true. ",
            "This is wrong. ",
            "Wrong?",
            " fail. ",
            "\n\n- item ",
            "🙂",
            "e\u0301",
            "真。",
            "Dr. No ",
            "```\ncode\n```\n",
            "1.5 ",
        ]
    ),
    min_size=1,
    max_size=8,
).map("".join)


@settings(deadline=None, max_examples=150)
@given(
    text=WORDS,
    cuts=st.lists(st.integers(1, 4000), max_size=30),
    size=st.integers(1, 9),
    which=st.sampled_from(PRESETS),
    seed=st.integers(0, 10**6),
)
def test_any_chunking_and_order_gives_the_batch_result(
    text: str, cuts: list[int], size: int, which: tuple[str, Mode], seed: int
) -> None:
    """However the bytes are cut and whenever verdicts come, the client ends with the same text and the same report."""
    chosen = policy(*which)
    wire = b"".join(spoken(text, size=size, usage=True))
    calm = drive(machine(chosen), cut(b"".join(spoken(text, size=10_000, usage=True)), ()), chosen)
    wild = drive(machine(chosen), cut(wire, cuts), chosen, seed=seed)
    assert text_of(wild.wire) == text_of(calm.wire)
    left, right = ({**reports_of(p.wire)[0], "id": ""} for p in (calm, wild))
    assert left == right
    assert wild.finished == calm.finished == 1
    assert wild.wire.endswith(DONE)
    if which[0] == "annotate":
        assert text_of(wild.wire) == text
        assert b"".join(e.raw for e in Decoder().decode(wild.wire) if b"guardrail" not in e.raw) == wire


@settings(deadline=None, max_examples=60)
@given(text=WORDS, cuts=st.lists(st.integers(1, 2000), max_size=20), seed=st.integers(0, 10**6))
def test_check_offset_never_goes_back_and_claims_come_once(text: str, cuts: list[int], seed: int) -> None:
    """Progress only moves forward, and every claim of the report was told on the way, once."""
    chosen = policy("annotate")
    played = drive(machine(chosen), cut(b"".join(spoken(text)), cuts), chosen, seed=seed)
    progress = [c["guardrail"] for c in chunks(played.wire) if "check_offset" in c.get("guardrail", {})]
    offsets = [p["check_offset"] for p in progress]
    assert offsets == sorted(offsets)
    told = [(c["start"], c["end"]) for p in progress for c in p["claims"]]
    report = reports_of(played.wire)[0]
    assert sorted(told) == sorted((c["start"], c["end"]) for c in [*report["claims"], *report["unchecked"]])


@settings(deadline=None, max_examples=100)
@given(
    wire=st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from(
                [
                    *spoken("It is true. wrong.", size=4),
                    b"\r\n",
                    b"data: ",
                    b"\n\n",
                    b'data: {"choices":[{}]}\n\n',
                    b'data: {"choices":[{"index":-1,"delta":[]}]}\n\n',
                    b'data: {"choices":[{"index":1e99,"delta":{"content":5}}]}\n\n',
                ]
            ),
        ),
        max_size=20,
    ).map(b"".join),
    which=st.sampled_from(PRESETS),
    seed=st.integers(0, 10**6),
)
def test_hostile_bytes_never_break_the_machine(wire: bytes, which: tuple[str, Mode], seed: int) -> None:
    """Whatever an upstream sends, the exchange ends once, on record, and what goes out can be decoded."""
    chosen = policy(*which)
    played = drive(machine(chosen), cut(wire, [7, 31, 64]), chosen, seed=seed)
    assert played.finished == 1
    assert played.audits
    if which[0] != "annotate":
        chunks(played.wire)
