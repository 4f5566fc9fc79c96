"""What a batch is, is written down: the same one goes on, another one is refused."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import fsspec
import pytest

from guardrail.cli.batch_job import Checking, Job, Layout, alone, exists, opened, written
from guardrail.cli.batch_rows import Part, Source
from guardrail.errors import BadRequest
from guardrail.review import ReviewerSettings

PART = Part(0, "file:///in/a.jsonl", 1, 2)
SECRET = ReviewerSettings("m", "http://127.0.0.1:1/v1", "sk-secret")


def job(into: str, **checking: object) -> Job:
    given = Checking(**checking)  # type: ignore[arg-type]
    return Job(Layout(into), given, (Source(PART.source, 10),), (PART,), 1000)


def begin(one: Job) -> None:
    import orjson

    written(f"{one.layout.into}/batch.json", orjson.dumps(one.to_dict()))


@pytest.mark.parametrize("into", ["{tmp}/out", "memory://{name}/out"])
def test_the_same_batch_goes_on_and_another_is_refused(tmp_path: Path, into: str) -> None:
    """Another input, other options or other parts are told by name; keys of models are not written."""
    into = into.format(tmp=tmp_path, name=tmp_path.name)
    one = job(into, reviewer=SECRET)
    assert opened(one) is None
    begin(one)
    assert opened(one)["parts"] == [  # type: ignore[index]
        {"number": 0, "source": PART.source, "first": 1, "count": 2, "at": 0}
    ]
    fs, root = fsspec.core.url_to_fs(into)
    assert b"sk-secret" not in fs.cat_file(f"{root}/batch.json")
    for other, what in (
        (job(into, text="answer"), "checking"),
        (job(into, model="tei+http://127.0.0.1:80"), "checking"),
        (replace(one, files=(Source(PART.source, 11),)), "files"),
        (replace(one, rows=5), "rows"),
        (replace(one, layout=Layout(into, "jsonl")), "kind"),
    ):
        with pytest.raises(BadRequest, match=f"another batch .other {what}"):
            opened(other)


def test_a_batch_of_a_version_without_the_choice_of_a_model_goes_on(tmp_path: Path) -> None:
    """A batch with the model that ships is written down as before."""
    assert "model" not in job(str(tmp_path)).to_dict()["checking"]
    assert job(str(tmp_path), model="m").to_dict()["checking"]["model"] == "m"


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    """Nothing is written among files of somebody else."""
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(BadRequest, match="contains no batch"):
        opened(job(str(tmp_path)))


def test_parts_are_done_when_their_reports_are_there(tmp_path: Path) -> None:
    """Other files, and what was set aside, say nothing."""
    layout = Layout(str(tmp_path))
    assert layout.done() == set()
    for path in (layout.set_aside(1), layout.report(2), layout.report(3), f"{tmp_path}/reports/x.parquet"):
        written(path, b"x")
    assert layout.done() == {2, 3}
    assert (exists(layout.report(2)), exists(layout.report(1))) == (True, False)


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    """An error of ours, with the path."""
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRequest, match="cannot write"):
        written(f"{tmp_path}/file/below/x", b"")


def test_a_lock_is_free_when_its_process_is_gone(tmp_path: Path) -> None:
    """While it lives a second one is refused."""
    hold = "import sys, pathlib, time\nfrom guardrail.cli.batch_job import alone\nwith alone(pathlib.Path(sys.argv[1])):\n print(1, flush=True); time.sleep(600)"
    holder = subprocess.Popen([sys.executable, "-c", hold, tmp_path / "lock"], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"1\n"  # type: ignore[union-attr]
    with pytest.raises(BadRequest, match="another process"), alone(tmp_path / "lock"):
        pass
    holder.kill()
    holder.communicate()
    with alone(tmp_path / "lock"):
        pass
