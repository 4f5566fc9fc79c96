"""Language models as checkers: the only room that talks to one, and the only one that imports litellm or vLLM.

    Question   messages, the JSON schema of the answer, and the function that reads the answer
    Backend    a way to a model: `server.Server` (any OpenAI-compatible URL), `provider.Provider` (litellm: any provider),
               `engine.Engine` (vLLM in this process)
    Llm        a backend with the care around it: cache, budget, retries, time limit, one repair
    Answer     what the reading function made of the reply, and what it cost
    Decider    an endpoint that gives label probabilities and no text: /v1/decisions, /v1/systemone, /classify, /score

Nothing here is imported by the embedded tier. litellm (2 s) and vLLM are imported on the first call, not before.
"""

from __future__ import annotations

from guardrail.llm.model import Llm, open_llm
from guardrail.llm.question import Answer, Message, Question, Schema
from guardrail.llm.settings import LlmSettings
from guardrail.llm.usage import Budget, Usage

__all__ = ["Answer", "Budget", "Llm", "LlmSettings", "Message", "Question", "Schema", "Usage", "open_llm"]
