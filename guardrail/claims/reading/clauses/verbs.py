"""Which clause a verb belongs to: the innermost one that waits, a coordinated one, or one about the noun phrase before."""

from __future__ import annotations

from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.clauses.state import Clause, State

__all__ = ["VerbSteps"]

# What is done to works and hardly to those who are named before.
_OF_WORKS = frozenset(
    {
        "releas",
        "star",
        "featur",
        "produc",
        "direct",
        "adapt",
        "distribut",
        "publish",
        "co-writ",
        "co-direct",
        "co-star",
    }
)
_NAMING = frozenset({"call", "nam", "titl", "entitl", "dubb"})
_LEAVING = frozenset({"leav", "mov", "return", "resign", "retir", "quit", "depart"})
_TAKING_UP = frozenset(
    {"becom", "join", "found", "co-found", "head", "lead", "attend", "study", "studi", "form"}
)


class VerbSteps(State):
    """Steps for verb groups."""

    def verb(self, vg: VG) -> None:
        vg.negated |= self.negation
        vg.never |= self.negation and self.tokens[vg.first - 1].low == "never"
        self.negation = False
        if vg.form == "finite":
            self._finite(vg)
        elif vg.form in ("participle", "gerund"):
            self._participle(vg)
        else:
            self._bare(vg)
        self.reset()

    def _finite(self, vg: VG) -> None:
        now = self.now
        if now.role == "aside" and now.vg is None:
            now.vg, now.subject, now.inherited = vg, now.antecedent, True
            return
        if self.cc is not None and now.vg is not None and not (now.waiting):
            self.coordinate(self.cc.at)
            self.now.vg = vg
            return
        if now.vg is None and (
            now.subject is not None or now.role in ("relative", "adverbial", "inner") or not self.out[:-1]
        ):
            now.vg = vg
            self._resume(now, vg)
            return
        waiting = self.waiting_around(now)
        if waiting is not None:
            waiting.vg = vg
            self._resume(waiting, vg)
            return
        if now.vg is None:
            now.vg = vg
            now.subject, now.inherited = now.subject or self.inherited_by(now), True
            return
        if self.comma and now.subject is not None:
            self.coordinate(vg.first)
            self.now.vg = vg
            return
        if self.last is not None and now.vg is not None:
            self._steal_subject(vg)
            return
        self.coordinate(vg.first)
        self.now.vg = vg

    def _resume(self, clause: Clause, vg: VG) -> None:
        """The main clause goes on behind an insertion: from here on it is a stretch of its own."""
        start = vg.first
        inserted = [c for c in self.out if c.parent is clause and c.start >= clause.start]
        if any(c.own or c.role == "apposition" for c in inserted):
            rest = self.open(
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

    def _steal_subject(self, vg: VG) -> None:
        """The noun phrase taken for an object was the subject of this verb ("X says Y is …", "In 1990 X was …")."""
        now, np = self.now, self.last
        if np is not None and now.comps and now.comps[-1].np is np and not now.comps[-1].prep:
            now.comps.pop()
            self.now = self.open(np.first, "coordinate", subject=np, vg=vg)
        elif (
            now.role in ("relative", "participle", "adverbial")
            and now.parent is not None
            and now.parent.vg is None
        ):
            self.now = self.open(vg.first, "main", subject=now.parent.subject or np, vg=vg)
        else:
            self.coordinate(vg.first)
            self.now.vg = vg

    def _participle(self, vg: VG) -> None:
        now = self.now
        if self._naming(vg):
            self.called = self.last
            return
        if self.prep is not None:  # "for directing", "after winning"
            clause = self.open(
                self.prep.at,
                "adverbial",
                subject=now.subject or self.inherited_by(now),
                inherited=True,
                vg=vg,
                own=False,
                parent=now,
                sub=self.prep.low,
            )
        elif self.cc is not None and now.vg is not None:
            self.coordinate(self.cc.at)
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
            if (now.waiting and not self.comma) or now.role == "adverbial":
                own = False
            clause = self.open(
                vg.first, "participle", subject=about, inherited=True, vg=vg, parent=now, own=own
            )
            if now.role == "aside" and now.vg is None and not now.comps:
                clause.start, clause.parent = now.start, now.parent
                clause.own = True
                clause.subject = now.antecedent
                self.out.remove(now)
                self.out[-1] = clause
        self.now = clause

    def _naming(self, vg: VG) -> bool:
        """As in "a company called Velmora": the participle only introduces the name."""
        beside = self.last is not None and self.last.kind == "common" and self.last.end == vg.first - 1
        following = self.peek()
        name = isinstance(following, NP) and following.kind == "name" and following.first == vg.last + 1
        return beside and name and vg.stem in _NAMING and not (self.comma or self.cc or self.prep)

    def _about(self, vg: VG) -> NP | None:
        """Whom a participle behind a noun phrase is about."""
        if self.now.role == "aside":
            return self.now.antecedent
        if vg.form == "participle" and (body := self.body_told(vg.stem)) is not None:
            return body
        if vg.form == "gerund" and self.comma:
            return self.now.subject or self.last
        if self._of_the_same(vg):
            return self.now.subject
        if not self.comma and (noun := self.before_name()) is not None:
            return self.meant(noun)
        if not self.comma and (name := self.named_by(self.last)) is not None:
            return name
        meant = self.meant(self.last)
        chained = any(comp.np is not None and meant in comp.np.said for comp in self.now.comps)
        predicate = self.now.vg is not None and self.now.vg.voice == "copula"
        if chained and (predicate or (self.comma and self.now.role == "participle")):
            return self.now.subject  # behind "a band from Ulm, Germany" the town is done with
        if meant is not None and meant.kind == "common" and self.comma and self.now.subject is not None:
            return self.now.subject
        return meant

    def _of_the_same(self, vg: VG) -> bool:
        """One participle behind the other: "a film released by MGM, directed by Anna" or "… by Anna starring Berta"."""
        now = self.now
        if now.role != "participle" or now.subject is None or vg.form not in ("participle", "gerund"):
            return False
        by = any(comp.prep == "by" for comp in now.comps)
        following = self.peek()
        based = vg.stem == "bas" and isinstance(following, Mark) and following.low in ("on", "upon")
        return (self.comma and by) or (bool(now.comps) and (based or vg.stem in _OF_WORKS))

    def _verb_ahead(self) -> bool:
        """Whether a finite verb follows before the sentence ends."""
        return any(isinstance(item, VG) and item.form == "finite" for item in self.chunks[self.at + 1 :])

    def _by_next(self) -> bool:
        item = self.peek()
        return isinstance(item, Mark) and item.low == "by"

    def _next_step(self, vg: VG) -> bool:
        """As in "left Apple to become head of Vela": what somebody left for was done."""
        left = self.now.vg
        return (
            left is not None
            and left.past
            and not left.negated
            and left.stem in _LEAVING
            and vg.stem in _TAKING_UP
        )

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
            vg.form, vg.past, vg.hedged = "finite", now.vg.past, now.vg.hedged
            vg.negated, vg.never = vg.negated or now.vg.negated, vg.never or now.vg.never
            self.coordinate(self.cc.at)
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
        self.now = self.open(
            vg.first,
            "adverbial",
            subject=now.subject if achieved or self._next_step(vg) else None,
            inherited=True,
            vg=vg,
            own=False,
            parent=now,
            sub="to",
        )
