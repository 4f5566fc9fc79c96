"""Which clause a verb belongs to: the innermost one that waits, a coordinated one, or one about the noun phrase before."""

from __future__ import annotations

from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.clauses.state import Clause, State
from guardrail.rules import rule

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


class VerbSteps(State):
    """Steps for verb groups."""

    def verb(self, vg: VG) -> None:
        denied = self.negation == "open" or (self.negation == "told" and vg.form != "finite")
        vg.negated |= denied
        vg.never |= denied and self.tokens[vg.first - 1].low == "never"
        self.negation = ""
        if vg.form == "finite":
            self._finite(vg)
        elif vg.form in ("participle", "gerund"):
            self._participle(vg)
        else:
            self._bare(vg)
        self.reset()

    def _finite(self, vg: VG) -> None:
        if self.now.vg is None:
            self._first_verb(self.now, vg)
        else:
            self._further_verb(self.now.vg, vg)

    def _first_verb(self, now: Clause, vg: VG) -> None:
        """Takes a verb while the open clause has none."""
        if now.role == "aside":
            now.vg, now.subject, now.inherited = vg, now.antecedent, True
        elif now.waiting or now.role in ("relative", "adverbial", "inner") or not self.out[:-1]:
            self._begin(now, vg)
        elif (waiting := self.waiting_around(now)) is not None:
            self._begin(waiting, vg)
        else:
            now.vg, now.subject, now.inherited = vg, self.inherited_by(now), True

    def _further_verb(self, before: VG, vg: VG) -> None:
        """Takes a verb behind that of the open clause."""
        if self.cc is not None:
            _alternative(vg, before, self.cc)
            self._coordinate(vg, self.cc.at)
        elif (waiting := self.waiting_around(self.now)) is not None:
            self._begin(waiting, vg)
        elif self.last is None or (self.comma and self.now.subject is not None):
            self._coordinate(vg, vg.first)
        else:
            self._steal_subject(vg)

    def _coordinate(self, vg: VG, start: int) -> None:
        """Opens the clause of a further verb of the same subject."""
        self.coordinate(start)
        self.now.vg = vg

    def _begin(self, clause: Clause, vg: VG) -> None:
        """Gives a clause its verb; what was told without one stays apart: "X – a painter in Ulm, died in Rome"."""
        self.now = clause
        if clause.subject is not None and any(not comp.prep for comp in clause.comps):
            self.coordinate(vg.first)
        self.now.vg = vg

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
            self._coordinate(vg, vg.first)

    def _participle(self, vg: VG) -> None:
        now = self.now
        if self._naming(vg):
            self.called = self.last
            return
        if self.prep is not None:
            clause = self._behind_preposition(vg, self.prep)
        elif self.cc is not None and now.vg is not None:
            clause = self._coordinated(vg, now.vg, self.cc)
        elif self.last is None:  # fronted: "Based in Blagnac, …"
            now.vg, now.role = vg, "participle"
            clause = now
        elif self._only_verb(vg):
            vg.form, vg.voice, vg.past = "finite", "passive" if self._by_next() else "active", True
            now.vg = vg
            clause = now
        else:
            clause = self._reduced_relative(vg)
        self.now = clause

    def _only_verb(self, vg: VG) -> bool:
        """Whether a past form right behind the subject is the verb of the clause."""
        return self.now.waiting and vg.form == "participle" and not self.comma and not self._verb_ahead()

    def _behind_preposition(self, vg: VG, prep: Mark) -> Clause:
        """Opens the clause of a gerund behind a preposition: "for directing", "after winning"."""
        return self.open(
            prep.at,
            "adverbial",
            subject=self.now.subject or self.inherited_by(self.now),
            inherited=True,
            vg=vg,
            parent=self.now,
            sub=prep.low,
        )

    def _coordinated(self, vg: VG, first: VG, joint: Mark) -> Clause:
        """A coordinated past form is finite behind an active verb: "founded A and sold B", but not "was founded and sold".

        Where it is not, what denies the first verb denies it, too: "was not born or raised in Ulm".
        """
        self._coordinate(vg, joint.at)
        active = first.form == "finite" and first.voice == "active" and not first.perfect
        if vg.form == "participle" and active:
            vg.form, vg.voice, vg.past = "finite", "active", True
        elif vg.form == "participle":
            _as_denied(vg, first)
        return self.now

    def _reduced_relative(self, vg: VG) -> Clause:
        """A participle that says more of what stands before it: "a film directed by Anna"."""
        now = self.now
        about = self._about(vg)
        clause = self.open(vg.first, "participle", subject=about, inherited=True, vg=vg, parent=now)
        if now.role == "aside" and now.vg is None and not now.comps:  # the bracket says nothing else
            clause.start, clause.parent, clause.subject = now.start, now.parent, now.antecedent
            self.out.remove(now)
            self.out[-1] = clause
        return clause

    @rule("naming-participles", silent=False)
    def _naming(self, vg: VG) -> bool:
        """The participle only introduces the name: "a company called Velmora"."""
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
        return (None if self.comma else self.named_by(self.last)) or self._meant_before()

    def _meant_before(self) -> NP | None:
        """The noun phrase said last, or the subject where that one is done with."""
        subject, meant = self.now.subject, self.meant(self.last)
        if self._done_with(meant):
            return subject
        common = meant is not None and meant.kind == "common"
        return subject if common and self.comma and subject is not None else meant

    @rule("done-with", silent=False)
    def _done_with(self, np: NP | None) -> bool:
        """What was only said of a name is not what the participle is about: "a band from Ulm, Germany, formed in 1990"."""
        chained = any(comp.np is not None and np in comp.np.said for comp in self.now.comps)
        participle = self.comma and self.now.role == "participle"
        return chained and (self.now.copula is not None or participle)

    @rule("further-reduced-relatives", silent=False)
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

    def _bare(self, vg: VG) -> None:
        """A verb in its base form or with "to"."""
        now = self.now
        if vg.form == "base" and self._finite_base(vg):
            return
        if now.vg is None and now.subject is None:
            now.vg = vg
            return
        self.now = self.open(
            vg.first,
            "adverbial",
            inherited=True,
            vg=vg,
            parent=now,
            sub="to",
        )

    def _finite_base(self, vg: VG) -> bool:
        """Takes a base form as the verb of a clause: behind "do", behind "and" or behind a subject."""
        now = self.now
        before, object_ = now.vg, now.comps[-1].np if now.comps else None
        if before is not None and before.stem == "do" and object_ is not None:
            now.comps.pop()  # "nor did he ever teach"
            _as_finite(vg, before)
            now.subject, now.vg, now.inherited = object_, vg, False
        elif before is not None and self.cc is not None:
            _as_finite(vg, before)
            vg.hedged = before.hedged
            self._coordinate(vg, self.cc.at)
        elif before is None and now.subject is not None:
            vg.form = "finite"
            now.vg = vg
        else:
            return False
        return True


def _as_finite(vg: VG, before: VG) -> None:
    """Makes a base form finite, with the tense and the negation of the verb before it."""
    vg.form, vg.past = "finite", before.past
    _as_denied(vg, before)


def _alternative(vg: VG, before: VG, joint: Mark) -> None:
    """Denies a bare verb behind "or" with the one before it: "has not lived or worked in Ulm"."""
    if joint.low == "or" and vg.first == vg.last:
        _as_denied(vg, before)


def _as_denied(vg: VG, before: VG) -> None:
    """Denies a verb without an auxiliary of its own as the verb is denied whose auxiliary it shares."""
    vg.negated, vg.never = vg.negated or before.negated, vg.never or before.never
