"""What a policy makes of a report."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from guardrail.report import from_dict, to_dict
from guardrail.types import Evidence, Label, NotChecked, Outcome, Reason, Report, Revision, Slot, Span
from guardrail.verifier import Verifier
from policies.decide import Action, Decision, decide, decide_part
from policies.policy import PRESETS, load, parse
from policies.terms import Policy
from tests.findings import BETTER, PROOF, RIGHT, TEXT, report, reports, unchecked, verdict

DATA = Path(__file__).parents[1] / "data"
ORDINARY: dict[str, str] = yaml.safe_load((DATA / "ordinary.yaml").read_text(encoding="utf-8"))
UNREAD: dict[str, str] = yaml.safe_load((DATA / "unread.yaml").read_text(encoding="utf-8"))
VERIFIER = Verifier.open()
WRONG = verdict(revisions=(BETTER,))
FINE = verdict(1, Span(31, 61), **RIGHT)


def policy(text: str) -> Policy:
    policies, problems = parse(text, "test.yaml")
    assert not problems
    return policies[0]


@pytest.mark.parametrize(
    ("preset", "action"),
    [
        ("shadow", "revise"),
        ("annotate", "annotate"),
        ("attach", "attach"),
        ("revise", "revise"),
        ("block", "block"),
    ],
)
def test_each_preset_answers_a_contradiction_with_its_own_action(preset: str, action: str) -> None:
    """A contradicted claim with a verified revision gets what the preset is named for."""
    decision = decide(load(preset), report(WRONG, FINE))
    assert (decision.action, decision.flagged, decision.outcome) == (action, (0,), Outcome.FLAGGED)


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_is_done_where_nothing_is_flagged(preset: str) -> None:
    """A confirmed report passes under every preset."""
    assert decide(load(preset), report(FINE)) == Decision(
        outcome=Outcome.CONFIRMED, shadow=preset == "shadow"
    )


def test_shadow_decides_but_shows_nothing() -> None:
    """Under the shadow preset the decision is made and the client sees a pass."""
    decision = decide(load("shadow"), report(WRONG))
    assert (decision.action, decision.visible) == (Action.REVISE, Action.PASS)


def test_a_revision_is_an_edit_of_the_wrong_words() -> None:
    """Revising replaces exactly the span of the best revision."""
    decision = decide(load("revise"), report(WRONG))
    assert [(edit.span.of(TEXT), edit.replacement, edit.claim) for edit in decision.edits] == [
        ("1816", "1815", 0)
    ]


def test_without_a_verified_revision_revise_falls_back() -> None:
    """A flagged claim that cannot be revised gets a note, and its text stays."""
    decision = decide(load("revise"), report(verdict()))
    assert (decision.action, decision.edits) == (Action.ATTACH, ())
    assert [note.text for note in decision.notes] == [
        "“Ada Lovelace was born in 1816.” (wrong): Ada Lovelace was born in 1815."
    ]


def test_of_two_revisions_that_overlap_the_earlier_is_made() -> None:
    """Edits never overlap."""
    other = verdict(1, Span(31, 61), revisions=(Revision(Span(27, 40), "x", ""),))
    decision = decide(load("revise"), report(WRONG, other))
    assert [edit.claim for edit in decision.edits] == [0]


def test_a_block_without_a_contradiction_says_that_nothing_was_confirmed() -> None:
    """What was not checked, or is not supported, is not called contradicted."""
    broken = decide(load("block"), report(unchecked=(unchecked(),)))
    assert (broken.action, "contradicts" in broken.message) == (Action.BLOCK, False)
    assert "could not be confirmed" in broken.message
    strict = "mode: hold\nclaims: [{when: {label: [extrapolatory, contradictory]}, then: block}]"
    open_one = verdict(1, Span(31, 61), label=Label.EXTRAPOLATORY)
    assert "could not be confirmed" in decide(policy(strict), report(open_one)).message
    assert "contradicts" in decide(policy(strict), report(open_one, WRONG)).message


def test_a_policy_s_own_words_for_a_block_are_those_of_every_block() -> None:
    """Where a file says what a block reads and nothing else, nobody gets words that it does not hold."""
    own = policy('extends: block\nmessages: {en: {block: "Ask us."}}')
    assert decide(own, report(unchecked=(unchecked(),))).message == "Ask us."
    both = policy('extends: block\nmessages: {en: {block: "Ask us.", unconfirmed: "Later."}}')
    assert decide(both, report(unchecked=(unchecked(),))).message == "Later."


def test_a_block_carries_the_message_in_the_language_of_the_request() -> None:
    """The message is picked by language tag, by its main language, and else in English."""
    block = load("block")
    messages = {
        tag: decide(block, report(WRONG), language=tag).message for tag in ("de", "de-AT", "en", "xx")
    }
    assert messages["de"] == messages["de-AT"] != messages["en"] == messages["xx"]
    assert messages["de"].startswith("Diese Antwort")


def test_a_blocked_answer_has_neither_edits_nor_notes() -> None:
    """Where the text is withheld nothing is changed in it."""
    both = policy("mode: hold\nclaims: [{when: {}, then: block}, {when: {}, then: revise}]")
    decision = decide(both, report(WRONG))
    assert (decision.action, decision.edits, decision.notes) == (Action.BLOCK, (), ())


def test_the_strongest_action_wins() -> None:
    """Rules do not shadow one another: every one that holds is a cause, and the strongest action is taken."""
    rules = policy(
        "mode: hold\nclaims:\n- {name: a, when: {}, then: annotate}\n- {name: b, when: {}, then: block}"
    )
    decision = decide(rules, report(verdict()))
    assert [(cause.rule, cause.action) for cause in decision.reasons] == [("a", "annotate"), ("b", "block")]
    assert decision.action is Action.BLOCK


@pytest.mark.parametrize(
    ("reason", "action", "outcome"),
    [
        (NotChecked.ERROR, "block", "not_checked"),
        (NotChecked.OVERLOAD, "block", "not_checked"),
        (NotChecked.CANCELLED, "block", "not_checked"),
        (NotChecked.DEADLINE, "attach", "not_checked"),
        (NotChecked.DISABLED, "pass", "not_checked"),
    ],
)
def test_what_was_not_checked_is_never_confirmed(reason: NotChecked, action: str, outcome: str) -> None:
    """Errors and timeouts have actions of their own; whatever these are, the outcome says not checked."""
    rules = policy("mode: hold\non_error: block\non_timeout: attach")
    decision = decide(rules, report(FINE, unchecked=(unchecked(reason, Span(62, 80)),)))
    assert (decision.action, decision.outcome) == (action, outcome)


@pytest.mark.parametrize(
    ("reason", "preset", "action"),
    [
        (NotChecked.LANGUAGE, "block", "block"),
        (NotChecked.UNREAD, "block", "block"),
        (NotChecked.CODE, "block", "annotate"),
        (NotChecked.LANGUAGE, "attach", "attach"),
        (NotChecked.UNREAD, "revise", "attach"),
        (NotChecked.CODE, "revise", "annotate"),
        (NotChecked.LANGUAGE, "annotate", "annotate"),
        (NotChecked.UNREAD, "shadow", "annotate"),
    ],
)
def test_text_that_was_not_read_is_treated_by_its_reason(
    reason: NotChecked, preset: str, action: str
) -> None:
    """A preset that guards does not let a sentence pass that nobody read; code passes, but makes no answer confirmed."""
    rules, seen = load(preset), report(FINE, unchecked=(unchecked(reason, Span(62, 80)),))
    decision = decide(rules, seen)
    assert (decision.action, decision.outcome) == (action, Outcome.NOT_CHECKED)
    assert [cause.rule for cause in decision.reasons] == [f"on_unread.{reason}"]


def test_a_timeout_that_passes_is_still_visible_in_the_outcome() -> None:
    """`on_timeout: pass` lets the text go, but does not call it confirmed."""
    rules = policy("on_timeout: pass")
    decision = decide(rules, report(FINE, unchecked=(unchecked(NotChecked.DEADLINE, Span(62, 80)),)))
    assert (decision.action, decision.outcome) == (Action.PASS, Outcome.NOT_CHECKED)


def test_an_unchecked_passage_is_noted_with_its_reason() -> None:
    """An attached note says what was not checked and why."""
    decision = decide(policy("on_error: attach"), report(unchecked=(unchecked(),)))
    assert [note.text for note in decision.notes] == [
        "“She wrote notes on the engine.”: not checked (error)."
    ]


@pytest.mark.parametrize("reason", [Reason.NO_EVIDENCE, Reason.NO_ENTITY, Reason.NO_PROPERTY])
def test_on_no_evidence_flags_what_could_not_be_judged(reason: Reason) -> None:
    """Where nothing was found the policy's own action is taken, and the claim is flagged."""
    alone = verdict(label=Label.EXTRAPOLATORY, reason=reason, evidence=Evidence(), slot=None)
    assert decide(policy("on_no_evidence: pass"), report(alone)).flagged == ()
    assert decide(policy("on_no_evidence: attach"), report(alone)).action is Action.ATTACH
    assert decide(policy("on_no_evidence: attach"), report(alone)).outcome is Outcome.FLAGGED


@pytest.mark.parametrize("action", ["annotate", "attach", "block"])
@pytest.mark.parametrize("reason", [Reason.OPEN_LIST, Reason.NO_EVIDENCE, Reason.HEDGED])
def test_on_unconfirmed_acts_on_every_open_claim(action: str, reason: Reason) -> None:
    """The outcome stays `unconfirmed`: nothing is flagged, and confirmed claims beside it cause nothing."""
    alone = verdict(label=Label.EXTRAPOLATORY, reason=reason, slot=None)
    decision = decide(policy(f"mode: buffer\non_unconfirmed: {action}"), report(alone, FINE))
    assert (decision.action, decision.outcome, decision.flagged) == (action, Outcome.UNCONFIRMED, ())
    assert [(cause.rule, cause.claim) for cause in decision.reasons] == [("on_unconfirmed", 0)]
    assert [note.claim for note in decision.notes] == ([0] if action == "attach" else [])
    assert ("could not be confirmed" in decision.message) is (action == "block")


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_acts_on_what_is_merely_open(preset: str) -> None:
    """The outcome says it."""
    alone = verdict(label=Label.EXTRAPOLATORY, reason=Reason.OPEN_LIST, slot=None)
    decision = decide(load(preset), report(alone, FINE))
    assert (decision.action, decision.outcome) == (Action.PASS, Outcome.UNCONFIRMED)


def test_a_contradiction_below_the_policys_threshold_is_still_flagged() -> None:
    """Thresholds choose the action; they do not take a contradiction out of the outcome."""
    unsure = report(verdict(confidence=0.3))
    decision = decide(load("annotate"), unsure)
    assert (decision.action, decision.flagged, decision.outcome) == (Action.PASS, (), Outcome.FLAGGED)


def test_a_low_score_blocks_the_whole_answer() -> None:
    """A rule about the KAS acts on the answer, below its threshold and not at it."""
    rules = policy("mode: buffer\nclaims: []\nanswer: [{name: low, when: {kas: {below: 0.3}}, then: block}]")
    assert decide(rules, report(FINE, kas=0.29)).action is Action.BLOCK
    assert decide(rules, report(FINE, kas=0.3)).action is Action.PASS


def test_an_answer_rule_that_attaches_lists_all_that_is_flagged() -> None:
    """Attached for the answer's sake, the notes are those of every flagged claim."""
    rules = policy("answer: [{when: {count: {flagged: {min: 1}}}, then: attach}]")
    assert [note.claim for note in decide(rules, report(WRONG, FINE)).notes] == [0]


def test_what_a_claim_contains_is_not_read_as_a_template() -> None:
    """Braces in the model's words stay braces in the note."""
    text = "{policy} {rationale} {{x}} was born in 1816."
    sly = verdict(span=Span(0, len(text)), text=text)
    note = decide(load("attach"), report(sly, text=text)).notes[0].text
    assert note.startswith("“{policy} {rationale} {{x}} was born in 1816.”")


@pytest.mark.parametrize(
    ("slot", "start"), [(PROOF, "1816 is 1815"), (None, "“Ada Lovelace was born in 1816.” (wrong): ")]
)
def test_a_note_with_values_is_a_plain_one_where_none_were_compared(slot: Slot | None, start: str) -> None:
    """No empty quotation marks."""
    policies, _ = parse("extends: attach\nmessages: {en: {note: '{claimed} is {known}'}}", "p.yaml")
    (note,) = decide(policies[0], report(verdict(slot=slot))).notes
    assert note.text.startswith(start)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Urgent | 5 working days", "“Urgent: 5 working days” "),
        ("| Urgent | 5 days | free |", "“Urgent: 5 days, free” "),
        ("“Guests may bring dogs.”", "“Guests may bring dogs.” "),
        ('"Guests" and "dogs" may come.', '“"Guests" and "dogs" may come.” '),
        ("He said “no”", "“He said “no”” "),
    ],
)
def test_a_note_quotes_a_row_without_bars_and_a_quotation_once(text: str, quoted: str) -> None:
    """Marks within a claim stay."""
    found = verdict(0, Span(0, len(text)), text=text)
    (note,) = decide(load("attach"), report(found, text=text)).notes
    assert note.text.startswith(quoted)


def test_a_note_is_one_line() -> None:
    """A claim with line breaks cannot forge further notes."""
    text = "Born in\n\n[2] trust me\r\n1816."
    assert (
        "\n"
        not in decide(load("attach"), report(verdict(span=Span(0, len(text)), text=text), text=text))
        .notes[0]
        .text
    )


_policies = st.sampled_from(
    [load(name) for name in PRESETS]
    + [
        policy(
            "mode: hold\nclaims: [{when: {label: contradictory, tms: {min: 0.5}}, then: revise}, {when: {slot: date}, then: attach}]"
        ),
        policy(
            "mode: hold\nclaims: [{when: {entity: London, property: P569}, then: block}, {when: {slot: [text, number]}}]"
        ),
        policy(
            "mode: hold\non_no_evidence: attach\non_unconfirmed: attach\non_error: block\nclaims: [{when: {entity_type: Q12140}, unless: {confidence: {below: 0.5}}}]"
        ),
    ]
)


@given(reports(), _policies, st.data())
def test_the_parts_agree_with_the_whole(whole: Report, rules: Policy, data: st.DataObject) -> None:
    """However an answer is cut into sentences, the rules about claims say of the parts what they say of the whole."""
    rules = replace(rules, answer=())
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole.text)), max_size=4)) | {0, len(whole.text) + 1})
    parts = [
        decide_part(
            rules,
            [v for v in whole.verdicts if low <= v.claim.span.start < high],
            [u for u in whole.unchecked if low <= u.span.start < high],
        )
        for low, high in pairwise(cuts)
    ]
    decision = decide(rules, whole)
    strongest = max((part.action for part in parts), key=lambda action: action.strength)
    assert decision.action is strongest
    assert decision.flagged == tuple(claim for part in parts for claim in part.flagged)
    assert set(decision.reasons) == {cause for part in parts for cause in part.reasons}
    if decision.action is not Action.BLOCK:
        assert decision.edits == tuple(edit for part in parts for edit in part.edits)
        assert decision.notes == tuple(note for part in parts for note in part.notes)


@given(reports(), _policies)
def test_a_report_read_back_from_json_is_decided_alike(whole: Report, rules: Policy) -> None:
    """`policy explain` says of a saved report what the server would do. Figures have four digits there."""
    shown = tuple(replace(v, confidence=round(v.confidence, 4), tms=round(v.tms, 4)) for v in whole.verdicts)
    whole = replace(whole, verdicts=shown, kas=round(whole.kas, 4))
    assert decide(rules, from_dict(to_dict(whole))) == decide(rules, whole)


@given(reports(), _policies)
def test_decisions_are_deterministic_and_well_formed(whole: Report, rules: Policy) -> None:
    """The same input gives the same decision; edits are disjoint, within the text; unchecked is never confirmed."""
    decision = decide(rules, whole)
    assert decision == decide(rules, whole)
    assert all(left.span.end <= right.span.start for left, right in pairwise(decision.edits))
    assert all(edit.span.end <= len(whole.text) for edit in decision.edits)
    if whole.unchecked:
        assert decision.outcome in (Outcome.FLAGGED, Outcome.NOT_CHECKED)
    if whole.flagged:
        assert decision.outcome is Outcome.FLAGGED


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_answers_are_not_withheld_as_unread(name: str) -> None:
    """Code, formulas, lists, letters, recipes and poems pass under `block` as far as reading goes."""
    decision = decide(load("block"), VERIFIER.check(ORDINARY[name]))
    assert [cause.rule for cause in decision.reasons if cause.rule.startswith("on_unread")] == []


@pytest.mark.parametrize("name", ["german", "chinese", "cyr_a", "b64", "item", "csv", "spaced"])
def test_what_nobody_read_is_withheld(name: str) -> None:
    """Under `block` a sentence that is in another language, hidden or data is not shown beside a true one."""
    decision = decide(load("block"), VERIFIER.check("Paris is the capital of France. " + UNREAD[name]))
    assert decision.action is Action.BLOCK
