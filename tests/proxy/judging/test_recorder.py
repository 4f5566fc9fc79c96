"""What is asked to be recorded is on the disk when `record` returns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from guardrail.audit.record import Store, salted
from guardrail.audit.store import AuditLog
from guardrail.segment import segment
from guardrail.types import NotChecked
from policies import recording
from policies.policy import load
from policies.terms import Audit as PolicyAudit
from policies.terms import Mode, Request
from proxy.judging.excerpt import MOST_CHARACTERS
from proxy.judging.judge import Judge
from proxy.judging.pool import Pool
from proxy.judging.recorder import Recorder, observed, records
from proxy.stream.events import Audit, Summarise, Verify
from proxy.stream.exchange import Exchange
from tests.fakes import FakeVerifier
from tests.playbook import drive
from tests.proxy.streams import machine
from tests.proxy.test_growth import spoken


def exchange() -> Exchange:
    return Exchange(
        policy=load("annotate"), request=Request(model="m", route="/r"), mode=Mode.BUFFER, user="u1"
    )


def judged(given: Exchange, text: str, choice: int = 0):
    judge = Judge(given, lambda _: FakeVerifier().session())
    parts = [judge.judge(Verify(choice, sentence), float("inf")) for sentence in segment(text)]
    return parts, judge.report(Summarise(choice, text))


async def test_each_choice_has_its_record(tmp_path: Path) -> None:
    """One record per choice, with model, route, decision and the id that the client saw."""
    log, pool, given = AuditLog.open(tmp_path / "a.db"), Pool(), exchange()
    reports = tuple(judged(given, "It is wrong.", choice)[1] for choice in (0, 1))
    await Recorder(log, pool).record(given, Audit(reports=reports, error="broke off"))
    found = log.list()
    assert {(r.choice, r.response, r.model, r.route, r.error) for r in found} == {
        (c, given.id, "m", "/r", "broke off") for c in (0, 1)
    }
    assert all(r.flagged and r.user == log.pseudonym("u1") for r in found)
    pool.close()
    log.close()


def test_tokens_and_server_are_on_record_once() -> None:
    """They are those of the whole response: the first choice's record has them, telemetry counts them once."""
    given = replace(exchange(), server=("model.example", 8443))
    reports = tuple(judged(given, "It is wrong.", choice)[1] for choice in (0, 1))
    command = Audit(reports=reports, tokens=(3, 7))
    first, second = records(given, command)
    assert (first.server, first.input_tokens, first.output_tokens) == ("model.example:8443", 3, 7)
    assert (second.server, second.input_tokens, second.output_tokens) == ("model.example:8443", None, None)
    seen = observed(given, command, audit_s=0.0, lost=False)
    assert [(one.server, one.tokens) for one in seen] == [
        (("model.example", 8443), (3, 7)),
        (("model.example", 8443), None),
    ]
    (nothing,) = records(given, Audit(tokens=(3, 0)))
    assert (nothing.input_tokens, nothing.output_tokens) == (3, 0)


def test_an_answer_without_text_has_a_record_too() -> None:
    """No choice: not checkable; with an error: not checked, and why."""
    (fine,), (broken,) = records(exchange(), Audit()), records(exchange(), Audit(error="down"))
    assert (fine.outcome, broken.outcome, broken.error) == ("not_checkable", "not_checked", "down")


def test_a_held_sentence_is_a_part() -> None:
    """The record before a flagged sentence is released names the sentence and its number."""
    given = exchange()
    (part,), _ = judged(given, "It is wrong.")
    (record,) = records(given, Audit(part=part, length=17, number=3))
    assert (record.kind, record.flagged, record.length) == ("part", (0,), 17)
    assert record.id == f"{given.id}#3"


@pytest.mark.parametrize("store", ["full", "flagged", "hash"])
def test_what_held_sentences_cost_on_record_grows_with_the_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is hashed and what is kept of each is the sentence, not the whole answer before it."""
    hashed: list[int] = []
    monkeypatch.setattr(
        recording, "salted", lambda salt, text: hashed.append(len(text)) or salted(salt, text)
    )
    chosen = replace(load("revise"), mode=Mode.HOLD, audit=PolicyAudit(store=store))
    given = replace(exchange(), policy=chosen)

    def cost(sentences: int) -> int:
        hashed.clear()
        played = drive(machine(chosen), spoken(["This is wrong. "] * sentences), chosen)
        parts = [one for command in played.audits if command.part for one in records(given, command)]
        assert len(parts) == sentences
        return sum(hashed) + sum(len(one.words.blob()) for one in parts if one.words)

    assert cost(200) < 6 * cost(50)


def test_the_words_of_a_held_sentence_are_its_own() -> None:
    """Its hash proves that sentence; what was replaced in it is found where it stands in the answer."""
    chosen = replace(load("revise"), mode=Mode.HOLD, audit=PolicyAudit(store="full"))
    given = replace(exchange(), policy=chosen, mode=Mode.HOLD)
    second = judged(given, "It is true. It is wrong.")[0][1]
    (one,) = records(given, Audit(part=second, length=24, number=0))
    assert one.words is not None
    assert (one.words.text, one.words.before, one.words.after) == ("It is wrong.", ("wrong",), ("right",))
    assert one.text_hash == salted(one.words.salt, "It is wrong.")
    assert [(edit.start, edit.end) for edit in one.edits] == [(18, 23)]


def test_words_that_were_never_read_are_not_kept_at_length() -> None:
    """Megabytes of unchecked text leave their place on record, not their words, even where all words are kept."""
    given = exchange()
    given = replace(given, policy=replace(given.policy, audit=PolicyAudit(store="full")))
    judge = Judge(given, lambda _: FakeVerifier().session())
    text = "x" * 50_000
    (sentence, *rest) = segment(text)
    assert rest
    long = type(sentence)(type(sentence.span)(0, len(text)), text)
    judge.pass_over(Verify(0, long), NotChecked.OVERLOAD)
    (record,) = records(given, Audit(reports=(judge.report(Summarise(0, text)),)))
    assert record.words is not None
    assert [len(words) < MOST_CHARACTERS + 10 for words in record.words.unchecked] == [True]
    assert [(u.start, u.end) for u in record.unchecked] == [(0, 50_000)]
