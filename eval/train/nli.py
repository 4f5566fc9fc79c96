"""Fine-tunes a 3-class cross-encoder from any encoder that transformers knows: long evidence, batches of so many tokens, frozen
embeddings, checkpoints; bf16 autocast where the processor or the GPU has it.

The embedding layer stays as it was, because the product keeps one copy of it for both bodies of the small model. The learning rate
follows the time that is left rather than a count of steps, so that a run on a busy machine still anneals to zero.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import torch
from tokenizers import Tokenizer
from torch.nn.functional import cross_entropy
from transformers import AutoModelForSequenceClassification, BertForSequenceClassification, PreTrainedModel

from eval.train import labelled, tables, weights
from eval.train.altered import altered
from eval.train.cards import card_pairs
from eval.train.example import Example, held_out
from eval.train.mixture import training_part, validation_part
from eval.train.senses import read_senses
from eval.train.written import Unit, every_unit, kept_aside, pairs, short_pairs
from guardrail.language import parser
from guardrail.models.embed import Embedder

__all__ = ["Encoded", "Plan", "autocast", "encode", "predict", "train"]

_WINDOW = 1536  # pairs that are sorted by length together
_MOST = 48  # pairs of a batch
_NEIGHBOURS = 4  # pairs that stay together when an epoch is shuffled
LONGEST = 320  # tokens of a pair
_WHOLE = 1 / 3  # share of the pairs beside whole passages where pairs of both lengths are drawn
_ASIDE = 300  # pairs of either kind that tell how a run goes


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Encoded:
    ids: list[int]
    types: list[int]
    labels: int


@dataclass(frozen=True, slots=True)
class Plan:
    """`minutes` of training in all, over however many runs; `graph` minimal pairs an epoch, drawn from `seed` on.

    An epoch takes the `natural` share of the mixture, the written units `written` times and the sentences of properties
    `cards` times. A batch has at most `tokens` tokens.
    `twins`: times that it takes the twin sentences but those that the trees are grown on: beside the nearest sentences where the body
    reads short pairs, which is so where `altered` is above 0, else beside the passage.
    `altered`: share of the written passages whose sentences an epoch takes with one thing changed; with it come the written units
    beside the sentences nearest to each claim, for the body that reads short pairs.
    `tables`: times that it takes the sentences about small tables.
    `both`: written units and twin sentences stand beside the nearest sentences, and a third of them beside the whole passage as well, for a
    model that reads either with one body.
    `start`: a checkpoint of an earlier training whose weights this one begins with, else `base`. What comes out is the mean
    of those weights and the new ones in this `share` of the new: it gives what either is good at, and is less sure of
    itself on text unlike the training sets (WiSE-FT, Wortsman et al. 2022, eq. 1).
    """

    base: Path
    out: Path
    data: Path
    minutes: float
    start: Path | None = None
    share: float = 0.5
    seed: int = 0
    graph: int = 8_000
    natural: float = 1.0
    written: int = 1
    cards: int = 1
    altered: float = 0.0
    twins: int = 0
    tables: int = 0
    both: bool = False
    tokens: int = 3072
    device: str = "cpu"
    rate: float = 1.0e-4
    smoothing: float = 0.04
    save_every_s: float = 600


def encode(examples: Sequence[Example], base: Path, *, longest: int = LONGEST) -> list[Encoded]:
    """Token ids as `[CLS] premise [SEP] hypothesis [SEP]`, cut to `longest`."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest, strategy="longest_first")
    found: list[Encoded] = []
    for at in range(0, len(examples), 4096):
        part = examples[at : at + 4096]
        texts = tokenizer.encode_batch([(e.premise, e.hypothesis) for e in part])
        found += [Encoded(t.ids, t.type_ids, e.labels) for t, e in zip(texts, part, strict=True)]
    return found


def _collate(batch: Sequence[Encoded]) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    width = max(len(e.ids) for e in batch)
    rows = {
        "input_ids": [e.ids + [0] * (width - len(e.ids)) for e in batch],
        "token_type_ids": [e.types + [0] * (width - len(e.ids)) for e in batch],
        "attention_mask": [[1] * len(e.ids) + [0] * (width - len(e.ids)) for e in batch],
    }
    allowed = torch.tensor([[bool(e.labels & 1 << at) for at in range(3)] for e in batch])
    return {name: torch.tensor(row) for name, row in rows.items()}, allowed


def _batches(encoded: Sequence[Encoded], rng: random.Random, tokens: int) -> Iterator[list[Encoded]]:
    """Pairs of like length, padding included at most `tokens` tokens together; a longer pair stands alone."""
    for at in range(0, len(encoded), _WINDOW):
        batches: list[list[Encoded]] = [[]]
        for one in sorted(encoded[at : at + _WINDOW], key=lambda e: len(e.ids)):
            if batches[-1] and (len(batches[-1]) == _MOST or (len(batches[-1]) + 1) * len(one.ids) > tokens):
                batches.append([])
            batches[-1].append(one)
        rng.shuffle(batches)
        yield from batches


def autocast(device: str) -> torch.autocast:
    """bf16 where it is faster: on a GPU, and on processors with AVX-512."""
    able = device != "cpu" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return torch.autocast(torch.device(device).type, torch.bfloat16, enabled=able)


def _loss(logits: torch.Tensor, allowed: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Minus the log of the probability that falls on the labels that may be right, smoothed."""
    log = torch.log_softmax(logits.float(), dim=-1)
    right = torch.logsumexp(log.masked_fill(~allowed, float("-inf")), dim=-1)
    return -((1 - smoothing) * right + smoothing * log.mean(dim=-1)).mean()


def _model(base: Path, start: Path | None = None) -> PreTrainedModel:
    """The base with a new head, or with the weights that `start` holds."""
    model = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=3,
        id2label={0: "attributable", 1: "extrapolatory", 2: "contradictory"},
        label2id={"attributable": 0, "extrapolatory": 1, "contradictory": 2},
        attn_implementation="eager",  # the fused kernel is slow backwards on a CPU
        hidden_dropout_prob=0.0,  # one or two passes over the data: nothing to regularise, and it costs time
        attention_probs_dropout_prob=0.0,
    )
    for weight in model.base_model.embeddings.parameters():
        weight.requires_grad = False
    if start:
        kept = {name: torch.from_numpy(value) for name, value in weights.load(start).items()}
        left = model.load_state_dict(kept, strict=False)
        if any(".embeddings." not in name for name in left.missing_keys):
            raise ValueError(f"{start} lacks {left.missing_keys}")
    return model


def _logits(model: PreTrainedModel, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """The model's logits `[n, 3]`."""
    if isinstance(model, BertForSequenceClassification):
        return _of_first_token(model, inputs)
    known = {name: row for name, row in inputs.items() if name != "token_type_ids"}
    logits: torch.Tensor = model(**known).logits
    return logits


def _of_first_token(model: BertForSequenceClassification, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """The same logits for less: only the first token is read, so the last layer works that one out alone."""
    bert = model.bert
    hidden = bert.embeddings(input_ids=inputs["input_ids"], token_type_ids=inputs["token_type_ids"])
    mask = inputs["attention_mask"][:, None, None, :]
    unseen = (1.0 - mask.float()) * torch.finfo(torch.bfloat16).min
    *layers, last = bert.encoder.layer
    for layer in layers:
        hidden = layer(hidden, attention_mask=unseen)
        hidden = hidden[0] if isinstance(hidden, tuple) else hidden
    attention, first = last.attention, hidden[:, :1]
    heads = (len(hidden), -1, model.config.num_attention_heads, attention.self.attention_head_size)
    query, key, value = (
        part(source).view(heads).transpose(1, 2)
        for part, source in (
            (attention.self.query, first),
            (attention.self.key, hidden),
            (attention.self.value, hidden),
        )
    )
    scores = query @ key.transpose(2, 3) / heads[3] ** 0.5 + unseen
    mixed = (torch.softmax(scores, dim=-1) @ value).transpose(1, 2).reshape(first.shape)
    first = attention.output(mixed, first)
    first = last.output(last.intermediate(first), first)
    logits: torch.Tensor = model.classifier(bert.pooler(first))
    return logits


def predict(model: PreTrainedModel, encoded: Sequence[Encoded]) -> torch.Tensor:
    """Logits `[n, 3]` in fp32, in the order given."""
    model.eval()
    order = sorted(range(len(encoded)), key=lambda at: len(encoded[at].ids))
    logits = torch.zeros(len(encoded), 3)
    with torch.inference_mode(), autocast(model.device.type):
        for at in range(0, len(order), 32):
            batch = order[at : at + 32]
            inputs, _ = _moved(_collate([encoded[i] for i in batch]), model.device)
            logits[batch] = _logits(model, inputs).float().cpu()
    return logits


def _moved(
    batch: tuple[dict[str, torch.Tensor], torch.Tensor], device: torch.device
) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    inputs, allowed = batch
    return {name: row.to(device) for name, row in inputs.items()}, allowed.to(device)


def _drawn(plan: Plan, epoch: int) -> list[Example]:
    """The pairs of one epoch; what belongs together stays together."""
    seed = plan.seed + epoch
    rng = random.Random(seed)
    natural = training_part(plan.data, seed=seed, graph=plan.graph) if plan.natural else []
    chosen = [e for e in natural if rng.random() < plan.natural]
    kept = [unit for unit in every_unit() if not kept_aside(unit)] if plan.written else []
    for _ in range(plan.written):
        chosen += _of_both(pairs, short_pairs, kept, rng) if plan.both else pairs(kept, rng)
    if plan.altered:
        chosen += _short(plan, [unit for unit in every_unit() if not kept_aside(unit)], rng)
    chosen += _twins(plan, rng)
    chosen += held_out(card_pairs(rng, times=plan.cards))[0]
    chosen += _of_tables(plan, rng)
    pieces = _pieces(chosen)
    rng.shuffle(pieces)
    return [example for piece in pieces for example in piece]


def _short(plan: Plan, units: Sequence[Unit], rng: random.Random) -> list[Example]:
    """Altered sentences of a share of the units, one version of each, and the claims of as many beside what is near to them."""
    count = round(plan.altered * len(units))
    passages = [rng.choice(unit.versions) for unit in rng.sample(units, count)]
    made = list(altered(passages, parser().read, read_senses(), rng))
    return made + list(short_pairs(rng.sample(units, count), rng))


def _twins(plan: Plan, rng: random.Random) -> list[Example]:
    given = [one for one in labelled.labelled("twin_sentences") if not labelled.kept_aside(one)]
    if plan.both:
        return [
            example
            for _ in range(plan.twins)
            for example in _of_both(labelled.pairs, labelled.short_pairs, given, rng)
        ]
    made = labelled.short_pairs if plan.altered else labelled.pairs
    return [example for _ in range(plan.twins) for example in made(given, rng)]


def _of_tables(plan: Plan, rng: random.Random) -> list[Example]:
    given = [one for one in tables.tables() if not tables.kept_aside(one)] if plan.tables else []
    return [pair for _ in range(plan.tables) for pair in tables.table_pairs(given, rng, Embedder())]


def _of_both(
    whole: Callable[[Sequence[T], random.Random], Iterable[Example]],
    near: Callable[[Sequence[T], random.Random], Iterable[Example]],
    given: Sequence[T],
    rng: random.Random,
) -> list[Example]:
    """Pairs beside the nearest sentences, and a share of those beside the whole passage."""
    return [*near(given, rng), *(one for one in whole(given, rng) if rng.random() < _WHOLE)]


def _pieces(examples: Sequence[Example]) -> list[list[Example]]:
    """Runs of a few neighbours, never cut between pairs of one claim."""
    found: list[list[Example]] = []
    for example in examples:
        if not found or (len(found[-1]) >= _NEIGHBOURS and found[-1][-1].hypothesis != example.hypothesis):
            found.append([])
        found[-1].append(example)
    return found


def _aside(plan: Plan) -> list[Encoded]:
    """Pairs of the mixture and of the written units that are kept aside."""
    found = [e for e in validation_part(plan.data) if e.labels in (1, 2, 4)]
    found = random.Random(0).sample(found, min(_ASIDE, len(found)))
    kept = [unit for unit in every_unit() if kept_aside(unit)]
    if plan.altered:
        made = [
            e for e in _short(replace(plan, altered=1.0), kept, random.Random(1)) if e.labels in (1, 2, 4)
        ]
        found += random.Random(0).sample(made, min(_ASIDE, len(made)))
    if plan.written:
        made = list(pairs(kept, random.Random(1)))
        found += random.Random(0).sample(made, min(_ASIDE, len(made)))
    return encode(found, plan.base)


def train(plan: Plan) -> None:
    """Trains until `plan.minutes` are used up; goes on from the last checkpoint where there is one."""
    torch.manual_seed(0)
    run = _Run(plan)
    run.resume()
    while run.used < plan.minutes * 60:
        run.through_an_epoch()
    if plan.start:
        _average(run.model, _model(plan.base, plan.start).to(plan.device), plan.share)
    run.model.save_pretrained(plan.out)
    print(f"trained {run.used / 60:.1f} minutes, {run.epoch + 1} epochs begun", flush=True)


def _average(model: PreTrainedModel, start: PreTrainedModel, share: float) -> None:
    """Moves the weights of `model` towards those of `start`, in place."""
    with torch.no_grad():
        for weight, before in zip(model.parameters(), start.parameters(), strict=True):
            weight.lerp_(before, 1 - share)


class _Run:
    """A training that stops and goes on. `used`: seconds of it; `epoch` and `done`: the epoch and how many of its steps."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.model = _model(plan.base, plan.start).to(plan.device)
        self._read = torch.compile(
            _logits, dynamic=True
        )  # up to twice as fast on a CPU, above all with long pairs
        trained = [w for w in self.model.parameters() if w.requires_grad]
        self._optimiser = torch.optim.AdamW(trained, plan.rate, weight_decay=0.01, fused=True)
        self._aside = _aside(plan)
        self.used, self.epoch, self._done = 0.0, 0, 0
        self._saved = 0.0

    @property
    def _state_file(self) -> Path:
        return self._plan.out / "state.pt"

    def resume(self) -> None:
        """Goes on where the last run was saved, if one was."""
        if not self._state_file.exists():
            return
        state = torch.load(self._state_file, weights_only=True, map_location=self._plan.device)
        self.model.load_state_dict(state["model"])
        self._optimiser.load_state_dict(state["optimiser"])
        self.used, self.epoch, self._done = state["used"], state["epoch"], state["done"]
        self._saved = self.used

    def through_an_epoch(self) -> None:
        """The steps that are left of this epoch, as far as the time goes."""
        plan = self._plan
        encoded = encode(_drawn(plan, self.epoch), plan.base)
        mean = sum(len(e.ids) for e in encoded) / len(encoded)
        print(f"epoch {self.epoch}: {len(encoded)} pairs, mean {mean:.0f} tokens", flush=True)
        batches = list(_batches(encoded, random.Random(self.epoch), plan.tokens))
        total, since = 0.0, time.monotonic()
        self.model.train()
        for batch in batches[self._done :]:
            total += self._step(batch)
            self._done += 1
            now = time.monotonic()
            self.used, since = self.used + now - since, now
            if self._done % 100 == 0:
                print(
                    f"{self._done}/{len(batches)} loss {total / 100:.3f} used {self.used / 60:.1f} min",
                    flush=True,
                )
                total = 0.0
            over = self.used >= plan.minutes * 60
            if over or self.used - self._saved > plan.save_every_s:
                self._save()
                since = time.monotonic()
            if over:
                return
        self.epoch, self._done = self.epoch + 1, 0

    def _step(self, batch: Sequence[Encoded]) -> float:
        """One step of the optimiser; the loss."""
        plan = self._plan
        share = self.used / (plan.minutes * 60)
        for group in self._optimiser.param_groups:
            group["lr"] = plan.rate * min(1.0, share / 0.05 + 0.01) * max(0.0, 1 - share)
        inputs, allowed = _moved(_collate(batch), self.model.device)
        with autocast(plan.device):
            logits = self._read(self.model, inputs)
        loss = _loss(logits, allowed, plan.smoothing)
        loss.backward()
        torch.nn.utils.clip_grad_norm_((w for w in self.model.parameters() if w.requires_grad), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad()
        return float(loss.item())

    def _save(self) -> None:
        logits = predict(self.model, self._aside)
        truth = torch.tensor([e.labels.bit_length() - 1 for e in self._aside])
        right = (logits.argmax(-1) == truth).float().mean().item()
        print(f"aside: accuracy {right:.3f}, loss {cross_entropy(logits, truth).item():.3f}", flush=True)
        out = self._plan.out
        out.mkdir(parents=True, exist_ok=True)
        state = {"model": self.model.state_dict(), "optimiser": self._optimiser.state_dict()}
        state |= {"used": self.used, "epoch": self.epoch, "done": self._done}
        torch.save(state, out / "state.new")
        (out / "state.new").rename(self._state_file)
        self.model.save_pretrained(out)
        self.model.train()
        self._saved = self.used
