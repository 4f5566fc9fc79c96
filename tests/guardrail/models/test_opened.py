"""What the setting names is opened."""

from __future__ import annotations

import gc
import importlib.util
import json
import time
from pathlib import Path

import pytest

from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS
from guardrail.models.nli import Embedded
from guardrail.models.opened import open_model, open_statement_reader
from guardrail.models.remote import Remote
from guardrail.models.settings import Thresholds
from tests.model_server import ModelServer


def test_the_shipped_model_is_the_default() -> None:
    """Nothing named is the embedded one."""
    assert isinstance(open_model(), Embedded)


def test_a_folder_of_our_own_files_is_opened_without_torch(tmp_path: Path) -> None:
    """It has the name and the settings that lie in it; without a second body the first one reads long pairs, too."""
    for name in ("embeddings.npz", "nli.npz", "nli.onnx", "tokenizer.json"):
        (tmp_path / name).symlink_to(MODELS / name)
    settings = {"name": "mine", "window": 200, "thresholds": {"passages": {"attributable": 0.9}}}
    (tmp_path / "nli.json").write_text(json.dumps(settings), encoding="utf-8")
    found = open_model(str(tmp_path))
    assert isinstance(found, Embedded)
    assert (found.name, found.window, found.folder) == ("mine", 200, tmp_path)
    assert found.thresholds("passages") == Thresholds(0.9, 0.8)
    long = ("The pool is heated. " * 30, "The pool is heated.")
    assert found.probabilities([long])[0].sum() == pytest.approx(1.0, abs=1e-5)
    found.close()
    (tmp_path / "nli.json").write_text("{")
    with pytest.raises(ConfigError, match=r"nli\.json is not JSON"):
        open_model(str(tmp_path))


def test_statements_have_a_reader_of_their_own(tmp_path: Path) -> None:
    """That of the model's folder where it has one, else the one that ships, whatever reads passages."""
    shipped = open_statement_reader()
    assert shipped.name != Embedded().name
    (row,) = shipped.probabilities([("Siemens: inception: 1 October 1847.", "Siemens was founded in 1847.")])
    assert row.argmax() == 0
    assert open_statement_reader(MODELS).name == open_statement_reader(tmp_path).name == shipped.name
    for name in ("embeddings.npz", "nli.npz", "statements.npz", "statements.onnx", "tokenizer.json"):
        (tmp_path / name).symlink_to(MODELS / name)
    (tmp_path / "statements.json").write_text('{"name": "mine"}', encoding="utf-8")
    assert open_statement_reader(tmp_path).name == "mine"


def test_a_servers_options_are_taken() -> None:
    """Key, thresholds and the model in its place; `fallback=none` leaves that out."""
    with ModelServer(key="k") as server:
        found = open_model(f"tei+{server.root}?attributable=0.6&contradictory=0.9", "k")
        assert isinstance(found, Remote)
        assert not found.standing.trouble
        assert found.thresholds("windows") == Thresholds(0.6, 0.9)
        assert isinstance(found.instead, Embedded)
        alone = open_model(f"minicheck+{server.root}/v1?model=mini&fallback=none", "k")
        assert isinstance(alone, Remote)
        assert (alone.instead, alone.name) == (None, "minicheck:mini")
        found.close()
        alone.close()


def test_a_server_that_cannot_judge_is_refused_at_the_start() -> None:
    """Outputs whose names say nothing are an error of the configuration, not a failure to be waited out."""
    with ModelServer(names=("LABEL_0", "LABEL_1", "LABEL_2")) as server:
        with pytest.raises(ConfigError, match="state `labels`"):
            open_model(f"tei+{server.root}")
        stated = open_model(f"tei+{server.root}?labels=contradictory,attributable,extrapolatory")
        assert isinstance(stated, Remote)
        stated.close()


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_a_folder_needs_the_extra() -> None:
    """Without torch the message names what to install."""
    with pytest.raises(ConfigError, match=r"claim-guardrail\[gpu\]"):
        open_model("/models/mine?device=cpu")


def threads() -> int:
    """How many this process has, once those of earlier models have ended."""
    seen: list[int] = []
    while len(seen) < 10 or (len(seen) < 100 and len(set(seen[-10:])) > 1):
        gc.collect()
        seen.append(len(list(Path("/proc/self/task").iterdir())))
        time.sleep(0.02)
    return seen[-1]


def test_a_model_takes_as_many_threads_as_it_is_given() -> None:
    """Several processes on one machine share its cores."""

    def taken(count: int) -> int:
        before = threads()
        model = open_model(threads=count)
        assert isinstance(model, Embedded)
        model.probabilities([("It rains.", "It rains.")])
        found = threads() - before
        model.close()
        return found

    taken(1)  # the tokenizer starts threads of its own once
    few, many = taken(1), taken(4)
    assert many - few >= 3
