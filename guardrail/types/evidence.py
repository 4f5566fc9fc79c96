"""What was found for a claim, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from guardrail.types.knowledge import Node, Passage, Triplet

Cardinality = Literal["single", "list", "unknown"]


@dataclass(frozen=True, slots=True)
class Property:
    """What the graph knows of a relation. `single_ratio`: share of subjects with one value, None if not measured.

    `cardinality` "single" is one value for ever, or where it is `temporal` one at a time.
    `roles`: what checkers must know of it beyond its fields ("date of birth", "start"), by the names in `data/properties.yaml`.
    `same_as`: ids of properties in that file that it means the same as; what its own record leaves open is as theirs.
    `unit`: of values that come without one. `domain`, `range`: of what kind its subjects and its values are: kinds of
    `data/types.yaml` or ids of classes; empty where nobody said so. `values`: the texts and names that it takes, where they are few.
    """

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
    roles: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    unit: Node | None = None
    domain: tuple[str, ...] = ()
    range: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


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
    `complete`: the graph says that the statements are all there are of this subject: they may be counted, and another member
    is wrong. (`property.complete` says of a property that its lists name all members as a rule.)
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
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of statements between two mentioned entities; `hops` of them, walked in either direction."""

    triplets: tuple[Triplet, ...]
    relevance: float = 0.0

    @property
    def hops(self) -> int:
        return len(self.triplets)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Where the subject of one fact stands by the values of one property: for "larger than", and for "the largest".

    `own` is the subject's statement; `ahead` holds, for each member that comes before it, that member's statement and
    those which place it in the set ("in Africa"). `wanted`: the place that the claim gives the subject, from 1.
    `whole`: every member of the set is known with a value, so that nobody else can come before. `beside`: of a comparison,
    the statement about the one that the subject is compared with.
    """

    fact: int
    own: Triplet
    ahead: tuple[tuple[Triplet, ...], ...] = ()
    wanted: int = 1
    whole: bool = False
    beside: tuple[Triplet, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """What a graph says of an entity that a claim names: all statements about it, as far as a limit lets.

    `properties`: the records of the statements' predicates, by id. `object_of`: ids of properties of which it is a value.
    `names`: its label and aliases; `kinds`: ids of its classes; `ranges`: by property, of the classes of its values.
    `terms`: statements of which it is the value, that are qualified: "the firm has the director Ada, from 2019".
    `incoming`: statements of other things of which it is the value, as far as a limit lets.
    `closed`: ids of properties of which the graph says that the statements are all there are.
    """

    entity: Node
    statements: tuple[Triplet, ...] = ()
    properties: Mapping[str, Property] = field(default_factory=dict)
    object_of: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    ranges: Mapping[str, frozenset[str]] = field(default_factory=dict)
    terms: tuple[Triplet, ...] = ()
    closed: frozenset[str] = frozenset()
    incoming: tuple[Triplet, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was found for one claim. `triplets` is the flat, ranked view; `answers` and `paths` say how it was found.

    `unread`: what exists but was not looked at (cut by a limit): a verdict over it may not be "confirmed". `properties`:
    what the graph knows of the relations in its statements. `profiles`: what may be asked of the entities that the claim
    names, in the order in which it names them. `nearest`: the statements nearest to the claim in meaning, of whatever
    they speak; `peers`: others with their properties.
    """

    triplets: tuple[Triplet, ...] = ()
    passages: tuple[Passage, ...] = ()
    answers: tuple[Answer, ...] = ()
    paths: tuple[Path, ...] = ()
    unread: tuple[str, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    properties: tuple[Property, ...] = ()
    profiles: tuple[Profile, ...] = ()
    nearest: Sequence[Triplet] = ()
    peers: Sequence[Triplet] = ()

    def __bool__(self) -> bool:
        """Whether a statement or a passage was found."""
        return bool(self.triplets or self.passages)

    @property
    def is_judgeable(self) -> bool:
        """Whether a checker may decide by it: what a graph says of an entity is found before it is known which statement counts."""
        return bool(self or self.profiles or self.nearest)
