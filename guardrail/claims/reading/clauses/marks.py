"""What marks do to the open clause: commas, conjunctions, relative words, brackets."""

from __future__ import annotations

from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.claims.reading.clauses.state import REPORTS, Complement, State
from guardrail.language.lists import word_list

__all__ = ["MarkSteps"]

_INDEPENDENT = word_list("contrasting")
_ENDING_ANSWERS = frozenset(",;:–—-.!")


class MarkSteps(State):
    """Steps for everything that is neither a noun phrase nor a verb."""

    def mark(self, mark: Mark) -> None:
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
        elif mark.low in ("never", "not", "no") and not self._answers(mark):
            before = self.peek(-1)
            self.negation = "told" if isinstance(before, VG) and before.negated else "open"

    def _answers(self, mark: Mark) -> bool:
        """Whether a "no" answers what was asked and denies nothing of what follows: "No, it is Canberra", "Not quite: …"."""
        if self.now.vg is not None or self.now.subject is not None:
            return False
        behind = self.tokens[mark.at + 1 : mark.at + 3]
        ends = [token.text in _ENDING_ANSWERS for token in behind]
        return ends[:1] == [True] or (mark.low == "not" and ends[1:] == [True] and behind[0].tag == "RB")

    def _on_comma(self, _: Mark) -> None:
        self.comma = True

    def _on_cc(self, mark: Mark) -> None:
        self.cc = mark
        if mark.low == "nor":
            self.negation = "open"
        elif mark.low in ("and", "but") and self.now.vg is not None:
            self.negation = ""

    def _on_prep(self, mark: Mark) -> None:
        self.prep = mark

    def _on_adj(self, mark: Mark) -> None:
        if self.now.vg is not None or self.now.comps:
            if self.cc and self.now.copula and self.now.comps and not self.prep:
                self.coordinate(self.cc.at, copy=True)
            self.now.comps.append(Complement("", None, mark.at, (mark.at, max(mark.at, mark.end))))
            self.negation = ""
        self.cc, self.comma = None, False

    def _on_break(self, mark: Mark) -> None:
        self.reset()
        if mark.low in ("–", "—", "--", ":") and self._headed():
            # "X – a painter in Ulm, born in Graz", "X (a Swede): a painter in Ulm"
            self.now = self.open(mark.at + 1, "main", subject=self.now.subject, inherited=True)
            return
        if self.brackets and mark.low in (";", "–", "—", ":"):
            outer = self.now
            while outer.role != "aside" and outer.parent is not None:
                outer = outer.parent
            self.now = self.open(mark.at + 1, "aside", antecedent=self.topics[-1], parent=self.brackets[-1])
        elif mark.low != "–":
            self.now = self.open(mark.at + 1, "main")

    def _headed(self) -> bool:
        """Nothing but a name was said, and what it is follows."""
        now, following = self.now, self.peek()
        named = now.subject is not None and now.subject.kind == "name" and now.vg is None and not now.comps
        return named and now.role == "main" and isinstance(following, NP) and following.kind == "common"

    def _on_open(self, mark: Mark) -> None:
        topic = self.topics[-1] if self.topics else self._topic()
        self.brackets.append(self.now)
        self.topics.append(topic)
        self.now = self.open(mark.at, "aside", subject=None, antecedent=topic, parent=self.now)
        self.reset()

    def _on_close(self, _: Mark) -> None:
        if self.brackets:
            self.now = self.brackets.pop()
            self.last = self.topics.pop() or self.last  # "X (1900–1990), a painter": X is the painter
        self.reset()

    def _topic(self) -> NP | None:
        """What a bracket is about: the name just before it, or the subject when a verb has been said."""
        clause, last = self.now, self.last
        if last is None or (clause.waiting and last.owner is None):
            return clause.subject
        if last.kind == "name":
            return last
        return last.of_name or clause.subject or last  # "the son of Emil Berg (1801–1870)"

    def _on_rel(self, mark: Mark) -> None:
        start = self.prep.at if self.prep else mark.at
        antecedent = self._antecedent(mark)
        if antecedent is None or (mark.low in ("what", "how", "why")):
            self.reset()
            return
        self.now = self.open(
            start,
            "relative",
            antecedent=antecedent,
            link=mark.low,
            link_prep=self.prep.low if self.prep else "",
            parent=self.now,
        )
        if mark.low in ("who", "which", "that") and not isinstance(self.peek(), NP):
            self.now.subject, self.now.inherited = antecedent, True
        self.reset()

    def _antecedent(self, mark: Mark) -> NP | None:
        """What a relative word is about: the name right before it ("the parent of Y, which …"), or else the noun phrase."""
        told = self.body_told(self._stem_ahead()) if mark.low in ("that", "which") else None
        return told or self._nearest(mark)

    def _nearest(self, mark: Mark) -> NP | None:
        """What stands right before a relative word: a name, else what the noun phrase means."""
        last = self.last
        if mark.low != "where" and (name := self.named_by(last)) is not None:
            return name
        name = last.of_name if last is not None and last.kind == "common" else None
        thing = mark.low in ("which", "that", "where") or (mark.low == "who" and not self.comma)
        if name is not None and thing:
            return name
        return last if mark.low == "where" else self.meant(last)

    def _stem_ahead(self) -> str:
        """The stem of the relative clause's verb; "" where it is further than its subject."""
        found = next((item for item in (self.peek(1), self.peek(2)) if isinstance(item, VG)), None)
        return found.stem if found is not None else ""

    def _on_sub(self, mark: Mark) -> None:
        before = self.now
        if mark.low == "that" and before.vg is not None and before.vg.stem in REPORTS:
            nobody = before.subject is not None and self.tokens[before.subject.head].low == "it"
            self.now = self.open(mark.at, "inner", sub="it" if nobody else "that", parent=before, said=True)
        elif mark.low in _INDEPENDENT:
            self.now = self.open(mark.at, "main" if before.vg is None else "coordinate", sub=mark.low)
        else:
            self.now = self.open(mark.at, "adverbial", sub=mark.low, parent=before)
        self.reset()
