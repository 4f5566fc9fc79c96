"""Model calls, tokens and latency per answer, counted on a scripted server (bars: 1 per sentence, 1 per answer, 0 repeated, 5 ms).

The same fifty answers of RefChecker's human-labelled set go through ClaimVer's one call, streamed and buffered, through
RefChecker's own pattern (one extraction, then five claims or one claim per call) and through FLEEK's (one extraction per
sentence, one question per triple, one entailment per answer). The labelled triplets play the extractor's part.
"""

from __future__ import annotations

import http.client
import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from eval.datasets.files import find
from guardrail.check.llm import refchecker
from guardrail.check.llm.checker import LlmChecker
from guardrail.check.llm.fleek import Row, entailed
from guardrail.check.llm.gate import Gate
from guardrail.check.llm.verdicts import VerdictsJudge
from guardrail.claims.llm.refchecker import extract
from guardrail.given import given_triplets
from guardrail.llm import Llm, LlmSettings, open_llm
from guardrail.segment import segment
from guardrail.verifier import Verifier
from tests.scripted_llm import Reply, Request, ScriptedLlm

ANSWERS, ROUNDS = 50, 200
BAR_MS = 5.0


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer with its labelled triplets; the entailed ones play the knowledge."""

    response: str
    triplets: tuple[tuple[str, str, str], ...]
    known: tuple[tuple[str, str, str], ...]


@dataclass(slots=True)
class Counts:
    """Calls and tokens of one way of working, per answer."""

    calls: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{statistics.mean(self.calls):8.2f}{max(self.calls):6d}{statistics.mean(self.tokens):10.0f}"


def run() -> int:
    """One line per way of working, then the latency."""
    samples = list(_samples())
    rows = {
        "ClaimVer, buffered": _reviewed(samples, whole=True),
        "ClaimVer, streamed": _reviewed(samples, whole=False),
        "RefChecker, joint (5 per call)": _pattern(samples, lambda llm, s: _refchecker(llm, s, 5)),
        "RefChecker, one claim per call": _pattern(samples, lambda llm, s: _refchecker(llm, s, 1)),
        "RefChecker as we do it": _pattern(samples, lambda llm, s: _refchecker(llm, s, 0)),
        "FLEEK, one answer per triple": _pattern(samples, _fleek),
    }
    print(f"{len(samples)} answers, {statistics.mean(len(s.triplets) for s in samples):.1f} triplets each")
    print(f"{'':34}{'calls':>8}{'most':>6}{'tokens':>10}   per answer")
    for name, row in rows.items():
        print(f"{name:34}{row}")
    buffered, streamed = rows["ClaimVer, buffered"], rows["ClaimVer, streamed"]
    sentences = [len(segment(sample.response)) for sample in samples]
    added, bare = _latency()
    print(
        f"latency of a call: {bare + added:.2f} ms, of it {bare:.2f} the bare request, {added:.2f} ours (p50)"
    )
    kept = max(buffered.calls) <= 1 and all(c <= s for c, s in zip(streamed.calls, sentences, strict=True))
    return 0 if kept and added < BAR_MS else 1


def _samples() -> Iterator[Sample]:
    folder: Path = find("refchecker")
    count = 0
    for path in sorted(folder.glob("*/*.json")):
        for item in json.loads(path.read_text(encoding="utf-8"))[:4]:
            labelled = [entry for entry in item["claude2_response_kg"] if len(entry["triplet"]) == 3]
            if not labelled or count == ANSWERS:
                continue
            count += 1
            known = [entry["triplet"] for entry in labelled if entry["human_label"] == "Entailment"]
            yield Sample(
                item["response"],
                tuple(tuple(map(str, entry["triplet"])) for entry in labelled),  # type: ignore[misc]
                tuple(tuple(map(str, triplet)) for triplet in known),  # type: ignore[misc]
            )


def _answer(request: Request) -> Reply:
    """A model that answers every prompt at once, in the form asked for."""
    schema = request.body["response_format"]["json_schema"]
    name, body = schema["name"], schema["schema"]
    if name == "verdicts":
        count = body["properties"]["claims"]["minItems"]
        entry = {
            "prediction": "Extrapolatory",
            "evidence": [],
            "rationale": "The evidence does not mention it.",
        }
        return Reply(json.dumps({"claims": [{"claim": n} | entry for n in range(1, count + 1)]}))
    if name == "triplets":
        response = json.loads(request.prompt.rsplit("Response:\n", 1)[1])
        return Reply(json.dumps({"triplets": _SCRIPT.get(response, [])}))
    count = body["properties"][name]["minItems"]
    return Reply(json.dumps({name: [{"labels": "Neutral", "entailed": "no"}[name]] * count}))


_SCRIPT: dict[str, list[list[str]]] = {}


@contextmanager
def _model() -> Iterator[tuple[ScriptedLlm, Llm]]:
    with ScriptedLlm([_answer]) as server:
        llm = open_llm(LlmSettings("scripted", server.url))
        yield server, llm
        llm.close()


def _reviewed(samples: Sequence[Sample], *, whole: bool) -> Counts:
    verifier = Verifier.open()
    row = Counts()
    gate = Gate()
    with _model() as (server, llm):
        reviewed = verifier.reviewed_by(LlmChecker(VerdictsJudge(llm), gate=gate))

        def check(sample: Sample) -> None:
            session = reviewed.session(triplets=given_triplets(list(sample.known)), whole=whole)
            for sentence in segment(sample.response):
                session.check(sentence)
            session.report(sample.response)

        for sample in samples:
            _count(row, server, llm, lambda sample=sample: check(sample))  # type: ignore[misc]
        before = server.calls
        for sample in samples:
            check(sample)
        way = "buffered" if whole else "streamed"
        print(f"{way}: the gate keeps {gate.saved:.0%} of the claims from the model {gate.kept}")
        print(f"{way}: {server.calls - before} calls for the same {len(samples)} answers again")
    return row


def _pattern(samples: Sequence[Sample], work: Callable[[Llm, Sample], int]) -> Counts:
    row = Counts()
    with _model() as (server, llm):
        for sample in samples:
            _SCRIPT[sample.response] = [list(triplet) for triplet in sample.triplets]
            _count(row, server, llm, lambda sample=sample: work(llm, sample))  # type: ignore[misc]
    return row


def _count(row: Counts, server: ScriptedLlm, llm: Llm, work: Callable[[], int | None]) -> None:
    calls, tokens = server.calls, llm.usage.tokens
    more = work() or 0  # calls of a pattern that have no counterpart here
    row.calls.append(server.calls - calls + more)
    row.tokens.append(llm.usage.tokens - tokens)


def _refchecker(llm: Llm, sample: Sample, joint: int) -> int:
    reference = " ".join(" ".join(triplet) for triplet in sample.known) or "nothing"
    claims = extract(llm, sample.response)
    refchecker.check(llm, [claim.text for claim in claims], [reference], joint=joint)
    return 0


def _fleek(llm: Llm, sample: Sample) -> int:
    """§2.1: one extraction per sentence, one question per triple, one entailment per retrieved answer (here one)."""
    for sentence in segment(sample.response):
        extract(llm, sentence.text)
    for subject, predicate, object_ in sample.triplets:
        row = Row(subject, predicate, object_)
        entailed(llm, [(row, row)])
    return len(
        sample.triplets
    )  # type-aware and context-driven question generation; here part of the extraction


def _latency() -> tuple[float, float]:
    """p50 of what a call costs beyond a bare request with the same body, and of the bare request; milliseconds."""
    from tests.llm_cases import capital_cases, sentence

    with _model() as (server, llm):
        checker = LlmChecker(VerdictsJudge(llm))
        cases = capital_cases()
        checker.review(sentence("warm-up"), cases)
        ours, bare = [], []
        for number in range(ROUNDS):
            started = time.perf_counter()
            checker.review(sentence(f"Text number {number}."), cases)
            ours.append(time.perf_counter() - started)
            body = json.dumps(server.requests[-1].body)
            bare.append(_bare(server.root, body))
    middle = statistics.median(bare)
    return (statistics.median(ours) - middle) * 1e3, middle * 1e3


def _bare(root: str, body: str) -> float:
    connection = http.client.HTTPConnection(root.removeprefix("http://"))
    connection.connect()
    started = time.perf_counter()
    connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
    connection.getresponse().read()
    elapsed = time.perf_counter() - started
    connection.close()
    return elapsed
