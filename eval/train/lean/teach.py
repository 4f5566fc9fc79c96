"""`python -m eval.train.lean.teach --data FOLDER --model FOLDER --out FOLDER`: the larger model learns from labelled pairs.

Writes what it learnt as changes of its weights (`eval.train.lean.stored`). Dropout keeps so large a model from learning pairs by heart.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import torch

from eval.train.lean.network import Network
from eval.train.lean.packed import WHOLE, Packed, epochs
from eval.train.lean.stored import save_changes
from eval.train.lean.training import Plan, report, train


def main(arguments: Sequence[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    torch.set_float32_matmul_precision("high")
    tests = Packed.read(given.data).tests()
    network = Network(given.model)
    report("before", network, tests)
    plan = Plan(given.seconds, given.rate, given.tokens, given.dropout, seed=given.seed)
    steps = train(network, epochs(given.data, [WHOLE] * given.epochs, processes=given.processes), plan)
    print(f"{steps} steps")
    save_changes(network.weights(), network.start, given.out, bits=given.bits)
    report("after", network, tests)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.train.lean.teach", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the packed pairs")
    parser.add_argument("--model", type=Path, required=True, help="folder of the model: models/mpnet-base")
    parser.add_argument("--out", type=Path, required=True, help="where the changes go")
    parser.add_argument("--seconds", type=float, default=220, help="of training")
    parser.add_argument("--epochs", type=int, default=12, help="the most that are drawn")
    parser.add_argument("--rate", type=float, default=6e-5, help="the highest learning rate")
    parser.add_argument("--tokens", type=int, default=8192, help="of a batch, padding included")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--bits", type=int, default=6, help="of a changed weight, at most 8")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="that draw epochs")
    return parser


if __name__ == "__main__":
    main()
