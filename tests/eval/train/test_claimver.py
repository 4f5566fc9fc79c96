"""Fine-tuning from end to end on a tiny model on CPU: data, LoRA, replies, figures.

Needs torch, transformers and peft, which the product does not; see docs/llm.md for the environment.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from eval.train.__main__ import main
from eval.train.claimver import PUBLISHED, Recipe, replies, tune
from eval.train.claimver_data import Record, load, save
from tests import tiny_llama
from tests.scripted_llm import Reply, Request, ScriptedLlm

needs_torch = pytest.mark.skipif(
    any(find_spec(name) is None for name in ("torch", "transformers", "peft")),
    reason="needs torch, transformers and peft",
)
TEXT = "Paris is in France and it is large."
TRIPLETS = (("Paris", "country", "France"),)
REPLY = """"text_span1": "Paris is in France",
"prediction1": "Attributable",
"triplets1": "[('Paris', 'country', 'France')]",
"rationale1": "It is."
"""


def test_the_published_settings() -> None:
    """Tables 5 to 12: rank 8, alpha 16, 4 bits, 5e-5, 2 epochs, 4096 tokens, 8 steps of accumulation."""
    assert Recipe(8, 16, 5e-5, 2.0, 4096, 8, 4) == PUBLISHED


def test_the_data_step_writes_records(tmp_path: Path) -> None:
    """`python -m eval.train claimver data` asks the teacher and saves what passes."""

    def teacher(request: Request) -> Reply:
        if "Attribution Verification" in request.prompt:
            return Reply(json.dumps({"prediction": "Attributable", "rationale": "The triplet says so."}))
        return Reply(REPLY)

    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps({"text": TEXT, "triplets": TRIPLETS}) + "\n\n", encoding="utf-8")
    with ScriptedLlm([teacher]) as server:
        main(
            ["claimver", "data", "--answers", str(answers), "--model", "m", "--base-url", server.url,
             "--out", str(tmp_path / "data.jsonl")]
        )  # fmt: skip
    (record,) = load(tmp_path / "data.jsonl")
    assert (record.text, record.triplets) == (TEXT, TRIPLETS)
    assert "The triplet says so." in record.reply


@needs_torch
@pytest.mark.filterwarnings("default")
def test_a_tiny_model_learns_the_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The loss falls, the adapter is saved with the published rank, and the figures are printed."""
    record = Record(TEXT, TRIPLETS, REPLY)
    base = tiny_llama.make(tmp_path / "base", [record.prompt, record.reply] * 20)
    # Random weights, most of them frozen: a larger step than for a model that can already write, and a modest fall.
    losses = tune([record] * 2, str(base), tmp_path / "adapter", Recipe(epochs=25, learning_rate=2e-2))
    assert losses[-1] < 0.95 * losses[0]
    saved = json.loads((tmp_path / "adapter" / "adapter_config.json").read_text(encoding="utf-8"))
    assert (saved["r"], saved["lora_alpha"]) == (8, 16)
    untuned = replies([record], str(base), None, max_tokens=20)
    tuned = replies([record], str(base), tmp_path / "adapter", max_tokens=20)
    assert tuned != untuned
    save(tmp_path / "test.jsonl", [record])
    main(
        ["claimver", "score", "--data", str(tmp_path / "test.jsonl"), "--base", str(base),
         "--adapter", str(tmp_path / "adapter"), "--max-tokens", "20"]
    )  # fmt: skip
    assert "#MC" in capsys.readouterr().out


@needs_torch
def test_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    """An empty data set is refused before a model is loaded."""
    with pytest.raises(ValueError, match="nothing to learn"):
        tune([], "nowhere", tmp_path)
