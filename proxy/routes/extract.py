"""`POST /guardrail/extract`: lists the claims of a text with their facts and entities, without verdicts.

A few sentences are read at a time, in turns with whatever else is checked. A text that takes longer than the policy's
`answer_deadline_ms` is refused: half of its claims would look like all of them.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from guardrail.errors import BadRequest
from guardrail.extraction import claims_by_sentence
from guardrail.report import claim_to_dict
from guardrail.types import Claim
from proxy.access.callers import key_of
from proxy.judging.place import both_ends
from proxy.relay.request import asked_of
from proxy.routes.checking import TURN_S
from proxy.routes.verify import read
from proxy.server.admission import Staying
from proxy.server.asgi import Receive, Scope, Send, reply_json
from proxy.services import Services


@dataclass(frozen=True, slots=True)
class Extract:
    """The ASGI app."""

    services: Services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services = self.services
        services.permits.ask()
        raw = await services.bodies.read(receive, limit=services.settings.max_body)
        with services.permits:
            body = await read(services, raw)
            policy = services.choice.policy(asked_of(scope, body), None, key=key_of(scope))
            seconds = (policy or services.choice.presets["annotate"]).answer_deadline_ms / 1000
            verifier = services.verifier
            claims = claims_by_sentence(
                body["text"],
                verifier.extractor,
                linker=verifier.linker,
                question=both_ends(body.get("question") or ""),
            )
            async with Staying(receive):
                found = await self._all(claims, until=time.monotonic() + seconds)
        told = await services.reader.run(functools.partial(_told, body["text"], found), size=len(raw))
        await reply_json(send, told)

    async def _all(self, claims: Iterator[list[Claim]], *, until: float) -> list[Claim]:
        found: list[Claim] = []
        while (some := await self.services.pool.run(lambda: _some(claims))) is not None:
            found += some
            if time.monotonic() > until:
                raise BadRequest(
                    "the claims of this text could not be extracted in time; send a shorter text",
                    status=413,
                    code="text_too_long",
                    param="text",
                )
        return found


def _told(text: str, claims: list[Claim]) -> bytes:
    return orjson.dumps({"text": text, "claims": [claim_to_dict(claim) for claim in claims]})


def _some(claims: Iterator[list[Claim]]) -> list[Claim] | None:
    """What a turn of a thread brings; None: there are no more."""
    ends = time.monotonic() + TURN_S
    found: list[Claim] | None = None
    while time.monotonic() < ends and (read := next(claims, None)) is not None:
        found = [*(found or ()), *read]
    return found
