"""The figures of ClaimVer's Tables 3 and 4: ROUGE-1 and ROUGE-L, #MC, accuracy, precision, recall and F1."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from eval.train.claimver_data import Record, to_triplets
from guardrail.check.llm import claimver
from guardrail.check.llm.claimver import Piece
from guardrail.types import Label

__all__ = ["Scores", "rouge_1", "rouge_l", "score"]

_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Scores:
    """`matching` is #MC: claims whose text span is exactly one of the model's. The class figures are over these, weighted by
    class size. `exact`: the share of them where the triplets match, too (§5's strict strategy). `unreadable`: replies that
    are not in the published form.
    """

    rouge_1: float
    rouge_l: float
    claims: int
    matching: int
    accuracy: float
    precision: float
    recall: float
    f1: float
    exact: float
    unreadable: int

    def __str__(self) -> str:
        return (
            f"ROUGE-L {self.rouge_l:.3f}  ROUGE-1 {self.rouge_1:.3f}  #MC {self.matching}/{self.claims}  "
            f"Acc {100 * self.accuracy:.2f}  Prec {100 * self.precision:.2f}  Rec {100 * self.recall:.2f}  "
            f"F1 {100 * self.f1:.2f}  exact with triplets {100 * self.exact:.2f}  unreadable {self.unreadable}"
        )


def score(records: Sequence[Record], replies: Sequence[str]) -> Scores:
    """The replies held against the records. Raises ValueError when a record's own reply cannot be read."""
    pairs: list[tuple[Label, Label, bool]] = []
    claims = unreadable = 0
    for record, reply in zip(records, replies, strict=True):
        gold = _pieces(record, record.reply)
        if gold is None:
            raise ValueError(f"the record's own reply cannot be read: {record.reply[:80]!r}")
        claims += len(gold)
        found = _pieces(record, reply)
        if found is None:
            unreadable += 1
            continue
        given = {piece.words.strip(): piece for piece in found}
        for piece in gold:
            match = given.get(piece.words.strip())
            if match is not None:
                same = match.label is piece.label and set(match.triplets) == set(piece.triplets)
                pairs.append((piece.label, match.label, same))
    count = len(records)
    precision, recall, f1 = _weighted([(gold, found) for gold, found, _ in pairs])
    return Scores(
        rouge_1=sum(rouge_1(r.reply, reply) for r, reply in zip(records, replies, strict=True))
        / max(1, count),
        rouge_l=sum(rouge_l(r.reply, reply) for r, reply in zip(records, replies, strict=True))
        / max(1, count),
        claims=claims,
        matching=len(pairs),
        accuracy=sum(gold is found for gold, found, _ in pairs) / max(1, len(pairs)),
        precision=precision,
        recall=recall,
        f1=f1,
        exact=sum(same for *_, same in pairs) / max(1, len(pairs)),
        unreadable=unreadable,
    )


def _pieces(record: Record, reply: str) -> tuple[Piece, ...] | None:
    try:
        return claimver.read(reply, record.text, to_triplets(record.triplets)).pieces
    except ValueError:
        return None


def _weighted(pairs: Sequence[tuple[Label, Label]]) -> tuple[float, float, float]:
    """Precision, recall and F1 per class, averaged by class size."""
    gold, found = Counter(g for g, _ in pairs), Counter(f for _, f in pairs)
    right = Counter(g for g, f in pairs if g is f)
    precision = recall = f1 = 0.0
    for label, size in gold.items():
        p = right[label] / found[label] if found[label] else 0.0
        r = right[label] / size
        weight = size / len(pairs)
        precision += weight * p
        recall += weight * r
        f1 += weight * (2 * p * r / (p + r) if p + r else 0.0)
    return precision, recall, f1


def rouge_1(reference: str, candidate: str) -> float:
    """F-measure of single words, counted with repeats (Lin 2004)."""
    wanted, given = _words(reference), _words(candidate)
    overlap = sum((Counter(wanted) & Counter(given)).values())
    return _f(overlap, len(wanted), len(given))


def rouge_l(reference: str, candidate: str) -> float:
    """F-measure of the longest common subsequence of words (Lin 2004)."""
    wanted, given = _words(reference), _words(candidate)
    row = [0] * (len(given) + 1)
    for word in wanted:
        before = 0
        for at, other in enumerate(given, 1):
            before, row[at] = row[at], before + 1 if word == other else max(row[at], row[at - 1])
    return _f(row[-1], len(wanted), len(given))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _f(overlap: int, wanted: int, given: int) -> float:
    return 2 * overlap / (wanted + given) if wanted + given else 0.0
