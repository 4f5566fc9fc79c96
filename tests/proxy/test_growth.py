"""What an answer costs grows with its length and no faster, whatever is found in it and whatever its policy does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import orjson
import pytest

from guardrail.segment import segment
from guardrail.types import NotChecked, Span
from policies.decide import Action, Cause, Decision, Edit, Note, decide
from policies.edit import edits, pieces
from policies.terms import Hold, Mode, Policy, Request
from proxy.apis.chat import ChatStream
from proxy.judging.judge import Judge
from proxy.stream.choice import Line, Step
from proxy.stream.draft import STEP, STRETCH, Draft
from proxy.stream.events import Data, Ended, Event, Judged, Overdue, PassOver, Summarise, Verify
from proxy.stream.exchange import Exchange
from proxy.stream.release import Withheld
from proxy.wire.json_pointer import Pointers
from tests.fakes import FakeVerifier
from tests.findings import report, unchecked
from tests.playbook import drive
from tests.proxy.streams import PRESETS, machine, policy, sentence
from tests.steps import steps

FEW, MANY = 60, 240
# Four times as many cost about four times as much; what is quadratic would cost sixteen times as much.
GROWTH = 6.0
KINDS = [
    "This is wrong. ",
    "This is true. ",
    "This will fail. ",
    "This is wrong. This will fail. This is true. ",
]


def grows(work, few: int = FEW, many: int = MANY) -> float:
    """How many times the work of `work(few)()` that of `work(many)()` is."""
    return steps(work(many)) / steps(work(few))


def spoken(parts: Iterable[str]) -> list[Event]:
    """A streamed answer, one event for each part."""
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = [{"index": 0, "delta": {"content": part}, "finish_reason": None} for part in parts]
    said.append({"index": 0, "delta": {}, "finish_reason": "stop"})
    lines = [b"data: " + orjson.dumps({**head, "choices": [one]}) + b"\n\n" for one in said]
    return [*map(Data, [*lines, b"data: [DONE]\n\n"]), Ended()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "mode"), [("annotate", Mode.OBSERVE), *PRESETS[1:]])
def test_a_streamed_answer_costs_what_its_sentences_cost(name: str, mode: Mode, kind: str) -> None:
    """Under every policy, with many notes, many edits and many sentences that are not checked."""
    chosen = policy(name, mode)

    def work(n: int):
        return lambda: drive(machine(chosen), spoken([kind] * n), chosen)

    assert grows(work) < GROWTH


@pytest.mark.parametrize("characters", [0, 50])
def test_what_is_given_up_at_once_costs_what_it_holds(characters: int) -> None:
    """A deadline that finds many sentences waiting, or a limit of characters."""
    chosen = replace(policy("attach", Mode.HOLD), hold=Hold(characters=characters))

    def work(n: int):
        def played() -> None:
            stream, judge = machine(chosen), judging(chosen, Mode.HOLD)
            for event in [*spoken([KINDS[1]] * n)[:-1], Overdue()]:
                for command in stream.receive(event):
                    if isinstance(command, PassOver):
                        stream.receive(judge.overdue(command))

        return played

    assert grows(work) < GROWTH


def judging(chosen: Policy, mode: Mode) -> Judge:
    exchange = Exchange(policy=chosen, request=Request(model="m"), mode=mode, id="grd_1")
    return Judge(exchange, lambda _: FakeVerifier().session())


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize(("name", "mode"), PRESETS)
def test_a_report_costs_what_its_sentences_cost(name: str, mode: Mode, lost: bool) -> None:
    """Those that were passed over after their check included, and without the session, too."""

    chosen = policy(name, mode)

    def work(n: int):
        text = KINDS[-1] * n
        judge = judging(chosen, mode)
        for number, one in enumerate(segment(text)):
            if number % 4 == 3:
                judge.overdue(PassOver(0, one))
            elif number % 4 != 2:
                judge.judge(Verify(0, one), float("inf"))
        if lost:
            judge.give_up(NotChecked.DEADLINE)
        return lambda: judge.report(Summarise(0, text, tuple(segment(text))))

    assert grows(work) < GROWTH


def test_footnotes_and_edits_are_placed_without_a_look_at_all_others() -> None:
    """Numbers that stand inside of replaced words are moved behind them, however many there are."""

    def work(n: int):
        changes = tuple(Edit(Span(10 * i, 10 * i + 6), "x", i) for i in range(n))
        notes = tuple(Note(i, "note", 10 * i + 3) for i in range(n))
        return lambda: edits(Decision(Action.REVISE, changes, notes))

    assert grows(work) < GROWTH


def test_offsets_are_translated_without_a_look_at_all_pieces() -> None:
    """A span of the original is found in the revised text, and back, in a table of many pieces."""

    def work(n: int):
        table = pieces(10 * n, [Edit(Span(10 * i, 10 * i + 5), "word") for i in range(n)])
        spans = [Span(5 * i, 5 * i + 4) for i in range(n)]
        return lambda: [(table.to_revised(one), table.to_original(one)) for one in spans]

    assert grows(work) < GROWTH


def test_many_that_were_not_checked_are_decided_together() -> None:
    """A note for each costs no search for it."""
    chosen = policy("attach")

    def work(n: int):
        text = "Not so. " * n
        gaps = tuple(unchecked(span=Span(8 * i, 8 * i + 7), text=text) for i in range(n))
        whole = report(text=text, unchecked=gaps)
        return lambda: decide(chosen, whole)

    assert grows(work) < GROWTH


def test_the_line_is_not_searched_for_each_sentence() -> None:
    """Where a block waits behind many that are not on record yet, it is known."""

    def work(n: int):
        def played() -> None:
            line = Line()
            for at in range(n):
                last = Action.BLOCK if at == n - 1 else Action.ATTACH
                decision = Decision(last, reasons=(Cause("rule", last),))
                line.append(Step(Judged(0, sentence("It is so.", at), (), decision), ready=False))
                assert (line.block is None) == (at < n - 1)
            while line.block:
                line.popleft()

        return played

    assert grows(work) < GROWTH


def test_a_held_text_is_edited_in_one_pass() -> None:
    """Many pieces and many edits are walked through together."""

    def work(n: int):
        held = Withheld(0, ChatStream())
        for event in spoken(["This is wrong. "] * n)[:n]:
            held.add("This is wrong. ", None, event.data)
        changes = [Edit(Span(15 * i + 8, 15 * i + 13), "right") for i in range(n)]
        return lambda: held.release(15 * n, changes)

    assert grows(work) < GROWTH


def test_sentences_may_be_judged_in_any_order() -> None:
    """What waits is kept so that each verdict finds its sentence at once."""

    def work(n: int):
        def played() -> None:
            draft = Draft()
            given = draft.add("It is so. " * n) + draft.end()
            for one in reversed(given):
                assert draft.judged(one)
                assert draft.late(1) or draft.settled

        return played

    assert grows(work) < GROWTH


def test_what_is_too_long_to_be_read_is_cut_without_copies() -> None:
    """Each stretch behind the longest text that is read is copied once, whatever came before it."""
    draft, whole = Draft(longest=10), Draft(longest=10)
    sizes = []
    for _ in range(4):
        for _ in range(3 * STRETCH // 100):
            draft.add("a" * 100)
        sizes.append(sum(map(len, draft._behind)))
    assert max(sizes) < STRETCH
    whole.add("a" * len(draft))
    while whole.pending:
        whole.read()
    assert [one.span for one in draft.waiting] == [one.span for one in whole.waiting]


def test_a_text_that_comes_at_once_is_read_in_steps() -> None:
    """However large an event is, one step of the loop reads little of it, and all is read in the end."""
    text = "This is true. " * 2000
    draft = Draft()
    steps_taken = [draft.add(text), draft.end()]
    assert not draft.settled
    while draft.pending:
        steps_taken.append(draft.read())
    assert max(map(len, steps_taken)) <= STEP // 10
    assert [one.text for step in steps_taken for one in step] == [one.text for one in segment(text)]


def test_what_was_not_read_when_all_ends_is_named() -> None:
    """A client that leaves before a large text was read leaves no hole in the report."""
    text = "This is true. " * 2000
    draft = Draft()
    draft.add(text)
    assert draft.give_up()[-1].span.end == len(text)
    assert draft.settled is draft.ended is False


@pytest.mark.parametrize("opened", ['["a",', '{"k":', '{"a": "b", "c":['])
def test_pointers_into_deep_json_are_bounded(opened: str) -> None:
    """However deep it is, no string costs more than its own pointer, and one that is too long is left out."""

    def work(n: int):
        return lambda: Pointers(opened * n + '"x"')

    assert grows(work, 400, 1600) < GROWTH


def test_quotes_that_never_end_are_read_once() -> None:
    """Escapes outside of strings do not make the rest be read again for each."""
    assert Pointers('["a", ' + '\\"' * 200_000).at(2) == "/0"
