"""The Python of docs/llm.md runs as it stands, against a scripted model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.scripted_llm import Reply, Request, ScriptedLlm

TEXT = (Path(__file__).parent.parent / "docs" / "llm.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def play(request: Request) -> Reply:
    """A model for every prompt of the page."""
    prompt = request.prompt
    if "Analyze text against" in prompt:
        fields = {"text_span1": "Paris is in France", "prediction1": "Attributable",
                  "triplets1": "('Paris', 'country', 'France')", "rationale1": "It is."}  # fmt: skip
        return Reply(json.dumps(fields))
    if "Split a sentence" in prompt:
        fact = {"subject": "France", "predicate": "capital", "object": "Lyon", "attributes": [],
                "object_type": "city", "question": "Which city is it?", "negated": False}  # fmt: skip
        sentence = "Lyon is the capital of France."
        return Reply(json.dumps({"claims": [{"text_span": sentence, "resolved": sentence, "facts": [fact]}]}))
    if "entails the claim triple" in prompt:
        count = sum(line[:1].isdigit() for line in prompt.rsplit("in order.", 1)[1].splitlines())
        return Reply(json.dumps({"entailed": ["no"] * count}))
    if "Rewrite a sentence" in prompt:
        right = json.loads(prompt.rsplit("Right:\n", 1)[1])
        return Reply(json.dumps({"sentence": f"{right.rsplit('; ', 1)[1][:-1]} is the capital of France."}))
    entry = {
        "claim": 1,
        "prediction": "Attributable",
        "evidence": ["P1"],
        "rationale": "The passage says so.",
    }
    return Reply(json.dumps({"claims": [entry]}))


@pytest.mark.parametrize("code", EXAMPLES, ids=[code.strip().splitlines()[0][:40] for code in EXAMPLES])
def test_an_example_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Copied out of the page, it prints something."""
    with ScriptedLlm([play]) as server:
        exec(compile(code.replace("http://127.0.0.1:8000/v1", server.url), "docs/llm.md", "exec"), {})
        assert server.calls > 0
    assert capsys.readouterr().out.strip()


def test_every_method_is_on_the_page() -> None:
    """The table of methods is the list of methods."""
    from typing import get_args

    from guardrail.review import Method

    assert [name for name in get_args(Method) if f"| `{name}`" not in TEXT] == []
