"""`python -m eval.train.lean.distil --data FOLDER --teacher FOLDER --model FOLDER --out FOLDER`: the small model learns from a larger one.

The larger model says how likely each label is, of labelled pairs and of pairs that nobody labelled. The two bodies of the small one learn
from that and from the labels (`eval.train.lean.training.loss`): the first on short pairs, the second on long ones. Writes what each
learnt as changes of its weights into `nli` and `nli_long`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path

import torch

from eval.train.lean.network import Network
from eval.train.lean.packed import LONG, SHORT, Packed, epochs
from eval.train.lean.pairs import Pairs, joined
from eval.train.lean.stored import save_changes
from eval.train.lean.training import Plan, labelled, report, train

_RECIPES = (SHORT, SHORT, SHORT, LONG, LONG)
_SHORT = 3  # of the recipes


def main(arguments: Sequence[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    torch.set_float32_matmul_precision("high")
    packed = Packed.read(given.data, unlabelled=True)
    tests = packed.tests()
    short, long = _labelled(given, packed, tests)
    for body, pairs, seconds in (("nli", short, given.seconds), ("nli_long", long, given.long_seconds)):
        network = Network(given.model, body)
        report(f"{body} before", network, tests)
        plan = Plan(seconds, given.rate, given.tokens, hard=given.hard, seed=given.seed)
        print(f"{train(network, repeat(pairs), plan)} steps on {len(pairs)} pairs")
        save_changes(network.weights(), network.start, given.out / body, bits=given.bits)
        report(f"{body} after", network, tests)


def _labelled(given: argparse.Namespace, packed: Packed, tests: Mapping[str, Pairs]) -> tuple[Pairs, Pairs]:
    """Short pairs and long ones, with what the larger model says of them."""
    drawn = list(epochs(given.data, _RECIPES, processes=given.processes))
    short = joined([*drawn[:_SHORT], packed.unlabelled(given.share)])
    teacher = Network(given.teacher, changes=given.changes)
    report("teacher", teacher, tests)
    return labelled(teacher, short), labelled(teacher, joined(drawn[_SHORT:]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.train.lean.distil", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the packed pairs")
    parser.add_argument("--teacher", type=Path, required=True, help="folder of the larger model")
    parser.add_argument("--changes", type=Path, help="what `teach` wrote for it")
    parser.add_argument("--model", type=Path, required=True, help="folder of the small model")
    parser.add_argument("--out", type=Path, required=True, help="where the changes go")
    parser.add_argument("--seconds", type=float, default=140, help="of training the first body")
    parser.add_argument("--long-seconds", type=float, default=50, help="of training the body for long pairs")
    parser.add_argument("--share", type=float, default=1.0, help="of the unlabelled pairs that is used")
    parser.add_argument(
        "--hard", type=float, default=0.5, help="what a label counts beside the teacher's word"
    )
    parser.add_argument("--rate", type=float, default=2e-4, help="the highest learning rate")
    parser.add_argument("--tokens", type=int, default=16384, help="of a batch, padding included")
    parser.add_argument("--bits", type=int, default=8, help="of a changed weight, at most 8")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="that draw epochs")
    return parser


if __name__ == "__main__":
    main()
