"""`POST /guardrail/extract`: the claims of a text with their facts and entities, without a verdict."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from guardrail.extraction import claims_of
from guardrail.report import claim_to_dict
from proxy.admission import read_body
from proxy.asgi import Receive, Scope, Send, reply_json
from proxy.doors import asked
from proxy.services import Services


@dataclass(frozen=True, slots=True)
class Extract:
    """The ASGI app."""

    services: Services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = asked(await read_body(receive, limit=self.services.settings.max_body))
        verifier = self.services.verifier
        with self.services.permits:
            found = await self.services.pool.run(
                functools.partial(
                    claims_of,
                    body["text"],
                    verifier.extractor,
                    linker=verifier.linker,
                    question=body.get("question") or "",
                )
            )
        await reply_json(send, {"text": body["text"], "claims": [claim_to_dict(claim) for claim in found]})
