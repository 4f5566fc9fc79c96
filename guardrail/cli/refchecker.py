"""RefChecker's files in, RefChecker's files out: what `extract`, `check --input-path` and `extract-check` share.

An item keeps all of its keys. `extract` adds `claims` and, for each of their parts, its `places` in the response (offsets of
code points, or null); `check` adds `Y` and `ys`, and for several references `passage_ys`
and `conflicts` (numbers of the claims on which references disagree). An item that could not be done gets `error` instead of
labels, and the command ends with exit code 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from guardrail import scoring
from guardrail.cache import open_cache
from guardrail.check.llm.refchecker import Checked, check, decided, entailed
from guardrail.check.text.checker import TextChecker
from guardrail.claims.llm.refchecker import ClaimFormat, RefClaim, extract, without_model
from guardrail.cli.output import whole_file
from guardrail.errors import BadRequest, ModelError
from guardrail.extraction import claims_of
from guardrail.llm import Llm, LlmSettings, open_llm
from guardrail.llm.endpoint import Decider, EndpointKind
from guardrail.models.nli import Embedded
from guardrail.types import Label
from guardrail.verifier import Verifier

__all__ = ["Aggregator", "Model", "check_file", "extract_check_file", "extract_file"]

Aggregator = Literal["strict", "soft", "major"]
Item = dict[str, Any]
_REF = {label: str(scoring.strict([label])) for label in Label}


@dataclass(frozen=True, slots=True)
class Model:
    """Which model does the work: litellm's name, and the URL where a server of one's own stands.

    "rules" as an extractor are the embedded ones, "nli" as a checker is the embedded cross-encoder: no server. `kind`: an endpoint that gives probabilities.
    """

    name: str
    base_url: str | None = None
    api_key: str | None = None
    cache_dir: Path | None = None
    workers: int = 16
    kind: EndpointKind | None = None

    def open(self) -> Llm:
        settings = LlmSettings(self.name, self.base_url, self.api_key, concurrency=self.workers)
        return open_llm(settings, cache=open_cache(self.cache_dir))


def extract_file(source: Path, target: Path, model: Model, *, form: ClaimFormat = "triplet") -> int:
    """Add `claims` to every item. Returns how many could not be done. Raises BadRequest when `source` is no such file."""
    return _write(target, _extracted(_load(source, ("response",)), model, form))


def check_file(
    source: Path, target: Path, model: Model, *, aggregator: Aggregator = "soft", joint: int = 0
) -> int:
    """Add `Y` and `ys` to every item. Returns how many could not be done. Raises BadRequest when `source` is no such file.

    `joint`: claims per call, RefChecker's joint_check_num; 0: all of an item.
    """
    return _write(target, _checked(_load(source, ("claims", "reference")), model, aggregator, joint))


def extract_check_file(
    source: Path,
    target: Path,
    extractor: Model,
    checker: Model,
    *,
    form: ClaimFormat = "triplet",
    aggregator: Aggregator = "soft",
) -> int:
    """Both in one go. An item whose response makes no claims is Abstain."""
    items = _extracted(_load(source, ("response", "reference")), extractor, form)
    return _write(target, _checked(items, checker, aggregator, 0))


def _extracted(items: Sequence[Item], model: Model, form: ClaimFormat) -> list[Item]:
    with _reader(model, form) as read:

        def work(item: Item) -> Item:
            claims = read(item["response"], item.get("question") or "")
            places = [[at and [at.start, at.end] for at in claim.places] for claim in claims]
            return {**item, "claims": [claim.content for claim in claims], "places": places}

        return _run(items, model.workers, work)


@contextmanager
def _reader(model: Model, form: ClaimFormat) -> Iterator[Callable[[str, str], tuple[RefClaim, ...]]]:
    """(response, question) → claims, by whatever `model` names."""
    if model.name == "rules":
        verifier = Verifier.open()
        rules, linker = verifier.extractor, verifier.linker
        yield lambda response, asked: without_model(
            claims_of(response, rules, linker=linker, question=asked), form=form
        )
    else:
        llm = model.open()
        with closing(llm):
            yield lambda response, asked: extract(llm, response, asked=asked, form=form)


def _checked(items: Sequence[Item], model: Model, aggregator: Aggregator, joint: int) -> list[Item]:
    with _judge(model, joint) as judge:

        def work(item: Item) -> Item:
            claims = [_claim_text(claim) for claim in item["claims"]]
            checked = judge(claims, _references(item["reference"]), item.get("question") or "")
            return {**item, **_result(checked, aggregator)}

        return _run(items, model.workers, work)


@contextmanager
def _judge(model: Model, joint: int) -> Iterator[Callable[[list[str], list[str], str], tuple[Checked, ...]]]:
    """(claims, references, question) → labels, by whatever `model` names."""
    if model.name == "nli":
        encoder = Embedded()
        with closing(encoder):
            checker = TextChecker(encoder)
            yield lambda claims, references, _: entailed(checker, claims, references)
    elif model.kind is not None:
        decider = Decider(model.base_url, model.name, model.kind, model.api_key)
        with closing(decider):
            yield lambda claims, references, _: decided(decider, claims, references)
    else:
        llm = model.open()
        with closing(llm):
            yield lambda claims, references, asked: check(llm, claims, references, asked=asked, joint=joint)


def _result(checked: Sequence[Checked], aggregator: Aggregator) -> Item:
    labels = [item.label for item in checked]
    rolled = {"strict": scoring.strict, "major": scoring.major}.get(aggregator)
    whole = str(rolled(labels)) if rolled else {str(k): share for k, share in scoring.soft(labels).items()}
    found: Item = {"Y": whole, "ys": [_REF[label] for label in labels]}
    if any(len(item.labels) > 1 for item in checked):
        found["passage_ys"] = [[_REF[label] for label in item.labels] for item in checked]
        found["conflicts"] = [number for number, item in enumerate(checked) if item.conflict]
    return found


def _run(items: Sequence[Item], workers: int, work: Callable[[Item], Item]) -> list[Item]:
    """`work` on every item that has no error yet, many at a time, in order."""

    def guarded(item: Item) -> Item:
        if "error" in item:
            return item
        try:
            return work(item)
        except ModelError as error:
            return {**item, "error": f"{type(error).__name__}: {error}"}

    with ThreadPoolExecutor(workers) as threads:
        return list(threads.map(guarded, items))


def _load(path: Path, keys: Sequence[str]) -> list[Item]:
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadRequest(f"{path}: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"{path}: {error}") from error
    if not isinstance(items, list):
        raise BadRequest(f"{path}: expected a list of objects")
    for number, item in enumerate(items):
        _check_item(item, keys, f"{path}: item {number}")
    return items


def _check_item(item: object, keys: Sequence[str], where: str) -> None:
    if not isinstance(item, Mapping):
        raise BadRequest(f"{where} is not an object")
    for key in keys:
        if key not in item:
            raise BadRequest(f"{where} lacks {key!r}")
    for key, (fits, wanted) in _FIELDS.items():
        if key in keys and not fits(item[key]):
            raise BadRequest(f"{where}: {key!r} must be {wanted}")
    if not isinstance(item.get("question") or "", str):
        raise BadRequest(f"{where}: 'question' must be a string")


def _strings(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(part, str) for part in value)
    )


_FIELDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "response": (lambda value: isinstance(value, str), "a string"),
    "reference": (_strings, "a string or a list of strings"),
    "claims": (
        lambda value: isinstance(value, list) and all(map(_strings, value)),
        "a list of [head, relation, tail] or of sentences",
    ),
}


def _references(reference: str | list[str]) -> list[str]:
    given = [reference] if isinstance(reference, str) else reference
    return [text for text in given if text.strip()]


def _claim_text(claim: str | list[str]) -> str:
    return claim if isinstance(claim, str) else " ".join(claim)


def _write(path: Path, items: Sequence[Item]) -> int:
    """How many of the items carry an error."""
    with whole_file(path) as out:
        out.write((json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode())
    return sum("error" in item for item in items)
