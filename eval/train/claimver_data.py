"""ClaimVer's data set made again (§4): answers and a graph in, instruction pairs out.

As published, two prompts in sequence: Fig. 3 decomposes and labels a text, then Fig. 12 labels every span once more, with
definitions, examples and its own rationale, because the first labels are the weakest part. What fails a check is dropped:
a span that is not in the text, a cited triplet that was not retrieved, a text with fewer than two entities.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from guardrail.check.llm import claimver
from guardrail.check.llm.claimver import Piece
from guardrail.errors import ModelError
from guardrail.llm import Llm, Message, Question, Schema
from guardrail.llm.match import show
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, read_json
from guardrail.types import Label, Node, Triplet

__all__ = ["Record", "build", "load", "reply_of", "save", "to_triplets"]

_SCHEMA = Schema(
    "label",
    closed(
        prediction={"type": "string", "enum": [label.value.capitalize() for label in Label]},
        rationale={"type": "string"},
    ),
)


@dataclass(frozen=True, slots=True)
class Record:
    """One sample: Fig. 3's inputs and the reply to learn."""

    text: str
    triplets: tuple[tuple[str, str, str], ...]
    reply: str

    @property
    def prompt(self) -> str:
        return claimver.question(self.text, to_triplets(self.triplets)).messages[0].content


def to_triplets(rows: Iterable[Sequence[str]]) -> list[Triplet]:
    return [Triplet(Node(s, s), Node(p, p), Node(o, o)) for s, p, o in rows]


def build(llm: Llm, answers: Iterable[tuple[str, Sequence[Triplet]]]) -> Iterator[Record]:
    """A record for each (text, retrieved triplets) that passes every check; one that the model fails on is left out."""
    for text, triplets in answers:
        entities = {
            node.id
            for triplet in triplets
            for node in (triplet.subject, triplet.object)
            if isinstance(node, Node)
        }
        if len(entities) < 2:
            continue
        try:
            pieces = _labelled(llm, text, triplets)
        except ModelError:
            continue
        if pieces:
            rows = tuple((t.subject.label, t.predicate.label, t.object.label) for t in triplets)
            yield Record(text, rows, reply_of(pieces))


def _labelled(llm: Llm, text: str, triplets: Sequence[Triplet]) -> list[Piece]:
    """The first prompt's claims with the second prompt's labels. Raises ModelError."""
    first = claimver.attribute(llm, text, triplets)
    kept = [piece for piece in first.pieces if piece.span and not piece.invented]
    pending = [llm.submit(_relabel(text, piece, triplets)) for piece in kept]
    second = [future.result().value for future in pending]
    return [
        replace(piece, label=label, rationale=rationale)
        for piece, (label, rationale) in zip(kept, second, strict=True)
        if label is Label.EXTRAPOLATORY
        or piece.triplets  # nothing is attributable or contradictory without evidence
    ]


def _relabel(text: str, piece: Piece, triplets: Sequence[Triplet]) -> Question[tuple[Label, str]]:
    cited = piece.triplets or tuple(triplets)
    prompt = fill(
        "claimver_label",
        text=json.dumps(text, ensure_ascii=False),
        span=json.dumps(piece.words, ensure_ascii=False),
        triplets=f"[{', '.join(show(triplet) for triplet in cited)}]",
    )

    def read(reply: str) -> tuple[Label, str]:
        entry = read_json(reply, _SCHEMA.body)
        return Label(entry["prediction"].casefold()), entry["rationale"]

    return Question((Message("user", prompt),), read, _SCHEMA, max_tokens=256)


def reply_of(pieces: Sequence[Piece]) -> str:
    """Claims in the published form: numbered keys, "NA" where nothing applies."""
    lines: dict[str, str] = {}
    for number, piece in enumerate(pieces, 1):
        lines[f"text_span{number}"] = piece.words
        lines[f"prediction{number}"] = piece.label.value.capitalize()
        lines[f"triplets{number}"] = f"[{', '.join(map(show, piece.triplets))}]" if piece.triplets else "NA"
        lines[f"rationale{number}"] = piece.rationale or "NA"
    return ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in lines.items()
    )


def save(path: Path, records: Iterable[Record]) -> int:
    """JSON lines; returns how many."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            row = {"text": record.text, "triplets": record.triplets, "reply": record.reply}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def load(path: Path) -> list[Record]:
    """What `save` wrote. Raises ValueError with the line that is none."""
    records = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            triplets = tuple((str(s), str(p), str(o)) for s, p, o in row["triplets"])
            records.append(Record(str(row["text"]), triplets, str(row["reply"])))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}:{number}: no record: {error}") from error
    return records
