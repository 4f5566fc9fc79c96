"""What is known: entities, statements, passages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from guardrail.types.text import Span

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

    @property
    def phrase(self) -> str:
        """How it is called within a sentence."""
        return _PHRASES[self]


_PHRASES = {
    Source.REQUEST: "the references of the request",
    Source.KG: "the knowledge graph",
    Source.CORPUS: "the corpus",
    Source.WEB: "the web",
}


class Setting(StrEnum):
    """What the references in a request are to the answer (RefChecker §3.2)."""

    ZERO = "zero"  # there are none, or they are not to be used
    NOISY = "noisy"  # several, of which some may be beside the point
    ACCURATE = "accurate"  # the one document that the answer is about

    @classmethod
    def of(cls, references: int) -> Setting:
        """The setting of a request with so many references, where nobody has said which one it is."""
        return cls.NOISY if references > 1 else cls.ACCURATE if references else cls.ZERO


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of reference text. `message`/`span` point into the request where it came from there.

    `marks`: the words that carry a verdict, as spans of `text` (RefChecker's localization). `about`: whom it speaks of where
    it only says "he" or "it", as far as what stands before it tells.
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
    about: str = ""
