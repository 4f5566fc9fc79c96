"""ClaimVer as published: one call decomposes a text, labels every claim, cites its triplets and says why (Eq. 1, Fig. 3).

The prompt is Fig. 3's, word for word, because the published weights were tuned on it; the reply is read in the form in
which those models write it, numbered keys with or without braces. A strict parser that never evaluates anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guardrail.check.llm.judge import AskingJudge, Exhibits, Judgement, Judgements
from guardrail.llm import Llm, Message, Question
from guardrail.llm.match import find_spans, members, show
from guardrail.llm.prompts import fill
from guardrail.types import Claim, Label, Sentence, Span, Triplet, tile

__all__ = ["Attribution", "ClaimVerJudge", "Piece", "attribute", "question", "read"]

_COVERED = 0.5  # share of a claim's letters that the model's spans must cover to count as a judgement of it
_LABELS = {label.value: label for label in Label}
_FIELDS = ("text_span", "prediction", "triplets", "rationale")
# A key at the start of the reply, of a line, or after "{" or ","; a quote inside a JSON string would be escaped. No part of it
# runs over a line break: what a model writes must not be able to make the search quadratic.
_KEY = re.compile(
    r'(?:^|[{,])[ \t]{0,8}"?(text_span|prediction|triplets|rationale)[ \t]{0,2}(\d{0,4})"?[ \t]{0,8}:',
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One claim as the model gave it: (claim_span, claim_pred, rel_triplets, rationale) of Eq. 1.

    `span` is None when the words do not stand in the text. `triplets`: those that were really retrieved.
    `invented`: the model also cited something that was not.
    """

    words: str
    span: Span | None
    label: Label
    triplets: tuple[Triplet, ...]
    rationale: str
    invented: bool = False


@dataclass(frozen=True, slots=True)
class Attribution:
    """A whole text. `gaps` are the words left out: "No attribution", score 0 (§3.5.1)."""

    pieces: tuple[Piece, ...]
    gaps: tuple[Span, ...]

    @property
    def placed(self) -> tuple[tuple[Span, Piece], ...]:
        """The claims whose words stand in the text, with their place."""
        return tuple((piece.span, piece) for piece in self.pieces if piece.span)


class ClaimVerJudge(AskingJudge):
    """For ClaimVer's published weights, which cut the text into claims themselves."""

    kind = "claimver"
    reads_passages = False

    def question(
        self, text: Sentence, claims: Sequence[Claim], shown: Exhibits, *, asked: str, earlier: str
    ) -> Question[Judgements]:
        published = question(text.text, shown.triplets)
        return Question(
            published.messages,
            lambda reply: tuple(_aligned(claim.span, published.read(reply), text) for claim in claims),
            max_tokens=published.max_tokens,
        )


def _aligned(span: Span, attribution: Attribution, text: Sentence) -> Judgement | None:
    """What ClaimVer's own pieces say of one of our claims. None where it was left out ("No attribution").

    One contradicted piece contradicts the claim; it is attributable only if every piece of it is.
    """
    pieces = [
        (piece_span.shift(text.span.start), piece)
        for piece_span, piece in attribution.placed
        if piece_span.shift(text.span.start).overlaps(span)
    ]
    covered = sum(min(span.end, at.end) - max(span.start, at.start) for at, _ in pieces)
    if not pieces or covered < _COVERED * len(span):
        return None
    labels = {piece.label for _, piece in pieces}
    if Label.CONTRADICTORY in labels:
        label = Label.CONTRADICTORY
    else:
        label = Label.ATTRIBUTABLE if labels == {Label.ATTRIBUTABLE} else Label.EXTRAPOLATORY
    deciding = [piece for _, piece in pieces if piece.label is label]
    return Judgement(
        label,
        tuple(dict.fromkeys(triplet for piece in deciding for triplet in piece.triplets)),
        rationale=" ".join(piece.rationale for piece in deciding if piece.rationale != "NA"),
        invented=any(piece.invented for piece in deciding),
    )


def attribute(
    llm: Llm, text: str, triplets: Sequence[Triplet], *, deadline: float | None = None
) -> Attribution:
    """f(input_text, ret_triplets) in one call. Raises ModelError."""
    return llm.ask(question(text, triplets), deadline=deadline).value


def question(text: str, triplets: Sequence[Triplet]) -> Question[Attribution]:
    """Fig. 3 filled in. The text is put in as it is: the tuned models saw it so."""
    shown = f"[{', '.join(show(triplet) for triplet in triplets)}]" if triplets else "NA"
    prompt = fill("claimver", text=text, triplets=shown)
    # Span, label, triplets and rationale of a claim come to some two hundred tokens; the text is quoted once.
    room = 256 + len(text) + 64 * len(triplets)
    return Question(
        (Message("user", prompt),), lambda reply: read(reply, text, triplets), max_tokens=min(room, 4096)
    )


def read(reply: str, text: str, triplets: Sequence[Triplet]) -> Attribution:
    """The model's reply. Raises ValueError when it is not in the published form, or none of its claims is in the text."""
    rows = _rows(_fields(reply))
    spans = find_spans(text, [row["text_span"] for row in rows])
    pieces = []
    for row, span in zip(rows, spans, strict=True):
        label = _LABELS.get(row["prediction"].strip().strip('."').casefold())
        if label is None:
            raise ValueError(f'prediction must be one of the three categories, not "{row["prediction"]:.40}"')
        cited = members(row["triplets"], triplets)
        pieces.append(Piece(row["text_span"], span, label, cited.triplets, row["rationale"], cited.invented))
    placed = [piece.span for piece in pieces if piece.span]
    if not placed:
        raise ValueError("no text_span is a substring of the text")
    return Attribution(tuple(pieces), tile(text, placed))


def _rows(fields: Mapping[tuple[str, str], str]) -> list[dict[str, str]]:
    """Fields by number, in order; a claim needs span and prediction, the rest may be left out ("NA")."""
    numbers = sorted({number for _, number in fields}, key=lambda number: int(number or 0))
    rows = []
    for number in numbers:
        row = {name: fields.get((name, number), "NA") for name in _FIELDS}
        if row["text_span"] == "NA" and row["prediction"] == "NA":
            continue
        for name in ("text_span", "prediction"):
            if row[name] == "NA":
                raise ValueError(f'"{name}{number}" is missing')
        rows.append(row)
    if not rows:
        raise ValueError('there is no "text_span" in the reply')
    return rows


def _fields(reply: str) -> dict[tuple[str, str], str]:
    """(name, number) → value. Raises ValueError when a key comes twice."""
    try:
        data = json.loads(
            reply.strip().removeprefix("```json").removeprefix("```").removesuffix("```"),
            object_pairs_hook=_once,
        )
    except (json.JSONDecodeError, RecursionError):
        return _loose_fields(reply)
    if not isinstance(data, dict):
        return _loose_fields(reply)
    fields = {}
    for key, value in data.items():
        if match := re.fullmatch(
            r"(text_span|prediction|triplets|rationale)\s*(\d*)", key.strip(), re.IGNORECASE
        ):
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            fields[match[1].casefold(), match[2]] = shown
    return fields


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key comes twice")
    return dict(pairs)


def _loose_fields(reply: str) -> dict[tuple[str, str], str]:
    """The keys as lines without braces, as Fig. 3's example shows them."""
    keys = list(_KEY.finditer(reply))
    fields: dict[tuple[str, str], str] = {}
    ends = [following.start() for following in keys[1:]] + [len(reply)]
    for key, end in zip(keys, ends, strict=False):
        value = reply[key.end() : end].strip().rstrip("},` \n")
        name = (key[1].casefold(), key[2])
        if name in fields:
            raise ValueError(f'"{key[1]}{key[2]}" comes twice')
        fields[name] = _unquoted(value)
    return fields


def _unquoted(value: str) -> str:
    try:
        decoded = json.loads(value, strict=False)
    except json.JSONDecodeError:
        return value.strip().strip('"')
    return decoded if isinstance(decoded, str) else value
