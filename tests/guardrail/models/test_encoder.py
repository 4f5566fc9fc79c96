"""The shipped encoders: lazy, thread-safe, and honest about what does not fit."""

import threading
from pathlib import Path

import numpy as np
import pytest

from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS, Encoder, sums_whole


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder("sentence")


def test_a_pair_is_marked_as_two_parts(encoder: Encoder) -> None:
    """The tokens of a pair carry kind 0 for the first and kind 1 for the second text."""
    (tokens,) = encoder.tokenise([("Paris is big.", "It is.")])
    assert set(tokens.kinds) == {0, 1}
    assert list(tokens.kinds) == sorted(tokens.kinds)


def test_nothing_is_cut_behind_the_callers_back(encoder: Encoder) -> None:
    """A text that does not fit keeps its full length and is refused, not shortened."""
    tokens = encoder.tokenise(["word " * 600])
    assert len(tokens[0]) == 602
    with pytest.raises(ValueError, match="602 tokens do not fit a window of 512"):
        encoder.run(tokens)


def test_rows_come_back_in_the_order_given(encoder: Encoder) -> None:
    """Sorting by length inside does not show outside."""
    texts = [
        "a b c d e f g h i j",
        "a",
        "a b c d",
        "a b",
        "a b c d e f",
        "k",
        "l m",
        "n o p",
        "q",
        "r s t u v",
    ]
    rows = encoder.run(encoder.tokenise(texts))
    for text, row in zip(texts, rows, strict=True):
        assert float(np.abs(encoder.run(encoder.tokenise([text]))[0] - row).max()) < 1e-6


def test_many_threads_start_it_once_and_agree() -> None:
    """Threads that use a fresh encoder at the same moment all get the same row."""
    fresh = Encoder("sentence")
    rows: list[np.ndarray] = []

    def ask() -> None:
        rows.append(fresh.run(fresh.tokenise(["Rome is old."]))[0])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rows) == 6
    assert all(np.array_equal(rows[0], row) for row in rows)


def test_a_damaged_model_file_is_named(tmp_path: Path) -> None:
    """A model file that was cut short is an error that names the file."""
    for name in ("tokenizer.json", "sentence.onnx", "sentence.npz"):
        (tmp_path / name).write_bytes((MODELS / name).read_bytes())
    (tmp_path / "embeddings.npz").write_bytes((MODELS / "embeddings.npz").read_bytes()[:5000])
    broken = Encoder("sentence", folder=tmp_path)
    with pytest.raises(ConfigError, match=r"embeddings\.npz is not an intact model file"):
        broken.run(broken.tokenise(["Rome."]))


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    """A model that is not there is an error that names the file looked for."""
    with pytest.raises(ConfigError, match=r"nothing\.npz"):
        Encoder("nothing", folder=MODELS).run(Encoder("sentence").tokenise(["Rome."]))


@pytest.mark.parametrize(
    ("flags", "whole"),
    [
        ("fpu avx2 fma", False),
        ("fpu avx2 avx512f avx512_vnni", True),
        ("avx_vnni", True),
        ("amx_tile amx_int8", True),
    ],
)
def test_a_processor_that_sums_products_whole_is_told_by_its_flags(
    tmp_path: Path, flags: str, whole: bool
) -> None:
    """On any other, and where nothing tells, int8 products are worked out in a slower way that does not overflow."""
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\nmodel name\t: avx_vnni in a name\nflags\t\t: {flags}\n")
    assert sums_whole(cpuinfo) is whole
    assert sums_whole(tmp_path / "none") is False


def test_all_model_files_together_stay_small() -> None:
    """What ships fits the size that the manual promises, the pipeline that reads English included: 61 MB."""
    assert sum(path.stat().st_size for path in MODELS.rglob("*") if path.is_file()) <= 61_000_000
