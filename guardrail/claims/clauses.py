"""Chunks to clauses: who does what, with the subject inherited where it is not said again.

One pass from left to right with a chain of open clauses: a relative pronoun, a participle or a bracket opens a clause
about the noun phrase before it; a verb that follows without a new subject belongs to the innermost clause that still
waits for its verb; a coordinated verb inherits the subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from guardrail.claims.chunks import NP, VG, Chunk, Mark
from guardrail.claims.tokens import Token

__all__ = ["Clause", "Complement", "clauses"]

Role = Literal["main", "coordinate", "relative", "participle", "aside", "apposition", "adverbial", "inner"]


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
    """`start`: its first token. `own`: it is a claim of its own, else it is told together with the clause before it.

    `link`: the relative word; `link_prep`: the preposition before it ("in which"). `subject` may stand in another clause.
    """

    start: int
    role: Role
    subject: NP | None = None
    vg: VG | None = None
    comps: list[Complement] = field(default_factory=list)
    own: bool = True
    parent: Clause | None = None
    antecedent: NP | None = None
    link: str = ""
    link_prep: str = ""
    sub: str = ""  # the subordinator that opens it
    said: bool = False  # it is what somebody said
    inherited: bool = False

    @property
    def waiting(self) -> bool:
        return self.subject is not None and self.vg is None


_INDEPENDENT = frozenset({"although", "though", "while", "whereas"})
_REPORTS = frozenset(
    {
        "sai",
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


class _Builder:
    def __init__(self, chunks: Sequence[Chunk], tokens: Sequence[Token]) -> None:
        self.chunks = chunks
        self.tokens = tokens
        self.out: list[Clause] = []
        self.now = self._open(0, "main")
        self.prep: Mark | None = None
        self.comma = False
        self.cc: Mark | None = None
        self.at = 0
        self.last: NP | None = None
        self.negation = False
        self.brackets: list[Clause] = []
        self.topics: list[NP | None] = []

    def _open(self, start: int, role: Role, **more: object) -> Clause:
        clause = Clause(start, role, **more)  # type: ignore[arg-type]
        self.out.append(clause)
        return clause

    def _peek(self, ahead: int = 1) -> Chunk | None:
        at = self.at + ahead
        return self.chunks[at] if at < len(self.chunks) else None

    def build(self) -> list[Clause]:
        for self.at, item in enumerate(self.chunks):
            if isinstance(item, NP):
                self._noun(item)
            elif isinstance(item, VG):
                self._verb(item)
            else:
                self._mark(item)
        return [clause for clause in self.out if clause.vg or clause.comps or clause.subject]

    # ── marks ─────────────────────────────────────────────────────────────────────────────────────────

    def _mark(self, mark: Mark) -> None:
        handler = {
            "comma": self._on_comma,
            "cc": self._on_cc,
            "prep": self._on_prep,
            "rel": self._on_rel,
            "sub": self._on_sub,
            "open": self._on_open,
            "close": self._on_close,
            "break": self._on_break,
            "adj": self._on_adj,
        }.get(mark.kind)
        if handler:
            handler(mark)
        elif mark.kind == "there":
            self.now.link = self.now.link or "there"
        elif mark.low in ("never", "not", "no"):
            self.negation = True

    def _on_comma(self, _: Mark) -> None:
        self.comma = True

    def _on_cc(self, mark: Mark) -> None:
        self.cc = mark
        if mark.low == "nor":
            self.negation = True

    def _on_prep(self, mark: Mark) -> None:
        self.prep = mark

    def _on_adj(self, mark: Mark) -> None:
        if self.now.vg is not None or self.now.comps:
            if self.cc and self.now.vg and self.now.vg.voice == "copula" and self.now.comps and not self.prep:
                self._coordinate(self.cc.at, copy=True)
            self.now.comps.append(Complement("", None, mark.at, (mark.at, max(mark.at, mark.end))))
        self.cc, self.comma = None, False

    def _on_break(self, mark: Mark) -> None:
        self._reset()
        if self.brackets and mark.low in (";", "–", "—", ":"):
            outer = self.now
            while outer.role != "aside" and outer.parent is not None:
                outer = outer.parent
            self.now = self._open(
                mark.at + 1, "aside", antecedent=self.topics[-1], parent=self.brackets[-1], own=False
            )
        elif mark.low != "–":
            self.now = self._open(mark.at + 1, "main", own=True)

    def _on_open(self, mark: Mark) -> None:
        topic = self.topics[-1] if self.topics else self._topic()
        self.brackets.append(self.now)
        self.topics.append(topic)
        self.now = self._open(mark.at, "aside", subject=None, antecedent=topic, parent=self.now)
        self._reset()

    def _on_close(self, _: Mark) -> None:
        if self.brackets:
            self.now = self.brackets.pop()
            self.topics.pop()
        self._reset()

    def _topic(self) -> NP | None:
        """What a bracket is about: the name just before it, or the subject when a verb has been said."""
        clause = self.now
        if (
            clause.waiting
            and clause.subject is not None
            and self.last is not None
            and self.last.owner is None
        ):
            return clause.subject
        if self.last is not None and self.last.kind == "name":
            return self.last
        return clause.subject or self.last

    def _on_rel(self, mark: Mark) -> None:
        start = self.prep.at if self.prep else mark.at
        antecedent = self._meant(self.last)
        if antecedent is None or (mark.low in ("what", "how", "why")):
            self._reset()
            return
        if (
            antecedent.of
            and antecedent.kind == "common"
            and not self.comma
            and antecedent.of[-1].kind == "name"
            and mark.low == "who"
        ):
            antecedent = antecedent.of[-1]
        own = self._own_relative(antecedent, mark)
        self.now = self._open(
            start,
            "relative",
            antecedent=antecedent,
            link=mark.low,
            link_prep=self.prep.low if self.prep else "",
            parent=self.now,
            own=own,
        )
        if mark.low in ("who", "which", "that"):
            if not isinstance(self._peek(), NP):
                self.now.subject, self.now.inherited = antecedent, True
        self._reset()

    def _meant(self, np: NP | None) -> NP | None:
        """In "X is a physicist who …" the noun phrase means X."""
        clause: Clause | None = self.now
        while clause is not None and np is not None and np.kind == "common":
            predicated = (
                clause.vg is not None
                and clause.vg.voice == "copula"
                and any(
                    c.np is not None and not c.prep and (c.np is np or np in c.np.also or np in c.np.said)
                    for c in clause.comps
                )
            )
            if predicated and clause.subject is not None:
                return clause.subject
            clause = clause.parent
        return np

    def _own_relative(self, antecedent: NP, mark: Mark) -> bool:
        """A relative clause that only says which one is meant is no claim of its own."""
        if mark.low in ("when",):
            return False
        if self.comma or antecedent is not self.last:
            return True
        return antecedent.kind == "name" and not self.now.waiting

    def _on_sub(self, mark: Mark) -> None:
        before = self.now
        if mark.low == "that" and before.vg is not None and before.vg.stem in _REPORTS:
            self.now = self._open(mark.at, "inner", sub="that", parent=before, said=True)
        elif mark.low in _INDEPENDENT:
            self.now = self._open(mark.at, "main" if before.vg is None else "coordinate", sub=mark.low)
        else:
            self.now = self._open(mark.at, "adverbial", sub=mark.low, parent=before, own=False)
        self._reset()

    def _reset(self) -> None:
        self.prep, self.comma, self.cc = None, False, None

    # ── noun phrases ──────────────────────────────────────────────────────────────────────────────────

    def _noun(self, np: NP) -> None:
        now = self.now
        following = self._verb_next()
        if self.prep is not None:
            self._oblique(np)
        elif now.role == "relative" and now.vg is None and now.subject is None:
            now.subject = np
        elif following and self._fresh_subject(now):
            self._new_clause(np)
        elif now.vg is None and now.subject is None and now.role != "aside":
            now.subject = np
            if now.role == "main" and not now.comps:
                now.start = min(now.start, np.first)
        elif self._conjoined(np):
            pass
        elif (
            self.comma
            and self.last is not None
            and not self.cc
            and np.kind != "pronoun"
            and not self._lacks_object(now)
        ):
            self._apposition(np)
        elif now.vg is not None or now.role == "aside":
            now.comps.append(Complement("", np, np.first, negated=self.negation))
            self.negation = False
        elif now.subject is not None and np.kind != "value":
            now.comps.append(Complement("", np, np.first))
        self.last = np
        self._reset()

    def _lacks_object(self, now: Clause) -> bool:
        """A verb was said and nothing after it: "He married, secondly, Anna"."""
        return now.vg is not None and not now.comps and now.vg.voice != "passive"

    def _verb_next(self) -> bool:
        """Whether a finite verb follows this noun phrase directly (adverbs and a bracket aside)."""
        ahead = 1
        while isinstance(item := self._peek(ahead), Mark) and item.kind == "adv":
            ahead += 1
        return isinstance(item, VG) and item.form == "finite"

    def _fresh_subject(self, now: Clause) -> bool:
        if now.waiting and now.role not in ("relative", "participle", "aside"):
            return bool(self.comma and not self.cc and now.role in ("adverbial",))
        if now.vg is None:
            return False
        if (
            now.role in ("relative", "participle")
            and now.parent is not None
            and now.parent.waiting
            and not self.comma
        ):
            return False
        return bool(
            self.cc or self.comma or now.role == "adverbial" or now.vg.stem in _REPORTS or self._dangling(now)
        )

    def _dangling(self, now: Clause) -> bool:
        return now.vg is not None and bool(now.comps)

    def _new_clause(self, np: NP) -> None:
        start = self.cc.at if self.cc else np.first
        now = self.now
        if now.role == "adverbial" and not self.cc:
            role: Role = "main"
            own = not (now.parent is not None and now.parent.vg is None and now.parent.subject is None)
        elif now.vg is not None and now.vg.stem in _REPORTS and not self.comma and not self.cc:
            self.now = self._open(np.first, "inner", subject=np, parent=now, said=True)
            return
        elif now.role == "participle" and now.subject is None:
            for clause in self.out:
                if clause.role == "participle" and clause.subject is None:
                    clause.subject, clause.inherited = np, True
            self.now = self._open(start, "main", subject=np)
            return
        else:
            role, own = "coordinate", True
        self.now = self._open(
            start, role, subject=np, own=own, sub=now.sub if now.role == "adverbial" and self.cc else ""
        )
        if now.role == "inner" and self.cc:
            self.now.role, self.now.said, self.now.parent = "inner", True, now.parent

    def _ends(self) -> bool:
        """Nothing but the end of the sentence follows."""
        return all(isinstance(item, Mark) and item.kind == "other" for item in self.chunks[self.at + 1 :])

    def _oblique(self, np: NP) -> None:
        prep = self.prep
        assert prep is not None
        now = self.now
        if self.cc is not None and prep.low == "with" and now.vg is not None and now.vg.voice != "active":
            self._coordinate(self.cc.at, copy=now.role == "participle")
            self.now.role = "participle" if now.role == "participle" else self.now.role
            self.now.comps.append(Complement(prep.low, np, prep.at))
            return
        if now.vg is None and now.role == "main" and now.subject is None and self.last is None:
            now.comps.append(Complement(prep.low, np, prep.at))
            return
        now.comps.append(Complement(prep.low, np, prep.at, negated=self.negation))

    def _conjoined(self, np: NP) -> bool:
        """Joins a noun phrase to the one before it: "A and B", "A, B and C"."""
        last = self.last
        if last is None or np.kind == "value":
            return False
        if self.comma and self.cc and self.now.vg is not None and not self._host(last).also and self._ends():
            self.now = self._open(self.cc.at, "coordinate", subject=np)  # a fragment: nothing is said of it
            return True
        if self.cc is not None and self.cc.low in ("and", "or", "&", "nor", "but"):
            self._host(last).also.append(np)
            if np.of and not last.of and last.kind == "common" and np.kind == "common":
                last.of = np.of  # "founder and chairman of Apple"
            if self.cc.low == "but":
                return False
            return True
        if self.comma and self._list_goes_on():
            self._host(last).also.append(np)
            return True
        return False

    def _host(self, last: NP) -> NP:
        """The first noun phrase of the coordination that `last` belongs to."""
        for clause in reversed(self.out):
            for np in [clause.subject, *(c.np for c in clause.comps)]:
                if np is not None and (np is last or last in np.also):
                    return np
        return last

    def _list_goes_on(self) -> bool:
        """Whether after this noun phrase come only further ones and then "and"."""
        ahead = 1
        while (item := self._peek(ahead)) is not None:
            if isinstance(item, Mark) and item.kind == "cc":
                following = self._peek(ahead + 1)
                return (
                    isinstance(following, NP)
                    and following.kind != "pronoun"
                    and not isinstance(self._peek(ahead + 2), VG)
                )
            if not (isinstance(item, NP) or (isinstance(item, Mark) and item.kind == "comma")):
                return False
            ahead += 1
        return False

    def _apposition(self, np: NP) -> None:
        last = self.last
        assert last is not None
        last.said.append(np)
        if np.kind == "value" or (np.kind == "name" and last.kind == "name"):
            return
        if self.now.waiting and self.now.subject is last and np.kind == "common":
            clause = self._open(np.first, "apposition", subject=last, parent=self.now, own=False)
            clause.inherited = True
            clause.comps.append(Complement("", np, np.first))

    # ── verbs ─────────────────────────────────────────────────────────────────────────────────────────

    def _verb(self, vg: VG) -> None:
        vg.negated |= self.negation
        vg.never |= self.negation and self.tokens[vg.first - 1].low == "never"
        self.negation = False
        if vg.form == "finite":
            self._finite(vg)
        elif vg.form in ("participle", "gerund"):
            self._participle(vg)
        else:
            self._bare(vg)
        self._reset()

    def _finite(self, vg: VG) -> None:
        now = self.now
        if self.cc is not None and now.vg is not None and not (now.waiting):
            self._coordinate(self.cc.at)
            self.now.vg = vg
            return
        if now.vg is None and (
            now.subject is not None or now.role in ("relative", "adverbial", "inner") or not self.out[:-1]
        ):
            now.vg = vg
            return
        waiting = self._waiting(now)
        if waiting is not None:
            waiting.vg = vg
            self._resume(waiting, vg)
            return
        if now.vg is None:
            now.vg = vg
            now.subject, now.inherited = now.subject or self._inherited(now), True
            return
        if self.comma and now.subject is not None:
            self._coordinate(vg.first)
            self.now.vg = vg
            return
        if self.last is not None and now.vg is not None:
            self._steal_subject(vg)
            return
        self._coordinate(vg.first)
        self.now.vg = vg

    def _waiting(self, clause: Clause) -> Clause | None:
        """The innermost clause around this one that has a subject and waits for its verb."""
        parent = clause.parent
        while parent is not None:
            if parent.waiting:
                return parent
            parent = parent.parent
        return None

    def _resume(self, clause: Clause, vg: VG) -> None:
        """The main clause goes on behind an insertion: from here on it is a stretch of its own."""
        start = vg.first
        inserted = [c for c in self.out if c.parent is clause and c.start >= clause.start]
        if any(c.own or c.role == "apposition" for c in inserted):
            rest = self._open(
                start, clause.role, subject=clause.subject, vg=vg, comps=[], own=True, inherited=True
            )
            rest.said, rest.parent, rest.sub = clause.said, clause.parent, clause.sub
            for c in inserted:
                c.own = (
                    False
                    if c.role in ("apposition", "relative", "participle", "aside") and c is inserted[0]
                    else c.own
                )
            clause.vg = None
            self.now = rest
        else:
            self.now = clause

    def _inherited(self, clause: Clause) -> NP | None:
        for other in reversed(self.out):
            if (
                other is not clause
                and other.subject is not None
                and other.role not in ("relative", "aside", "participle", "apposition")
            ):
                return other.subject
        return None

    def _coordinate(self, start: int, *, copy: bool = False) -> None:
        """A further verb of the same subject; behind ", and" that is the subject of the main clause."""
        now = self.now
        if (
            (self.comma and self.cc and now.role in ("relative", "participle", "apposition"))
            and now.parent is not None
            and now.parent.vg
        ):
            now = now.parent
        clause = self._open(
            start,
            "coordinate" if now.role != "relative" else "relative",
            subject=now.subject or self._inherited(now),
            inherited=True,
            parent=now.parent,
            said=now.said,
            own=now.own or now.role == "main",
            antecedent=now.antecedent,
            sub=now.sub,
        )
        if now.sub and not now.own:
            clause.own = False
        if copy:
            clause.vg = now.vg
        self.now = clause

    def _steal_subject(self, vg: VG) -> None:
        """The noun phrase taken for an object was the subject of this verb ("X says Y is …", "In 1990 X was …")."""
        now, np = self.now, self.last
        if np is not None and now.comps and now.comps[-1].np is np and not now.comps[-1].prep:
            now.comps.pop()
            self.now = self._open(np.first, "coordinate", subject=np, vg=vg)
        elif (
            now.role in ("relative", "participle", "adverbial")
            and now.parent is not None
            and now.parent.vg is None
        ):
            self.now = self._open(vg.first, "main", subject=now.parent.subject or np, vg=vg)
        else:
            self._coordinate(vg.first)
            self.now.vg = vg

    def _participle(self, vg: VG) -> None:
        now = self.now
        if self.prep is not None:  # "for directing", "after winning"
            clause = self._open(
                self.prep.at,
                "adverbial",
                subject=now.subject or self._inherited(now),
                inherited=True,
                vg=vg,
                own=False,
                parent=now,
                sub=self.prep.low,
            )
        elif self.cc is not None and now.vg is not None:
            self._coordinate(self.cc.at)
            clause = self.now
            if (
                vg.form == "participle"
                and now.vg.form == "finite"
                and now.vg.voice == "active"
                and not now.vg.perfect
            ):
                vg.form, vg.voice, vg.past = "finite", "active", True
            clause.vg = vg
        elif self.last is None:  # fronted: "Based in Blagnac, …"
            now.vg, now.role = vg, "participle"
            clause = now
        elif now.waiting and vg.form == "participle" and not self.comma and not self._verb_ahead():
            vg.form, vg.voice, vg.past = "finite", "passive" if self._by_next() else "active", True
            now.vg = vg
            clause = now
        else:
            about = self._about(vg)
            own = vg.form == "participle" or self.comma
            if now.waiting and not self.comma:
                own = False
            clause = self._open(
                vg.first, "participle", subject=about, inherited=True, vg=vg, parent=now, own=own
            )
            if now.role == "aside" and now.vg is None and not now.comps:
                clause.start = now.start
                clause.own = True
                clause.subject = now.antecedent
                self.out.remove(now)
                self.out[-1] = clause
        self.now = clause

    def _about(self, vg: VG) -> NP | None:
        """Whom a participle behind a noun phrase is about."""
        if self.now.role == "aside":
            return self.now.antecedent
        if vg.form == "gerund" and self.comma:
            return self.now.subject or self.last
        meant = self._meant(self.last)
        if meant is not None and meant.kind == "common" and self.comma and self.now.subject is not None:
            return self.now.subject
        return meant

    def _verb_ahead(self) -> bool:
        """Whether a finite verb follows before the sentence ends."""
        return any(isinstance(item, VG) and item.form == "finite" for item in self.chunks[self.at + 1 :])

    def _by_next(self) -> bool:
        item = self._peek()
        return isinstance(item, Mark) and item.low == "by"

    def _bare(self, vg: VG) -> None:
        now = self.now
        if (
            vg.form == "base"
            and now.vg is not None
            and now.vg.stem == "do"
            and now.comps
            and now.comps[-1].np is not None
        ):
            subject = now.comps.pop().np  # "nor did he ever teach"
            vg.form, vg.past, vg.negated, vg.never = (
                "finite",
                now.vg.past,
                now.vg.negated or vg.negated,
                now.vg.never,
            )
            now.subject, now.vg, now.inherited = subject, vg, False
            return
        if vg.form == "base" and self.cc is not None and now.vg is not None:
            vg.form, vg.past = "finite", now.vg.past
            self._coordinate(self.cc.at)
            self.now.vg = vg
            return
        if vg.form == "base" and now.vg is None and now.subject is not None:
            vg.form = "finite"
            now.vg = vg
            return
        if now.vg is None and now.subject is None:
            now.vg = vg
            return
        achieved = (
            now.vg is not None
            and now.vg.voice == "copula"
            and any(
                c.np is not None
                and any(
                    t.low in ("first", "only", "last", "second", "youngest", "oldest")
                    for t in self.tokens[c.np.first : c.np.last + 1]
                )
                for c in now.comps
            )
        )
        self.now = self._open(
            vg.first,
            "adverbial",
            subject=now.subject if achieved else None,
            inherited=True,
            vg=vg,
            own=False,
            parent=now,
            sub="to",
        )


def clauses(chunks: Sequence[Chunk], tokens: Sequence[Token]) -> list[Clause]:
    """The clauses of a sentence, in order of their first token."""
    return sorted(_Builder(chunks, tokens).build(), key=lambda clause: clause.start)
