"""What we send, held against vLLM's own protocol classes, where vLLM can be imported (no GPU is needed for that).

vLLM pins other packages than ours, so this runs in an environment of its own, see docs/llm.md.
"""

from __future__ import annotations

import inspect
import json
from importlib.util import find_spec
from typing import Any

import pytest

from guardrail.check.llm.verdicts import question
from guardrail.llm import LlmSettings
from guardrail.llm.endpoint import Decider
from guardrail.llm.provider import Provider
from tests.llm_cases import CAPITAL_TEXT, capital_cases
from tests.scripted_llm import ScriptedLlm

pytestmark = [
    pytest.mark.skipif(find_spec("vllm") is None, reason="vLLM is not installed here"),
    pytest.mark.filterwarnings("default"),
]
EVIDENCE, CLAIMS = "('France', 'capital', 'Paris')", ["Paris is the capital.", "Lyon is the capital."]


def body(kind: Any) -> dict[str, Any]:
    found = Decider("http://127.0.0.1:1", "m", kind).request(EVIDENCE, CLAIMS)[1]
    return dict(json.loads(json.dumps(found)))


def test_decisions() -> None:
    """`/v1/decisions` takes our questions."""
    from vllm.entrypoints.openai.decisions.protocol import DecisionRequest

    request = DecisionRequest.model_validate(body("decisions"))
    assert [len(asked.choices) for asked in request.questions] == [3, 3]


def test_decision_answers_are_read() -> None:
    """An answer built with vLLM's own classes is understood."""
    from vllm.entrypoints.openai.decisions import protocol

    shares = [("attributable", 0.7), ("extrapolatory", 0.2), ("contradictory", 0.1)]
    answer = protocol.ChoiceAnswer(
        name="0",
        choice="attributable",
        probabilities=[protocol.ChoiceProbability(value=name, probability=share) for name, share in shares],
        confidence=0.7,
    )
    read = Decider("http://127.0.0.1:1", "m")._read({"answers": [answer.model_dump()]}, 1)
    assert {label.value: round(share, 3) for label, share in read[0].items()} == dict(shares)


def test_classify_and_score() -> None:
    """`/classify` and `/score` take our pairs."""
    from vllm.entrypoints.pooling.classify.protocol import ClassificationCompletionRequest
    from vllm.entrypoints.pooling.scoring.protocol import ScoreTextRequest

    assert len(ClassificationCompletionRequest.model_validate(body("classify")).input) == 2
    assert len(ScoreTextRequest.model_validate(body("score")).text_2) == 2


@pytest.mark.skipif(find_spec("litellm") is None, reason="the extra `llm` is not installed")
def test_chat_completions_with_a_schema() -> None:
    """What litellm really sends for a question of ours is a valid request with guided decoding."""
    from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
    from vllm.sampling_params import StructuredOutputsParams

    from guardrail.check.llm.judge import exhibits

    cases = capital_cases()
    asked = question([case.claim for case in cases], exhibits([cases[0].evidence], 1000), text=CAPITAL_TEXT)
    with ScriptedLlm(["{}"]) as server:
        Provider(LlmSettings("m", server.url)).complete(
            asked.messages, schema=asked.schema, max_tokens=64, temperature=0.0, timeout_s=5.0
        )
        sent = server.requests[0].body
    request = ChatCompletionRequest.model_validate(sent)
    assert request.response_format is not None
    assert request.response_format.type == "json_schema"
    assert StructuredOutputsParams(json=dict(asked.schema.body if asked.schema else {})).json


def test_the_engine_has_the_parameters_that_we_use() -> None:
    """The stand-in of tests/guardrail/llm/test_engine.py is not a fiction."""
    from vllm import AsyncEngineArgs, SamplingParams
    from vllm.v1.engine.async_llm import AsyncLLM

    assert {"engine_args"} <= set(inspect.signature(AsyncLLM.from_engine_args).parameters)
    assert {"prompt", "sampling_params", "request_id"} <= set(inspect.signature(AsyncLLM.generate).parameters)
    assert {"model", "enable_prefix_caching", "max_model_len"} <= set(
        inspect.signature(AsyncEngineArgs).parameters
    )
    wanted = {"max_tokens", "temperature", "structured_outputs"}
    assert wanted <= set(inspect.signature(SamplingParams).parameters)
    assert callable(AsyncLLM.get_tokenizer)
    assert callable(AsyncLLM.shutdown)
