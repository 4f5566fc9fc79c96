"""The nouns of a policy: actions, conditions, rules, and the `Policy` that holds them. Frozen, no I/O.

    claim rule   when (and not unless) a verdict looks like this → action on the claim
    answer rule  when the answer as a whole looks like this      → action on the answer
    on_error, on_timeout, on_unread                              → action where nothing was judged
    on_no_evidence, on_unconfirmed                               → action where nothing was found, or nothing decided

Ranges are half-open: `min <= value < below`. An absent key of a condition holds of everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Literal

from guardrail.types import Kind, Label, Outcome, Reason, Setting, Source
from policies.languages import speaks, tags

__all__ = [
    "Action",
    "AnswerCondition",
    "AnswerRule",
    "Audit",
    "Block",
    "ClaimCondition",
    "ClaimRule",
    "Hold",
    "Match",
    "Messages",
    "Mode",
    "OnUnread",
    "Policy",
    "Range",
    "Request",
]

SlotType = Literal["date", "number", "entity", "text"]


class Action(StrEnum):
    """What is done, from weakest to strongest; the strongest that any rule asks for wins."""

    PASS = "pass"  # nothing
    ANNOTATE = "annotate"  # the text stays, the findings travel beside it
    ATTACH = "attach"  # findings are also written under the text
    REVISE = "revise"  # wrong words are replaced by verified ones
    REGENERATE = "regenerate"  # the model is asked once more, with the evidence
    BLOCK = "block"  # the text is withheld, a message takes its place

    @property
    def strength(self) -> int:
        return _STRENGTH[self]

    @property
    def withholds(self) -> bool:
        """Text that it is done to may not have been shown before."""
        return self in (Action.REVISE, Action.REGENERATE, Action.BLOCK)


_STRENGTH: Mapping[Action, int] = {action: index for index, action in enumerate(Action)}


class Mode(StrEnum):
    """When streamed text is let go: at once, when its sentence is judged, when the whole answer is judged."""

    OBSERVE = "observe"
    HOLD = "hold"
    BUFFER = "buffer"


@dataclass(frozen=True, slots=True)
class Range:
    """`min <= value < below`; None does not bound."""

    min: float | None = None
    below: float | None = None

    def __contains__(self, value: float) -> bool:
        return (self.min is None or value >= self.min) and (self.below is None or value < self.below)

    def includes(self, other: Range) -> bool:
        """Whether every value of the other range is one of this."""
        low = self.min is None or (other.min is not None and self.min <= other.min)
        return low and (self.below is None or (other.below is not None and self.below >= other.below))


@dataclass(frozen=True, slots=True)
class ClaimCondition:
    """Of one verdict. Empty tuples and None do not restrict. Words are compared without regard to case."""

    label: tuple[Label, ...] = ()
    confidence: Range = Range()
    tms: Range = Range()
    kind: tuple[Kind, ...] = ()
    reason: tuple[Reason, ...] = ()
    slot: tuple[SlotType, ...] = ()
    property: tuple[str, ...] = ()
    entity: tuple[str, ...] = ()
    entity_type: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    checker: tuple[str, ...] = ()
    revisable: bool | None = None
    conflict: bool | None = None


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """Flags a claim. `then` None: the policy's `on_flag`."""

    name: str
    when: ClaimCondition
    unless: ClaimCondition | None = None
    then: Action | None = None


@dataclass(frozen=True, slots=True)
class AnswerCondition:
    """Of a whole answer. `count` and `share` by what is counted: a label, flagged, unchecked, claims."""

    kas: Range = Range()
    outcome: tuple[Outcome, ...] = ()
    count: tuple[tuple[str, Range], ...] = ()
    share: tuple[tuple[str, Range], ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerRule:
    name: str
    when: AnswerCondition
    then: Action
    unless: AnswerCondition | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What a policy is chosen by. `key` is the id of an API key, never the key; `language` the tags that it accepts, the most
    wanted first: "en-gb,de".
    """

    model: str = ""
    route: str = ""
    key: str = ""
    tenant: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """Which requests a policy is for: shell patterns, any of a key's patterns, all keys. A language stands for its kinds, too."""

    model: tuple[str, ...] = ()
    route: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    tenant: tuple[str, ...] = ()
    language: tuple[str, ...] = ()

    def __contains__(self, request: Request) -> bool:
        spoken = not self.language or any(speaks(request.language, pattern) for pattern in self.language)
        return spoken and all(
            not patterns or any(fnmatchcase(value.lower(), pattern.lower()) for pattern in patterns)
            for patterns, value in (
                (self.model, request.model),
                (self.route, request.route),
                (self.key, request.key),
                (self.tenant, request.tenant),
            )
        )

    @property
    def everything(self) -> bool:
        return self == Match()


@dataclass(frozen=True, slots=True)
class Hold:
    """How much text `hold` keeps back. `sentences`: the window; `characters`, `milliseconds`: limits, 0 for none."""

    sentences: int = 1
    characters: int = 0
    milliseconds: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """How a block looks on the wire. `form`: the policy's words as the answer, or an error in OpenAI's shape."""

    form: Literal["message", "error"] = "message"
    finish_reason: Literal["stop", "content_filter"] = "stop"
    status: Literal[400, 403, 422] = 403


@dataclass(frozen=True, slots=True)
class Messages:
    """Templates of one language; what may stand in braces is in `policies.template`."""

    block: str
    unconfirmed: str
    note: str
    unchecked: str
    heading: str
    footer: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What is recorded. `retention_days` 0: kept for ever."""

    store: Literal["full", "flagged", "hash"] = "flagged"
    on_failure: Literal["closed", "continue"] = "closed"
    retention_days: int = 0
    redact: bool = True


@dataclass(frozen=True, slots=True)
class OnUnread:
    """What is done about text that was not read, by the reason."""

    language: Action = Action.ANNOTATE
    unread: Action = Action.ANNOTATE
    code: Action = Action.ANNOTATE

    @classmethod
    def like(cls, on_error: Action) -> OnUnread:
        """As where a check fails; code, of which an answer may be full, is annotated at most."""
        return cls(on_error, on_error, min(on_error, Action.ANNOTATE, key=lambda one: one.strength))


@dataclass(frozen=True, slots=True)
class Policy:
    """All of one policy. `hash` is over everything that can change a decision, a message or a record.

    `report`: how much of the report a client gets that does not say it.

    `sources`: where evidence may come from, the most trusted first. `setting`: what references are taken for; None: detected.
    """

    name: str
    mode: Mode
    claims: tuple[ClaimRule, ...]
    answer: tuple[AnswerRule, ...]
    on_flag: Action
    on_no_revision: Action
    on_error: Action
    on_timeout: Action
    on_no_evidence: Action
    messages: Mapping[str, Messages]
    on_unconfirmed: Action = Action.PASS
    on_unread: OnUnread = OnUnread()
    shadow: bool = False
    deadline_ms: int = 5000
    answer_deadline_ms: int = 30000
    on_regenerated: Action = Action.BLOCK
    logprobs: Literal["drop", "keep"] = "drop"
    tools: Literal["pass", "check"] = "pass"
    beside: Literal["pass", "withhold"] = "pass"
    report: Literal["full", "compact", "none"] = "full"
    hold: Hold = Hold()
    match: Match = Match()
    block: Block = Block()
    audit: Audit = Audit()
    description: str = ""
    hash: str = ""
    sources: tuple[Source, ...] = tuple(Source)
    setting: Setting | None = None

    @property
    def fallbacks(self) -> tuple[Action, ...]:
        """The actions that are taken without a rule."""
        unread = self.on_unread
        return (
            self.on_error,
            self.on_timeout,
            self.on_no_evidence,
            self.on_unconfirmed,
            unread.language,
            unread.unread,
            unread.code,
        )

    @property
    def strongest(self) -> Action:
        """The strongest action that this policy can ever take."""
        on_claims = [rule.then or self.on_flag for rule in self.claims]
        if Action.REVISE in on_claims:
            on_claims.append(self.on_no_revision)
        again = [self.on_regenerated] if self.regenerates else []
        actions = [*on_claims, *(rule.then for rule in self.answer), *self.fallbacks, *again]
        return max(actions, key=lambda action: action.strength)

    @property
    def guards(self) -> bool:
        """Whether text may be kept from the client: what is not understood may not be shown then."""
        return self.mode is not Mode.OBSERVE and not self.shadow

    @property
    def withholds_beside(self) -> bool:
        """Whether words that clients show beside the answer are kept from them."""
        return self.beside == "withhold" and self.guards

    @property
    def keeps_calls(self) -> bool:
        """Whether a tool call waits for its verdict: it is checked, and may come to nothing."""
        ends = self.strongest in (Action.BLOCK, Action.REGENERATE)
        return self.tools == "check" and ends and self.mode is not Mode.OBSERVE and not self.shadow

    @property
    def regenerates(self) -> bool:
        """Whether the model may be asked once more."""
        on_claims = [rule.then or self.on_flag for rule in self.claims]
        return Action.REGENERATE in [*on_claims, *(rule.then for rule in self.answer)]

    def words(self, language: str = "en") -> Messages:
        """The messages for the tags of a request, the most wanted first: exact, then its main language; else English."""
        told = {tag.lower(): messages for tag, messages in self.messages.items()}
        for wanted in tags(language.lower()):
            for tag in (wanted, wanted.split("-")[0]):
                if tag in told:
                    return told[tag]
        return told["en"]
