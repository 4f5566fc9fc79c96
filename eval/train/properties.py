"""The encoder that finds which property a sentence speaks of: `python -m eval.train properties --out DIR`.

"You must cancel six weeks ahead" speaks of a notice period. Sentences with the names of the properties they speak of, written for
this (`property_sentences/`), tune the upper layers of the sentence encoder, so that a sentence lies near the names of its property
and far from those of others that the same thing may have (InfoNCE over the batch, van den Oord et al. 2018). The same sentence with
subject and value exchanged must lie further away: who supervises is not who is supervised. The lower layers stay as they are and
are shared with the sentence encoder that ships.
"""

from __future__ import annotations

import argparse
import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from guardrail.check.kg.aligned.options import VALUE
from guardrail.models.encoder import MODELS

if TYPE_CHECKING:
    import torch

__all__ = ["YES_NO", "Said", "groups_of", "main", "masked"]

YES_NO = "yes/no"
_GROUP = "# group:"
SENTENCES = Path(__file__).with_name("property_sentences")
NAME, SHARED = "property", 3  # the lower layers that are the sentence encoder's
_GROUPS, _EACH, _EXCHANGED = 6, 2, 20  # in a step: groups, sentences of each property, of these exchanged
_PASSES = 3  # over the groups in an epoch
_RATE, _WARM, _TEMPERATURE, _LONGEST = 5e-5, 50, 0.05, 48


@dataclass(frozen=True, slots=True)
class Said:
    """A property: its names, the plain one first, and sentences with `{s}` for its subject and `{v}` for its value, if they have one."""

    names: tuple[str, ...]
    sentences: tuple[str, ...]


Group = tuple[Said, ...]
"""Properties that one kind of thing has, with one kind of value."""


def groups_of(lines: Iterable[str]) -> Iterator[Group]:
    """The groups of a file. Sentences of a group "yes/no …" affirm or deny, and have no value.

    Raises ValueError for a sentence without exactly one `{s}` and one `{v}`, or no `{v}` where there is no value.
    """
    group: list[tuple[tuple[str, ...], list[str]]] = []
    values = 1
    for line in lines:
        if line.startswith("\t"):
            if line.count("{s}") != 1 or line.count("{v}") != values:
                wanted = "one {s} and one {v} are" if values else "one {s} and no {v} are"
                raise ValueError(f"{wanted} wanted: {line.strip()}")
            group[-1][1].append(line.strip())
        elif line.startswith(_GROUP):
            yield from _closed(group)
            group, values = [], int(not line.removeprefix(_GROUP).strip().startswith(YES_NO))
        elif line.strip():
            group.append((tuple(name.strip() for name in line.split("|")), []))
    yield from _closed(group)


def _closed(group: Sequence[tuple[tuple[str, ...], list[str]]]) -> Iterator[Group]:
    if group:
        yield tuple(Said(names, tuple(sentences)) for names, sentences in group)


def masked(sentence: str, *, exchanged: bool = False) -> str:
    """The sentence as the product gives it to the encoder, or with subject and value in each other's place."""
    subject, value = (VALUE, "it") if exchanged else ("it", VALUE)
    return sentence.replace("{s}", subject).replace("{v}", value)


def _same_names(properties: Sequence[Said]) -> list[list[bool]]:
    """Which of other properties have a name of each: a sentence of the one speaks of the other as well."""
    return [
        [one is not other and not set(one.names).isdisjoint(other.names) for other in properties]
        for one in properties
    ]


class Trainer:
    """A checkpoint in training. `aside`: groups that it does not see."""

    def __init__(self, base: Path, groups: Sequence[Group], aside: Sequence[Group], *, epochs: int) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        self._groups, self._aside, self._epochs = groups, aside, epochs
        self._tokenizer: Any = AutoTokenizer.from_pretrained(base)
        self.model: Any = AutoModel.from_pretrained(base)
        still = ("embeddings.", *(f"encoder.layer.{layer}." for layer in range(SHARED)))
        for name, weight in self.model.named_parameters():
            weight.requires_grad = not name.startswith(still)
        moving = [weight for weight in self.model.parameters() if weight.requires_grad]
        self._optimiser = torch.optim.AdamW(moving, lr=_RATE, weight_decay=0.01)
        steps = epochs * _PASSES * -(-len(groups) // _GROUPS)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: min(1.0, step / _WARM) * max(0.02, 1 - step / steps)
        )

    def train(self) -> None:
        """All epochs, with a line for each."""
        for epoch in range(self._epochs):
            losses = [self._step(part) for _ in range(_PASSES) for part in self._parts()]
            print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}{self._figures()}", flush=True)

    def _parts(self) -> Iterator[list[Said]]:
        order = random.sample(self._groups, len(self._groups))
        for at in range(0, len(order), _GROUPS):
            yield [said for group in order[at : at + _GROUPS] for said in group]

    def _step(self, properties: Sequence[Said]) -> float:
        import torch
        from torch.nn.functional import cross_entropy

        pairs = [(at, s) for at, said in enumerate(properties) for s in random.sample(said.sentences, _EACH)]
        wanted = torch.tensor([at for at, _ in pairs])
        names = self._encoded([random.choice(said.names) for said in properties])
        found = self._encoded([masked(sentence) for _, sentence in pairs])
        alike = torch.tensor(_same_names(properties))[wanted]
        loss = cross_entropy((found @ names.T / _TEMPERATURE).masked_fill(alike, -torch.inf), wanted)
        with_value = [at for at, (_, sentence) in enumerate(pairs) if "{v}" in sentence]
        if not with_value:
            return self._moved(loss)
        some = random.sample(with_value, min(_EXCHANGED, len(with_value)))
        turned = self._encoded([masked(pairs[at][1], exchanged=True) for at in some])
        own = names[wanted[some]]
        ways = torch.stack([(found[some] * own).sum(1), (turned * own).sum(1)], 1)
        return self._moved(
            loss + 0.5 * cross_entropy(ways / _TEMPERATURE, torch.zeros(len(some), dtype=torch.long))
        )

    def _moved(self, loss: torch.Tensor) -> float:
        """One step of the optimiser; the loss."""
        import torch

        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimiser.step()
        self._schedule.step()
        return float(loss.detach())

    def _encoded(self, texts: Sequence[str]) -> torch.Tensor:
        """Unit vectors, `[len(texts), 384]`."""
        from torch.nn.functional import normalize

        from eval.train.nli import autocast

        batch = self._tokenizer(
            list(texts), padding=True, truncation=True, max_length=_LONGEST, return_tensors="pt"
        )
        mask = batch["attention_mask"].unsqueeze(-1).float()
        with autocast("cpu"):
            states = self.model(**batch).last_hidden_state.float()
        return normalize((states * mask).sum(1) / mask.sum(1), dim=1)

    def _figures(self) -> str:
        """Of the groups kept aside: how often the right property of its group is nearest, by its first and by its last name, and
        how often the sentence is nearer than the exchanged one.
        """
        import torch

        rows: list[tuple[bool, bool, bool]] = []
        with torch.no_grad():
            for group in self._aside:
                first, last = (self._encoded([said.names[at] for said in group]) for at in (0, -1))
                for at, said in enumerate(group):
                    found = self._encoded([masked(one) for one in said.sentences])
                    turned = self._encoded([masked(one, exchanged=True) for one in said.sentences])
                    nearest = [(found @ names.T).argmax(1) == at for names in (first, last)]
                    order = (
                        found @ first[at] > turned @ first[at] if "{v}" in said.sentences[0] else nearest[0]
                    )
                    rows += zip(*nearest, order, strict=True)
        if not rows:
            return ""
        right, other, order = np.array(rows, float).mean(axis=0)
        return f", aside {right:.3f}, by another name {other:.3f}, order {order:.3f}"


def main(arguments: Sequence[str]) -> None:
    """Trains a checkpoint, or takes the one there is, and exports it."""
    import torch

    from eval.train.__main__ import installed_base
    from eval.train.export import check_base, export_upper

    parser = argparse.ArgumentParser(prog="python -m eval.train properties", description=__doc__)
    parser.add_argument("--base", type=Path, default=None, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, default=Path("build/property"), help="the checkpoint")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the product's files go")
    parser.add_argument(
        "--aside", type=float, default=0.0, help="share of the groups that is only measured on"
    )
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--finish", action="store_true", help="export the checkpoint in --out, without training"
    )
    given = parser.parse_args(arguments)
    base = given.base or installed_base()
    check_base(base)
    torch.set_num_threads(given.threads)
    random.seed(0)
    files = sorted(SENTENCES.glob("*.txt"))
    groups = [group for file in files for group in groups_of(file.read_text("utf-8").splitlines())]
    random.shuffle(groups)
    if not given.finish:
        kept = round(given.aside * len(groups))
        trainer = Trainer(base, groups[kept:], groups[:kept], epochs=given.epochs)
        trainer.train()
        trainer.model.save_pretrained(given.out)
    if not given.aside:
        shutil.copy(base / "tokenizer.json", given.out / "tokenizer.json")
        said = [
            one for group in groups for said in group for one in (*said.names, *map(masked, said.sentences))
        ]
        settings = {"weights": "sentence", "layers": SHARED}
        export_upper(given.out, given.models, NAME, "sentence", random.sample(said, 1000), settings)
