"""What of an exchange is written down under which policy."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.audit.record import Record, salted
from guardrail.audit.replay import report as replayed
from guardrail.types import (
    Evidence,
    Label,
    Node,
    Report,
    Revision,
    Slot,
    Source,
    SourceVerdict,
    Span,
    Triplet,
)
from policies.decide import decide
from policies.policy import PRESETS, load, parse
from policies.recording import Part, policy_text, record
from policies.terms import Policy, Request
from tests.findings import BETTER, FOUND, RIGHT, SECOND, TEXT, report, reports, unchecked, verdict

WRONG = verdict(revisions=(BETTER,))
FINE = verdict(1, SECOND, **RIGHT)


def policy(store: str, *, redact: bool = True, preset: str = "revise") -> Policy:
    text = f"extends: {preset}\naudit: {{store: {store}, redact: {str(redact).lower()}}}"
    policies, problems = parse(text, "p.yaml")
    assert not problems
    return policies[0]


def written(rules: Policy, whole: Report, **more: object) -> Record:
    """The record as it comes back from the log."""
    made = record(rules, whole, decide(rules, whole), response="grd_1", **more)  # type: ignore[arg-type]
    return Record.read(made.body(), made.words.blob() if made.words else None)


def test_flagged_keeps_the_flagged_words_only() -> None:
    """The answer and its unflagged claims leave no words."""
    words = written(policy("flagged"), report(WRONG, FINE)).words
    assert words is not None
    assert words.text is None
    assert list(words.claims) == ["0"]
    assert (words.claims["0"].text, words.claims["0"].known) == ("Ada Lovelace was born in 1816.", "1815")
    assert (words.before, words.after) == (("1816",), ("1815",))


def test_full_keeps_the_answer_and_all_claims() -> None:
    """Nothing is left out."""
    words = written(policy("full"), report(WRONG, FINE)).words
    assert words is not None
    assert words.text == TEXT
    assert list(words.claims) == ["0", "1"]


def test_hash_keeps_no_word_anywhere() -> None:
    """Neither the record nor what lies beside it holds a word of the answer, yet who has it can prove it."""
    made = record(
        policy("hash"), report(WRONG, FINE), decide(policy("hash"), report(WRONG, FINE)), response="grd_1"
    )
    assert made.words is not None
    stored = made.body() + made.words.blob()
    # Whole words: salts and hashes are hexadecimal, and hold any four digits now and then.
    assert not [
        word
        for word in (b"1816", b"Lovelace was", b"engine", b"1815")
        if re.search(rb"\b%b\b" % word, stored)
    ]
    assert made.text_hash == salted(made.words.salt, TEXT)
    assert made.claims[0].text_hash == salted(made.words.salt, "Ada Lovelace was born in 1816.")


def test_the_record_itself_never_holds_words() -> None:
    """Whatever is stored, the chained part is free of text."""
    made = record(policy("full"), report(WRONG), decide(policy("full"), report(WRONG)), response="grd_1")
    assert b"1816" not in made.body()
    assert b"engine" not in made.body()


def test_personal_data_is_masked_in_its_length() -> None:
    """Offsets stay true, and the kinds are counted."""
    text = "Write to ada@example.org, she was born in 1816."
    whole = report(verdict(span=Span(0, len(text)), text=text), text=text)
    words = written(policy("full"), whole).words
    assert words is not None
    assert words.text == "Write to [email]········, she was born in 1816."
    assert words.redacted["email"] == 3  # in the answer, the claim and its resolved wording
    kept = written(policy("full", redact=False), whole).words
    assert kept is not None
    assert kept.text == text


def test_two_records_of_one_text_have_different_hashes() -> None:
    """The salt keeps hashes of short texts from being guessed or linked."""
    one, two = (written(policy("hash"), report(WRONG)) for _ in range(2))
    assert one.text_hash != two.text_hash


def test_ids_of_choices_and_parts_are_apart() -> None:
    """One response gives several records, all found under its id."""
    records = [
        written(policy("hash"), report(WRONG)),
        written(policy("hash"), report(WRONG), choice=1),
        written(policy("hash"), report(WRONG), choice=1, part=Part(2, begins=0, length=len(TEXT))),
    ]
    assert [(r.id, r.response, r.kind) for r in records] == [
        ("grd_1", "grd_1", "answer"),
        ("grd_1.1", "grd_1", "answer"),
        ("grd_1.1#2", "grd_1", "part"),
    ]


def test_the_request_is_in_the_record_and_the_user_only_as_a_hash() -> None:
    """The user field is never stored as it came."""
    request = Request("gpt", "/v1/chat/completions", "k1", "clinic", "en")
    made = written(policy("hash"), report(WRONG), request=request, user="5eud0", timing_ms={"upstream": 12.5})
    assert (made.model, made.route, made.key, made.tenant, made.language) == (
        "gpt",
        "/v1/chat/completions",
        "k1",
        "clinic",
        "en",
    )
    assert made.user == "5eud0"
    assert made.timing_ms["upstream"] == 12.5


def test_shadow_policies_are_recorded_beside_the_active_one() -> None:
    """What they would have done is there, with their hash."""
    other = load("block")
    whole = report(WRONG)
    made = written(load("annotate"), whole, beside=((other, decide(other, whole)),))
    assert made.action == "annotate"
    assert [(s.policy, s.action, s.policy_hash, s.flagged) for s in made.shadows] == [
        ("block", "block", other.hash, (0,))
    ]


@pytest.mark.parametrize("store", ["full", "flagged"])
def test_lone_surrogates_do_not_stop_the_record(store: str) -> None:
    """A model can emit half a surrogate pair; it is stored as U+FFFD in the same place."""
    text = "Born \ud800in 1816."
    whole = report(
        verdict(span=Span(0, len(text)), text=text, revisions=(Revision(Span(1, 2), "\udfff", ""),)),
        text=text,
    )
    words = written(policy(store), whole).words
    assert words is not None
    assert words.claims["0"].text == "Born \ufffdin 1816."


def _on_conflict() -> Policy:
    policies, problems = parse(
        "extends: block\nclaims:\n- {name: disputed, when: {conflict: true}, then: block}", "p.yaml"
    )
    assert not problems
    return policies[0]


_policies = st.sampled_from(
    [load(name) for name in PRESETS] + [policy("hash"), policy("full", preset="block"), _on_conflict()]
)


def test_a_rule_about_sources_that_disagree_decides_the_replayed_report_alike() -> None:
    """The sides are in the record, so that a back-test sees the conflict."""
    sides = tuple(
        SourceVerdict(source, label, 0.9, FOUND, "It says so.", "nli")
        for source, label in ((Source.KG, Label.ATTRIBUTABLE), (Source.WEB, Label.CONTRADICTORY))
    )
    disputed = report(verdict(by_source=sides, **RIGHT))
    again = replayed(written(_on_conflict(), disputed))
    assert [decide(_on_conflict(), one).flagged for one in (disputed, again)] == [(0,), (0,)]


@given(reports(), _policies, _policies, st.booleans())
def test_every_policy_decides_the_replayed_report_as_it_did_the_original(
    whole: Report, active: Policy, other: Policy, erased: bool
) -> None:
    """Backtests are exact, for the policy of the record and any other, also when the words are erased."""
    made = written(active, whole, part=None)
    again = replayed(replace(made, words=None) if erased else made)
    before, after = decide(other, whole), decide(other, again)
    assert (after.action, after.flagged, after.outcome) == (before.action, before.flagged, before.outcome)
    assert after.reasons == before.reasons
    assert [edit.span for edit in after.edits] == [edit.span for edit in before.edits]


def test_unchecked_passages_are_recorded_with_their_reason() -> None:
    """The record says what was not judged."""
    made = written(policy("full"), report(WRONG, unchecked=(unchecked(),)))
    assert [(gap.start, gap.end, gap.reason) for gap in made.unchecked] == [(30, 61, "error")]
    assert made.words is not None
    assert made.words.unchecked == (" She wrote notes on the engine.",)


def test_the_words_of_a_clients_own_triplets_are_not_in_the_record() -> None:
    """They came with the request and could never be erased from the chain."""
    own = Triplet(Node("", "Bo Ek"), Node("", "has diagnosis"), Node("", "gout"), id="t1", source="request")
    slot = Slot("has diagnosis", "flu", "gout", "single", "conflict")
    whole = report(verdict(evidence=Evidence(triplets=(own,)), slot=slot))
    made = written(policy("hash"), whole)
    assert made.claims[0].evidence[0].id == "t1"
    assert not [word for word in (b"diagnosis", b"gout", b"Bo Ek", b"flu") if word in made.body()]


def test_flagged_keeps_no_words_of_what_was_not_checked() -> None:
    """A check that failed must not keep more of an answer than one that worked."""
    words = written(policy("flagged"), report(WRONG, unchecked=(unchecked(),))).words
    assert words is not None
    assert words.unchecked == ()


def test_a_policys_text_is_what_its_hash_is_over() -> None:
    """Who has the entry can check it against the hash in the records."""
    policy_ = load("block")
    kept = policy_text(policy_)
    assert "sha256:" + hashlib.sha256(kept.content.encode()).hexdigest() == kept.hash == policy_.hash
    assert kept.id == "pol_" + policy_.hash[7:]
