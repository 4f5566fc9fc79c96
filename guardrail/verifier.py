"""The pipeline: one short visible loop. claims → evidence → check → score → revise.

`Verifier` is shared and holds what never changes; a `Session` belongs to one answer and holds what later sentences need of
earlier ones. Both are synchronous CPU work, to be called from worker threads. A batch text takes the same path as a stream,
sentence by sentence, so that both come to the same report.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from guardrail import __version__, scoring
from guardrail.check.embedded import embedded
from guardrail.check.kg.aligned import AlignedChecker
from guardrail.check.llm.checker import LlmChecker
from guardrail.check.sentence import supported_as_one
from guardrail.check.sources import check_by_source, joined
from guardrail.claims.checkable.coverage import Stretch, bounded, divided, unread
from guardrail.claims.checkable.selection import as_item, as_rule
from guardrail.claims.discourse.focus import with_focus
from guardrail.claims.rules import RuleExtractor
from guardrail.config import english_only, judging_model, language_pipeline, spacy_pipeline
from guardrail.errors import KnowledgeError, ModelError
from guardrail.evidence.configured import retrievers
from guardrail.evidence.door import STARTER, open_all
from guardrail.evidence.knowledge import Knowledge
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.linking.ner import open_recognizer
from guardrail.evidence.request.references import RequestRetriever
from guardrail.extraction import MAX_EARLIER_CLAIMS, as_meant, as_one
from guardrail.findings import (
    language_unchecked,
    next_id,
    open_verdict,
    unchecked_after_error,
    unchecked_stretch,
    unchecked_unreadable,
    unchecked_without_answer,
    with_rest,
    with_unread,
)
from guardrail.given import (
    given_references,
    given_setting,
    given_sources,
    given_triplets,
    must_be_list,
    must_be_text,
)
from guardrail.language import parser
from guardrail.models.embed import Embedder as SentenceEmbedder
from guardrail.models.embed import PropertyEmbedder
from guardrail.models.nli import Classifier
from guardrail.models.opened import open_model, open_statement_reader
from guardrail.models.remote import Remote
from guardrail.readings import Understood, understood
from guardrail.report.made import made
from guardrail.review import Reviews
from guardrail.revise import verified
from guardrail.segment import AsRead, SentenceReader, segment
from guardrail.types import (
    UNAVAILABLE,
    Checker,
    Claim,
    Context,
    Embedder,
    Evidence,
    Extractor,
    Finding,
    Kind,
    Linker,
    Mention,
    NotChecked,
    Passage,
    Report,
    Retriever,
    Sentence,
    Setting,
    Source,
    Triplet,
    Unchecked,
    Verdict,
    statement_of,
)

__all__ = ["Session", "Verifier"]

RUN = 4  # claims before a sentence that tell whether it is one of a run of single letters
PAST = 0.0  # a deadline at which a sentence is read and nothing in it is judged
STAGES = ("claims", "evidence", "check", "revise")


@dataclass(frozen=True, slots=True)
class Verifier:
    """The parts of the pipeline, each in its role. Thread-safe as long as the parts are."""

    linker: Linker
    extractor: Extractor
    retrievers: Mapping[Source, Retriever]
    checker: Checker
    embedder: Embedder
    versions: Mapping[str, str] = field(default_factory=dict)
    knowledge: Knowledge | None = None  # asked for its version once per answer: it may change while we run
    reviewer: LlmChecker | None = None  # a language model's second look at what the checker left open
    remote: Remote | None = None  # the model of the checker, where it is on a server
    english_only: bool = True  # what is in another language is not checked, but by the reviewer

    @classmethod
    def open(
        cls,
        knowledge: Path | str | Sequence[Path | str] | None = None,
        *,
        recognizer: str | None = None,
        model: str | Classifier | None = None,
        threads: int | None = None,
    ) -> Verifier:
        """The embedded tier over a graph; None means the starter knowledge, built on first use.

        `knowledge` is a file, the address of a graph (`postgresql://…`, `sparql+https://…`), "starter", or several of these,
        the one that goes before the others first. `recognizer`: a spaCy pipeline that is asked for names, too; None:
        `$GUARDRAIL_RECOGNIZER`, empty: none (the default). `model`: what reads evidence and claim, as
        `guardrail.models.place` describes it, or an open one; None: `$GUARDRAIL_MODEL`. `threads`: of each model in this process;
        None: one for each core. A corpus of documents (`guardrail corpus index`) is evidence too, and the web where a search
        endpoint is configured.
        Raises KnowledgeMissing or KnowledgeDamaged; ConfigError where the pipeline or the model cannot be used.
        """
        pipeline = spacy_pipeline() if recognizer is None else recognizer
        places = [knowledge] if isinstance(knowledge, (Path, str)) else list(knowledge or ())
        graph = open_all(places or [STARTER])
        named, key = judging_model()
        judge = open_model(named if model is None else model, key, threads=threads)
        statement_reader = open_statement_reader(judge.folder, threads=threads)
        embedder, properties = SentenceEmbedder(threads=threads), PropertyEmbedder(threads=threads)
        reader = parser(language_pipeline())
        extractor = RuleExtractor(parser=reader)
        linker = AliasLinker(graph, recognizer=open_recognizer(pipeline))
        return cls(
            linker=linker,
            extractor=extractor,
            retrievers=retrievers(graph, embedder),
            checker=embedded(judge, statement_reader, embedder, properties, reader),
            embedder=embedder,
            versions=_versions(statement_reader.name, judge.name)
            | ({"recognizer": pipeline} if pipeline else {}),
            knowledge=graph,
            remote=judge if isinstance(judge, Remote) else None,
            english_only=english_only(),
        )

    def judges(self) -> dict[str, str]:
        """What judges now, without the knowledge: this package and the checkers."""
        return {**self.versions, **(_versions(self.remote.judging) if self.remote else {})}

    def current_versions(self) -> dict[str, str]:
        """What judges now: this package, the checkers, and the knowledge as it is at this moment, or UNAVAILABLE."""
        versions = self.judges()
        try:
            return versions | ({"knowledge": self.knowledge.version} if self.knowledge else {})
        except KnowledgeError:
            return {**versions, "knowledge": UNAVAILABLE}

    def reviewed_by(self, reviewer: LlmChecker) -> Verifier:
        """The same, with a language model's second look."""
        return replace(self, reviewer=reviewer, versions={**self.versions, "reviewer": reviewer.name})

    def mentions(self, question: str) -> tuple[Mention, ...]:
        """What a question names; nothing where the graph cannot be read, as every sentence will say."""
        try:
            return tuple(self.linker.link(question)) if question else ()
        except KnowledgeError:
            return ()

    def warm(self) -> None:
        """Load what is loaded on first use, so that the first answer does not wait for it."""
        self.check("Canberra is the capital of Australia.")

    def session(
        self,
        *,
        question: str | None = None,
        references: Sequence[Passage] = (),
        triplets: Sequence[Triplet] = (),
        sources: Sequence[Source] | None = None,
        setting: Setting | None = None,
        whole: bool = False,
        patience_s: float = 30.0,
    ) -> Session:
        """State for one answer. `sources`: where evidence may come from, in the order of precedence: where two of them
        disagree, the first one decides. None: the request, the graph, the corpus, the web.
        `setting`: what the references are to the answer (RefChecker); None: what their number shows.

        `whole`: nobody looks at a sentence before the report, so a reviewer may judge the answer in one call, for which the
        report waits `patience_s` at most.
        """
        asked = question or ""
        setting = (setting or Setting.of(len(references))) if references else Setting.ZERO
        if setting is Setting.ZERO:
            references = ()
        known = dict(self.retrievers)
        if references or triplets:
            known[Source.REQUEST] = RequestRetriever(
                references, triplets, setting=setting, embedder=self.embedder
            )
        order = tuple(Source) if sources is None else tuple(dict.fromkeys(sources))
        retrievers = {source: known[source] for source in order if source in known}
        reviews = Reviews(self.reviewer, asked, whole, patience_s) if self.reviewer else None
        return Session(self, retrievers, asked, setting=setting, reviews=reviews)

    def check(
        self,
        text: str,
        *,
        question: str | None = None,
        references: Sequence[Any] = (),
        triplets: Sequence[Any] = (),
        sources: Sequence[str] | None = None,
        setting: str | None = None,
    ) -> Report:
        """Check a whole text.

        `references`: strings, `{text, title?, url?}` or Passages. `triplets`: `[s, p, o]`, objects or Triplets (ClaimVer's
        ret_triplets). `sources`: of request, kg, corpus, web those to be used, the most trusted first.
        `setting`: zero, noisy, accurate or detect. Raises ValueError when one of them, or the text, is malformed.
        """
        must_be_text("text", text)
        must_be_text("question", question or "")
        session = self.session(
            question=question,
            references=given_references(references),
            triplets=given_triplets(triplets),
            sources=given_sources(sources),
            setting=given_setting(setting),
            whole=True,
        )
        for sentence in segment(text):
            session.check(sentence)
        return session.report(text)

    def check_many(self, texts: Sequence[str], **options: Any) -> list[Report]:
        """`check` for several texts that share the other arguments. Raises ValueError where one text is given."""
        must_be_list("texts", texts)
        return [self.check(text, **options) for text in texts]


class Session:
    """One answer being verified, sentence by sentence, in order. Not thread-safe."""

    def __init__(
        self,
        verifier: Verifier,
        retrievers: Mapping[Source, Retriever],
        question: str,
        *,
        setting: Setting = Setting.ZERO,
        reviews: Reviews | None = None,
    ) -> None:
        self._verifier = verifier
        self._reviews = reviews
        self._setting = setting
        self._retrievers = retrievers
        self._context = Context(question=question, question_mentions=verifier.mentions(question))
        self._findings: list[Finding] = []
        self._mentions: list[Mention] = []
        self._next_id = 0
        self._reader = SentenceReader()
        self._seconds = dict.fromkeys(STAGES, 0.0)

    def check(self, sentence: Sentence, *, deadline: float | None = None) -> tuple[Finding, ...]:
        """Judge one sentence; the findings are in text order. `deadline` is a `time.monotonic()` value.

        Never raises: what fails or comes too late is returned as Unchecked.
        """
        findings = self._check_or_report_error(sentence, deadline)
        self._findings.extend(findings)
        return findings

    def resume(self, sentence: Sentence, findings: Sequence[Finding]) -> None:
        """Go on behind a sentence that another session judged: its findings stand, what later ones need of it is read again."""
        self._check_or_report_error(sentence, None if self._reviews else PAST)
        self._findings.extend(findings)
        self._next_id = max(self._next_id, next_id(findings))

    def skip(self, sentence: Sentence, reason: NotChecked, detail: str = "") -> Unchecked:
        """Record that a sentence will not be judged: overload, cancelled, switched off."""
        self._findings.append(unchecked := Unchecked(sentence.span, sentence.text, reason, detail))
        return unchecked

    def report(self, text: str) -> Report:
        """Everything found so far in `text`, the answer as delivered."""
        if self._reviews:
            started = time.perf_counter()
            finished = self._reviews.finish(text, self._findings)
            self._findings = language_unchecked(self._with_new_scores(self._findings, finished))
            self._seconds["check"] += time.perf_counter() - started
        return made(
            text,
            self._findings,
            mentions=self._mentions,
            seconds=self._seconds,
            versions=self._verifier.current_versions(),
            setting=self._setting,
        )

    def _check_or_report_error(self, sentence: Sentence, deadline: float | None) -> tuple[Finding, ...]:
        try:
            refused = unchecked_unreadable(sentence)
            return (refused,) if refused else self._check_sentence(sentence, deadline)
        except Exception as error:  # noqa: BLE001 - whatever breaks in a checker, the answer goes on and says so
            return (unchecked_after_error(sentence, error),)

    def _check_sentence(self, sentence: Sentence, deadline: float | None) -> tuple[Finding, ...]:
        parts = self._reader.read(sentence)
        findings = [finding for readings in parts for finding in self._check_part(readings, deadline)]
        found = with_rest(sentence, findings, self._verifier.linker.link, first_id=self._next_id)
        self._next_id = max(self._next_id, next_id(found))
        return tuple(found)

    def _check_part(self, readings: Sequence[AsRead], deadline: float | None) -> Iterator[Finding]:
        """Judges what is read of a part of a sentence; the findings point at what was delivered."""
        first = readings[0]
        stretches = divided(first.plain, english_only=self._verifier.english_only)
        if len(stretches) == 1 and stretches[0].reason is None:
            started = time.perf_counter()
            part, claims, mentions = self._answer(first) or understood(
                [as_meant(one, self._verifier.extractor, self._context) for one in readings],
                self._extract,
                self._verifier.linker.link,
            )
            self._seconds["claims"] += time.perf_counter() - started
            yield from self._check_claims(part, part.plain, claims, mentions, deadline)
            return
        for stretch in stretches:
            if stretch.reason is None:
                yield from self._check_claims(
                    first, stretch.sentence, *self._extract(stretch.sentence), deadline
                )
            elif stretch.reason is NotChecked.LANGUAGE and self._reviews:
                yield from map(first.put, self._review_stretch(stretch, self._reviews, deadline))
            else:
                yield first.put(unchecked_stretch(stretch))

    def _answer(self, part: AsRead) -> Understood | None:
        """A short answer, read as the statement that it makes of the question; None for any other text."""
        statement = statement_of(self._verifier.extractor, part.plain, self._context)
        if statement is None:
            return None
        answer = part.answering(statement)
        claims, mentions = self._extract(answer.plain)
        return Understood(answer, as_one(claims, answer.plain), mentions)

    def _review_stretch(
        self, stretch: Stretch, reviews: Reviews, deadline: float | None
    ) -> Sequence[Finding]:
        """A stretch that only the language model can read."""
        sentence = stretch.sentence
        mentions = self._verifier.linker.link(
            sentence.text, offset=sentence.span.start, context=self._context
        )
        open_ = open_verdict(stretch, self._next_id, mentions)
        self._next_id += 1
        evidence = joined(one.retrieve(open_.claim) for one in self._retrievers.values())
        findings = reviews.sentence(sentence, [open_], {open_.claim.id: evidence}, deadline=deadline)
        return self._with_new_scores([open_], findings if reviews.whole else language_unchecked(findings))

    def _check_claims(
        self,
        part: AsRead,
        sentence: Sentence,
        claims: Sequence[Claim],
        mentions: Sequence[Mention],
        deadline: float | None,
    ) -> list[Finding]:
        """Judges the claims of a sentence as it is read, the plain one of `part` or a stretch of it."""
        claims = bounded(claims, self._verifier.linker.link)
        self._mentions.extend(one for one in part.mentions(mentions) if len(one.span))
        findings: list[Finding] = []
        evidence: dict[int, Evidence] = {}
        for claim in claims:
            late = deadline is not None and time.monotonic() > deadline
            if not claim.kind.checkable:
                findings.append((None if late else self._check_instruction(claim)) or claim)
            elif late:
                findings.append(Unchecked(claim.span, claim.text, NotChecked.DEADLINE))
            else:
                findings.append(self._check_claim(claim, evidence))
        findings = self._check_whole(sentence, findings, evidence, deadline)
        started = time.perf_counter()
        revised = verified(
            sentence, findings, read=self._extract, check=self._retrieve_and_check, until=deadline
        )
        findings = [part.put(one) for one in revised]
        self._seconds["revise"] += time.perf_counter() - started
        if self._reviews:
            started = time.perf_counter()
            reviewed = self._reviews.sentence(part.raw, findings, evidence, deadline=deadline)
            findings = self._with_new_scores(findings, reviewed)
            self._seconds["check"] += time.perf_counter() - started
        left = unread(sentence, claims, self._verifier.linker.link, before=self._context.earlier[-RUN:])
        self._remember([replace(part.claim(claim), text=claim.text) for claim in claims])
        return with_unread(findings, [part.unchecked(one) for one in left])

    def _extract(self, sentence: Sentence) -> tuple[list[Claim], list[Mention]]:
        parts, known = self._verifier, self._context
        mentions = parts.linker.link(sentence.text, offset=sentence.span.start, context=known)
        claims = parts.extractor.extract(sentence, mentions, known, first_id=self._next_id)
        if Source.REQUEST in self._retrievers:
            claims = [
                as_item(as_rule(claim), sentence) for claim in claims
            ]  # documents are given that may tell it
        return with_focus(claims, mentions, known), mentions

    def _check_instruction(self, claim: Claim) -> Verdict | None:
        """On what reads as an instruction, "you may take photographs in the museum", and tells a property of something known."""
        if claim.kind not in (Kind.INSTRUCTION, Kind.HEADING) or not any(m.entity for m in claim.mentions):
            return None
        verdict = self._check_claim(replace(claim, kind=Kind.FACT), {})
        return verdict if isinstance(verdict, Verdict) and verdict.checker == AlignedChecker.name else None

    def _check_claim(self, claim: Claim, evidence: dict[int, Evidence]) -> Finding:
        """The verdict of a claim, its evidence put beside the others'; unchecked where its model gives no answer."""
        try:
            verdict, evidence[claim.id] = self._check_and_score(claim)
        except ModelError as error:
            return unchecked_without_answer(claim, error)
        return verdict

    def _check_whole(
        self,
        sentence: Sentence,
        findings: list[Finding],
        evidence: Mapping[int, Evidence],
        deadline: float | None,
    ) -> list[Finding]:
        """The findings, with what only the sentence as a whole shows; as they are where it is too late or its model gives no answer."""
        if deadline is not None and time.monotonic() > deadline:
            return findings
        started = time.perf_counter()
        try:
            found = supported_as_one(sentence, findings, evidence, self._verifier.checker)
        except ModelError:
            return findings
        scored = self._with_new_scores(findings, found)
        self._seconds["check"] += time.perf_counter() - started
        return scored

    def _check_and_score(self, claim: Claim) -> tuple[Verdict, Evidence]:
        """The embedded verdict with its scores, and all the evidence that was found for it."""
        verdict, evidence = self._retrieve_and_check(claim)
        started = time.perf_counter()
        scored = self._with_scores(verdict)
        self._seconds["check"] += time.perf_counter() - started
        return scored, evidence

    def _retrieve_and_check(self, claim: Claim) -> tuple[Verdict, Evidence]:
        """The embedded verdict without scores, which a sentence that is only tried out does not need."""
        started = time.perf_counter()
        found = [(source, retriever.retrieve(claim)) for source, retriever in self._retrievers.items()]
        retrieved = time.perf_counter()
        verdict = check_by_source(self._verifier.checker, claim, found)
        if verdict is None:  # the last checker of a cascade always answers
            raise RuntimeError("no checker judged the claim")
        self._seconds["evidence"] += retrieved - started
        self._seconds["check"] += time.perf_counter() - retrieved
        return verdict, joined(evidence for _, evidence in found)

    def _with_new_scores(self, before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
        """`after`, with scores for the verdicts that a review has put in the place of others."""
        return [
            self._with_scores(new) if isinstance(new, Verdict) and new is not old else new
            for old, new in zip(before, after, strict=True)
        ]

    def _with_scores(self, verdict: Verdict) -> Verdict:
        tms = scoring.tms(verdict.claim, verdict.evidence, self._verifier.embedder)
        return replace(verdict, tms=tms, score=scoring.claim_score(verdict.label, verdict.evidence))

    def _remember(self, claims: Sequence[Claim]) -> None:
        self._next_id += len(claims)
        self._context = replace(
            self._context, earlier=(*self._context.earlier, *claims)[-MAX_EARLIER_CLAIMS:]
        )


def _versions(*models: str) -> dict[str, str]:
    """Of the package, and of what judges: its rules, the encoder of properties, and the models of these names."""
    named = ", ".join((f"symbolic-{__version__}", PropertyEmbedder.name, *dict.fromkeys(models)))
    return {"guardrail": __version__, "checker": named}
