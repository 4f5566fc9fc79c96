"""The model that reads statements of graphs: `python -m eval.train statements --out DIR`.

It begins with the cross-encoder that ships; its upper layers go on learning from claims of chat answers (`graph_answers`) and sentences
about small tables, each beside the few statements nearest to it in meaning. The lower layers stay as they are and are shared.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from eval.train import graph_answers
from eval.train.example import BITS
from eval.train.growing import LABELS
from eval.train.records import nearest
from eval.train.tables import kept_aside, tables
from guardrail.check.nli.premises import wire_text
from guardrail.check.nli.signals import PREFIX
from guardrail.models.encoder import MODELS
from guardrail.types import Triplet
from guardrail.verifier import Verifier

__all__ = ["NAME", "Beside", "main"]

NAME, SHARED = "statements", 2  # the lower layers that are the cross-encoder's
VERSION = "minilm-l6-statements-2"
_RATE, _WARM, _SMOOTHED = 6e-5, 20, 0.05
_TOKENS, _LONGEST = 4096, 128  # of a batch, padding included, and of a pair
_FEW = 2 / 3  # share of the pairs with the nearest statements alone
_TABLES = 2500  # sentences about tables in an epoch, beside all contrasts

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Beside:
    """A claim, the statements nearest to it, and the place of its label."""

    claim: str
    near: Sequence[Triplet]
    label: int

    def pair(self, rng: random.Random) -> Pair:
        """With the first few statements, or with all."""
        few = rng.random() < _FEW
        return wire_text(self.near[:PREFIX] if few else self.near), self.claim


def of_answers() -> list[Beside]:
    """Claims of chat answers; a process for each core."""
    with ProcessPoolExecutor() as processes:
        found = processes.map(_of_answer, graph_answers.answers("model"), chunksize=8)
        return [one for claims in found for one in claims]


def _of_answer(given: graph_answers.Given) -> list[Beside]:
    found = graph_answers.every_claim([given], _verifier())
    return [Beside(one.claim.resolved, one.evidence.nearest, LABELS[BITS[one.label]]) for one in found]


@cache
def _verifier() -> Verifier:
    return Verifier.open(threads=1)


def of_tables(*, contrasts: bool) -> list[Beside]:
    """Sentences about the small tables that the model may learn from: those that differ in one respect, or the others."""
    return [
        Beside(text, evidence.nearest, LABELS[label])
        for table in tables()
        if not kept_aside(table) and table.of_contrasts is contrasts
        for text, label, evidence in nearest(table)
    ]


class Trainer:
    """A checkpoint in training, from the weights of the cross-encoder in the folder `models`."""

    def __init__(
        self, base: Path, models: Path, always: Sequence[Beside], about_tables: Sequence[Beside]
    ) -> None:
        import torch
        from tokenizers import Tokenizer
        from transformers import BertConfig, BertForSequenceClassification

        from eval.train.weights import load

        self._always, self._tables, self._rng = always, about_tables, random.Random(0)
        self._tokenizer = Tokenizer.from_file(str(models / "tokenizer.json"))
        self._tokenizer.no_padding()
        self.model: Any = BertForSequenceClassification(
            BertConfig.from_pretrained(base, num_labels=len(LABELS))
        )
        weights = {**load(base), **load(models / "nli.npz")}
        known = {name: torch.tensor(np.array(value, np.float32)) for name, value in weights.items()}
        self.model.load_state_dict(known, strict=False)
        still = ("bert.embeddings.", *(f"bert.encoder.layer.{layer}." for layer in range(SHARED)))
        for name, weight in self.model.named_parameters():
            weight.requires_grad = not name.startswith(still)
        moving = [weight for weight in self.model.parameters() if weight.requires_grad]
        self._optimiser = torch.optim.AdamW(moving, lr=_RATE, weight_decay=0.01)

    def train(self, epochs: int) -> None:
        """With a line for each epoch."""
        began, steps, every = time.monotonic(), 0, 0
        for epoch in range(epochs):
            batches = list(self._epoch())
            every = every or epochs * len(batches)
            losses = []
            for batch in batches:
                steps += 1
                rate = _RATE * min(1.0, steps / _WARM) * max(0.0, 1 - steps / every)
                losses.append(self._step(batch, rate))
            minutes = (time.monotonic() - began) / 60
            print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}, {minutes:.0f} min", flush=True)

    def _epoch(self) -> Iterator[list[tuple[Any, int]]]:
        """Batches of pairs of like length, in any order: all that is learnt from in every epoch, and some tables."""
        some = self._rng.sample(self._tables, min(_TABLES, len(self._tables)))
        encoded = [(self._encoded(one), one.label) for one in (*self._always, *some)]
        encoded.sort(key=lambda one: len(one[0].ids))
        batches: list[list[tuple[Any, int]]] = [[]]
        for one in encoded:
            if (len(batches[-1]) + 1) * len(one[0].ids) > _TOKENS:
                batches.append([])
            batches[-1].append(one)
        self._rng.shuffle(batches)
        yield from batches

    def _encoded(self, one: Beside) -> Any:
        """The statements that are furthest are cut where a pair is too long."""
        near = one.near
        found = self._tokenizer.encode(*one.pair(self._rng))
        while len(found.ids) > _LONGEST and len(near) > 1:
            near = near[:-1]
            found = self._tokenizer.encode(wire_text(near), one.claim)
        found.truncate(_LONGEST)
        return found

    def _step(self, batch: Sequence[tuple[Any, int]], rate: float) -> float:
        import torch
        from torch.nn.functional import cross_entropy

        from eval.train.nli import autocast

        self.model.train()
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        with autocast("cpu"):
            logits = self.model(**_padded([one for one, _ in batch])).logits.float()
        loss = cross_entropy(logits, torch.tensor([label for _, label in batch]), label_smoothing=_SMOOTHED)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimiser.step()
        return float(loss.detach())


def _padded(encoded: Sequence[Any]) -> dict[str, Any]:
    import torch

    longest = max(len(one.ids) for one in encoded)
    parts = {"input_ids": "ids", "token_type_ids": "type_ids", "attention_mask": "attention_mask"}
    return {
        name: torch.tensor([[*getattr(one, part), *[0] * (longest - len(one.ids))] for one in encoded])
        for name, part in parts.items()
    }


def main(arguments: Sequence[str]) -> None:
    """Trains a checkpoint, or takes the one there is, and exports it."""
    import torch

    from eval.train.__main__ import installed_base
    from eval.train.export import check_base, export_upper

    parser = argparse.ArgumentParser(prog="python -m eval.train statements", description=__doc__)
    parser.add_argument("--base", type=Path, default=None, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, default=Path("build/statements"), help="the checkpoint")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the product's files go")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--finish", action="store_true", help="export the checkpoint in --out, without training"
    )
    given = parser.parse_args(arguments)
    base = given.base or installed_base()
    check_base(base)
    torch.set_num_threads(given.threads)
    torch.manual_seed(0)
    about_tables = of_tables(contrasts=False)
    if not given.finish:
        always = [*of_answers(), *of_tables(contrasts=True)]
        print(f"{len(always)} sentences in every epoch, {len(about_tables)} to draw from", flush=True)
        trainer = Trainer(base, given.models, always, about_tables)
        trainer.train(given.epochs)
        trainer.model.save_pretrained(given.out)
    shutil.copy(given.models / "tokenizer.json", given.out / "tokenizer.json")
    rng = random.Random(1)
    samples = [one.pair(rng) for one in rng.sample(about_tables, 1000)]
    settings = {"name": VERSION, "weights": "nli", "layers": SHARED, "window": 320}
    export_upper(given.out, given.models, NAME, "classes", samples, settings)
    print(json.dumps(json.loads((given.models / f"{NAME}.json").read_text(encoding="utf-8")), indent=2))
