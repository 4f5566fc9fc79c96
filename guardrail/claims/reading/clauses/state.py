"""Clauses, and the state of the pass that finds them: which clause is open, what was said last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from guardrail.claims.reading.chunks import NP, VG, Chunk, Mark
from guardrail.claims.reading.tokens import Token
from guardrail.language.lists import word_list
from guardrail.rules import rule

__all__ = ["Clause", "Complement", "REPORTS", "Role", "State"]  # noqa: RUF022 - sorted as Python sorts

Role = Literal[
    "main", "coordinate", "relative", "participle", "aside", "apposition", "adverbial", "inner", "fragment"
]


@dataclass(slots=True, eq=False)
class Complement:
    """A noun phrase or adjective that goes with the verb; `prep` is "" for a direct object. `adj`: token of an adjective."""

    prep: str
    np: NP | None
    at: int
    adj: tuple[int, int] | None = None
    negated: bool = False


@dataclass(slots=True, eq=False)
class Clause:
    """`start`: its first token.

    `link`: the relative word; `link_prep`: the preposition before it ("in which"). `subject` may stand in another clause.
    """

    start: int
    role: Role
    subject: NP | None = None
    vg: VG | None = None
    comps: list[Complement] = field(default_factory=list)
    parent: Clause | None = None
    antecedent: NP | None = None
    link: str = ""
    link_prep: str = ""
    sub: str = ""  # the subordinator that opens it
    said: bool = False  # it is what somebody said
    inherited: bool = False

    def heads(self) -> Iterator[NP]:
        """The subject and the complements."""
        if self.subject is not None:
            yield self.subject
        yield from (comp.np for comp in self.comps if comp.np is not None)

    def direct(self) -> Iterator[NP]:
        """The noun phrases behind its verb that have no preposition: objects, or what a copula says."""
        yield from (comp.np for comp in self.comps if comp.np is not None and not comp.prep)

    @property
    def copula(self) -> VG | None:
        """Its verb, where that only joins the subject to what it is."""
        return self.vg if self.vg is not None and self.vg.voice == "copula" else None

    @property
    def predicate(self) -> NP | None:
        """The noun phrase right behind its copula."""
        first = self.comps[0] if self.copula and self.comps else None
        return first.np if first is not None and not first.prep else None

    @property
    def begun(self) -> bool:
        """Whether its subject or its verb was said."""
        return self.subject is not None or self.vg is not None

    @property
    def waiting(self) -> bool:
        """Whether its subject was said, and its verb is to come."""
        return self.subject is not None and self.vg is None


REPORTS = frozenset(
    {
        "say",
        "stat",
        "claim",
        "argu",
        "believ",
        "not",
        "report",
        "suggest",
        "announc",
        "think",
        "writ",
        "explain",
        "tell",
        "add",
        "declar",
        "estimat",
        "assert",
        "mean",
        "know",
        "reveal",
        "confirm",
    }
)

# What is done to bodies and to hardly anybody who leads them.
OF_BODIES = frozenset(
    {"found", "co-found", "cofound", "establish", "incorporat", "headquarter", "bas", "form", "acquir"}
)
LEADERS = word_list("leaders")


class State:
    """What the steps of the pass share; `now` is the open clause, `last` the noun phrase said last."""

    def __init__(self, chunks: Sequence[Chunk], tokens: Sequence[Token]) -> None:
        self.chunks = chunks
        self.tokens = tokens
        self.out: list[Clause] = []
        self.now = self.open(0, "main")
        self.prep: Mark | None = None
        self.comma = False
        self.cc: Mark | None = None
        self.at = 0
        self.last: NP | None = None
        # a denial that waits for what it denies; "told": the verb right before it has it, and no verb with a tense has it, too
        self.negation: Literal["", "open", "told"] = ""
        self.called: NP | None = None  # what the name that follows is the name of
        self.brackets: list[Clause] = []
        self.topics: list[NP | None] = []

    def open(self, start: int, role: Role, **more: object) -> Clause:
        clause = Clause(start, role, **more)  # type: ignore[arg-type]
        self.out.append(clause)
        return clause

    def peek(self, ahead: int = 1) -> Chunk | None:
        at = self.at + ahead
        return self.chunks[at] if 0 <= at < len(self.chunks) else None

    def reset(self) -> None:
        self.prep, self.comma, self.cc = None, False, None

    def meant(self, np: NP | None) -> NP | None:
        """In "X is a physicist who …" the noun phrase means X."""
        clause: Clause | None = self.now
        while clause is not None and np is not None and (np.kind == "common" or np.det in ("a", "an")):
            said = any(one is np or np in one.also or np in one.said for one in clause.direct())
            if said and clause.copula and clause.subject is not None:
                return clause.subject
            clause = clause.parent
        return np

    def named_by(self, np: NP | None) -> NP | None:
        """The name that a noun phrase right behind it explains: in "at Tommy Boy, a label founded in 1981" the label is Tommy Boy."""
        if np is None or np.kind != "common":
            return None
        for one in (*self._last_complements(), self.now.subject):
            for name in (*one.each(), *one.of) if one is not None else ():
                if name.kind == "name" and np in name.said:
                    return name
        return None

    def _last_complements(self) -> list[NP]:
        """The noun phrases of the last two complements."""
        return [comp.np for comp in self.now.comps[-2:] if comp.np is not None]

    @rule("bodies-told")
    def body_told(self, stem: str) -> NP | None:
        """The body behind "the founder of", where what follows is said of bodies: "the CEO of Velmora, based in Lund", "… of
        Velmora, based in Lund, which she founded". None for any other verb, and where no name stands there.
        """
        now = self.now
        if stem not in OF_BODIES:
            return None
        if now.role == "participle" and now.vg is not None and now.vg.stem in OF_BODIES and now.subject:
            return now.subject if now.subject.kind == "name" else None
        return self._body_led()

    def _body_led(self) -> NP | None:
        """The name behind the last noun that has one, where that noun is one for a leader."""
        held = [np for one in self._last_complements() for np in one.each()]
        of_names = (np for np in reversed(held) if np.kind == "common" and np.of_name is not None)
        leader = next(of_names, None)
        return leader.of_name if leader is not None and self.tokens[leader.head].low in LEADERS else None

    def waiting_around(self, clause: Clause) -> Clause | None:
        """The innermost clause around this one that has a subject and waits for its verb."""
        parent = clause.parent
        while parent is not None:
            if parent.waiting:
                return parent
            parent = parent.parent
        return None

    def inherited_by(self, clause: Clause) -> NP | None:
        for other in reversed(self.out):
            if (
                other is not clause
                and other.subject is not None
                and other.role not in ("relative", "aside", "participle", "apposition")
            ):
                return other.subject
        return None

    def coordinate(self, start: int, *, copy: bool = False) -> None:
        """A further verb of the same subject; behind ", and" that is the subject of the main clause."""
        now = self.now
        if (
            (self.comma and self.cc and now.role in ("relative", "participle", "apposition"))
            and now.parent is not None
            and now.parent.vg
        ):
            now = now.parent
        clause = self.open(
            start,
            "coordinate" if now.role != "relative" else "relative",
            subject=now.subject or self.inherited_by(now),
            inherited=True,
            parent=now.parent,
            said=now.said,
            antecedent=now.antecedent,
            sub=now.sub,
        )
        if copy:
            clause.vg = now.vg
        self.now = clause

    def host(self, last: NP) -> NP:
        """The first noun phrase of the coordination that `last` belongs to."""
        for clause in reversed(self.out):
            for np in [clause.subject, *(c.np for c in clause.comps)]:
                if np is not None and (
                    np is last or last in np.also or (last.kind == "name" and last in np.said)
                ):
                    return np
        return last

    def ends(self) -> bool:
        """Nothing but the end of the sentence follows."""
        return all(isinstance(item, Mark) and item.kind == "other" for item in self.chunks[self.at + 1 :])
