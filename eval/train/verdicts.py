"""`python -m eval.train verdicts [--model FOLDER] [--out FILE]`: grows the trees by which a claim's signals become a verdict.

Boosted trees over `guardrail.check.text.signals`, on the sentences that people labelled (`eval.train.labelled`) and the model was not
trained on, with the shipped model or the one in the folder that `--model` names. Needs scikit-learn (`pip install --group train`). The thresholds are the least shares at which few
enough sentences of plain answers get a wrong label, each judged by trees that were grown without its passage.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.datasets.claims import claims_of
from eval.datasets.files import json_lines
from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY
from eval.train.labelled import Labelled, labelled
from guardrail.check.text.checker import TextChecker
from guardrail.check.text.weighing import Trees
from guardrail.models.encoder import MODELS
from guardrail.models.nli import Embedded, softmax
from guardrail.types import Claim, Evidence, Span
from guardrail.verifier import Verifier

__all__ = ["fitted", "least", "shares_of"]

_LABELS = {ATTRIBUTABLE: 0, EXTRAPOLATORY: 1, CONTRADICTORY: 2}
_COMMON = "plain"  # the kind of answer that most applications give
_OPEN = 3.0  # how often an open sentence counts of those that are an answer each: answers have more of them
_ROUNDS, _RATE, _LEAF, _LOOKED_AT = 200, 0.06, 20, 12
_FOLDS = 5
_NEVER = 1e9  # no signal exceeds it
_WRONG_GREEN, _WRONG_RED = 0.05, 0.03  # of the contradicted, of the supported sentences of such answers

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """`group`: the passage it is of, whose rows are never divided between growing and judging; `kind`: of `Labelled`."""

    group: str
    kind: str
    label: int
    signals: dict[str, float]
    weight: float = 1.0


def fitted(given: Numbers, labels: NDArray[np.int64], weight: Numbers) -> Trees:
    """Trees of two questions by gradient boosting on the log loss. `given`: `[rows, n]`."""
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=_ROUNDS,
        learning_rate=_RATE,
        max_depth=2,
        min_samples_leaf=_LEAF,
        subsample=0.7,
        max_features=_LOOKED_AT,
        random_state=0,
    ).fit(given, labels, sample_weight=weight)
    grown = [_tree(one.tree_) for round_ in model.estimators_ for one in round_]
    asked, limits, added = (np.array(part) for part in zip(*grown, strict=True))
    start = np.log(model.init_.class_prior_)
    return Trees(asked, limits, np.round(_RATE * added, 6), np.round(start, 6))


def _tree(tree: Any) -> tuple[list[int], list[float], list[float]]:
    """The questions and what the ends give; where a branch has no second question, none can be answered with yes."""
    asked, limits, added = [0, 0, 0], [np.inf] * 3, [0.0] * 4
    branches = (tree.children_left[0], tree.children_right[0]) if tree.node_count > 1 else (0, 0)
    if tree.node_count > 1:
        asked[0], limits[0] = int(tree.feature[0]), float(tree.threshold[0])
    for side, node in enumerate(branches):
        ends = (node, node)
        if node and tree.children_left[node] >= 0:
            asked[1 + side], limits[1 + side] = int(tree.feature[node]), float(tree.threshold[node])
            ends = (tree.children_left[node], tree.children_right[node])
        added[2 * side : 2 * side + 2] = [float(tree.value[end].item()) for end in ends]
    return asked, limits, added


def shares_of(trees: Trees, given: Numbers) -> Numbers:
    """Of each row: `[rows, 3]`."""
    return softmax(np.array([trees.scores(row) for row in given.astype(np.float32)], np.float32)).astype(
        np.float64
    )


def least(shares: Numbers, wrong: NDArray[np.bool_], rate: float) -> float:
    """The least probability that at most this share of the wrong rows reaches."""
    ordered = np.sort(shares[wrong])[::-1]
    return float(ordered[int(rate * len(ordered))]) + 1e-3


def rows(folder: Path) -> Iterator[Row]:
    """With the model of `folder`; a process for each core."""
    given = (*labelled("answers"), *labelled("altered_sentences"))
    with ProcessPoolExecutor(initializer=_open, initargs=(folder,)) as processes:
        for found in processes.map(_rows_of, given, chunksize=4):
            yield from found


_opened: tuple[TextChecker, Verifier]  # of this process


def _open(folder: Path) -> None:
    global _opened
    _opened = TextChecker(Embedded(folder, threads=1)), Verifier.open(threads=1)


def _rows_of(one: Labelled) -> list[Row]:
    return list(_rows(one, *_opened))


def _rows(one: Labelled, checker: TextChecker, verifier: Verifier) -> Iterator[Row]:
    """Claims as the verifier cuts them. Where a sentence has several and is not supported, which is at fault is not known."""
    evidence = Evidence(passages=one.passages)
    for text, bits, claims in _cut(one, verifier):
        if not bits:
            continue
        label = _LABELS[bits]
        if not claims or (label != 0 and len(claims) > 1):
            claims = [_whole(text)]
        weight = (_OPEN if label == 1 and not one.together else 1.0) / len(claims)
        yield from (
            Row(one.id, one.kind, label, checker.signals(claim, evidence), weight) for claim in claims
        )


def _cut(one: Labelled, verifier: Verifier) -> Iterator[tuple[str, int, list[Claim]]]:
    """Each sentence with its label and its claims, which in an answer may speak of what the sentences before it name."""
    if not one.together:
        for text, bits in one.sentences:
            yield text, bits, list(claims_of(verifier, text, one.question))
        return
    found = list(claims_of(verifier, " ".join(text for text, _ in one.sentences), one.question))
    start = 0
    for text, bits in one.sentences:
        place = Span(start, start + len(text))
        yield text, bits, [claim for claim in found if place.contains(claim.span)]
        start = place.end + 1


def _whole(text: str) -> Claim:
    return Claim(0, Span(0, len(text)), text, text)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.train verdicts", description=__doc__)
    parser.add_argument("--model", type=Path, default=MODELS, help="folder of the model that reads")
    parser.add_argument("--out", type=Path, default=None, help="verdict.json of that folder unless given")
    parser.add_argument(
        "--rows", type=Path, help="where the signals are kept, to fit again without the model"
    )
    given = parser.parse_args(arguments)
    found = _kept(given.rows, given.model)
    names = list(found[0].signals)
    numbers = np.array([[row.signals[name] for name in names] for row in found])
    labels = np.array([row.label for row in found])
    weight = np.array([row.weight for row in found])
    kinds = np.array([row.kind for row in found])
    common = kinds == _COMMON
    apart = _apart(found, numbers, labels, weight)
    green = least(apart[:, 0], common & (labels == 2), _WRONG_GREEN)
    red = least(apart[:, 2], common & (labels == 0), _WRONG_RED)
    for kind in dict.fromkeys(kinds.tolist()):
        _show(kind, apart[kinds == kind], labels[kinds == kind], green, red)
    trees = fitted(numbers, labels, weight)
    told = {
        "model": Embedded(given.model).name,
        "attributable": round(green, 4),
        "contradictory": round(red, 4),
        "names": names,
        "start": trees.start.tolist(),
        "asked": trees.asked.tolist(),
        "least": np.nan_to_num(trees.least, posinf=_NEVER).tolist(),
        "given": trees.given.tolist(),
    }
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in told.items())
    out = given.out or given.model / "verdict.json"
    out.write_text("{" + ",\n ".join(lines) + "}\n", encoding="utf-8")


def _kept(path: Path | None, folder: Path) -> list[Row]:
    if path is not None and path.exists():
        return [Row(**one) for one in json_lines(path)]
    found = [row for row in rows(folder) if row.signals]
    if path is not None:
        lines = (json.dumps(asdict(r)) for r in found)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return found


def _apart(found: Sequence[Row], numbers: Numbers, labels: NDArray[np.int64], weight: Numbers) -> Numbers:
    """The probabilities of each row by trees that were grown without its group."""
    fold = np.array([zlib.crc32(row.group.encode()) % _FOLDS for row in found])
    shares = np.zeros((len(found), 3))
    for one in range(_FOLDS):
        rest = fold != one
        shares[~rest] = shares_of(fitted(numbers[rest], labels[rest], weight[rest]), numbers[~rest])
    return shares


def _show(name: str, shares: Numbers, labels: NDArray[np.int64], green: float, red: float) -> None:
    supported, refuted = labels == 0, labels == 2
    said_green, said_red = shares[:, 0] >= green, (shares[:, 0] < green) & (shares[:, 2] >= red)
    print(
        f"{name:18}{len(labels):6}  supported {said_green[supported].mean():.1%}"
        f"  contradicted {said_red[refuted].mean():.1%}  wrong red {said_red[supported].mean():.1%}"
        f"  wrong green {said_green[refuted].mean():.1%}"
        f"  of the open ones green {said_green[labels == 1].mean():.1%}, red {said_red[labels == 1].mean():.1%}"
    )
