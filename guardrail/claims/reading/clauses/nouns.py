"""What a noun phrase is to the open clause: subject, object, complement, conjunct, apposition, or a new clause's subject."""

from __future__ import annotations

from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.clauses.coordination import Coordination
from guardrail.claims.reading.clauses.state import LEADERS, REPORTS, Clause, Complement, Role

__all__ = ["NounSteps"]


class NounSteps(Coordination):
    """Steps for noun phrases."""

    def noun(self, np: NP) -> None:
        if self._beside(np):
            pass
        elif self.prep is not None:
            self._oblique(np, self.prep)
        elif not self._as_subject(np) and not self.conjoined(np):
            self._behind_subject(np)
        self.last, self.called = np if self.called is None else self.called, None
        self.reset()

    def _as_subject(self, np: NP) -> bool:
        """Takes the subject of the open clause or of a new one."""
        now = self.now
        if now.role == "relative" and not now.begun:
            now.subject = np
        elif self._verb_follows() and self._fresh_subject(now):
            self._new_clause(np)
        elif now.begun:
            return False
        elif now.comps and now.comps[-1].prep == "according to":
            now.said, now.role = True, "fragment"
            self.now = self.open(np.first, "main", subject=np, said=True)
        elif now.role != "aside":
            self._first_subject(np)
        else:
            return False
        return True

    def _first_subject(self, np: NP) -> None:
        now = self.now
        now.subject = np
        if now.role == "main" and not now.comps:
            now.start = min(now.start, np.first)
        self._introduced(np, "participle")

    def _behind_subject(self, np: NP) -> None:
        """Takes an apposition or a complement."""
        now = self.now
        if self.comma and not self.cc and np.kind != "pronoun" and not self._lacks_object(now) and self.last:
            self._apposition(np, self.last)
        elif now.vg is not None or now.role == "aside":
            now.comps.append(Complement("", np, np.first, negated=self.negation == "open"))
            self.negation = ""
        elif now.subject is not None and np.kind != "value":
            now.comps.append(Complement("", np, np.first))

    def _verb_follows(self) -> bool:
        """Whether the noun phrase, alone or with the one that "and" joins to it, is the subject of the verb behind it."""
        return self._verb_next() or (self.comma and not self.cc and self._fronted() and self._joint())

    def _beside(self, np: NP) -> bool:
        """Takes what goes with the noun phrase right before it though no comma or conjunction says so."""
        if self.called is not None and np.kind == "name":
            self.called.said.append(np)  # "a company called Velmora"
            return True
        return False

    def _lacks_object(self, now: Clause) -> bool:
        """A verb was said and nothing after it: "He married, secondly, Anna"."""
        return now.vg is not None and not now.comps and now.vg.voice != "passive"

    def _verb_next(self) -> bool:
        """Whether a finite verb follows this noun phrase directly (adverbs and a bracket aside)."""
        ahead = 1
        while isinstance(item := self.peek(ahead), Mark) and item.kind == "adv":
            ahead += 1
        return isinstance(item, VG) and item.form == "finite"

    def _fronted(self) -> bool:
        """Only an introduction has been said: "Based in Ulm, …"."""
        first = self.now.role in ("participle", "adverbial") and self.now.subject is None
        return first or (self.now.role == "main" and self.now.subject is None and self.now.vg is None)

    def _joint(self) -> bool:
        """A noun phrase, "and", another one and a finite verb: both are its subject."""
        cc, other, verb = self.peek(1), self.peek(2), self.peek(3)
        joined = isinstance(cc, Mark) and cc.kind == "cc" and isinstance(other, NP)
        return joined and isinstance(verb, VG) and verb.form == "finite"

    def _fresh_subject(self, now: Clause) -> bool:
        if now.vg is None:
            return now.waiting and now.role == "adverbial" and self.comma and not self.cc
        if self._breaks_in(now):
            return False
        return bool(self.cc or self.comma or now.role == "adverbial" or now.vg.stem in REPORTS or now.comps)

    def _breaks_in(self, now: Clause) -> bool:
        """Whether the clause stands between a subject and its verb, and no comma ends it."""
        within = now.parent is not None and now.parent.waiting
        return within and now.role in ("relative", "participle") and not self.comma

    def _new_clause(self, np: NP) -> None:
        """Opens the clause that `np` is the subject of."""
        start = self.cc.at if self.cc else np.first
        if not self.cc:
            self._introduced(np, "adverbial")
        now = self._outside_participles(self.now)
        fronted = now.role == "adverbial" and not self.cc
        if self._reported(now):
            self.now = self.open(np.first, "inner", subject=np, parent=now, said=True)
        elif now.role == "participle" and now.subject is None:
            self._introduced(np, "participle")
            self.now = self.open(start, "main", subject=np)
        elif fronted:
            self.now = self.open(start, "main", subject=np)
        else:
            self._beside_clause(now, np, start)

    def _beside_clause(self, now: Clause, np: NP, start: int) -> None:
        """Opens a clause of the same rank as `now`, with a subject of its own."""
        sub = now.sub if now.role == "adverbial" else ""
        self.now = self.open(start, "coordinate", subject=np, sub=sub)
        if now.role == "inner" and self.cc:
            self.now.role, self.now.said, self.now.parent = "inner", True, now.parent

    def _outside_participles(self, clause: Clause) -> Clause:
        """The adverbial clause that a participle is part of, else the clause itself."""
        while clause.role == "participle" and clause.parent is not None and clause.parent.role == "adverbial":
            clause = clause.parent
        return clause

    def _reported(self, now: Clause) -> bool:
        """Whether what follows is what the clause says that somebody said."""
        alone = not self.comma and not self.cc and now.role != "adverbial"
        return alone and now.vg is not None and now.vg.stem in REPORTS

    def _introduced(self, np: NP, role: Role) -> None:
        """Clauses of that role before a subject are about it: "Formed in 1977, in 1999 it bought …", "Before joining Y, X was …"."""
        for clause in self.out:
            waits = clause.subject is None and (clause.vg is not None or role == "participle")
            if clause.role == role and waits:
                clause.subject, clause.inherited = np, True

    def _oblique(self, np: NP, prep: Mark) -> None:
        """Takes a noun phrase behind a preposition."""
        if prep.low in ("including", "such as") and self.last is not None and not self.cc:
            self.host(self.last).also.append(np)  # "ten countries, including Germany"
            return
        first = self._begins_clause()
        negated = self.negation == "open" and not first
        self.now.comps.append(Complement(prep.low, np, prep.at, negated=negated))

    def _begins_clause(self) -> bool:
        """Whether a prepositional phrase begins the sentence."""
        now = self.now
        return not now.begun and now.role == "main" and self.last is None

    def _apposition(self, np: NP, last: NP) -> None:
        """Takes what is said of the noun phrase before it."""
        now = self.now
        if np.kind == "name" and self._dates_a_life(last):
            now.comps.append(Complement("in", np, np.first))  # "born 5 May 1900, Paris"
            return
        if self.negation:
            self.negation = ""
            return  # "Canberra, not Sydney": what is denied by the way
        last = self._topic_of(np, last)
        last.said.append(np)
        if np.kind == "common" and now.waiting and now.subject is last:
            self._apposition_clause(np)

    def _dates_a_life(self, last: NP) -> bool:
        verb = self.now.vg
        return last.kind == "value" and verb is not None and verb.stem in ("bear", "di")

    def _apposition_clause(self, np: NP) -> None:
        """Opens a clause that says what the subject is."""
        clause = self.open(np.first, "apposition", subject=self.now.subject, parent=self.now)
        clause.inherited = True
        clause.comps.append(Complement("", np, np.first))

    def _topic_of(self, np: NP, last: NP) -> NP:
        """The noun phrase that an apposition is about: `last`, or the name in its of-phrase."""
        if np.kind == "name" and last.of and self.tokens[last.of[-1].head].low in LEADERS:
            last = last.of[-1]  # "by the talents of its founder, Anna": Anna is the founder
        if np.kind == "common" and np.det in ("a", "an", "the") and last.of_name is not None:
            last = last.of_name  # "a subsidiary of Y, a company": Y is the company
        return last
