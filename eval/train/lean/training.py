"""Steps of training until the time is up, what a network says of pairs, and how well that tells support from contradiction."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from time import monotonic
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from eval.train.lean.network import Network
from eval.train.lean.pairs import ATTRIBUTABLE, CONTRADICTORY, UNKNOWN, Batch, Pairs, batches, collated

__all__ = ["Plan", "auc", "labelled", "loss", "probabilities", "report", "train"]

_SMOOTHING = 0.04
_WARM = 0.04  # share of the time in which the rate rises
_DECAY, _BETAS, _NORM = 0.01, (0.9, 0.98), 1.0
_FIRST = 3  # steps before the clock starts: in them the network is compiled
_READ = 65_536  # tokens of a batch that is only read
_TOLD = 200  # steps between two lines
_AHEAD = 24  # batches that wait

T = TypeVar("T")
Row = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Plan:
    """`seconds` of training; `rate`: the highest learning rate; `tokens` of a batch. `hard`: what the label counts of a pair of which
    another model has said something, too; the rest is for what it said.
    """

    seconds: float
    rate: float
    tokens: int
    dropout: float = 0.0
    hard: float = 0.5
    seed: int = 0


def train(network: Network, epochs: Iterable[Pairs], plan: Plan) -> int:
    """Trains until the time or the epochs are used up; the steps. The rate follows the time: so it falls to zero on any machine."""
    torch.manual_seed(plan.seed)
    fused = network.device == "cuda"
    optimiser = torch.optim.AdamW(
        network.trained(), plan.rate, weight_decay=_DECAY, betas=_BETAS, fused=fused
    )
    begun, steps, tokens = monotonic(), 0, 0
    for batch in _ahead(_collated(network, epochs, plan)):
        if steps <= _FIRST:
            begun = monotonic()
        share = (monotonic() - begun) / plan.seconds
        if share >= 1:
            break
        cost = _step(network, optimiser, batch, plan, share)
        steps, tokens = steps + 1, tokens + int(batch.lengths.sum())
        if steps % _TOLD == 0:
            print(
                f"step {steps}: {share:.0%} of the time, loss {cost.item():.3f}, {tokens / 1e6:.1f} M tokens"
            )
    return steps


def _step(
    network: Network, optimiser: torch.optim.Optimizer, batch: Batch, plan: Plan, share: float
) -> Tensor:
    for group in optimiser.param_groups:
        group["lr"] = plan.rate * min(1.0, share / _WARM + 0.01) * max(0.0, 1 - share)
    logits = _read(network, batch, plan.dropout)
    cost = loss(logits, _moved(batch.labels, network), _moved(batch.said, network), plan.hard)
    optimiser.zero_grad()
    torch.autograd.backward(cost)
    torch.nn.utils.clip_grad_norm_(network.trained(), _NORM)
    optimiser.step()
    return cost.detach()


def loss(logits: Tensor, labels: Tensor, said: Tensor, hard: float) -> Tensor:
    """The mean over pairs of two cross entropies: with the labels, and with what another model said.

    The first is minus the log of the probability that falls on the labels that may be right, smoothed. The second is *distillation*
    (Hinton et al. 2015): a small model learns the probabilities of a larger one, which tell more of a pair than its label does, as
    how near it is to another label. `hard` is the share of the first where both are known; where one is not, the other counts alone.
    """
    log = torch.log_softmax(logits, dim=-1)
    bits = torch.tensor([1, 2, 4], device=labels.device)
    right = torch.logsumexp(log.masked_fill((labels[:, None].long() & bits) == 0, -1e4), dim=-1)
    by_label = -((1 - _SMOOTHING) * right + _SMOOTHING * log.mean(dim=-1))
    by_other = -(said * log).sum(dim=-1)
    share = torch.where(labels == UNKNOWN, 0.0, hard)
    share = torch.where(said.sum(dim=-1) > 0, share, 1.0)
    return (share * by_label + (1 - share) * by_other).mean()


def _collated(network: Network, epochs: Iterable[Pairs], plan: Plan) -> Iterator[Batch]:
    rng = np.random.default_rng(plan.seed)
    for pairs in epochs:
        for chosen in batches(pairs, plan.tokens, rng):
            yield collated(pairs, chosen, network.marks)


def _ahead(made: Iterator[T]) -> Iterator[T]:
    """The same things, made by a thread while earlier ones are used."""
    thread = ThreadPoolExecutor(1)
    try:
        waiting = deque(thread.submit(next, made, None) for _ in range(_AHEAD))
        while (one := waiting.popleft().result()) is not None:
            waiting.append(thread.submit(next, made, None))
            yield one
    finally:
        thread.shutdown(wait=False, cancel_futures=True)


def _moved(part: NDArray[np.generic], network: Network) -> Tensor:
    """On the network's device; the copy does not wait for the GPU."""
    tensor = torch.from_numpy(part)
    return tensor.pin_memory().to("cuda", non_blocking=True) if network.device == "cuda" else tensor


def _read(network: Network, batch: Batch, dropout: float = 0.0) -> Tensor:
    ids, kinds, lengths = (_moved(part, network) for part in (batch.ids, batch.kinds, batch.lengths))
    return network(ids, kinds, lengths, dropout)


def probabilities(network: Network, pairs: Pairs) -> Row:
    """Of each label, `[n, 3]`, in the order given."""
    found = np.zeros((len(pairs), 3), np.float32)
    chosen = list(batches(pairs, _READ))
    with torch.no_grad():
        # Nothing is fetched from the GPU before all is asked: it would wait each time.
        read = [
            torch.softmax(_read(network, batch), dim=-1)
            for batch in _ahead(collated(pairs, one, network.marks) for one in chosen)
        ]
    for one, rows in zip(chosen, read, strict=True):
        found[one] = rows.cpu().numpy()
    return found


def labelled(network: Network, pairs: Pairs) -> Pairs:
    """The pairs with what the network says of them."""
    return replace(pairs, said=probabilities(network, pairs))


def report(what: str, network: Network, tests: Mapping[str, Pairs]) -> None:
    """Prints how well the network tells support from contradiction on pairs that it does not learn from."""
    for name, pairs in tests.items():
        rows = probabilities(network, pairs)
        decided = (pairs.labels == ATTRIBUTABLE) | (pairs.labels == CONTRADICTORY)
        area = auc(pairs.labels[decided] == ATTRIBUTABLE, (rows[:, 0] - rows[:, 2])[decided])
        print(f"{what}: {name}, {decided.sum()} pairs: AUC of support against contradiction {area:.3f}")


def auc(positive: NDArray[np.bool_], score: Row) -> float:
    """The share of pairs of a positive and a negative one in which the positive has the higher score, ties by half."""
    negative = np.sort(score[~positive])
    below = np.searchsorted(negative, score[positive], side="left")
    not_above = np.searchsorted(negative, score[positive], side="right")
    return float((below + not_above).mean() / 2 / len(negative))
