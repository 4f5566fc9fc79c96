"""Chunks to clauses: who does what, with the subject inherited where it is not said again.

One pass from left to right with a chain of open clauses: a relative pronoun, a participle or a bracket opens a clause
about the noun phrase before it; a verb that follows without a new subject belongs to the innermost clause that still
waits for its verb; a coordinated verb inherits the subject. The steps are sorted by the chunk that they take: `marks`,
`nouns`, `verbs`; `state` is what they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from guardrail.claims.reading.chunks import NP, VG, Chunk
from guardrail.claims.reading.clauses.marks import MarkSteps
from guardrail.claims.reading.clauses.nouns import NounSteps
from guardrail.claims.reading.clauses.others import without_others
from guardrail.claims.reading.clauses.state import Clause, Complement
from guardrail.claims.reading.clauses.verbs import VerbSteps
from guardrail.claims.reading.tokens import Token

__all__ = ["Clause", "Complement", "clauses"]


class _Builder(MarkSteps, NounSteps, VerbSteps):
    def build(self) -> list[Clause]:
        for at, item in enumerate(self.chunks):
            self.at = at
            if isinstance(item, NP):
                self.noun(item)
            elif isinstance(item, VG):
                self.verb(item)
            else:
                self.mark(item)
        self._share()
        for clause in self.out:
            without_others(clause, self.tokens)
        return [clause for clause in self.out if clause.vg or clause.comps or clause.subject]

    def _share(self) -> None:
        """In "written and directed by her" the first verb has what the second one has, and both are told together."""
        for first, second in pairwise(self.out):
            if not first.comps and not first.copula and _alike(first, second):
                first.comps = second.comps


def _alike(first: Clause, second: Clause) -> bool:
    """Whether the verb of a clause stands right behind that of another, with the same subject and in the same voice."""
    if first.vg is None or second.vg is None or second.subject is not first.subject or not second.inherited:
        return False
    joined = second.role in ("coordinate", "relative") and second.start <= first.vg.last + 2
    return joined and first.vg.voice == second.vg.voice


def clauses(chunks: Sequence[Chunk], tokens: Sequence[Token]) -> list[Clause]:
    """The clauses of a sentence, in order of their first token."""
    return sorted(_Builder(chunks, tokens).build(), key=lambda clause: clause.start)
