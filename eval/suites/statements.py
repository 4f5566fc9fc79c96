"""Hand-labelled statements over the starter knowledge: accuracy, confusion, and what was wrongly contradicted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from guardrail.types import Label, Verdict
from guardrail.verifier import Verifier

HERE = Path(__file__).parents[1] / "statements"
BAR = 0.9
WRONG_CONTRADICTORY = 0.02
_SHORT = {"A": Label.ATTRIBUTABLE, "E": Label.EXTRAPOLATORY, "C": Label.CONTRADICTORY}


def statements(name: str = "statements.tsv") -> Iterator[tuple[Label, str, str]]:
    """Label, statement, question."""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            label, text, *question = line.split("\t")
            yield _SHORT[label], text.replace("\\n", "\n"), "".join(question)


def whole(verdicts: Sequence[Verdict]) -> Label:
    """RefChecker's strict roll-up: one contradiction contradicts, all must be supported to support."""
    labels = {verdict.label for verdict in verdicts}
    if Label.CONTRADICTORY in labels:
        return Label.CONTRADICTORY
    return Label.ATTRIBUTABLE if labels == {Label.ATTRIBUTABLE} else Label.EXTRAPOLATORY


def run() -> int:
    """What was labelled otherwise, a confusion table for either set, and whether the bars are met."""
    verifier = Verifier.open()
    failed = False
    for name, bar in (
        ("statements.tsv", BAR),
        ("statements_written.tsv", 0.0),
        ("statements_constructions.tsv", 0.0),
        ("statements_nature.tsv", 0.0),
        ("statements_true.tsv", 0.0),
    ):
        confusion: Counter[tuple[Label, Label]] = Counter()
        for wanted, text, question in statements(name):
            report = verifier.check(text, question=question)
            failed_checks = [one for one in report.unchecked if not one.reason.unreadable]
            if failed_checks:
                print(f"  not checked ({failed_checks[0].detail}): {text}")
                return 1
            got = whole(report.verdicts)
            confusion[wanted, got] += 1
            if got is not wanted and bar:
                reasons = "; ".join(
                    f"{v.label.value}/{v.reason or ''}: {v.rationale}" for v in report.verdicts
                )
                print(f"  {wanted.value[0].upper()}→{got.value[0].upper()}  {text}  {reasons}")
        failed |= not _show(name, confusion, bar)
    return int(failed)


def _show(name: str, confusion: Counter[tuple[Label, Label]], bar: float) -> bool:
    """Prints the table of one set; whether it meets its bars."""
    total = confusion.total()
    right = sum(count for (wanted, got), count in confusion.items() if wanted is got)
    innocent = sum(count for (wanted, _), count in confusion.items() if wanted is not Label.CONTRADICTORY)
    wrong = sum(count for (w, got), count in confusion.items() if got is Label.CONTRADICTORY and w is not got)
    trusted = sum(
        count for (w, got), count in confusion.items() if got is Label.ATTRIBUTABLE and w is not got
    )
    for wanted in Label:
        row = "".join(f"{got.value[:5]} {confusion[wanted, got]:>4}   " for got in Label)
        print(f"  {wanted.value:<15}{row}")
    print(
        f"{name}: accuracy {right / total:.3f} of {total} (bar {bar}); wrongly contradicted {wrong} of {innocent}, "
        f"wrongly attributed {trusted} of {total}"
    )
    return right / total >= bar and wrong / innocent <= WRONG_CONTRADICTORY


if __name__ == "__main__":
    raise SystemExit(run())
