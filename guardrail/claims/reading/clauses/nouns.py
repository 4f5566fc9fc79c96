"""What a noun phrase is to the open clause: subject, object, complement, conjunct, apposition, or a new clause's subject."""

from __future__ import annotations

from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.clauses.coordination import Coordination
from guardrail.claims.reading.clauses.state import LEADERS, REPORTS, Clause, Complement, Role

__all__ = ["NounSteps"]


class NounSteps(Coordination):
    """Steps for noun phrases."""

    def noun(self, np: NP) -> None:
        now = self.now
        following = self._verb_next() or (self.comma and not self.cc and self._fronted() and self._joint())
        if self._beside(np):
            pass
        elif self.prep is not None:
            self._oblique(np)
        elif now.role == "relative" and now.vg is None and now.subject is None:
            now.subject = np
        elif following and self._fresh_subject(now):
            self._new_clause(np)
        elif now.vg is None and now.subject is None and now.comps and now.comps[-1].prep == "according to":
            now.said, now.role = True, "fragment"
            self.now = self.open(np.first, "main", subject=np, said=True)
        elif now.vg is None and now.subject is None and now.role != "aside":
            now.subject = np
            if now.role == "main" and not now.comps:
                now.start = min(now.start, np.first)
            self._introduced(np)
        elif self.conjoined(np):
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
        self.last, self.called = np if self.called is None else self.called, None
        self.reset()

    def _beside(self, np: NP) -> bool:
        """Takes what goes with the noun phrase right before it though no comma or conjunction says so."""
        if self.called is not None and np.kind == "name":
            self.called.said.append(np)  # "a company called Velmora"
        elif self._explains(np):
            self._apposition(np)
        elif self._contact(np):
            self.now = self.open(
                np.first,
                "relative",
                subject=np,
                antecedent=self.named_by(self.last),
                link="that",
                parent=self.now,
            )
        else:
            return False
        return True

    def _explains(self, np: NP) -> bool:
        """As in "Anna the founder of Velmora": a role right behind a name, without a comma."""
        last = self.last
        beside = last is not None and last.kind == "name" and last.end == np.first - 1
        role = np.kind == "common" and np.det == "the" and np.of and self.tokens[np.head].low in LEADERS
        return bool(beside and role) and not (self.comma or self.cc or self.prep)

    def _contact(self, np: NP) -> bool:
        """As in "of Velmora, a company she founded in 2005": a relative clause without its relative word."""
        beside = not (self.comma or self.cc or self.prep or self.brackets)
        adjoining = beside and self.last is not None and self.last.end == np.first - 1
        return (
            adjoining and np.kind == "pronoun" and self._verb_next() and self.named_by(self.last) is not None
        )

    def _lacks_object(self, now: Clause) -> bool:
        """A verb was said and nothing after it: "He married, secondly, Anna"."""
        return now.vg is not None and not now.comps and now.vg.voice != "passive"

    def _verb_next(self) -> bool:
        """Whether a finite verb follows this noun phrase directly (adverbs and a bracket aside)."""
        ahead = 1
        while isinstance(item := self.peek(ahead), Mark) and item.kind == "adv":
            ahead += 1
        return isinstance(item, VG) and item.form == "finite"

    def _sentence_next(self) -> bool:
        """Whether a subject and its finite verb follow this noun phrase directly, a comma aside."""
        ahead = 2 if isinstance(item := self.peek(1), Mark) and item.kind == "comma" else 1
        verb = self.peek(ahead + 1)
        return isinstance(self.peek(ahead), NP) and isinstance(verb, VG) and verb.form == "finite"

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
            self.cc or self.comma or now.role == "adverbial" or now.vg.stem in REPORTS or self._dangling(now)
        )

    def _dangling(self, now: Clause) -> bool:
        return now.vg is not None and bool(now.comps)

    def _new_clause(self, np: NP) -> None:
        start = self.cc.at if self.cc else np.first
        now = self.now
        for clause in self.out:
            if (
                clause.role == "adverbial"
                and clause.subject is None
                and clause.vg is not None
                and not self.cc
            ):
                clause.subject, clause.inherited = np, True  # "Before joining Y, X was …"
        while now.role == "participle" and now.parent is not None and now.parent.role == "adverbial":
            now = now.parent
        if now.role == "adverbial" and not self.cc:
            role: Role = "main"
            own = not (now.parent is not None and now.parent.vg is None and now.parent.subject is None)
        elif now.vg is not None and now.vg.stem in REPORTS and not self.comma and not self.cc:
            self.now = self.open(np.first, "inner", subject=np, parent=now, said=True)
            return
        elif now.role == "participle" and now.subject is None:
            self._introduced(np)
            self.now = self.open(start, "main", subject=np)
            return
        else:
            role, own = "coordinate", True
        self.now = self.open(
            start, role, subject=np, own=own, sub=now.sub if now.role == "adverbial" and self.cc else ""
        )
        if now.role == "inner" and self.cc:
            self.now.role, self.now.said, self.now.parent = "inner", True, now.parent

    def _introduced(self, np: NP) -> None:
        """The participles before a subject are about it: "Formed in 1977, in 1999 it bought …"."""
        for clause in self.out:
            if clause.role == "participle" and clause.subject is None:
                clause.subject, clause.inherited = np, True

    def _oblique(self, np: NP) -> None:
        prep = self.prep
        assert prep is not None
        now = self.now
        if prep.low in ("including", "such as") and self.last is not None and not self.cc:
            self.host(self.last).also.append(np)  # "ten countries, including Germany"
            return
        if self.cc is not None and prep.low == "with" and now.vg is not None and now.vg.voice != "active":
            self.coordinate(self.cc.at, copy=now.role == "participle")
            self.now.role = "participle" if now.role == "participle" else self.now.role
            self.now.comps.append(Complement(prep.low, np, prep.at))
            return
        if now.vg is None and now.role == "main" and now.subject is None and self.last is None:
            now.comps.append(Complement(prep.low, np, prep.at))
            return
        if (
            self.comma
            and np.kind == "value"
            and self._fronted()
            and now.role == "participle"
            and self._sentence_next()
        ):
            self.now = self.open(prep.at, "main")  # "Formed in 1977, in 1999 it bought A"
            self.now.comps.append(Complement(prep.low, np, prep.at))
            return
        if self.cc is not None and now.vg is not None and not self.brackets and self._verb_next():
            self.coordinate(
                self.cc.at
            )  # "founded A in 1903, and in 1911 sold B": the time is the second verb's
            self.now.comps.append(Complement(prep.low, np, prep.at))
            return
        if self.cc is not None and now.vg is not None and not self.brackets and self._sentence_next():
            # "She won A in 1903, and in 1911 she won B": what goes before the subject is of the new clause.
            self.now = self.open(self.cc.at, "coordinate")
            self.now.comps.append(Complement(prep.low, np, prep.at))
            return
        now.comps.append(Complement(prep.low, np, prep.at, negated=self.negation))

    def _apposition(self, np: NP) -> None:
        last = self.last
        assert last is not None
        dated = self.now.vg is not None and self.now.vg.stem in ("bear", "di") and last.kind == "value"
        if dated and np.kind == "name":
            self.now.comps.append(Complement("in", np, np.first))  # "born 5 May 1900, Paris"
            return
        if (
            self.now.waiting
            and self.now.subject is last
            and last.kind == np.kind == "name"
            and self._verb_next()
        ):
            self.now.subject = np  # "With Anna, Berta founded …": what stands before the comma was no subject
            return
        subject = self.now.subject
        if (
            self.now.waiting
            and subject is not None
            and subject.of
            and last in subject.said
            and self._verb_next()
        ):
            subject.of[-1].said.extend(subject.said)
            subject.said = [np]
            return  # "A native of Ulm, Germany, Anna …"
        if self.negation:
            self.negation = False
            return  # "Canberra, not Sydney": what is denied by the way
        if np.kind == "name" and last.of and self.tokens[last.of[-1].head].low in LEADERS:
            last = last.of[-1]  # "by the talents of its founder, Anna": Anna is the founder
        if np.kind == "common" and np.det in ("a", "an", "the") and last.of and last.of[-1].kind == "name":
            last = last.of[-1]  # "a subsidiary of Y, a company": Y is the company
        if self._behind_a_place(np, last):
            clause = self.open(np.first, "apposition", subject=subject, parent=self.now, own=False)
            clause.inherited = True
            clause.comps.append(Complement("", np, np.first))
            return
        last.said.append(np)
        if np.kind == "value" or (np.kind == "name" and last.kind == "name"):
            return
        if self.now.waiting and self.now.subject is last and np.kind == "common":
            clause = self.open(np.first, "apposition", subject=last, parent=self.now, own=False)
            clause.inherited = True
            clause.comps.append(Complement("", np, np.first))

    def _behind_a_place(self, np: NP, last: NP) -> bool:
        """As in "Anna was born in Ulm, the daughter of Emil Berg": a noun for people behind a place is the subject's."""
        now = self.now
        if (
            np.kind != "common"
            or last.kind != "name"
            or now.vg is None
            or now.subject is None
            or not now.comps
        ):
            return False
        comp = now.comps[-1]
        inside = comp.np is not None and (comp.np is last or last in comp.np.said)
        person = load_kinds().noun(self.tokens[np.head].low) == "person"
        return inside and comp.prep in ("in", "near") and person and last.title is None
