"""What a noun phrase is to the open clause: subject, object, complement, conjunct, apposition, or a new clause's subject."""

from __future__ import annotations

from guardrail.claims.chunks import NP, VG, Mark
from guardrail.claims.clauses.state import REPORTS, Clause, Complement, Role, State
from guardrail.claims.kinds import load_kinds
from guardrail.claims.posts import post_at

__all__ = ["NounSteps"]

# Nouns for people that say whose they are, and no post.
_KIN = frozenset(
    "son daughter child wife husband widow widower father mother parent brother sister sibling uncle aunt cousin nephew niece grandson "
    "granddaughter grandfather grandmother descendant friend pupil student disciple follower colleague rival heir".split()
)


class NounSteps(State):
    """Steps for noun phrases."""

    def noun(self, np: NP) -> None:
        now = self.now
        following = self._verb_next() or (self.comma and not self.cc and self._fronted() and self._joint())
        if self._contact(np):
            self.now = self.open(
                np.first, "relative", subject=np, antecedent=self.named_by(self.last), link="that", parent=now
            )
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
        self.reset()

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
            for clause in self.out:
                if clause.role == "participle" and clause.subject is None:
                    clause.subject, clause.inherited = np, True
            self.now = self.open(start, "main", subject=np)
            return
        else:
            role, own = "coordinate", True
        self.now = self.open(
            start, role, subject=np, own=own, sub=now.sub if now.role == "adverbial" and self.cc else ""
        )
        if now.role == "inner" and self.cc:
            self.now.role, self.now.said, self.now.parent = "inner", True, now.parent

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
        if self.cc is not None and now.vg is not None and not self.brackets and self._sentence_next():
            # "She won A in 1903, and in 1911 she won B": what goes before the subject is of the new clause.
            self.now = self.open(self.cc.at, "coordinate")
            self.now.comps.append(Complement(prep.low, np, prep.at))
            return
        now.comps.append(Complement(prep.low, np, prep.at, negated=self.negation))

    def _conjoined(self, np: NP) -> bool:
        """Joins a noun phrase to the one before it: "A and B", "A, B and C"."""
        last = self.last
        if last is None or np.kind == "value":
            return False
        if self._further_post(np):
            self.coordinate(self.cc.at if self.cc else np.first, copy=True)
            self.now.comps.append(Complement("", np, np.first))
            return True
        objects = [comp for comp in self.now.comps if not comp.prep and comp.np is not None]
        if self.cc is not None and last.kind == "value" and np.kind != "pronoun" and objects and self.now.vg:
            self.coordinate(self.cc.at, copy=True)  # "won A in 1903 and B in 1911"
            self.now.comps.append(Complement("", np, np.first))
            return True
        if (self.cc or self.comma) and np.kind == "name" and self._another_as():
            self.now.comps.append(Complement("", np, np.first))  # "starring A as X and B as Y"
            return True
        if self.comma and self.cc and self.now.vg is not None and not self.host(last).also and self.ends():
            self.now = self.open(self.cc.at, "fragment", subject=np)  # a fragment: nothing is said of it
            return True
        if self.cc is not None and last.kind == "name" and np.of and (noun := self._like()):
            noun.also.append(np)
            return True
        if self.cc is not None and self.cc.low in ("and", "or", "&", "nor", "but"):
            host = self.host(last)
            self._belong_to_all(host, np)
            host.also.append(np)
            return self.cc.low != "but"
        if self.comma and not self._names_one(last, np) and self._list_goes_on():
            self.host(last).also.append(np)
            return True
        return False

    def _belong_to_all(self, host: NP, np: NP) -> None:
        """What stands once in a coordination belongs to all: "founder, head and chairman of Apple", "Apple's head and chairman"."""
        for one in host.each() if np.of and np.kind == "common" else ():
            if one.kind == "common" and not one.of and one.owner is None:
                one.of = np.of
        title = np.title[1] if np.title is not None else np.head
        posts = all(post_at(self.tokens[at].low, "of", frozenset()) for at in (host.head, title))
        if posts and host.kind == "common" and host.owner is not None and not (np.owner or np.det or np.of):
            np.owner = host.owner

    def _further_post(self, np: NP) -> bool:
        """As in "was a lecturer at X, professor of law at Y, and president of Z": behind a place a noun for people goes on the list."""
        now = self.now
        first, last = (now.comps[0], now.comps[-1]) if now.comps else (None, None)
        if not self.comma or now.vg is None or now.vg.voice != "copula" or first is None or first.np is None:
            return False
        kind = load_kinds().noun(self.tokens[first.np.head].low)
        person = self._person(np) and first.np.kind == "common" and kind in ("", "person")
        behind = last is not first and last is not None and last.prep in ("at", "of", "for", "in", "with")
        owned = first.np.of and first.np.of[-1].kind == "name" and last is first
        return person and (behind or bool(owned)) and not first.prep and self._with_a_body(np)

    def _person(self, np: NP) -> bool:
        head = self.tokens[np.head].low
        known = load_kinds().noun(head) == "person" or post_at(head, "of", frozenset())
        return np.kind == "common" and head not in _KIN and known

    def _with_a_body(self, np: NP) -> bool:
        """Not alone: "of X", "at X", or the last one behind "and"."""
        following = self.peek()
        place = isinstance(following, Mark) and following.low in ("at", "of", "for", "in", "with")
        return bool(np.of) or place

    def _like(self) -> NP | None:
        """The noun before "at X" or "in X" that "and the founder of Y" goes on from: like is joined to like."""
        now = self.now
        if now.vg is None or now.vg.voice != "copula" or len(now.comps) < 2 or not now.comps[-1].prep:
            return None
        first = now.comps[0]
        return first.np if first.np is not None and first.np.kind == "common" and not first.prep else None

    def _names_one(self, last: NP, np: NP) -> bool:
        """As in "Anna, painter and poet": a noun without an article says what the name before it is, and begins no list."""
        if last.kind == "common" and np.kind == "name" and last.det == "the" and last.of:
            return (
                load_kinds().noun(self.tokens[last.head].low) == "person"
            )  # "the mayor of Ulm, Anna, and …"
        return last.kind == "name" and np.kind == "common" and not np.det and self.tokens[np.head].tag == "NN"

    def _another_as(self) -> bool:
        """What was said last is what somebody is "as", and the same follows of somebody else."""
        following = self.peek()
        comps = self.now.comps
        return (
            isinstance(following, Mark)
            and following.low == "as"
            and bool(comps)
            and comps[-1].prep == "as"
            and any(not comp.prep and comp.np is not None for comp in comps)
        )

    def _list_goes_on(self) -> bool:
        """Whether after this noun phrase come only further ones and then "and"."""
        ahead = 1
        while (item := self.peek(ahead)) is not None:
            if isinstance(item, Mark) and item.kind == "cc":
                following = self.peek(ahead + 1)
                return (
                    isinstance(following, NP)
                    and following.kind != "pronoun"
                    and (self.now.waiting or not isinstance(self.peek(ahead + 2), VG))
                )
            if not (isinstance(item, NP) or (isinstance(item, Mark) and item.kind == "comma")):
                return False
            ahead += 1
        return False

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
