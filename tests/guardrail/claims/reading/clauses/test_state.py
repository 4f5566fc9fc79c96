from __future__ import annotations

from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Clause
from guardrail.claims.reading.clauses.state import State


def test_a_clause_waits_until_its_verb_comes() -> None:
    """With a subject and no verb a clause waits."""
    clause = Clause(0, "main")
    assert not clause.waiting
    clause.subject = NP(0, 0, 0, 0, "name")
    assert clause.waiting
    clause.vg = VG(1, 1, 1, "be", "finite")
    assert not clause.waiting


def test_a_coordinated_clause_inherits_the_subject() -> None:
    """Opening a coordinated clause hands the subject on."""
    state = State([], [])
    state.now.subject = NP(0, 0, 0, 0, "name")
    state.now.vg = VG(1, 1, 1, "be", "finite")
    state.coordinate(3)
    assert state.now.subject is state.out[0].subject
    assert state.now.inherited
