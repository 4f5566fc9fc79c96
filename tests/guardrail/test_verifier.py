"""The pipeline from text to report, over the starter knowledge."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail import Guardrail
from guardrail.errors import ConfigError, KnowledgeDamaged, KnowledgeMissing
from guardrail.evidence.store.graph import Graph
from guardrail.evidence.store.writes import NewEntity
from guardrail.language import parser, pipeline
from guardrail.segment import Segmenter, segment
from guardrail.telemetry import names
from guardrail.types import (
    Claim,
    Entity,
    Evidence,
    Kind,
    Label,
    Node,
    NotChecked,
    Outcome,
    Reason,
    Report,
    Setting,
    Source,
    Triplet,
    Verdict,
)
from guardrail.verifier import Verifier
from tests.model_server import Fault, ModelServer
from tests.waiting import eventually

ANSWER = (
    "The capital of Australia is Sydney. Its currency is the Australian dollar. "
    "Taylor Swift was born on 13 December 1990 in West Reading. 🎵 Is that true? "
    "Barack Obama was born in Kenya. Zorblax Quuxington invented the flumph."
)


def _stable(report: Report) -> str:
    data = report.to_dict()
    return json.dumps({key: value for key, value in data.items() if key not in ("id", "timing_ms")})


def test_a_contradiction_shows_its_proof(verifier: Verifier) -> None:
    """The verdict names the slot, what was claimed, what is known, and cites the statement."""
    (verdict,) = verifier.check("The capital of Australia is Sydney.").verdicts
    assert verdict.slot is not None
    assert (verdict.slot.property, verdict.slot.claimed, verdict.slot.known) == (
        "capital",
        "Sydney",
        "Canberra",
    )
    assert verdict.slot.cardinality == "single"
    assert [triplet.object.label for triplet in verdict.evidence.triplets] == ["Canberra"]
    assert "Canberra" in verdict.rationale
    assert verdict.score == -1
    assert 0 < verdict.tms <= 1


@pytest.mark.parametrize("mark", [" [1].", ".[1]", " [1, 2].", "[^1].", "【4:0†source】."])
def test_a_citation_is_no_part_of_what_is_claimed(verifier: Verifier, mark: str) -> None:
    """A sentence with the number of its source is judged as the sentence without; a wrong value is still found."""
    references = ["The deposit is six weeks' rent and is held by Safehold Deposits."]
    right = verifier.check(f"The deposit is six weeks' rent{mark}", references=references).verdicts
    wrong = verifier.check(f"The deposit is eight weeks' rent{mark}", references=references).verdicts
    known = verifier.check(f"The capital of Australia is Canberra{mark}").verdicts
    assert [one.label for one in (*right, *wrong, *known)] == [
        Label.ATTRIBUTABLE,
        Label.CONTRADICTORY,
        Label.ATTRIBUTABLE,
    ]


def test_a_revision_is_offered_only_when_it_verifies(verifier: Verifier) -> None:
    """The corrected sentence is Attributable when it is checked again."""
    (verdict,) = verifier.check("The capital of Australia is Sydney.").verdicts
    assert [revision.text for revision in verdict.revisions] == ["The capital of Australia is Canberra."]
    (again,) = verifier.check(verdict.revisions[0].text).verdicts
    assert again.label is Label.ATTRIBUTABLE


def test_every_span_is_exact_and_the_text_is_tiled(verifier: Verifier) -> None:
    """Claims point at their own words; claims and gaps together are the text."""
    report = verifier.check(ANSWER)
    assert all(verdict.claim.span.of(ANSWER) == verdict.claim.text for verdict in report.verdicts)
    pieces = sorted([*(verdict.claim.span for verdict in report.verdicts), *report.gaps])
    assert "".join(piece.of(ANSWER) for piece in pieces) == ANSWER
    assert report.outcome is Outcome.FLAGGED
    assert [claim.text.lstrip("🎵 ") for claim in report.skipped] == ["Is that true?"]


def test_an_unknown_subject_is_extrapolatory_with_its_reason(verifier: Verifier) -> None:
    """What the graph has never heard of is neither confirmed nor refuted."""
    (verdict,) = verifier.check("Zorblax Quuxington invented the flumph.").verdicts
    assert (verdict.label, verdict.reason) == (Label.EXTRAPOLATORY, Reason.NO_ENTITY)
    assert not verdict.evidence


@settings(max_examples=25)
@given(st.lists(st.integers(1, len(ANSWER) - 1), max_size=12))
def test_a_stream_comes_to_the_report_of_the_batch(verifier: Verifier, cuts: list[int]) -> None:
    """However the answer is cut into chunks, text and verdicts are the same."""
    segmenter, session = Segmenter(), verifier.session()
    edges = [0, *sorted(set(cuts)), len(ANSWER)]
    for start, end in itertools.pairwise(edges):
        for sentence in segmenter.feed(ANSWER[start:end]):
            session.check(sentence)
    for sentence in segmenter.flush():
        session.check(sentence)
    assert _stable(session.report(ANSWER)) == _stable(verifier.check(ANSWER))


def test_the_question_gives_a_short_answer_its_subject(verifier: Verifier) -> None:
    """ "In Kenya." is judged as the answer to what was asked."""
    report = verifier.check("He was born in Kenya.", question="Where was Barack Obama born?")
    assert [verdict.label for verdict in report.verdicts] == [Label.CONTRADICTORY]


def test_given_triplets_are_evidence(verifier: Verifier) -> None:
    """ClaimVer's ret_triplets, without ids, support a claim that the graph knows nothing of."""
    triplets = [["Zorblax Quuxington", "inventor of", "flumph"]]
    (verdict,) = verifier.check(
        "Zorblax Quuxington is the inventor of the flumph.", triplets=triplets
    ).verdicts
    assert verdict.label is Label.ATTRIBUTABLE
    assert verdict.evidence.triplets[0].source == "request"


def test_sources_limit_where_evidence_comes_from(verifier: Verifier) -> None:
    """Without the graph nothing is known of Australia."""
    (verdict,) = verifier.check("The capital of Australia is Sydney.", sources=["request"]).verdicts
    assert verdict.label is Label.EXTRAPOLATORY


def test_cited_evidence_was_really_retrieved(verifier: Verifier) -> None:
    """Every cited triplet is a statement of the graph that was retrieved for its claim (membership check)."""
    for verdict in verifier.check(ANSWER).verdicts:
        retrieved = verifier.retrievers[Source.KG].retrieve(verdict.claim)
        assert set(verdict.evidence.triplets) <= set(retrieved.triplets)


class _Broken:
    name = "broken"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        raise ZeroDivisionError


class _Quoting:
    name = "quoting"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        raise ValueError(claim.text)


def test_a_checker_that_breaks_is_in_the_log_without_what_was_said(
    verifier: Verifier, caplog: pytest.LogCaptureFixture
) -> None:
    """The operator is told the kind of the error and the lines of code that led to it, and no word of the answer."""
    replace(verifier, checker=_Quoting()).check("Canberra is the capital of Australia.")
    assert "ValueError" in caplog.text
    assert "raise ValueError(claim.text)" in caplog.text
    assert "Canberra" not in caplog.text


def test_a_checker_that_breaks_leaves_the_claim_unchecked(verifier: Verifier) -> None:
    """A failure is no label and never confirmed."""
    report = replace(verifier, checker=_Broken()).check("Canberra is the capital of Australia.")
    assert [(item.reason, item.detail) for item in report.unchecked] == [
        (NotChecked.ERROR, "ZeroDivisionError")
    ]
    assert report.outcome is Outcome.NOT_CHECKED


def test_what_comes_too_late_is_unchecked(verifier: Verifier) -> None:
    """After the deadline nothing is judged and nothing is called confirmed."""
    session = verifier.session()
    (sentence,) = segment("Canberra is the capital of Australia.")
    (finding,) = session.check(sentence, deadline=time.monotonic() - 1)
    assert getattr(finding, "reason", None) is NotChecked.DEADLINE


def test_a_skipped_sentence_is_in_the_report(verifier: Verifier) -> None:
    """Overload is said, not hidden."""
    session = verifier.session()
    (sentence,) = segment("Canberra is the capital of Australia.")
    session.skip(sentence, NotChecked.OVERLOAD)
    assert session.report(sentence.text).outcome is Outcome.NOT_CHECKED


@pytest.mark.parametrize("read", range(1, 6))
def test_an_answer_goes_on_in_another_session(verifier: Verifier, read: int) -> None:
    """What was found stands, later sentences are understood as if nothing had happened, and no two claims have one id."""
    sentences = segment(ANSWER)
    whole = verifier.session()
    found = [whole.check(sentence) for sentence in sentences]
    resumed = verifier.session()
    for sentence, findings in zip(sentences[:read], found, strict=False):
        resumed.resume(sentence, findings)
    for sentence in sentences[read:]:
        resumed.check(sentence)
    expected, report = whole.report(ANSWER), resumed.report(ANSWER)
    told = [
        [(one.claim.span, one.claim.resolved, one.label, one.tms) for one in of.verdicts]
        for of in (expected, report)
    ]
    assert told[0] == told[1]
    assert (report.unchecked, report.gaps, report.entities) == (
        expected.unchecked,
        expected.gaps,
        expected.entities,
    )
    assert [one.span for one in report.skipped] == [one.span for one in expected.skipped]
    ids = [one.claim.id for one in report.verdicts] + [one.id for one in report.skipped]
    assert len(set(ids)) == len(ids)


def test_a_missing_or_damaged_knowledge_file_is_refused(tmp_path: Path) -> None:
    """Opening says what is wrong with which file."""
    with pytest.raises(KnowledgeMissing, match=r"nowhere\.db"):
        Guardrail.open(tmp_path / "nowhere.db")
    (tmp_path / "bad.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(KnowledgeDamaged, match=r"bad\.db"):
        Guardrail.open(tmp_path / "bad.db")


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "?", "🙂", "```\nx = 1\n```", "الجملة الأولى. 第二句。", "a" * 5000]
)
def test_any_text_gives_a_report(verifier: Verifier, text: str) -> None:
    """Nothing to check is not an error."""
    report = verifier.check(text)
    assert report.text == text
    assert 0 <= report.kas <= 1


def test_warming_up_loads_the_models(knowledge: Path) -> None:
    """After `warm` nothing is left to load for the first answer."""
    pipeline._shared.cache_clear()
    Verifier.open(knowledge).warm()
    assert parser()._nlp is not None


def test_what_is_learnt_while_running_counts_at_once(knowledge: Path, tmp_path: Path) -> None:
    """A fact that another process adds decides the next verdict, which names the new version of the knowledge."""
    live = tmp_path / "live.db"
    live.write_bytes(knowledge.read_bytes())
    running = Verifier.open(live)
    text = "Taylor Swift was born in Honolulu."
    before = running.check("Zorblax Quuxington was born in Ulm.")
    assert [verdict.label for verdict in before.verdicts] == [Label.EXTRAPOLATORY]
    with Graph.open(live, read_only=False) as graph, graph.write() as batch:
        batch.add_entities([NewEntity(Entity("X1", "Zorblax Quuxington", types=("Q5",)))])
        batch.add_statements(
            [Triplet(Node("X1", "Zorblax Quuxington"), Node("P19", "place of birth"), Node("Q3012", "Ulm"))]
        )
    after = running.check("Zorblax Quuxington was born in Ulm.")
    assert [verdict.label for verdict in after.verdicts] == [Label.ATTRIBUTABLE]
    assert before.versions["knowledge"] != after.versions["knowledge"]
    assert running.check(text).verdicts[0].label is Label.CONTRADICTORY


def test_the_order_of_the_sources_is_their_precedence(verifier: Verifier) -> None:
    """The same evidence in the other order gives the other label; both sides are there each time."""
    text, references = "Taylor Swift was born in 1989.", ["Taylor Swift, born 13 December 1990, is a singer."]
    labels = {}
    for order in (["request", "kg"], ["kg", "request"]):
        (verdict,) = verifier.check(text, references=references, sources=order).verdicts
        assert [side.source.value for side in verdict.by_source] == order
        labels[order[0]] = verdict.label
    assert labels == {"request": Label.CONTRADICTORY, "kg": Label.ATTRIBUTABLE}


def test_references_are_not_used_in_the_zero_setting(verifier: Verifier) -> None:
    """RefChecker's zero context: what is given is not looked at, and the report says so."""
    report = verifier.check("Zorblax is a painter.", references=["Zorblax is a painter."], setting="zero")
    assert (report.setting, report.verdicts[0].evidence.passages) == (Setting.ZERO, ())
    used = verifier.check("Zorblax is a painter.", references=["Zorblax is a painter."])
    assert (used.setting, used.verdicts[0].label) == (Setting.ACCURATE, Label.ATTRIBUTABLE)


def test_a_recognizer_is_one_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Off by default; named in the call or in the environment it finds names that the rules hold back, and reports say so."""
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "ORG", "pattern": "zorbax works"}])
    pipeline.to_disk(tmp_path / "ruler")
    text = "Canberra has zorbax works."

    def named(verifier: Verifier) -> set[str]:
        return {mention.text for mention in verifier.linker.link(text)}

    monkeypatch.delenv("GUARDRAIL_RECOGNIZER", raising=False)
    assert "zorbax works" not in named(Verifier.open())
    assert "recognizer" not in Verifier.open().versions
    called = Verifier.open(recognizer=str(tmp_path / "ruler"))
    assert "zorbax works" in named(called)
    assert called.versions["recognizer"] == str(tmp_path / "ruler")
    monkeypatch.setenv("GUARDRAIL_RECOGNIZER", str(tmp_path / "ruler"))
    assert "zorbax works" in named(Verifier.open())
    assert "zorbax works" not in named(Verifier.open(recognizer=""))


def test_a_recognizer_that_is_not_there_is_an_error_at_once() -> None:
    """Not at the first sentence; the message says what to install."""
    with pytest.raises(ConfigError, match=r"(?i)spacy"):
        Verifier.open(recognizer="xx_no_such")


@pytest.mark.parametrize("command", ["\r\x1b[2K", "\x08" * 40, "\x9b2K"])
def test_what_commands_a_terminal_is_not_read(verifier: Verifier, command: str) -> None:
    """A console may show something else than is written: no such sentence is clean, whatever it says without the commands."""
    report = verifier.check(f"The capital of France is Rome.{command}The capital of France is Paris.")
    assert ("unread", "commands of a terminal") in {(one.reason, one.detail) for one in report.unchecked}


FERRY = "The ferry to Lindau sails at noon. It carries 200 people."
LINDAU = ["The ferry to Lindau sails every day at noon. The boat is allowed to carry 200 people."]


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def served(server: ModelServer) -> Iterator[Verifier]:
    """A verifier whose model is on a server."""
    verifier = Verifier.open(model=f"tei+{server.root}?timeout=1")
    assert verifier.remote is not None
    yield verifier
    server.fault = None
    verifier.remote.close()


def test_a_model_on_a_server_reads_passages(server: ModelServer, served: Verifier) -> None:
    """What it reads is judged under its name, which the report's versions tell, too."""
    server.requests.clear()
    report = served.check(FERRY, references=LINDAU)
    assert {verdict.checker for verdict in report.verdicts} == {"text:tei:test/nli"}
    assert report.verdicts[0].label is Label.ATTRIBUTABLE
    assert report.versions["checker"].endswith(", tei:test/nli")
    assert any(hypothesis == "The ferry to Lindau sails at noon." for _, hypothesis in server.asked)


@pytest.mark.parametrize("fault", [Fault(status=503), Fault(status=429), Fault(body={"no": "rows"})])
def test_while_the_server_is_away_the_shipped_model_judges(
    server: ModelServer, served: Verifier, fault: Fault
) -> None:
    """Each verdict names the model that gave it, the versions say who is away; afterwards the server's model judges again."""
    assert served.remote is not None
    server.fault = fault
    report = served.check(FERRY, references=LINDAU)
    assert report.verdicts
    assert all("tei" not in verdict.checker for verdict in report.verdicts)
    assert report.versions["checker"].endswith("(tei:test/nli is away)")
    assert served.remote.standing.measures()[names.MODEL_REPLACED] >= 1
    server.fault = None
    eventually(lambda: not served.remote.standing.trouble)  # type: ignore[union-attr]
    assert served.check(FERRY, references=LINDAU).verdicts[0].checker == "text:tei:test/nli"


def test_a_claim_whose_model_is_late_is_not_checked(server: ModelServer, served: Verifier) -> None:
    """A time-out is no label: the claim it hit is unchecked by its deadline, and the answer is not confirmed."""
    server.fault = Fault(delay_s=3.0)
    report = served.check(FERRY, references=LINDAU)
    assert [(one.reason, one.text) for one in report.unchecked] == [
        (NotChecked.DEADLINE, "The ferry to Lindau sails at noon.")
    ]
    assert "tei:test/nli" in report.unchecked[0].detail
    assert report.outcome is Outcome.NOT_CHECKED


def test_without_a_fallback_nothing_is_judged_in_its_place(server: ModelServer) -> None:
    """`fallback=none`: while the server is away what the model would read is not checked."""
    verifier = Verifier.open(model=f"tei+{server.root}?fallback=none")
    assert verifier.remote is not None
    server.fault = Fault(status=500)
    report = verifier.check(FERRY, references=LINDAU)
    server.fault = None
    assert [one.reason for one in report.unchecked] == [NotChecked.ERROR] * 2
    assert not report.verdicts
    assert report.versions["checker"].endswith("no model (tei:test/nli is away)")
    verifier.remote.close()


def test_an_instruction_that_comes_too_late_is_not_judged(verifier: Verifier) -> None:
    """It is no claim, so that it is late says nothing; a checker that would break is not asked."""
    session = replace(verifier, checker=_Broken()).session()
    (sentence,) = segment("Visit the museums of Canberra.")
    (finding,) = session.check(sentence, deadline=time.monotonic() - 1)
    assert isinstance(finding, Claim)
    assert finding.kind is Kind.INSTRUCTION


def test_claims_are_numbered_without_gaps(verifier: Verifier) -> None:
    """Over sentences with claims and without."""
    report = verifier.check(
        "Canberra is the capital of Australia. Hello! Sydney is a city. It lies in Australia."
    )
    claims = [*(one.claim for one in report.verdicts), *report.skipped]
    assert sorted(one.id for one in claims) == list(range(len(claims)))


@pytest.mark.parametrize("text", [None, b"Paris", 3])
def test_what_is_no_text_is_refused(verifier: Verifier, text: object) -> None:
    """By name, before anything is read; so is a question."""
    with pytest.raises(ValueError, match="text must be a string, not "):
        verifier.check(text)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="question must be a string, not int"):
        verifier.check("Paris is a city.", question=3)  # type: ignore[arg-type]
