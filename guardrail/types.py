"""The nouns of the house: frozen, slotted, importing nothing of ours.

Text is never altered; everything points into it by `Span`, in Unicode code points of the text as delivered.

    Sentence ──linker──▶ Mention ──extractor──▶ Claim(Fact…) ──retriever──▶ Evidence ──checker──▶ Verdict
                                                                                          └──▶ Unchecked
    Verdict… ──scoring──▶ Report

A failure is never a label: what could not be checked is `Unchecked`, another type than `Verdict`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Protocol

# ── text ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range `[start, end)` of Unicode code points of the original text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"no span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The words this span points at."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def shift(self, offset: int) -> Span:
        return Span(self.start + offset, self.end + offset)


class BlockKind(StrEnum):
    """What a stretch of Markdown is; code and math hold no claims."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"
    QUOTE = "quote"
    ROW = "row"
    CODE = "code"
    MATH = "math"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A committed sentence: `text == original[span]`; it never changes once it has been given out.

    `heading` is the nearest heading above (or the lead-in that ends with a colon above a list): the subject of items and rows that name none.
    `header` holds the column heads of the table that a row belongs to.
    `forced`: the hold limit cut it before its end was seen.
    """

    span: Span
    text: str
    kind: BlockKind = BlockKind.PROSE
    heading: str = ""
    header: tuple[str, ...] = ()
    forced: bool = False


# ── knowledge ─────────────────────────────────────────────────────────────────────────────────────────

Datatype = Literal["date", "quantity", "string", "coordinate"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the knowledge graph, as far as a reader needs to know it."""

    id: str
    label: str
    description: str = ""
    types: tuple[str, ...] = ()  # ids of its classes (Wikidata P31)
    popularity: float = 0.0  # log prior: larger is better known
    gender: Literal["", "m", "f"] = ""  # people only; for pronouns
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A reference to an entity or a property: id and label."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Value:
    """A typed literal. `label` is how it is shown; `value` is canonical.

    date: `value` is ISO 8601 cut to its precision ("1989-12-13", "1989-12", "1989", "-0044-03-15"); `precision` is
    Wikidata's (11 day, 10 month, 9 year, 8 decade, 7 century, 6 millennium; for 8 to 6 `value` is the first year).
    quantity: `value` is a decimal in `unit` (None: a plain number); `lower`/`upper` bound it where the source says so.
    string: `value` is the text itself, `language` its tag. coordinate: "lat,lon".
    """

    label: str
    value: str
    datatype: Datatype
    precision: int | None = None
    calendar: str = ""
    unit: Node | None = None
    lower: str | None = None
    upper: str | None = None
    language: str = ""


Object = Node | Value


@dataclass(frozen=True, slots=True)
class Qualifier:
    """One qualifier of a statement (Wikidata), one attribute of an extended triple (FLEEK §2.1.1)."""

    predicate: Node
    object: Object


@dataclass(frozen=True, slots=True)
class Triplet:
    """A statement of the graph, or one given with the request. `id` is stable within one source."""

    subject: Node
    predicate: Node
    object: Object
    qualifiers: tuple[Qualifier, ...] = ()
    id: str = ""
    source: str = ""
    as_of: str = ""
    rank: Literal["preferred", "normal", "deprecated"] = "normal"


class Source(StrEnum):
    """Where evidence may come from."""

    REQUEST = "request"
    KG = "kg"
    CORPUS = "corpus"
    WEB = "web"


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of reference text. `message`/`span` point into the request where it came from there.

    `marks`: the words that carry a verdict, as spans of `text` (RefChecker's localization).
    """

    id: str
    text: str
    source: Source
    title: str = ""
    url: str | None = None
    message: int | None = None
    span: Span | None = None
    marks: tuple[Span, ...] = ()
    relevance: float = 0.0
    as_of: str = ""


# ── claims ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading of a mention; `score` is a log-linear linking score, larger is better."""

    entity: Entity
    score: float


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name an entity. `candidates` best first; empty: a name that the graph does not know (NIL).

    More than one candidate means they are within the linker's margin: a verdict must hold under all of them.
    """

    span: Span
    text: str
    candidates: tuple[Candidate, ...] = ()

    @property
    def entity(self) -> Entity | None:
        return self.candidates[0].entity if self.candidates else None


class Kind(StrEnum):
    """Whether a claim can be checked, and if not, why not."""

    FACT = "fact"
    HEDGED = "hedged"  # "may have been": checked, but never Attributable or Contradictory on its own
    ATTRIBUTION = "attribution"  # "X said that …": the outer claim; the inner one is a FACT
    QUESTION = "question"
    OPINION = "opinion"
    INSTRUCTION = "instruction"
    GREETING = "greeting"
    CODE = "code"
    HEADING = "heading"  # a heading or lead-in: it claims nothing, but names what follows

    @property
    def checkable(self) -> bool:
        return self in (Kind.FACT, Kind.HEDGED, Kind.ATTRIBUTION)


@dataclass(frozen=True, slots=True)
class Argument:
    """Subject or object of a fact. `span` is None when it is not in the text (taken from question or heading).

    `mentions`: the entities it names, the one that it is as a whole first. A pronoun carries its antecedent's mention.
    `value`: its date or quantity, where it is one (`Value.label` keeps the words).
    `modifier`: the words that soften or bound a value: "about", "more than", "at least", "in the", "before" …, lower case.
    """

    text: str
    span: Span | None = None
    mentions: tuple[Mention, ...] = ()
    value: Value | None = None
    modifier: str = ""

    @property
    def mention(self) -> Mention | None:
        return self.mentions[0] if self.mentions else None


@dataclass(frozen=True, slots=True)
class Attribute:
    """A further argument of an n-ary fact: FLEEK's predicate attribute. `name`: place, time, age, amount, role …"""

    name: str
    object: Argument


@dataclass(frozen=True, slots=True)
class Fact:
    """A flat triple, or with attributes an extended triple (FLEEK §2.1.1), in the words of the text.

    `relations`: candidate property ids best first, "^P50" for the inverse reading (object is the graph's subject);
    empty when the lexicon knows no property for `predicate`.
    `object_type`: what the object is ("date", "year", "quantity", "person", "place", …): FLEEK's type for TQGen.
    `question`: FLEEK's type-aware, context-driven question whose answer is the object.
    """

    subject: Argument
    predicate: str
    object: Argument
    attributes: tuple[Attribute, ...] = ()
    relations: tuple[str, ...] = ()
    object_type: str = ""
    question: str = ""
    negated: bool = False
    universal: bool = False  # "never", "all", "any", "only", "no … has"
    tense: Literal["", "past", "present", "former"] = ""
    predicate_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """The unit that is shown and judged: `text == original[span]`; `resolved` stands alone.

    Claims of one text are disjoint and in order. `reason` is set when no safe reading exists (ambiguous reference).
    """

    id: int
    span: Span
    text: str
    resolved: str
    facts: tuple[Fact, ...] = ()
    mentions: tuple[Mention, ...] = ()
    kind: Kind = Kind.FACT
    reason: Reason | None = None


# ── evidence ──────────────────────────────────────────────────────────────────────────────────────────

Cardinality = Literal["single", "list", "unknown"]


@dataclass(frozen=True, slots=True)
class Property:
    """What the graph knows of a relation. `single_ratio`: share of subjects with one value, None if not measured."""

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    datatype: Literal["entity", "date", "quantity", "string", "coordinate"] = "entity"
    cardinality: Cardinality = "unknown"
    inverse: str | None = None
    symmetric: bool = False
    temporal: bool = False  # its statements change with time (capital, head of state, employer …)
    hierarchical: bool = False  # located in, part of, subclass of
    single_ratio: float | None = None
    complete: bool = (
        False  # its lists name all members as a rule (author, director): another value is wrong, not unknown
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """The graph's answer to one fact's typed question, (S, P, ?) → statements: FLEEK §2.1.3 as a graph query.

    `fact`: index into `Claim.facts`. `subject`: the reading of the subject that was asked for.
    `inverse`: the question was asked from the object's side, (?, P, O).
    `statements`: what the graph holds; empty when it knows the subject but not this property.
    `broader`: a chain of hierarchy statements from a known object up to the claimed one (the claim is coarser).
    `narrower`: likewise from the claimed object up to a known one (the claim is finer than the graph).
    `about`: which end of the fact `subject` is. What the claim says of it is the fact's other end; what the graph says
    of it are the statements' objects, or with `inverse` their subjects.
    `apart`: for places: the claimed one is of a kind with a known one or with what that lies in, and is none of them: another
    country, another county. Without it two places may overlap for all the graph knows.
    """

    fact: int
    subject: Node
    property: Property
    statements: tuple[Triplet, ...] = ()
    inverse: bool = False
    broader: tuple[Triplet, ...] = ()
    narrower: tuple[Triplet, ...] = ()
    about: Literal["subject", "object"] = "subject"
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of statements between two mentioned entities; `hops` of them, walked in either direction."""

    triplets: tuple[Triplet, ...]
    relevance: float = 0.0

    @property
    def hops(self) -> int:
        return len(self.triplets)


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was found for one claim. `triplets` is the flat, ranked view; `answers` and `paths` say how it was found.

    `unread`: what exists but was not looked at (cut by a limit): a verdict over it may not be clean.
    """

    triplets: tuple[Triplet, ...] = ()
    passages: tuple[Passage, ...] = ()
    answers: tuple[Answer, ...] = ()
    paths: tuple[Path, ...] = ()
    unread: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.triplets or self.passages)


# ── verdicts ──────────────────────────────────────────────────────────────────────────────────────────


class Label(StrEnum):
    """ClaimVer §3.3."""

    ATTRIBUTABLE = "attributable"
    EXTRAPOLATORY = "extrapolatory"
    CONTRADICTORY = "contradictory"


class Reason(StrEnum):
    """Why a claim is Extrapolatory."""

    NO_ENTITY = "no_entity"
    NO_PROPERTY = "no_property"
    OPEN_LIST = "open_list"
    AMBIGUOUS_REFERENCE = "ambiguous_reference"
    AMBIGUOUS_ENTITY = "ambiguous_entity"
    NO_EVIDENCE = "no_evidence"
    INSUFFICIENT = "insufficient"
    NOT_READ = "not_read"
    HEDGED = "hedged"


@dataclass(frozen=True, slots=True)
class Slot:
    """The proof of a symbolic verdict: what was claimed and what is known of one property."""

    property: str
    claimed: str
    known: str
    cardinality: Cardinality
    state: Literal["agree", "conflict", "unknown"]
    span: Span | None = None  # of the claimed words
    fact: int = 0
    values: tuple[Object, ...] = ()  # what is known, as objects: the material of a revision
    answers: int = 0  # how many values the source has for this property (FLEEK's |A|)


@dataclass(frozen=True, slots=True)
class Revision:
    """Replace `original[span]` by `replacement`; `text` is the claim's sentence after it. Verified before it is offered."""

    span: Span
    replacement: str
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one claim. `evidence` holds only what bears on it: ClaimVer's rel_triplets.

    `confidence` in [0, 1] is the probability that the label is right; `tms` in [0, 1] is ClaimVer Eq. 3;
    `score` is ClaimVer's claim score cs (2, 1, 0, -1). `slot` is the one that decided; `slots` are those of all facts that
    something was compared with, in order.
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


class NotChecked(StrEnum):
    """Why something was not checked."""

    DEADLINE = "deadline"
    ERROR = "error"
    OVERLOAD = "overload"
    CANCELLED = "cancelled"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Text that should have been checked and was not. Never counts as clean."""

    span: Span
    text: str
    reason: NotChecked
    detail: str = ""


class Outcome(StrEnum):
    """Of a whole response. NOT_CHECKED wins over all others but FLAGGED.

    CLEAN says that something was confirmed and nothing flagged; where no claim found support it is NOT_CHECKABLE: finding
    nothing is no pass.
    """

    CLEAN = "clean"
    FLAGGED = "flagged"
    NOT_CHECKABLE = "not_checkable"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class Linked:
    """An entity of the report with every place that names it."""

    entity: Entity
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one text. The spans of verdicts and unchecked plus `gaps` tile the text exactly.

    `skipped`: claims that cannot be checked (questions, opinions …); they lie in the gaps.
    `kas` in [0, 1]: ClaimVer Eq. 5; 0.5 is neutral.
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

    @property
    def flagged(self) -> tuple[Verdict, ...]:
        """The verdicts that are Contradictory. What else a policy flags is the policy's word."""
        return tuple(v for v in self.verdicts if v.label is Label.CONTRADICTORY)

    @property
    def outcome(self) -> Outcome:
        if self.flagged:
            return Outcome.FLAGGED
        if self.unchecked:
            return Outcome.NOT_CHECKED
        confirmed = any(verdict.label is Label.ATTRIBUTABLE for verdict in self.verdicts)
        return Outcome.CLEAN if confirmed else Outcome.NOT_CHECKABLE

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready data: the object that docs/wire.md describes."""
        from guardrail.report import to_dict  # the codec knows the types, not the other way round

        return to_dict(self)


# ── roles ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Context:
    """What is known before a sentence is read. `earlier` are the claims so far, oldest first."""

    question: str = ""
    question_mentions: tuple[Mention, ...] = ()
    earlier: tuple[Claim, ...] = ()


class Linker(Protocol):
    """Finds the entities that a text names."""

    def link(self, text: str, *, offset: int = 0, context: Context = Context()) -> list[Mention]:
        """Mentions in `text`, in order, not overlapping; spans are shifted by `offset`."""
        ...


class Extractor(Protocol):
    """Splits a sentence into claims."""

    def extract(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, *, first_id: int = 0
    ) -> list[Claim]:
        """Disjoint claims in order, within the sentence's span, numbered from `first_id`."""
        ...


class Retriever(Protocol):
    """Finds evidence for a claim."""

    def retrieve(self, claim: Claim) -> Evidence: ...


class Checker(Protocol):
    """Judges a claim on its evidence. Returns None when it has nothing to say and the next one should be asked."""

    name: str

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None: ...


class Embedder(Protocol):
    """Turns texts into vectors for the semantic similarity of TMS."""

    name: str

    def similarity(self, left: str, right: str) -> float:
        """Cosine in [-1, 1]."""
        ...


def tile(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The gaps that `spans` (disjoint) leave in `text`, so that spans and gaps tile it."""
    gaps: list[Span] = []
    at = 0
    for span in sorted(spans):
        if span.start < at:
            raise ValueError(f"spans overlap at {span.start}")
        if span.start > at:
            gaps.append(Span(at, span.start))
        at = span.end
    if at < len(text):
        gaps.append(Span(at, len(text)))
    return tuple(gaps)
