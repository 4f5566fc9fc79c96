"""All claims of a text in one call: numbered claims in, numbered judgements out, in a strict JSON schema.

The prompt has the shape of ClaimVer's Fig. 3 with Fig. 12's definitions. What stays the same from sentence to sentence
(rules, passages, question) comes first and the claims come last, so that a server with prefix caching reads it once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.llm.match import show
from guardrail.llm import Message, Question, Schema
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, read_json
from guardrail.types import Claim, Evidence, Label, Passage, Triplet

__all__ = ["Exhibits", "Judgement", "exhibits", "question"]

_LABELS = {label.value.capitalize(): label for label in Label}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model said of one claim, its citations already held against what it was shown."""

    label: Label
    triplets: tuple[Triplet, ...] = ()
    passages: tuple[Passage, ...] = ()
    rationale: str = ""
    invented: bool = False


@dataclass(frozen=True, slots=True)
class Exhibits:
    """The evidence laid before the model, numbered. `unread`: what did not fit and was left out."""

    triplets: tuple[Triplet, ...]
    passages: tuple[Passage, ...]
    unread: tuple[str, ...] = ()


def exhibits(evidence: Sequence[Evidence], limit: int) -> Exhibits:
    """The evidence of several claims in one, without repeats, up to `limit` characters; the most relevant passages first."""
    triplets: list[Triplet] = []
    passages: list[Passage] = []
    unread: list[str] = []
    room = limit
    for triplet in dict.fromkeys(triplet for part in evidence for triplet in part.triplets):
        room -= len(show(triplet))
        if room < 0:
            unread.append(triplet.id or show(triplet))
        else:
            triplets.append(triplet)
    # The order in the prompt is the order given, so that the prefix stays the same from call to call.
    given = list({passage.id: passage for part in evidence for passage in part.passages}.values())
    chosen = set()
    for passage in sorted(given, key=lambda item: -item.relevance):
        if len(passage.text) > room:
            unread.append(passage.id)
            continue
        room -= len(passage.text)
        chosen.add(passage.id)
    passages = [passage for passage in given if passage.id in chosen]
    return Exhibits(tuple(triplets), tuple(passages), tuple(unread))


def question(
    claims: Sequence[Claim], shown: Exhibits, *, text: str, asked: str = "", earlier: str = ""
) -> Question[tuple[Judgement | None, ...]]:
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
