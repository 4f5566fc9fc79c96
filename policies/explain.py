"""A policy in plain sentences, for people who never saw the file: what happens to whose text, when, and what is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guardrail.types import Setting
from policies.terms import (
    Action,
    AnswerCondition,
    AnswerRule,
    ClaimCondition,
    ClaimRule,
    Hold,
    Match,
    Mode,
    Policy,
    Range,
)

__all__ = ["explain"]

_MODES = {
    Mode.OBSERVE: "Text passes at once and is checked meanwhile.",
    Mode.BUFFER: "The whole answer is held back until all of it is checked.",
}
_ON_CLAIM = {
    Action.PASS: "nothing is done",
    Action.ANNOTATE: "the finding is sent beside the text",
    Action.ATTACH: "a note is written under the text",
    Action.REVISE: "its wrong words are replaced by a verified correction",
    Action.REGENERATE: "the model is asked once more, with the evidence",
    Action.BLOCK: "the answer is withheld",
}
_ON_ANSWER = {**_ON_CLAIM, Action.ANNOTATE: "the findings are sent beside the text"}
_STORED = {
    "full": "the answer and all its claims",
    "flagged": "the flagged claims with their reasons",
    "hash": "offsets, labels and scores, but no words",
}


def explain(policy: Policy) -> tuple[str, ...]:
    """The policy's sentences in the order in which things happen."""
    return tuple(_sentences(policy))


def _sentences(policy: Policy) -> Iterator[str]:
    yield _held(policy.hold) if policy.mode is Mode.HOLD else _MODES[policy.mode]
    if policy.shadow:
        yield "It only observes: what it would do is recorded, and the client sees no difference."
    yield _match(policy.match)
    yield _evidence(policy)
    yield from (_claim_rule(policy, rule) for rule in policy.claims)
    yield from (_answer_rule(rule) for rule in policy.answer)
    yield from _fallbacks(policy)
    if policy.tools == "check":
        yield _calls(policy)
    if policy.withholds_beside:
        yield "Words beside the answer are withheld: reasoning, input and output of the server's own tools, titles and quotes."
    yield _recorded(policy)


def _calls(policy: Policy) -> str:
    waits = "; a call waits for its verdict" if policy.keeps_calls else ""
    return f"The texts in the arguments of tool calls are checked, too, and never changed{waits}."


def _held(hold: Hold) -> str:
    """What `hold` keeps back, and what cuts it short."""
    what = "Each sentence is" if hold.sentences == 1 else f"The last {hold.sentences} sentences are"
    limits = []
    if hold.characters:
        limits.append(f"longer than {hold.characters} characters")
    if hold.milliseconds:
        limits.append(f"held back longer than {hold.milliseconds / 1000:g} s")
    short = f"; what is {_or(limits)} is sent as not checked" if limits else ""
    return f"{what} held back until checked{short}."


def _match(match: Match) -> str:
    if match.everything:
        return "It applies to every request."
    given = {
        "model": match.model,
        "route": match.route,
        "API key": match.key,
        "tenant": match.tenant,
        "language": match.language,
    }
    parts = [f"{name} {_or(patterns)}" for name, patterns in given.items() if patterns]
    return f"It applies to requests with {_and(parts)}."


def _evidence(policy: Policy) -> str:
    taken = {
        None: "A single reference in a request is taken as accurate; several are taken as search results",
        Setting.ZERO: "References in a request are not used",
        Setting.NOISY: "References in a request are taken as search results, some of which may be irrelevant",
        Setting.ACCURATE: "References in a request are taken as accurate",
    }
    order = ", then ".join(source.phrase for source in policy.sources)
    return f"Claims are judged by {order}. {taken[policy.setting]}."


def _claim_rule(policy: Policy, rule: ClaimRule) -> str:
    unless = f", unless it is {_claim(rule.unless)}" if rule.unless else ""
    return f"If a claim is {_claim(rule.when)}{unless}, {_ON_CLAIM[rule.then or policy.on_flag]} (rule “{rule.name}”)."


def _claim(condition: ClaimCondition) -> str:
    """What a claim must be; every restriction is said, as a test over all fields proves."""
    kind = f"of kind {_or(condition.kind)}" if condition.kind else ""
    is_like = " and ".join(filter(None, (_or(condition.label), kind)))
    parts = [
        _range("a confidence", condition.confidence),
        _range("a TMS", condition.tms),
        _named("the reason", condition.reason),
        _named("a slot of type", condition.slot),
        _named("the property", condition.property),
        _named("the entity", condition.entity),
        _named("an entity of type", condition.entity_type),
        _named("evidence from", condition.source),
        _named("a verdict by", condition.checker),
        _whether(condition.revisable, "a verified correction", "no verified correction"),
        _whether(condition.conflict, "sources that disagree", "sources that do not disagree"),
    ]
    having = _and([part for part in parts if part])
    return f"{is_like or 'judged'} with {having}" if having else is_like or "judged"


def _whether(wanted: bool | None, yes: str, no: str) -> str:
    return "" if wanted is None else yes if wanted else no


def _answer_rule(rule: AnswerRule) -> str:
    unless = f", unless it has {_answer(rule.unless)}" if rule.unless else ""
    return f"If an answer has {_answer(rule.when)}{unless}, {_ON_ANSWER[rule.then]} (rule “{rule.name}”)."


def _answer(condition: AnswerCondition) -> str:
    parts = [_range("a KAS", condition.kas), _named("the outcome", condition.outcome)]
    parts += [_range(f"a number of {what} claims", limits) for what, limits in condition.count]
    parts += [_range(f"a share of {what} claims", limits) for what, limits in condition.share]
    return _and([part for part in parts if part]) or "any outcome"


def _fallbacks(policy: Policy) -> Iterator[str]:
    on_claims = [rule.then or policy.on_flag for rule in policy.claims]
    if Action.REVISE in on_claims:
        yield f"If no correction can be verified, {_ON_CLAIM[policy.on_no_revision]}."
    if policy.regenerates:
        yield f"If the second answer is no better, {_ON_CLAIM[policy.on_regenerated]}."
    late = f"takes longer than {policy.deadline_ms / 1000:g} s"
    if policy.on_error is policy.on_timeout:
        yield f"If a check fails or {late}, {_ON_CLAIM[policy.on_error]}; the text never counts as confirmed."
    else:
        yield f"If a check fails, {_ON_CLAIM[policy.on_error]}; the text never counts as confirmed."
        yield f"If a check {late}, {_ON_CLAIM[policy.on_timeout]}."
    unread = policy.on_unread
    what = {
        "in another language": unread.language,
        "not read": unread.unread,
        "code that names things from the knowledge": unread.code,
    }
    for action in dict.fromkeys(what.values()):
        texts = _or([text for text, one in what.items() if one is action])
        yield f"If text is {texts}, {_ON_CLAIM[action]}; it never counts as confirmed."
    yield (
        f"Verdicts that take longer than {policy.answer_deadline_ms / 1000:g} s after the model's last word count as too late."
    )
    yield f"If there is no evidence for or against a claim, {_ON_CLAIM[policy.on_no_evidence]}."
    yield f"If a claim is neither confirmed nor wrong, {_ON_CLAIM[policy.on_unconfirmed]}."


def _recorded(policy: Policy) -> str:
    audit = policy.audit
    kept = f"for {audit.retention_days} days" if audit.retention_days else "without a time limit"
    masked = ", personal data masked" if audit.redact and audit.store != "hash" else ""
    lost = "withheld" if audit.on_failure == "closed" else "sent, marked as not recorded"
    return f"The audit log gets {_STORED[audit.store]}{masked}, kept {kept}; an answer that cannot be recorded is {lost}."


def _range(name: str, limits: Range) -> str:
    low = f"of at least {limits.min:g}" if limits.min is not None else ""
    high = f"below {limits.below:g}" if limits.below is not None else ""
    found = _and([part for part in (low, high) if part])
    return f"{name} {found}" if found else ""


def _named(name: str, values: Sequence[str]) -> str:
    return f"{name} {_or(values)}" if values else ""


def _or(values: Sequence[str]) -> str:
    return " or ".join(str(value).replace("_", " ") for value in values)


def _and(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else ""
