"""FLEEK's verification (§2.1.4) and revision (§2.2): entailment by object replacement, single and list answers, and a
rewritten sentence that keeps everything else.

FLEEK asks the model once per answer; here all answers of a sentence go into one call, and a majority of k samples can be
asked for (its §5 names that as the way to more accuracy).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from guardrail.errors import ModelError
from guardrail.llm import Answer, Llm, Message, Question, Schema
from guardrail.llm.model import wait
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, read_json
from guardrail.scoring import FleekClass

__all__ = ["Answers", "Decision", "Row", "decide", "entailed", "revise", "vote"]


@dataclass(frozen=True, slots=True)
class Row:
    """A flat triple (S; P; O), or with `event` and `attribute` one row of an extended triple (S; P; P_ID; P_attr; O)."""

    subject: str
    predicate: str
    object: str
    event: str = ""
    attribute: str = ""

    def with_object(self, object_: str) -> Row:
        """The evidence triple: "replacing the object part of the triple with the short answer retrieved"."""
        return replace(self, object=object_)

    def __str__(self) -> str:
        parts = (self.subject, self.predicate, self.event, self.attribute, self.object)
        return f"({'; '.join(part for part in parts if part)})"


@dataclass(frozen=True, slots=True)
class Answers:
    """What was found for one row: the graph's short answers and the web's.

    `open_list`: the property is known to take several values, so that one answer is not the only one there can be.
    """

    graph: tuple[str, ...] = ()
    web: tuple[str, ...] = ()
    open_list: bool = False

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.graph, *self.web)))


@dataclass(frozen=True, slots=True)
class Decision:
    """FLEEK's class of a fact; None where neither graph nor web had an answer. `supporting`: the answers that entail it.

    `share`: how many of the samples agreed, averaged over the answers.
    """

    label: FleekClass | None
    supporting: tuple[str, ...] = ()
    against: tuple[str, ...] = field(default=())
    share: float = 1.0


def decide(
    llm: Llm,
    rows: Sequence[Row],
    answers: Sequence[Answers],
    *,
    samples: int = 1,
    deadline: float | None = None,
) -> list[Decision]:
    """The class of every row of a sentence, in one call (times `samples`). Raises ModelError.

    One answer of the graph is taken to be the only one there can be: Strongly Supported if it entails the fact, else
    Questionable. A list, or no answer, needs the web as well: Likely Supported if any answer entails it.
    """
    pairs = [
        (row, row.with_object(answer))
        for row, found in zip(rows, answers, strict=True)
        for answer in found.all
    ]
    judged = iter(entailed(llm, pairs, samples=samples, deadline=deadline) if pairs else [])
    return [_decision(found, [next(judged) for _ in found.all]) for found in answers]


def _decision(found: Answers, judged: Sequence[tuple[bool, float]]) -> Decision:
    if not judged:
        return Decision(None)
    supporting = tuple(answer for answer, (yes, _) in zip(found.all, judged, strict=True) if yes)
    against = tuple(answer for answer in found.all if answer not in supporting)
    share = sum(share for _, share in judged) / len(judged)
    if len(found.graph) == 1 and not found.open_list:  # Step 1: a singular value decides alone
        strong = found.graph[0] in supporting
        label = FleekClass.STRONGLY_SUPPORTED if strong else FleekClass.QUESTIONABLE
    else:  # Step 2: a list, or nothing, and the web
        label = FleekClass.LIKELY_SUPPORTED if supporting else FleekClass.QUESTIONABLE
    return Decision(label, supporting, against, share)


def entailed(
    llm: Llm, pairs: Sequence[tuple[Row, Row]], *, samples: int = 1, deadline: float | None = None
) -> list[tuple[bool, float]]:
    """Whether each evidence triple entails its claim triple, and the share of samples that say so. Raises ModelError."""
    texts = "\n".join(
        f"{number}. claim: {json.dumps(str(claim), ensure_ascii=False)}, "
        f"evidence: {json.dumps(str(evidence), ensure_ascii=False)}"
        for number, (claim, evidence) in enumerate(pairs, 1)
    )
    count = len(pairs)
    items = {"type": "string", "enum": ["yes", "no"]}
    schema = Schema(
        "entailed", closed(entailed={"type": "array", "items": items, "minItems": count, "maxItems": count})
    )
    question = Question(
        (Message("user", fill("entail", pairs=texts)),),
        lambda reply: tuple(word == "yes" for word in read_json(reply, schema.body)["entailed"]),
        schema,
        max_tokens=64 + 8 * count,
    )
    return [vote(votes) for votes in zip(*_sampled(llm, question, samples, deadline), strict=True)]


def vote(votes: Sequence[bool]) -> tuple[bool, float]:
    """The majority and its share; a tie is no entailment."""
    count = Counter(votes)
    yes = count[True] > count[False]
    return yes, count[yes] / len(votes)


def _sampled(
    llm: Llm, question: Question[tuple[bool, ...]], samples: int, deadline: float | None
) -> list[tuple[bool, ...]]:
    """As many replies as could be had of `samples`; the first at temperature 0. Raises ModelError when there is none."""
    pending: list[Future[Answer[tuple[bool, ...]]]] = [
        llm.submit(replace(question, sample=number)) for number in range(max(1, samples))
    ]
    found: list[tuple[bool, ...]] = []
    last: ModelError | None = None
    for future in pending:
        try:
            found.append(wait(future, deadline).value)
        except ModelError as error:
            last = error
    if last is not None and not found:
        raise last
    return found


def revise(
    llm: Llm, sentence: str, wrong: Row, alternatives: Sequence[str], *, deadline: float | None = None
) -> list[str]:
    """The sentence with each alternative in the place of the wrong object, best first; only true rewrites. Raises ModelError.

    §2.2 asks that s' entails the new triple and every other one: that is for the caller to verify, as the verifier does.
    """
    pending = [llm.submit(_revision(sentence, wrong, wrong.with_object(answer))) for answer in alternatives]
    return list(dict.fromkeys(wait(future, deadline).value for future in pending))


def _revision(sentence: str, wrong: Row, right: Row) -> Question[str]:
    schema = Schema("revision", closed(sentence={"type": "string"}))

    def read(reply: str) -> str:
        revised = str(read_json(reply, schema.body)["sentence"]).strip()
        if not revised or revised == sentence.strip():
            raise ValueError("the sentence must be changed")
        if right.object.casefold() not in revised.casefold():
            raise ValueError(f"the sentence must contain {right.object!r}")
        return revised

    prompt = fill(
        "revise",
        sentence=json.dumps(sentence, ensure_ascii=False),
        wrong=json.dumps(str(wrong), ensure_ascii=False),
        right=json.dumps(str(right), ensure_ascii=False),
    )
    return Question((Message("user", prompt),), read, schema, max_tokens=128 + len(sentence))
