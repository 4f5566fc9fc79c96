"""Report in, `Decision` out: pure, deterministic, no I/O. The same report and policy always give the same decision.

`decide` is for a whole answer, `decide_part` for one sentence of it. For rules about claims the parts agree with the
whole: the flagged claims, edits, notes and causes of all sentences together are those of the answer, and the answer's
action is the strongest of the sentences' and of the rules about the answer (a property test holds this).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from guardrail.report import WORDS
from guardrail.types import Label, NotChecked, Outcome, Reason, Report, Span, Unchecked, Verdict
from policies.conditions import answer_holds, claim_holds
from policies.template import COMPARED, PLAIN_NOTE, fill, names
from policies.terms import Action, ClaimRule, Messages, Policy

__all__ = ["Action", "Cause", "Decision", "Edit", "Note", "decide", "decide_part"]

_BAR = re.compile(r"\s+\|\s+")
_QUOTED = re.compile(r"""["“„«]\s*([^"“”„«»]+?)\s*["”“»]""")
NOTHING_FOUND = (Reason.NO_EVIDENCE, Reason.NO_ENTITY, Reason.NO_PROPERTY)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace `text[span]` by `replacement`; an empty span inserts. `claim` is the claim's id."""

    span: Span
    replacement: str
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A finding in words, to be written under the text. `at`: where its number goes, the end of what it speaks of."""

    claim: int | None
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Cause:
    """Why: the rule's name (or `on_error` …), the action it asked for, and the claim or place it spoke of.

    `flags`: it makes the claim a flagged one. That a claim is open does not: the outcome says it.
    """

    rule: str
    action: Action
    claim: int | None = None
    span: Span | None = None
    flags: bool = True


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done about an answer, or one sentence of it.

    `edits` are disjoint and in order. `message` is what takes the text's place when it is blocked.
    `outcome` counts what the policy flags besides what the report does.
    `shadow`: decided and recorded, but not to be carried out; `visible` is what the client gets.
    """

    action: Action = Action.PASS
    edits: tuple[Edit, ...] = ()
    notes: tuple[Note, ...] = ()
    message: str = ""
    flagged: tuple[int, ...] = ()
    reasons: tuple[Cause, ...] = ()
    outcome: Outcome = Outcome.NOT_CHECKABLE
    shadow: bool = False

    @property
    def visible(self) -> Action:
        return Action.PASS if self.shadow else self.action


def decide(policy: Policy, report: Report, *, language: str = "en", again: bool = False) -> Decision:
    """The decision on a whole answer: rules about claims, then rules about the answer.

    `again`: the model was asked once more already, so `on_regenerated` holds instead of `regenerate`.
    """
    causes = _part_causes(policy, report.verdicts, report.unchecked)
    if policy.answer:
        flagged = _flagged(causes)
        outcome = _outcome(report.verdicts, report.unchecked, flagged)
        causes += tuple(
            Cause(rule.name, rule.then)
            for rule in policy.answer
            if answer_holds(rule.when, report, len(flagged), outcome)
            and not (rule.unless and answer_holds(rule.unless, report, len(flagged), outcome))
        )
    if again:
        causes = tuple(
            replace(cause, action=policy.on_regenerated) if cause.action is Action.REGENERATE else cause
            for cause in causes
        )
    return _decision(policy, report.verdicts, report.unchecked, causes, language=language, kas=report.kas)


def decide_part(
    policy: Policy, verdicts: Sequence[Verdict], unchecked: Sequence[Unchecked] = (), *, language: str = "en"
) -> Decision:
    """The decision on one sentence's findings: only rules about claims, and what is done where a check failed."""
    causes = _part_causes(policy, verdicts, unchecked)
    return _decision(policy, verdicts, unchecked, causes, language=language, kas=None)


def _part_causes(
    policy: Policy, verdicts: Sequence[Verdict], unchecked: Sequence[Unchecked]
) -> tuple[Cause, ...]:
    causes = [cause for verdict in verdicts for cause in _claim_causes(policy, verdict)]
    for gap in unchecked:
        name, action = _unchecked_action(policy, gap)
        if action is not Action.PASS:
            causes.append(Cause(name, action, span=gap.span))
    return tuple(causes)


def _flagged(causes: Sequence[Cause]) -> tuple[int, ...]:
    return tuple(sorted({cause.claim for cause in causes if cause.claim is not None and cause.flags}))


def _claim_causes(policy: Policy, verdict: Verdict) -> Iterable[Cause]:
    claim = verdict.claim
    for rule in policy.claims:
        if _applies(rule, verdict):
            action = rule.then or policy.on_flag
            if action is Action.REVISE and not verdict.revisions:
                action = policy.on_no_revision
            yield Cause(rule.name, action, claim.id, claim.span)
    if policy.on_no_evidence is not Action.PASS and verdict.reason in NOTHING_FOUND:
        yield Cause("on_no_evidence", policy.on_no_evidence, claim.id, claim.span)
    if policy.on_unconfirmed is not Action.PASS and verdict.label is Label.EXTRAPOLATORY:
        yield Cause("on_unconfirmed", policy.on_unconfirmed, claim.id, claim.span, flags=False)


def _applies(rule: ClaimRule, verdict: Verdict) -> bool:
    if rule.unless and claim_holds(rule.unless, verdict):
        return False
    return claim_holds(rule.when, verdict)


def _unchecked_action(policy: Policy, gap: Unchecked) -> tuple[str, Action]:
    if gap.reason is NotChecked.DEADLINE:
        return "on_timeout", policy.on_timeout
    if gap.reason is NotChecked.DISABLED:  # somebody's choice, not a failure; the outcome still says it
        return "disabled", Action.PASS
    if gap.reason.unreadable:
        return f"on_unread.{gap.reason}", getattr(policy.on_unread, gap.reason)
    return "on_error", policy.on_error


def _decision(
    policy: Policy,
    verdicts: Sequence[Verdict],
    unchecked: Sequence[Unchecked],
    causes: tuple[Cause, ...],
    *,
    language: str,
    kas: float | None,
) -> Decision:
    action = max((cause.action for cause in causes), key=lambda one: one.strength, default=Action.PASS)
    away = action in (Action.REGENERATE, Action.BLOCK)  # nothing of this text will be shown
    flagged = _flagged(causes)
    words = policy.words(language)
    by_claim = {verdict.claim.id: verdict for verdict in verdicts}
    return Decision(
        action=action,
        edits=() if away else _edits(causes, by_claim),
        notes=() if away else _notes(policy, words, causes, by_claim, unchecked),
        message=_message(policy, words, causes, by_claim, flagged, kas) if action is Action.BLOCK else "",
        flagged=flagged,
        reasons=causes,
        outcome=_outcome(verdicts, unchecked, flagged),
        shadow=policy.shadow,
    )


def _outcome(verdicts: Sequence[Verdict], unchecked: Sequence[Unchecked], flagged: Sequence[int]) -> Outcome:
    """`Report.outcome`, but what the policy flags is flagged too."""
    if flagged:
        return Outcome.FLAGGED
    return Report("", verdicts=tuple(verdicts), unchecked=tuple(unchecked)).outcome


def _edits(causes: Sequence[Cause], by_claim: dict[int, Verdict]) -> tuple[Edit, ...]:
    """The best revision of every claim that is to be revised; of two that overlap the earlier one stands."""
    wanted = {cause.claim for cause in causes if cause.action is Action.REVISE and cause.claim is not None}
    best = [(by_claim[claim].revisions[0], claim) for claim in wanted]
    edits: list[Edit] = []
    for revision, claim in sorted(best, key=lambda pair: (pair[0].span, pair[1])):
        if not edits or not edits[-1].span.end > revision.span.start:
            edits.append(Edit(revision.span, revision.replacement, claim))
    return tuple(edits)


def _notes(
    policy: Policy,
    words: Messages,
    causes: Sequence[Cause],
    by_claim: dict[int, Verdict],
    unchecked: Sequence[Unchecked],
) -> tuple[Note, ...]:
    """One note for each claim or unchecked passage that a rule wants attached, in the order of the text."""
    attach_all = any(cause.action is Action.ATTACH and cause.span is None for cause in causes)
    wanted = [cause for cause in causes if cause.span and (attach_all or cause.action is Action.ATTACH)]
    notes: dict[tuple[int, int | None], Note] = {}
    gaps = {gap.span: gap for gap in reversed(unchecked)}
    for cause in wanted:
        if cause.span is None:
            continue
        if cause.claim is not None:
            text = _note(words.note, {"policy": policy.name, **_values(by_claim[cause.claim])})
        else:
            gap = gaps[cause.span]
            values = {"policy": policy.name, "claim": _quotable(gap.text), "reason": gap.reason.value}
            text = fill(words.unchecked, values)
        notes[cause.span.start, cause.claim] = Note(cause.claim, text, cause.span.end)
    return tuple(sorted(notes.values(), key=lambda note: note.at))


def _note(template: str, values: Mapping[str, str]) -> str:
    """A note on a claim, without what the template says of values where none were compared."""
    lacking = any(not values[name] for name in names(template) & COMPARED)
    return fill(PLAIN_NOTE if lacking else template, values)


def _message(
    policy: Policy,
    words: Messages,
    causes: Sequence[Cause],
    by_claim: dict[int, Verdict],
    flagged: Sequence[int],
    kas: float | None,
) -> str:
    blocking = [c.claim for c in causes if c.action is Action.BLOCK and c.claim is not None] or list(flagged)
    refuted = [claim for claim in blocking if by_claim[claim].label is Label.CONTRADICTORY]
    first = next(iter(refuted or blocking), None)
    values = {"claim": "", "rationale": ""} if first is None else _values(by_claim[first])
    shown = "" if kas is None else f"{kas:.2f}"
    template = words.block if refuted else words.unconfirmed
    return fill(template, {**values, "policy": policy.name, "flagged": str(len(flagged)), "kas": shown})


def _values(verdict: Verdict) -> dict[str, str]:
    slot, evidence = verdict.slot, verdict.evidence
    sources = [passage.title or passage.source.value for passage in evidence.passages]
    sources += [triplet.source for triplet in evidence.triplets if triplet.source]
    return {
        "claim": _quotable(verdict.claim.text),
        "rationale": _flat(verdict.rationale),
        "verdict": WORDS[verdict.label],
        "label": verdict.label.value,
        "claimed": slot.claimed if slot else "",
        "known": slot.known if slot else "",
        "source": sources[0] if sources else "",
    }


def _quotable(text: str) -> str:
    """A claim as it stands in quotation marks: a row of a table without its bars, a quotation without marks of its own.

    "| Urgent | 5 working days |" is "Urgent: 5 working days".
    """
    first, *rest = [cell.strip() for cell in _BAR.split(_flat(text).strip("| "))]
    row = f"{first}: {', '.join(rest)}" if rest else first
    quoted = _QUOTED.fullmatch(row)
    return quoted[1] if quoted else row


def _flat(text: str) -> str:
    """One line: a note is one line of the section, whatever the claim's layout was."""
    return " ".join(text.split())
