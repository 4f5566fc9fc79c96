"""All claims of a text in one call: numbered claims in, numbered judgements out, in a strict JSON schema.

The prompt has the shape of ClaimVer's Fig. 3 with Fig. 12's definitions. What stays the same from sentence to sentence
(rules, passages, question) comes first and the claims come last, so that a server with prefix caching reads it once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from guardrail.check.llm.judge import AskingJudge, Exhibits, Judgement, Judgements
from guardrail.llm import Message, Question, Schema
from guardrail.llm.match import show
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, read_json
from guardrail.types import Claim, Label, Sentence

__all__ = ["VerdictsJudge", "question"]

_LABELS = {label.value.capitalize(): label for label in Label}


class VerdictsJudge(AskingJudge):
    """For general models."""

    kind = "llm"
    reads_passages = True

    def question(
        self, text: Sentence, claims: Sequence[Claim], shown: Exhibits, *, asked: str, earlier: str
    ) -> Question[Judgements]:
        return question(claims, shown, text=text.text, asked=asked, earlier=earlier)


def question(
    claims: Sequence[Claim], shown: Exhibits, *, text: str, asked: str = "", earlier: str = ""
) -> Question[Judgements]:
    """One question for all `claims`. `asked`: the user's question; `earlier`: the answer before `text`."""
    prompt = fill(
        "verdicts",
        passages=_numbered(
            "P", [f"{item.title}: {item.text}" if item.title else item.text for item in shown.passages]
        ),
        question=_quoted(asked),
        earlier=_quoted(earlier),
        triplets=_numbered("T", [show(item) for item in shown.triplets]),
        text=_quoted(text),
        claims="\n".join(f"{number}. {_quoted(claim.resolved)}" for number, claim in enumerate(claims, 1)),
    )
    schema = _schema(len(claims))
    return Question(
        (Message("user", prompt),),
        lambda reply: _read(reply, schema, shown),
        schema,
        max_tokens=128 + 128 * len(claims),
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else "none"


def _numbered(letter: str, items: Sequence[str]) -> str:
    if not items:
        return "none"
    return "\n".join(f"{letter}{number} {_quoted(item)}" for number, item in enumerate(items, 1))


def _schema(count: int) -> Schema:
    entry = closed(
        claim={"type": "integer"},
        prediction={"type": "string", "enum": list(_LABELS)},
        evidence={"type": "array", "items": {"type": "string"}},
        rationale={"type": "string"},
    )
    entries = {"type": "array", "items": entry, "minItems": count, "maxItems": count}
    return Schema("verdicts", closed(claims=entries))


def _read(reply: str, schema: Schema, shown: Exhibits) -> tuple[Judgement, ...]:
    """One judgement per claim, in order. Raises ValueError; labels that do not line up with the claims are an error."""
    entries = read_json(reply, schema.body)["claims"]
    numbers = [entry["claim"] for entry in entries]
    if numbers != list(range(1, len(entries) + 1)):
        raise ValueError(f"the claims must be numbered 1 to {len(entries)} in order, not {numbers}")
    return tuple(
        _judgement(entry["prediction"], entry["evidence"], entry["rationale"], shown) for entry in entries
    )


def _judgement(prediction: str, cited: Sequence[str], rationale: str, shown: Exhibits) -> Judgement:
    triplets = {f"T{number}": item for number, item in enumerate(shown.triplets, 1)}
    passages = {f"P{number}": item for number, item in enumerate(shown.passages, 1)}
    ids = list(dict.fromkeys(item.strip().upper() for item in cited))
    return Judgement(
        _LABELS[prediction],
        tuple(triplets[item] for item in ids if item in triplets),
        tuple(passages[item] for item in ids if item in passages),
        rationale,
        invented=any(item not in triplets and item not in passages for item in ids),
    )
