"""Each key of a condition, on verdicts that it holds of and on such that it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from guardrail.audit.replay import claims
from guardrail.audit.replay import report as replayed
from guardrail.report import from_dict, to_dict
from guardrail.types import (
    Entity,
    Evidence,
    Kind,
    Label,
    Mention,
    Node,
    Outcome,
    Passage,
    Reason,
    Slot,
    Source,
    SourceVerdict,
    Triplet,
    Value,
    Verdict,
)
from policies.conditions import answer_holds, claim_holds, slot_type
from policies.policy import parse
from tests.findings import BETTER, RIGHT, SECOND, report, unchecked, verdict
from tests.records import record

DRUG = verdict(entity=Entity("Q188724", "ibuprofen", types=("Q12140",)))
AMOUNT = verdict(
    value=Value("12 mg", "12", "quantity"),
    object_type="quantity",
    relation="P2067",
    slot=None,
    evidence=Evidence(),
)
WEB = replace(
    verdict(evidence=Evidence(passages=(Passage("w1", "…", Source.WEB),))),
    by_source=tuple(
        SourceVerdict(Source.WEB, label, 0.9, Evidence(), "", "nli") for label in list(Label)[::2]
    ),
)
GIVEN = verdict(
    evidence=Evidence(triplets=(Triplet(Node("", "a"), Node("", "b"), Node("", "c"), source="request"),))
)
UNKNOWN = verdict(label=Label.EXTRAPOLATORY, reason=Reason.OPEN_LIST, confidence=0.4, tms=0.1, checker="nli")
HEDGED = verdict(kind=Kind.HEDGED, revisions=(BETTER,))
ALL = {"drug": DRUG, "amount": AMOUNT, "web": WEB, "given": GIVEN, "unknown": UNKNOWN, "hedged": HEDGED}


@pytest.mark.parametrize(
    ("when", "names"),
    [
        ("{}", "drug amount web given unknown hedged"),
        ("{label: extrapolatory}", "unknown"),
        ("{label: [extrapolatory, attributable]}", "unknown"),
        ("{confidence: {min: 0.9}}", "drug amount web given hedged"),
        ("{confidence: {below: 0.9}}", "unknown"),
        ("{tms: {below: 0.5}}", "unknown"),
        ("{kind: hedged}", "hedged"),
        ("{reason: open_list}", "unknown"),
        ("{slot: number}", "amount"),
        ("{slot: [date]}", "drug web given unknown hedged"),
        ("{property: P2067}", "amount"),
        ("{property: Date of Birth}", "drug web unknown hedged"),
        ("{entity: q188724}", "drug"),
        ("{entity: [Ibuprofen]}", "drug"),
        ("{entity_type: Q12140}", "drug"),
        ("{source: web}", "web"),
        ("{source: request}", "given"),
        ("{source: [kg]}", "drug unknown hedged"),
        ("{source: none}", "amount"),
        ("{checker: NLI}", "unknown"),
        ("{revisable: true}", "hedged"),
        ("{conflict: true}", "web"),
        ("{conflict: false, checker: NLI}", "unknown"),
        ("{revisable: false, slot: number}", "amount"),
        ("{label: contradictory, source: web, kind: hedged}", ""),
    ],
)
def test_a_claim_condition_holds_of_exactly_these(when: str, names: str) -> None:
    """All keys given must hold; words are compared without regard to case."""
    policies, problems = parse(f"claims: [{{when: {when}}}]", "p.yaml")
    assert not problems
    condition = policies[0].claims[0].when
    assert [name for name, found in ALL.items() if claim_holds(condition, found)] == names.split()


@pytest.mark.parametrize(
    ("found", "slot"),
    [
        (verdict(), "date"),
        (AMOUNT, "number"),
        (verdict(value=None, object_type="year"), "date"),
        (verdict(value=None, object_type="age"), "number"),
        (verdict(value=None, object_type="place"), "text"),
        (verdict(value=Value("x", "x", "string")), "text"),
    ],
)
def test_the_slot_type_is_what_the_fact_states(found: Verdict, slot: str) -> None:
    """A literal decides by its datatype, otherwise the expected type does."""
    assert slot_type(found) == slot


COMPARED = Slot("day", "5", "3", "single", "conflict", fact=-1)


@pytest.mark.parametrize(
    ("slot", "found"),
    [
        (replace(COMPARED, type="number"), "number"),
        (replace(COMPARED, type="date"), "date"),
        (COMPARED, "entity"),
    ],
)
def test_what_was_compared_without_a_fact_decides_the_slot_type(slot: Slot, found: str) -> None:
    """Whatever the claim's facts are; where it is no date or number the first fact tells. A report and a record keep it."""
    named = verdict(value=None, object_type="person", slot=slot)
    fact = named.claim.facts[0]
    entity = replace(fact, object=replace(fact.object, mentions=(Mention(SECOND, "x"),)))
    bare = replace(fact, object=replace(fact.object, value=Value("x", "x", "string")))
    one = replace(named, claim=replace(named.claim, facts=(entity, bare)))
    assert slot_type(one) == found
    kept = (from_dict(to_dict(report(one))), replayed(record(1, claims=claims([one], "salt"), words=None)))
    assert not slot.type or {slot_type(again.verdicts[0]) for again in kept} == {found}


MIXED = report(
    verdict(), verdict(1, SECOND, **RIGHT), unchecked=(unchecked(span=type(SECOND)(62, 90)),), kas=0.25
)


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("{kas: {below: 0.25}}", False),
        ("{kas: {min: 0.25}}", True),
        ("{outcome: flagged}", True),
        ("{outcome: [confirmed, not_checked]}", False),
        ("{count: {contradictory: {min: 1, below: 2}}}", True),
        ("{count: {claims: {min: 3}}}", False),
        ("{count: {unchecked: {min: 1}, attributable: {min: 1}}}", True),
        ("{count: {unchecked: {min: 1}, extrapolatory: {min: 1}}}", False),
        ("{share: {contradictory: {min: 0.3, below: 0.4}}}", True),
        ("{share: {flagged: {min: 0.4}}}", False),
    ],
)
def test_an_answer_condition_counts_what_was_judged_and_what_was_not(when: str, holds: bool) -> None:
    """Shares are of all checkable passages, so that unchecked ones do not make an answer look better."""
    policies, problems = parse(f"answer: [{{when: {when}, then: attach}}]", "p.yaml")
    assert not problems
    assert answer_holds(policies[0].answer[0].when, MIXED, 1, Outcome.FLAGGED) is holds


def test_an_empty_answer_has_no_shares() -> None:
    """Without claims every share is nought."""
    policies, _ = parse("answer: [{when: {share: {attributable: {below: 0.5}}}, then: attach}]", "p.yaml")
    assert answer_holds(policies[0].answer[0].when, report(text="Hi!"), 0, Outcome.NOT_CHECKABLE)
