"""Tries each mutant: the proxy with one defect, and the first check of `fidelity` that notices it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from eval.conformance.exchanges import EXCHANGES, Exchange
from eval.conformance.fidelity import Played, Problem, Stage
from eval.conformance.mutants import ANSWERS, REQUESTS, Mutant

Direct = dict[str, Played]


@dataclass(frozen=True, slots=True)
class Trial:
    """`place`: where the change was made, as in "answer to the client". `changed`: how many messages it changed until it
    was noticed. `noticed`: by what; None where nothing told of it.
    """

    mutant: Mutant
    place: str
    changed: int
    noticed: Problem | None

    def __str__(self) -> str:
        found = self.noticed or ("NOT NOTICED" if self.changed else "NOTHING WAS CHANGED")
        return f"{self.place:23}{self.mutant.name:30}{found}"


async def trials(
    stage: Stage,
    *,
    requests: Sequence[Mutant] = REQUESTS,
    answers: Sequence[Mutant] = ANSWERS,
    exchanges: Sequence[Exchange] = EXCHANGES,
) -> AsyncIterator[Trial]:
    """Requests are changed behind the proxy, answers on both its sides, except those that are about the proxy's own words."""
    direct = {exchange.name: await stage.direct(exchange) for exchange in exchanges}
    for mutant in requests:
        stage.upstream.set(request=mutant.change)
        yield await _tried(stage, mutant, "request to the server", direct, exchanges)
    for mutant in answers:
        stage.client.set(answer=mutant.change)
        yield await _tried(stage, mutant, "answer to the client", direct, exchanges)
        if not mutant.outer:
            stage.upstream.set(answer=mutant.change)
            yield await _tried(stage, mutant, "answer of the server", direct, exchanges)


async def _tried(
    stage: Stage, mutant: Mutant, place: str, direct: Direct, exchanges: Sequence[Exchange]
) -> Trial:
    noticed: Problem | None = None
    # Those first that are changed without the proxy, too, so that it does not take long.
    for exchange in sorted(exchanges, key=lambda one: not _changes(mutant, direct[one.name])):
        for policy in exchange.policies:
            if noticed is None and policy not in exchange.known:
                found = await stage.problems(exchange, policy, direct[exchange.name], timely=mutant.timely)
                noticed = next(iter(found), None)
    # What a mutant does that changes no byte is to hold them back.
    changed = stage.client.changed + stage.upstream.changed + mutant.timely
    for relay in (stage.client, stage.upstream):
        relay.set()
    return Trial(mutant, place, changed, noticed)


def _changes(mutant: Mutant, played: Played) -> bool:
    return any(mutant.change(raw) != raw for raw in (*played.requests, played.answer))
