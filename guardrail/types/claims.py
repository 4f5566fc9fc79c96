"""What is said: mentions, facts, claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from guardrail.types.knowledge import Entity, Value
from guardrail.types.text import Span


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
class Claim:
    """The unit that is shown and judged: `text == original[span]`; `resolved` stands alone.

    Claims of one text are disjoint and in order. `reason` is set when no safe reading exists (ambiguous reference). `pair`: the key and
    its value, "Price: £5", where the claim is a line or a table's cell that sets one beside the other; else empty. `focus`: what the text
    speaks of around it, the question's things, too: "Died in Paris." may be said of one of them.
    """

    id: int
    span: Span
    text: str
    resolved: str
    facts: tuple[Fact, ...] = ()
    mentions: tuple[Mention, ...] = ()
    kind: Kind = Kind.FACT
    reason: Reason | None = None
    pair: str = ""
    focus: tuple[Entity, ...] = ()
