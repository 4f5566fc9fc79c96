"""`POST /guardrail/extract`: the claims of a text with their facts and entities, without a verdict."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from guardrail.report import claim_to_dict
from guardrail.segment import segment
from guardrail.types import Claim, Context
from proxy.admission import read_body
from proxy.asgi import Receive, Scope, Send, reply_json
from proxy.doors import asked
from proxy.services import Services

EARLIER = 40  # claims that a later sentence may refer back to


@dataclass(frozen=True, slots=True)
class Extract:
    """The ASGI app."""

    services: Services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = asked(await read_body(receive, limit=self.services.settings.max_body))
        with self.services.permits:
            found = await self.services.pool.run(
                functools.partial(self._claims, body["text"], body.get("question") or "")
            )
        await reply_json(send, {"text": body["text"], "claims": [claim_to_dict(claim) for claim in found]})

    def _claims(self, text: str, question: str) -> list[Claim]:
        linker, extractor = self.services.verifier.linker, self.services.verifier.extractor
        asked_of = tuple(linker.link(question)) if question else ()
        claims: list[Claim] = []
        for sentence in segment(text):
            context = Context(question, asked_of, tuple(claims[-EARLIER:]))
            mentions = linker.link(sentence.text, offset=sentence.span.start, context=context)
            claims += extractor.extract(sentence, mentions, context, first_id=len(claims))
        return claims
