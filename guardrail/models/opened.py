"""Opens the model that the setting names, and the one that reads statements of graphs beside it."""

from __future__ import annotations

from pathlib import Path

from guardrail.models.encoder import MODELS
from guardrail.models.nli import Classifier, Embedded
from guardrail.models.place import ModelPlace, place
from guardrail.models.remote import Remote, Wire
from guardrail.models.settings import Thresholds

__all__ = ["open_model", "open_statement_reader"]

_STATEMENTS = "statements"
_LIMITS = {"attributable", "contradictory"}
_IN_FLIGHT = {"tei": 8, "minicheck": 32}


def open_model(setting: str | Classifier = "", key: str = "", *, threads: int | None = None) -> Classifier:
    """`setting`: as `guardrail.models.place` describes it, or a model that is open already; `key`: of a model's server;
    `threads`: of a model on this machine's CPU, None: one for each core.

    A server that is away may come later (`Remote.standing`). Raises ConfigError where the setting is wrong, the extra is not
    installed, or nothing tells what the model's outputs mean.
    """
    if not isinstance(setting, str):
        return setting
    named = place(setting)
    if named.kind == "embedded":
        return Embedded(threads=threads)
    if named.kind == "exported":
        return Embedded(Path(named.where), threads=threads)
    return _torch(named, threads) if named.kind == "torch" else _remote(named, key, threads)


def open_statement_reader(folder: Path | None = None, *, threads: int | None = None) -> Embedded:
    """The model that reads statements of graphs: that of the `folder` where the model of passages lies, else the one that ships."""
    own = folder is not None and (folder / f"{_STATEMENTS}.json").exists()
    return Embedded(folder if folder and own else MODELS, threads=threads, body=_STATEMENTS)


def _thresholds(named: ModelPlace) -> Thresholds | None:
    """Those that the setting names; None where it names none."""
    if not _LIMITS & named.options.keys():
        return None
    usual = Thresholds()
    return Thresholds(
        named.number("attributable", usual.attributable), named.number("contradictory", usual.contradictory)
    )


def _labels(named: ModelPlace) -> tuple[str, ...]:
    given = named.options.get("labels", "")
    return tuple(one.strip() for one in given.split(",")) if given else ()


def _torch(named: ModelPlace, threads: int | None) -> Classifier:
    from guardrail.models.hub import Hub

    return Hub(
        named.where,
        labels=_labels(named),
        device=named.options.get("device", "auto"),
        precision=named.choice("precision", "auto", "fp32", "bf16"),
        temperature=named.number("temperature", 1.0) if "temperature" in named.options else None,
        thresholds=_thresholds(named),
        tokens=int(named.number("tokens", 16_384)),
        compiled=named.choice("compile", "no", "yes") == "yes",
        threads=threads,
    )


def _remote(named: ModelPlace, key: str, threads: int | None) -> Classifier:
    stands_in = named.choice("fallback", "embedded", "none") == "embedded"
    return Remote(
        _wire(named, key),
        timeout_s=named.number("timeout", 2.0),
        in_flight=int(named.number("in_flight", _IN_FLIGHT[named.kind])),
        thresholds=_thresholds(named),
        temperature=named.number("temperature", 1.0),
        instead=Embedded(threads=threads) if stands_in else None,
    )


def _wire(named: ModelPlace, key: str) -> Wire:
    if named.kind == "tei":
        from guardrail.models.tei import Tei

        return Tei(named.where, key or None, labels=_labels(named))
    from guardrail.models.minicheck import MiniCheck

    return MiniCheck(named.where, named.options["model"], key or None)
