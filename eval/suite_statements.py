"""Hand-labelled statements over the starter knowledge: accuracy, confusion, and what was wrongly contradicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from guardrail.types import Label, Verdict
from guardrail.verifier import Verifier

BAR = 0.9
WRONG_CONTRADICTORY = 0.02
_SHORT = {"A": Label.ATTRIBUTABLE, "E": Label.EXTRAPOLATORY, "C": Label.CONTRADICTORY}


def statements() -> Iterator[tuple[Label, str, str]]:
    """Label, statement, question."""
    for line in Path(__file__).with_name("statements.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            label, text, *question = line.split("\t")
            yield _SHORT[label], text, "".join(question)


def whole(verdicts: Sequence[Verdict]) -> Label:
    """RefChecker's strict roll-up: one contradiction contradicts, all must be supported to support."""
    labels = {verdict.label for verdict in verdicts}
    if Label.CONTRADICTORY in labels:
        return Label.CONTRADICTORY
    return Label.ATTRIBUTABLE if labels == {Label.ATTRIBUTABLE} else Label.EXTRAPOLATORY


def run() -> int:
    verifier = Verifier.open()
    confusion: Counter[tuple[Label, Label]] = Counter()
    for wanted, text, question in statements():
        report = verifier.check(text, question=question)
        if report.unchecked:
            print(f"  not checked ({report.unchecked[0].detail}): {text}")
            return 1
        got = whole(report.verdicts)
        confusion[wanted, got] += 1
        if got is not wanted:
            reasons = "; ".join(f"{v.label.value}/{v.reason or ''}: {v.rationale}" for v in report.verdicts)
            print(f"  {wanted.value[0].upper()}→{got.value[0].upper()}  {text}  {reasons}")
    total = confusion.total()
    right = sum(count for (wanted, got), count in confusion.items() if wanted is got)
    innocent = sum(count for (wanted, _), count in confusion.items() if wanted is not Label.CONTRADICTORY)
    wrong = sum(count for (w, got), count in confusion.items() if got is Label.CONTRADICTORY and w is not got)
    for wanted in Label:
        print(
            f"  {wanted.value:<15}"
            + "".join(f"{got.value[:5]} {confusion[wanted, got]:>4}   " for got in Label)
        )
    print(f"accuracy {right / total:.3f} of {total} (bar {BAR}); wrongly contradicted {wrong} of {innocent}")
    return 0 if right / total >= BAR and wrong / innocent <= WRONG_CONTRADICTORY else 1


if __name__ == "__main__":
    raise SystemExit(run())
