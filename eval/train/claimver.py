"""`python -m eval.train claimver data|lora|score`: ClaimVer's fine-tuned checker made again (§3.4, Tables 3 to 12).

    data    answers (one per line, or JSON lines with `text` and `triplets`) and a knowledge file → instruction pairs
    lora    instruction pairs and a base model → a LoRA adapter: rank 8, alpha 16, 4 bits where there is CUDA,
            learning rate 5e-5, cosine, 2 epochs, 4096 tokens, batches of 8 by accumulation
    score   test pairs and the tuned model → ROUGE-1/L, #MC, accuracy, precision, recall, F1

`lora` and `score` need torch, transformers and peft (bitsandbytes for 4 bits), in an environment of their own.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.train.claimver_data import Record, build, load, save, to_triplets
from eval.train.claimver_score import Scores, score
from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.store.graph import Graph
from guardrail.llm import LlmSettings, open_llm
from guardrail.types import Claim, Span, Triplet

if TYPE_CHECKING:
    import torch

__all__ = ["PUBLISHED", "Recipe", "main", "replies", "tune"]

_IGNORED = -100  # torch's cross entropy does not count these


@dataclass(frozen=True, slots=True)
class Recipe:
    """ClaimVer's Tables 5 to 12; the same for all of its models."""

    rank: int = 8
    alpha: int = 16
    learning_rate: float = 5e-5
    epochs: float = 2.0
    window: int = 4096
    accumulate: int = 8
    bits: int = 4  # with CUDA only
    seed: int = 0


PUBLISHED = Recipe()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m eval.train claimver", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    data = steps.add_parser("data", help="answers + graph → instruction pairs")
    data.add_argument("--answers", type=Path, required=True)
    data.add_argument(
        "--knowledge", type=Path, help="knowledge file; not needed where the answers bring triplets"
    )
    data.add_argument("--model", required=True, help="the teacher, as litellm names it")
    data.add_argument("--base-url")
    data.add_argument("--out", type=Path, required=True)
    lora = steps.add_parser("lora", help="instruction pairs + base model → adapter")
    lora.add_argument("--data", type=Path, required=True)
    lora.add_argument("--base", required=True)
    lora.add_argument("--out", type=Path, required=True)
    lora.add_argument("--epochs", type=float, default=PUBLISHED.epochs)
    lora.add_argument("--learning-rate", type=float, default=PUBLISHED.learning_rate)
    check = steps.add_parser("score", help="test pairs + tuned model → the figures of Tables 3 and 4")
    check.add_argument("--data", type=Path, required=True)
    check.add_argument("--base", required=True)
    check.add_argument("--adapter", type=Path)
    check.add_argument("--max-tokens", type=int, default=1024, help="of a reply")
    given = parser.parse_args(arguments)
    if given.step == "data":
        settings = LlmSettings(given.model, given.base_url)
        print(f"{make(given.answers, given.knowledge, settings, given.out)} records in {given.out}")
    elif given.step == "lora":
        recipe = Recipe(epochs=given.epochs, learning_rate=given.learning_rate)
        losses = tune(load(given.data), given.base, given.out, recipe)
        print(f"loss {losses[0]:.3f} → {losses[-1]:.3f} in {len(losses)} steps; adapter in {given.out}")
    else:
        print(evaluate(load(given.data), given.base, given.adapter, max_tokens=given.max_tokens))


def make(answers: Path, knowledge: Path | None, settings: LlmSettings, out: Path) -> int:
    """Write the records of all usable answers; returns how many."""
    llm = open_llm(settings)
    try:
        return save(out, build(llm, _retrieved(answers, knowledge)))
    finally:
        llm.close()


def _retrieved(answers: Path, knowledge: Path | None) -> Iterator[tuple[str, Sequence[Triplet]]]:
    """Each answer with its triplets: its own, or those that the graph gives for the entities in it."""
    graph = Graph.open(knowledge) if knowledge else None
    linker, retriever = (AliasLinker(graph), GraphRetriever(graph)) if graph else (None, None)
    for line in answers.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        if line.lstrip().startswith("{"):
            row = json.loads(line)
            text, triplets = str(row["text"]), to_triplets(row.get("triplets", ()))
        else:
            text, triplets = line.strip(), []
        if not triplets and linker and retriever:
            mentions = tuple(linker.link(text))
            claim = Claim(0, Span(0, len(text)), text, text, mentions=mentions)
            triplets = list(retriever.retrieve(claim).triplets)
        yield text, triplets
    if graph:
        graph.close()


def tune(records: Sequence[Record], base: str, out: Path, recipe: Recipe = PUBLISHED) -> list[float]:
    """Train a LoRA adapter and save it with the tokenizer; returns the loss of each step."""
    import torch
    from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
    from transformers import AutoModelForCausalLM, AutoTokenizer, get_cosine_schedule_with_warmup

    if not records:
        raise ValueError("there is nothing to learn from")
    torch.manual_seed(recipe.seed)
    tokenizer = AutoTokenizer.from_pretrained(base)
    quantised = torch.cuda.is_available() and recipe.bits == 4
    model = AutoModelForCausalLM.from_pretrained(base, **(_four_bits() if quantised else {}))
    if quantised:
        model = prepare_model_for_kbit_training(model)
    settings = LoraConfig(
        r=recipe.rank, lora_alpha=recipe.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    model = get_peft_model(model, settings)
    samples = [_encoded(tokenizer, record, recipe.window) for record in records]
    per_epoch = -(-len(samples) // recipe.accumulate)
    steps = max(1, round(per_epoch * recipe.epochs))
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=recipe.learning_rate)
    schedule = get_cosine_schedule_with_warmup(optimizer, 0, steps)
    losses: list[float] = []
    model.train()
    for batch in _batches(len(samples), recipe, steps):
        losses.append(_step(model, [samples[at] for at in batch]))
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return losses


def _four_bits() -> dict[str, Any]:
    import torch
    from transformers import BitsAndBytesConfig

    settings = BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16
    )
    return {"quantization_config": settings, "device_map": "auto"}


def _batches(count: int, recipe: Recipe, steps: int) -> Iterator[list[int]]:
    """Record numbers for each step, shuffled anew for every epoch."""
    shuffle = random.Random(recipe.seed)
    left: list[int] = []
    for _ in range(steps):
        if not left:
            left = shuffle.sample(range(count), count)
        yield left[: recipe.accumulate]
        left = left[recipe.accumulate :]


def _encoded(tokenizer: Any, record: Record, window: int) -> tuple[list[int], list[int]]:
    """Token ids and targets; the prompt is not a target. The prompt is cut from the front where both do not fit."""
    prompt = _prompt_ids(tokenizer, record)
    reply = tokenizer(record.reply, add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id]
    reply = reply[: window // 2]
    prompt = prompt[-(window - len(reply)) :]
    return prompt + reply, [_IGNORED] * len(prompt) + reply


def _prompt_ids(tokenizer: Any, record: Record) -> list[int]:
    turn = [{"role": "user", "content": record.prompt}]
    text = tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _step(model: Any, batch: Sequence[tuple[list[int], list[int]]]) -> float:
    """Accumulate the gradients of a batch, one sample at a time; returns its mean loss."""
    import torch

    total = 0.0
    for ids, targets in batch:
        loss: torch.Tensor = model(
            input_ids=torch.tensor([ids], device=model.device),
            labels=torch.tensor([targets], device=model.device),
        ).loss
        (loss / len(batch)).backward()
        total += float(loss.detach())
    return total / len(batch)


def evaluate(records: Sequence[Record], base: str, adapter: Path | None, *, max_tokens: int = 1024) -> Scores:
    """The tuned model's replies to the records' prompts, scored."""
    return score(records, replies(records, base, adapter, max_tokens=max_tokens))


def replies(
    records: Sequence[Record], base: str, adapter: Path | None, *, max_tokens: int = 1024
) -> list[str]:
    """What the model answers, greedily."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(adapter or base)
    model = AutoModelForCausalLM.from_pretrained(base)
    if adapter:
        model = PeftModel.from_pretrained(model, str(adapter))
    model.eval()
    found = []
    for record in records:
        ids = _prompt_ids(tokenizer, record)
        with torch.inference_mode():
            done = model.generate(
                input_ids=torch.tensor([ids], device=model.device),
                attention_mask=torch.ones((1, len(ids)), dtype=torch.long, device=model.device),
                max_new_tokens=max_tokens,
                do_sample=False,
                pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
            )
        found.append(tokenizer.decode(done[0][len(ids) :], skip_special_tokens=True))
    return found
