"""What came of it: verdicts, what was not checked, the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from enum import StrEnum
from typing import Literal

from guardrail.types.claims import Claim, Mention, Reason
from guardrail.types.evidence import Cardinality, Evidence
from guardrail.types.knowledge import Entity, Object, Setting, Source
from guardrail.types.text import Span

UNAVAILABLE = "unavailable"  # in `Report.versions`: what cannot be read at present


class Label(StrEnum):
    """ClaimVer §3.3."""

    ATTRIBUTABLE = "attributable"
    EXTRAPOLATORY = "extrapolatory"
    CONTRADICTORY = "contradictory"


@dataclass(frozen=True, slots=True)
class Slot:
    """The proof of a verdict: what was claimed and what is known of one property.

    `fact`: the claim's fact that was compared; -1: words were, and `type` says what they are where they are a date or a number.
    """

    property: str
    claimed: str
    known: str
    cardinality: Cardinality
    state: Literal["agree", "conflict", "unknown"]
    span: Span | None = None  # of the claimed words
    fact: int = 0
    values: tuple[Object, ...] = ()  # what is known, as objects: the material of a revision
    answers: int = 0  # how many values the source has for this property (FLEEK's |A|)
    type: Literal["", "date", "number"] = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """Replace `original[span]` by `replacement`; `text` is the claim's sentence after it. Verified before it is offered."""

    span: Span
    replacement: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class SourceVerdict:
    """What one source of evidence alone says of a claim, where several were asked and it came to a decision."""

    source: Source
    label: Label
    confidence: float
    evidence: Evidence
    rationale: str
    checker: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one claim. `evidence` holds only what bears on it: ClaimVer's rel_triplets.

    `confidence` in [0, 1] is the probability that the label is right; `tms` in [0, 1] is ClaimVer Eq. 3;
    `score` is ClaimVer's claim score cs (2, 1, 0, -1). `slot` is the one that decided; `slots` are those of all facts that
    something was compared with, in order. `by_source`: the sources that decide on their own, in the order of their
    precedence, where several had evidence; the label is the first one's. A source that both supports and contradicts the
    claim decides nothing, and stands there twice.
    """

    claim: Claim
    label: Label
    confidence: float
    evidence: Evidence
    rationale: str
    checker: str
    slot: Slot | None = None
    reason: Reason | None = None
    tms: float = 0.0
    score: float = 0.0
    revisions: tuple[Revision, ...] = ()
    slots: tuple[Slot, ...] = ()
    by_source: tuple[SourceVerdict, ...] = ()

    @property
    def conflict(self) -> bool:
        """Whether one source supports the claim and another, or another part of the same one, contradicts it."""
        return len({one.label for one in self.by_source}) > 1


class NotChecked(StrEnum):
    """Why something was not checked."""

    DEADLINE = "deadline"
    ERROR = "error"
    OVERLOAD = "overload"
    CANCELLED = "cancelled"
    DISABLED = "disabled"
    LANGUAGE = "language"  # it is not in English; `detail` names the language or the script
    UNREAD = (
        "unread"  # it states something, or holds data, that no claim was made of; `detail` says in what form
    )
    CODE = "code"  # code that names known things: what it says of them was not read

    @property
    def unreadable(self) -> bool:
        """Whether the text itself is the cause, so that asking again would not help."""
        return self in (NotChecked.LANGUAGE, NotChecked.UNREAD, NotChecked.CODE)


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Text that should have been checked and was not. No answer with it is confirmed."""

    span: Span
    text: str
    reason: NotChecked
    detail: str = ""


class Outcome(StrEnum):
    """Of a whole response, the worst first: of several, the first here speaks for all.

    FLAGGED     something is contradicted, sources disagree on it, or a policy flags it
    NOT_CHECKED something could not be checked
    UNCONFIRMED nothing is contradicted, but not every claim is attributable
    CONFIRMED   every claim is attributable, and there is at least one
    NOT_CHECKABLE there is no claim
    """

    FLAGGED = "flagged"
    NOT_CHECKED = "not_checked"
    UNCONFIRMED = "unconfirmed"
    CONFIRMED = "confirmed"
    NOT_CHECKABLE = "not_checkable"

    @property
    def rank(self) -> int:
        """Its place from the worst, 0, on."""
        return _RANK[self]


_RANK: Mapping[Outcome, int] = {outcome: place for place, outcome in enumerate(Outcome)}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many claims of a text have which label, and how many of its passages were not checked."""

    attributable: int = 0
    extrapolatory: int = 0
    contradictory: int = 0
    unchecked: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], unchecked: int = 0) -> Counts:
        """`unchecked`: the number of passages that were not checked."""
        found = Counter(verdict.label for verdict in verdicts)
        return cls(
            found[Label.ATTRIBUTABLE], found[Label.EXTRAPOLATORY], found[Label.CONTRADICTORY], unchecked
        )

    @property
    def claims(self) -> int:
        """All claims that have a label."""
        return self.attributable + self.extrapolatory + self.contradictory

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(mine + more for mine, more in zip(astuple(self), astuple(other), strict=True)))

    def outcome(self, *, flagged: bool = False) -> Outcome:
        """What a text with these counts comes to. `flagged`: something in it is flagged, whatever its label is."""
        if flagged or self.contradictory:
            return Outcome.FLAGGED
        if self.unchecked:
            return Outcome.NOT_CHECKED
        if not self.claims:
            return Outcome.NOT_CHECKABLE
        return Outcome.UNCONFIRMED if self.extrapolatory else Outcome.CONFIRMED


@dataclass(frozen=True, slots=True)
class Linked:
    """An entity of the report with every place that names it."""

    entity: Entity
    spans: tuple[Span, ...]


Finding = Verdict | Unchecked | Claim
"""What is said of one stretch of a text. A claim by itself is one that cannot be checked: a question, an opinion."""


def linked(mentions: Iterable[Mention]) -> tuple[Linked, ...]:
    """The entities that `mentions` name under their best readings, in the order in which they are first named."""
    spans: dict[str, list[Span]] = {}
    entities: dict[str, Entity] = {}
    for mention in mentions:
        if mention.entity:
            entities.setdefault(mention.entity.id, mention.entity)
            spans.setdefault(mention.entity.id, []).append(mention.span)
    return tuple(Linked(entity, tuple(spans[key])) for key, entity in entities.items())


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one text. The spans of verdicts and unchecked plus `gaps` tile the text exactly.

    `skipped`: claims that cannot be checked (questions, opinions …); they lie in the gaps.
    `kas` in [0, 1]: ClaimVer Eq. 5; 0.5 is neutral. `setting`: RefChecker's, what the request's references were taken for.
    """

    text: str
    verdicts: tuple[Verdict, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    skipped: tuple[Claim, ...] = ()
    gaps: tuple[Span, ...] = ()
    entities: tuple[Linked, ...] = ()
    kas: float = 0.5
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    setting: Setting = Setting.ZERO

    @property
    def flagged(self) -> tuple[Verdict, ...]:
        """The verdicts that are Contradictory, or on which sources disagree. What else a policy flags is its own word."""
        return tuple(v for v in self.verdicts if v.label is Label.CONTRADICTORY or v.conflict)

    @property
    def counts(self) -> Counts:
        return Counts.of(self.verdicts, len(self.unchecked))

    @property
    def outcome(self) -> Outcome:
        return self.counts.outcome(flagged=bool(self.flagged))

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready data: the object that docs/wire.md describes."""
        from guardrail.report import to_dict  # the codec knows the types, not the other way round

        return to_dict(self)
