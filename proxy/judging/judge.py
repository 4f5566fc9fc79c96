"""Judges one choice in a worker thread: it takes sentences, and gives verdicts, decisions and at the end the report.

All that costs time for a verdict is done here, rendering of JSON included, so that the event loop only passes bytes on.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from threading import Lock
from typing import Protocol

import orjson

from guardrail import scoring
from guardrail.report import to_dict, unchecked_to_dict, verdict_to_dict
from guardrail.segment import segment
from guardrail.types import (
    Claim,
    Finding,
    Label,
    NotChecked,
    Report,
    Sentence,
    Span,
    Unchecked,
    Verdict,
    tile,
)
from policies.decide import Action, Decision, Edit, Note, decide, decide_part
from policies.edit import Pieces, edits, pieces, render, section
from policies.terms import Mode
from proxy.judging.excerpt import excerpt
from proxy.judging.report_json import CITED, Told, brief, told
from proxy.stream.events import Judged, PassOver, Reported, Summarise, Verify
from proxy.stream.exchange import Exchange
from proxy.wire.calls import ToolCall, unrevised
from proxy.wire.json_pointer import Pointers
from proxy.wire.json_strings import Places
from proxy.wire.shapes import REASONING, TOOL_CALLS

Json = dict[str, object]
IN_PARTS = "a sentence in several parts"  # why half a sentence is not checked
_POINTED = ("claims", "unchecked", "skipped")
_KEPT_OF_BLOCKED = ("id", "start", "end", "label", "confidence", "score", "reason")


class Checking(Protocol):
    """`guardrail.verifier.Session`, as far as a judge needs it."""

    def check(self, sentence: Sentence, *, deadline: float | None = None) -> tuple[Finding, ...]: ...

    def report(self, text: str) -> Report: ...


class Judge:
    """One choice. Its methods are called one after the other, never at the same time; only `overdue` may come at any time.

    The first word on a sentence stands: a verdict that comes when the sentence was passed over is not heard.
    """

    def __init__(self, exchange: Exchange, open_session: Callable[[Exchange], Checking]) -> None:
        self._exchange = exchange
        self._open = open_session
        self._session: Checking | None = None
        self._lock = Lock()
        self._judged: dict[Span, Judged] = {}
        self._passed: dict[Span, Unchecked] = {}
        self._lost: NotChecked | None = None
        self._edits: list[Edit] = []
        self._notes: list[Note] = []
        self.asked = 0  # how many sentences it was given
        self._number = 0  # the last footnote's
        self._strongest = Action.PASS
        self._places = Places()

    @property
    def waiting(self) -> int:
        """How many sentences it was given and has said nothing of."""
        return self.asked - len(self._judged)

    @property
    def _checking(self) -> Checking:
        # The session links the question, which is work for the worker's thread.
        if self._session is None:
            self._session = self._open(self._exchange)
        return self._session

    def judge(self, command: Verify, deadline: float) -> Judged:
        """Check a sentence; when `deadline` (monotonic) has passed, it is Unchecked without a look."""
        if known := self._judged.get(command.sentence.span):
            return known
        if self._lost or time.monotonic() > deadline:
            return self.pass_over(command, self._lost or NotChecked.DEADLINE)
        plain = self._places.plain(command.sentence)
        found = self._checking.check(plain, deadline=deadline)
        halved = bool(command.before) and self._halved(command, found, deadline)
        if self._lost:  # given up while it was away
            return self.pass_over(command, self._lost)
        if halved:
            return self._settle(
                command, (_unread(command.sentence, NotChecked.UNREAD, IN_PARTS),), passed=True
            )
        unread = self._exchange.unread
        placed = tuple(_doubted(self._places.put(one), unread) for one in found)
        return self._settle(command, placed, passed=bool(unread))

    def _halved(self, command: Verify, found: Iterable[Finding], deadline: float) -> bool:
        """Whether something is said half before this sentence and half in it. What is wrong with it alone is told as ever."""
        if any(isinstance(one, Verdict) and one.label is Label.CONTRADICTORY for one in found):
            return False
        at = len(command.before)
        whole = segment(f"{command.before}\n{command.sentence.text}")
        across = [one for one in whole if one.span.start < at < one.span.end]
        session = self._open(self._exchange) if across else None
        read = (
            (one for sentence in across for one in session.check(sentence, deadline=deadline))
            if session
            else ()
        )
        spans = (
            one.claim.span if isinstance(one, Verdict) else one.span
            for one in read
            if not isinstance(one, Claim)
        )
        return any(span.start < at < span.end for span in spans)

    def pass_over(self, command: Verify, reason: NotChecked) -> Judged:
        """A sentence that will not be checked."""
        return self._settle(command, (_unread(command.sentence, reason),), passed=True)

    def overdue(self, command: PassOver) -> Judged:
        """Nobody waits for this sentence any more."""
        return self._settle(command, (_unread(command.sentence, NotChecked.DEADLINE),), passed=True)

    def give_up(self, reason: NotChecked) -> None:
        """The session does not come back from a call, or broke: from now on nothing is asked of it."""
        self._lost = reason

    def _settle(
        self, command: Verify | PassOver, findings: tuple[Finding, ...], *, passed: bool = False
    ) -> Judged:
        span = command.sentence.span
        with self._lock:
            if span not in self._judged:
                judged = self._judged[span] = self._decided(command, findings)
                self._edits.extend(judged.edits)
                self._keep_notes(judged.decision.notes if judged.edits else ())
                self._strongest = max(self._strongest, judged.decision.visible, key=lambda one: one.strength)
                if passed:
                    self._passed |= {one.span: one for one in findings if isinstance(one, Unchecked)}
            return self._judged[span]

    @property
    def _in_run(self) -> bool:
        """The last note is on passages that were not checked."""
        return bool(self._notes) and self._notes[-1].claim is None

    def _keep_notes(self, notes: Iterable[Note]) -> None:
        for note in notes:
            self._number += not (self._in_run and note.claim is None)
            self._notes.append(note)

    def _decided(self, command: Verify | PassOver, findings: tuple[Finding, ...]) -> Judged:
        verdicts = [item for item in findings if isinstance(item, Verdict)]
        unchecked = [item for item in findings if isinstance(item, Unchecked)]
        policy, language = self._exchange.policy, self._exchange.request.language or "en"
        decision = self._fitting(decide_part(policy, verdicts, unchecked, language=language))
        changes: tuple[Edit, ...] = ()
        if self._exchange.mode is Mode.HOLD and decision.visible is not Action.PASS:
            changes = edits(decision, first=self._number + 1, run=self._in_run)
        found = [*map(verdict_to_dict, verdicts), *map(unchecked_to_dict, unchecked)]
        claims = orjson.dumps(found if policy.report == "full" else list(map(brief, found)))
        return Judged(command.choice, command.sentence, findings, decision, changes, claims)

    def report(self, command: Summarise) -> Reported:
        """The report on all that was judged; sentences in `command.unchecked` that were not are marked."""
        left = {
            one.span: _unread(one, command.reason)
            for one in command.unchecked
            if one.span not in self._judged
        }
        report = self._gathered(command) if self._lost else self._complete(command)
        report = _with_unread(_passed_over(report, {**self._passed, **left}), command.unread)
        exchange, language = self._exchange, self._exchange.request.language or "en"
        if command.call is not None:
            return self._call_report(command.choice, command.call, report, language)
        decision = self._fitting(
            decide(exchange.policy, report, language=language, again=exchange.attempt > 1)
        )
        changes, below, table = self._changes(report, decision, language)
        body = self._body(report, decision, changes)
        if command.unread:
            body["not_read"] = list(command.unread)
        notes = _annotations(report, table) if decision.visible is not Action.BLOCK else []
        sent = self._told(body)
        cited = orjson.dumps(notes) if sent.body else b"[]"
        return Reported(
            command.choice, report, decision, changes, below, sent.body, sent.head, sent.whole, cited
        )

    def unreported(self, command: Summarise) -> Reported:
        """Instead of a report that does not come in time: none of the text counts as checked. Next to no work.

        Buffered text of which something was to be altered or withheld is withheld, as nobody says what.
        """
        policy, text, language = self._exchange.policy, command.text, self._exchange.request.language or "en"
        whole = Sentence(Span(0, len(text)), text)
        report = Report(text, unchecked=(_unread(whole, NotChecked.DEADLINE),))
        if self._exchange.mode is Mode.BUFFER and self._strongest.strength >= Action.REVISE.strength:
            policy = replace(policy, on_timeout=Action.BLOCK)
        decision = self._fitting(decide(policy, report, language=language, again=True))
        if command.call is not None:
            decision = replace(decision, notes=())
        shown = decision.visible not in (Action.PASS, Action.BLOCK)
        below = section(policy, [*self._notes, *decision.notes], language=language) if shown else ""
        body = _body(self._exchange, report, decision, ())
        if command.call is not None:
            body |= {"call": command.call.to_dict()}
        sent = self._told(body)
        return Reported(
            command.choice, report, decision, (), below, sent.body, sent.head, sent.whole, call=command.call
        )

    def _call_report(self, number: int, call: ToolCall, report: Report, language: str) -> Reported:
        """Arguments are never altered: the decision is made, and recorded, as if there were no revisions."""
        exchange, fixed = self._exchange, unrevised(report)
        decided = decide(exchange.policy, fixed, language=language, again=exchange.attempt > 1)
        decision = replace(decided, notes=())
        body = self._body(report, decision, ()) | {"call": call.to_dict()}
        sent = self._told(body)
        return Reported(number, fixed, decision, (), "", sent.body, sent.head, sent.whole, call=call)

    def _told(self, body: Json) -> Told:
        return told(body, self._exchange.policy.report)

    def _body(self, report: Report, decision: Decision, changes: Iterable[Edit]) -> Json:
        """The report as clients get it; claims in JSON have a pointer to their value."""
        body = _body(self._exchange, report, decision, changes)
        if self._places and decision.visible is not Action.BLOCK:
            pointers = Pointers(report.text)
            body |= {name: [_pointed(one, pointers) for one in _dicts(body[name])] for name in _POINTED}
        return body

    def _complete(self, command: Summarise) -> Report:
        return self._places.put_report(self._checking.report(command.text))

    def _gathered(self, command: Summarise) -> Report:
        """Without the session: what was found until it was lost."""
        found = [item for one in self._judged.values() for item in one.findings]
        verdicts = tuple(item for item in found if isinstance(item, Verdict))
        unchecked = tuple(item for item in found if isinstance(item, Unchecked))
        skipped = tuple(item for item in found if isinstance(item, Claim))
        covered = [verdict.claim.span for verdict in verdicts] + [one.span for one in unchecked]
        gaps = tile(command.text, covered)
        return Report(command.text, verdicts, unchecked, skipped, gaps, kas=scoring.kas(verdicts))

    def _fitting(self, decision: Decision) -> Decision:
        """JSON has no room for notes: they stay in the report."""
        in_json = self._exchange.json or self._places
        return replace(decision, notes=()) if decision.notes and in_json else decision

    def _changes(
        self, report: Report, decision: Decision, language: str
    ) -> tuple[tuple[Edit, ...], str, Pieces]:
        """What becomes of the text: the edits in it, the section under it, and the way between the offsets."""
        policy, mode, length = self._exchange.policy, self._exchange.mode, len(report.text)
        if mode is Mode.BUFFER or decision.visible in (Action.PASS, Action.BLOCK):
            text, table = render(report, decision, policy, language=language)
            end = table.pieces[-1].revised.end if table.pieces else 0
            made = tuple(Edit(p.original, p.revised.of(text)) for p in table.pieces if not p.kept)
            return made, text[end:], table
        # What was let go already keeps its footnote numbers; notes that only the whole answer brings come after them.
        notes = list(dict.fromkeys([*self._notes, *decision.notes]))
        below = section(policy, notes, language=language, kas=report.kas)
        made = tuple(self._edits) if mode is Mode.HOLD else ()
        return made, below, pieces(length, made)


def _unread(sentence: Sentence, reason: NotChecked, detail: str = "") -> Unchecked:
    """A sentence that is not checked; of a long stretch only the first words are told."""
    return Unchecked(sentence.span, excerpt(sentence.text), reason, detail)


def _body(exchange: Exchange, report: Report, decision: Decision, changes: Iterable[Edit]) -> Json:
    """The report as clients get it: with policy and action, and of a blocked answer without a word of it."""
    body: Json = to_dict(report)
    body |= {
        "id": exchange.id,
        "outcome": decision.outcome.value,
        "policy": exchange.policy.name,
        "mode": exchange.policy.mode.value,
        "action": decision.action.value,
        "flagged": list(decision.flagged),
        "edits": [
            {"start": edit.span.start, "end": edit.span.end, "replacement": edit.replacement}
            for edit in changes
        ],
    }
    if body["edits"]:
        body["logprobs"] = "kept" if exchange.policy.logprobs == "keep" else "dropped"
    if decision.visible is Action.BLOCK:
        claims = [{name: claim[name] for name in _KEPT_OF_BLOCKED} for claim in _dicts(body["claims"])]
        unchecked = [
            {"start": u.span.start, "end": u.span.end, "reason": u.reason.value} for u in report.unchecked
        ]
        body |= {
            "text": None,
            "claims": claims,
            "unchecked": unchecked,
            "skipped": [],
            "entities": [],
            "edits": [],
        }
    return body


def _doubted(finding: Finding, unread: str) -> Finding:
    """What nothing speaks against may be what an unread document refutes: it counts as not checked."""
    if not unread or not isinstance(finding, Verdict) or finding.label is not Label.ATTRIBUTABLE:
        return finding
    return Unchecked(finding.claim.span, finding.claim.text, NotChecked.DEADLINE, f"not read: {unread}")


def _dicts(found: object) -> list[Json]:
    return found if isinstance(found, list) else []


def _pointed(found: Json, pointers: Pointers) -> Json:
    start = found["start"]
    pointer = pointers.at(start) if isinstance(start, int) else None
    return found if pointer is None else {**found, "pointer": pointer}


def _passed_over(report: Report, passed: Mapping[Span, Unchecked]) -> Report:
    """`report` with the sentences that were passed over, whatever was found of them too late."""
    if not passed:
        return report
    late = sorted(passed, key=lambda span: span.start)  # sentences, so they are disjoint

    def in_time(span: Span) -> bool:
        before = bisect_right(late, span.start, key=lambda one: one.start)
        return not before or not late[before - 1].contains(span)

    verdicts = tuple(one for one in report.verdicts if in_time(one.claim.span))
    unchecked = [*(one for one in report.unchecked if in_time(one.span)), *passed.values()]
    covered = [one.claim.span for one in verdicts] + [one.span for one in unchecked]
    return replace(
        report,
        verdicts=verdicts,
        unchecked=tuple(sorted(unchecked, key=lambda one: one.span.start)),
        skipped=tuple(one for one in report.skipped if in_time(one.span)),
        gaps=tile(report.text, covered),
        kas=scoring.kas(verdicts),
    )


def _with_unread(report: Report, unread: tuple[str, ...]) -> Report:
    """`report` with what was sent beside its text and not read, named at the end of the text; reasoning is no answer.

    Calls of tools were not to be read: the policy's choice, which calls for no action.
    """
    end, given = Span(len(report.text), len(report.text)), {TOOL_CALLS: NotChecked.DISABLED}
    named = tuple(
        Unchecked(end, "", given.get(what, NotChecked.UNREAD), what) for what in unread if what != REASONING
    )
    return replace(report, unchecked=(*report.unchecked, *named)) if named else report


def _annotations(report: Report, table: Pieces) -> list[Json]:
    """The evidence in the form that chat front ends draw: one url_citation for each claim and source."""
    addresses = {linked.entity.id: linked.entity.url for linked in report.entities}
    found: list[Json] = []
    for verdict in report.verdicts:
        evidence = verdict.evidence
        sources = [(passage.title or passage.id, passage.url) for passage in evidence.passages]
        sources += [(t.subject.label, addresses.get(t.subject.id)) for t in evidence.triplets]
        place = table.to_revised(verdict.claim.span)
        for title, url in dict.fromkeys(sources):
            if url:
                cited: Json = {"start_index": place.start, "end_index": place.end, "url": url, "title": title}
                found.append({"type": "url_citation", "url_citation": cited})
        if len(found) >= CITED:
            break
    return found[:CITED]
