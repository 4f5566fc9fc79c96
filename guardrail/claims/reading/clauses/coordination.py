"""What a noun phrase is to the one before it: the next of a list, a further object, post or predicate."""

from __future__ import annotations

from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.lexicon.posts import post_at
from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.clauses.state import Clause, Complement, State
from guardrail.language.lists import word_list
from guardrail.rules import rule

__all__ = ["Coordination"]

# Nouns for people that say whose they are, and no post.
_KIN = word_list("kin") | frozenset(
    "heir descendant colleague friend rival pupil student disciple follower".split()
)
_WITH_BODIES = ("at", "of", "for", "in", "with")


class Coordination(State):
    """Steps for noun phrases behind a conjunction, or behind a comma in a list."""

    def conjoined(self, np: NP) -> bool:
        """Joins a noun phrase to the one before it: "A and B", "A, B and C". False where it is joined to none."""
        last = self.last
        if last is None or np.kind == "value":
            return False
        return self._said_again(np, last) or self._of_an_earlier(np, last) or self._listed(np, last)

    @rule("said-again", silent=False)
    def _said_again(self, np: NP, last: NP) -> bool:
        """The verb holds of it as of an earlier noun phrase, and a clause of its own says so."""
        now = self.now
        objects = any(now.direct())
        if self._further_post(np):
            self._again(now, "", np)
        elif self.cc is None or now.vg is None:
            return False
        elif last.kind == "value" and np.kind != "pronoun" and objects:
            self._again(now, "", np)  # "won A in 1903 and B in 1911"
        elif last.kind == "value" and np.kind == "common" and self._as():
            self._again(now, "as", np)  # "served as head of A from 1983 to 1984 and head of B"
        else:
            return False
        return True

    def _again(self, clause: Clause, prep: str, np: NP) -> None:
        self.now = clause
        self.coordinate(self.cc.at if self.cc else np.first, copy=True)
        self.now.comps.append(Complement(prep, np, np.first))

    def _of_an_earlier(self, np: NP, last: NP) -> bool:
        """It goes on from a noun phrase before the last one, or from nothing."""
        if (self.cc or self.comma) and np.kind == "name" and self._another_as():
            self.now.comps.append(Complement("", np, np.first))  # "starring A as X and B as Y"
        elif self.comma and self.cc and self.now.vg is not None and not self.host(last).also and self.ends():
            self.now = self.open(self.cc.at, "fragment", subject=np)  # a fragment: nothing is said of it
        else:
            return False
        return True

    def _listed(self, np: NP, last: NP) -> bool:
        """It goes on from the last one."""
        if self.cc is not None and self.cc.low in ("and", "or", "&", "nor", "but"):
            host = self.host(last)
            self._share_body(host, np)
            self._share_owner(host, np)
            host.also.append(np)
            return self.cc.low != "but"
        if self.comma and not self._names_one(last, np) and self._list_goes_on():
            self.host(last).also.append(np)
            return True
        return False

    def _share_body(self, host: NP, np: NP) -> None:
        """What the last of a coordination is of belongs to all: "founder, head and chairman of Apple"."""
        for one in host.each() if np.of and np.kind == "common" else ():
            if one.kind == "common" and not one.of and one.owner is None:
                one.of = np.of

    def _share_owner(self, host: NP, np: NP) -> None:
        """What the first of two posts belongs to has the other one, too: "Apple's head and chairman"."""
        posts = all(post_at(self.tokens[at].low, "of", frozenset()) for at in (host.head, np.noun))
        if posts and host.kind == "common" and host.owner is not None and not (np.owner or np.det or np.of):
            np.owner = host.owner

    @rule("further-posts", silent=False)
    def _further_post(self, np: NP) -> bool:
        """Behind a place a noun for people goes on the list: "was a lecturer at X, professor of law at Y, and president of Z"."""
        first, comps = self.now.predicate, self.now.comps
        if not self.comma or first is None or first.kind != "common" or not self._person(np):
            return False
        placed = comps[-1].prep in _WITH_BODIES or (len(comps) == 1 and first.of_name is not None)
        kind = load_kinds().noun(self.tokens[first.head].low)
        return kind in ("", "person") and placed and self._with_a_body(np)

    def _person(self, np: NP) -> bool:
        head = self.tokens[np.head].low
        known = load_kinds().noun(head) == "person" or post_at(head, "of", frozenset())
        return np.kind == "common" and head not in _KIN and known

    def _with_a_body(self, np: NP) -> bool:
        """Not alone: "of X", "at X", or the last one behind "and"."""
        following = self.peek()
        place = isinstance(following, Mark) and following.low in _WITH_BODIES
        return bool(np.of) or place

    def _as(self) -> bool:
        """Somebody did something as something: "served as head of A"."""
        return any(
            comp.prep == "as" and comp.np is not None and comp.np.kind == "common" for comp in self.now.comps
        )

    def _names_one(self, last: NP, np: NP) -> bool:
        """A noun without an article says what the name before it is, and begins no list: "Anna, painter and poet"."""
        if last.kind == "common" and np.kind == "name" and last.det == "the" and last.of:
            return (
                load_kinds().noun(self.tokens[last.head].low) == "person"
            )  # "the mayor of Ulm, Anna, and …"
        return last.kind == "name" and np.kind == "common" and not np.det and self.tokens[np.head].tag == "NN"

    @rule("another-as", silent=False)
    def _another_as(self) -> bool:
        """What was said last is what somebody is "as", and the same follows of somebody else."""
        following = self.peek()
        comps = self.now.comps
        named = bool(comps) and comps[-1].prep == "as" and any(c.np is not None and not c.prep for c in comps)
        return named and isinstance(following, Mark) and following.low == "as"

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
