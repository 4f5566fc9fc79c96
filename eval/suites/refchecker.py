"""RefChecker's human-labelled triplets, checked against the benchmark graph: how often, and how often alike.

The set comes without its references, so no checker of passages can be scored on it. What can be asked: where the graph
knows the subject, does our label agree with the people who read the references? Neutral by people means "not in the
reference", which the graph may well know, so only decided labels on both sides are compared.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator

from eval.datasets.benchmark import benchmark_graph
from eval.datasets.files import find, open_text
from guardrail.types import Label
from guardrail.verifier import Verifier

_MOST = 1500
_HUMAN = {
    "Entailment": Label.ATTRIBUTABLE,
    "Neutral": Label.EXTRAPOLATORY,
    "Contradiction": Label.CONTRADICTORY,
}
_RANK = {Label.CONTRADICTORY: 0, Label.EXTRAPOLATORY: 1, Label.ATTRIBUTABLE: 2}


def run() -> int:
    """Prints the table of human against our labels per setting. No bar is stated."""
    verifier = Verifier.open(benchmark_graph())
    for setting in ("zero_context", "noisy_context", "accurate_context"):
        rows = sorted(set(_rows(setting)))
        rows = random.Random(2).sample(rows, min(_MOST // 3, len(rows)))
        counted: Counter[tuple[Label, Label]] = Counter()
        for subject, predicate, object_, human in rows:
            verdicts = verifier.check(f"{subject} {predicate} {object_}.").verdicts
            ours = min((v.label for v in verdicts), key=_RANK.__getitem__, default=Label.EXTRAPOLATORY)
            counted[_HUMAN[human], ours] += 1
        _show(setting, counted)
    return 0


def _rows(setting: str) -> Iterator[tuple[str, str, str, str]]:
    for path in sorted(find(f"refchecker/{setting}").glob("*.json*")):
        for answer in json.loads(open_text(path)):
            for found in answer.get("claude2_response_kg") or ():
                words = [str(part).strip('" ') for part in found["triplet"]]
                if len(words) == 3 and all(words) and found["human_label"] in _HUMAN:
                    yield (words[0], words[1], words[2], found["human_label"])


def _show(setting: str, counted: Counter[tuple[Label, Label]]) -> None:
    total = sum(counted.values())
    decided = {pair: n for pair, n in counted.items() if Label.EXTRAPOLATORY not in pair}
    alike = sum(n for (human, ours), n in decided.items() if human is ours)
    ours_decided = sum(n for (_, ours), n in counted.items() if ours is not Label.EXTRAPOLATORY)
    print(f"{setting}: {total} triplets, the graph decides {ours_decided / total:.1%}")
    for human in Label:
        cells = "  ".join(f"{ours.value} {counted[human, ours]:4}" for ours in Label)
        print(f"    people {human.value:14} ours: {cells}")
    if decided:
        print(f"    decided by both: {sum(decided.values())}, alike {alike / sum(decided.values()):.1%}")
