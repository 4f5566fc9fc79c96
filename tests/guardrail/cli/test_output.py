"""A file that a command writes is whole, or not there."""

import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from guardrail.cli.output import Unwritable, whole_file
from guardrail.evidence.store.graph import Graph
from tests.world import fill

GUARDRAIL = [sys.executable, "-c", "from guardrail.cli.main import main; main()"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_written_stands_under_the_name(tmp_path: Path) -> None:
    """And nothing stands beside it; its rights are those of any new file."""
    path = tmp_path / "out.txt"
    with whole_file(path) as out:
        out.write(b"all of it")
        assert not path.exists()
    (tmp_path / "other").touch()
    assert path.read_bytes() == b"all of it"
    assert names(tmp_path) == ["other", "out.txt"]
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    """Whatever it is; a file that was not there is still not there."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("before")
    for path in (old, new):
        with pytest.raises(TypeError), whole_file(path) as out:
            out.writelines([b"half of it", "no bytes"])  # type: ignore[list-item]
    assert names(tmp_path) == ["old"]
    assert old.read_text() == "before"


def test_a_link_and_rights_stay(tmp_path: Path) -> None:
    """What a link points to is replaced, not the link; who may read the file does not change."""
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("before")
    real.chmod(0o640)
    link.symlink_to(real)
    with whole_file(link) as out:
        out.write(b"after")
    assert link.is_symlink()
    assert real.read_text() == "after"
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """It is no file that could be replaced."""
    pipe, seen = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reading = threading.Thread(target=lambda: seen.append(pipe.read_bytes()))
    reading.start()
    with whole_file(pipe) as out:
        out.write(b"through it")
    reading.join()
    assert seen == [b"through it"]
    assert pipe.is_fifo()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A directory, one that is not there: the error names it."""
    for path, reason in ((tmp_path, "directory"), (tmp_path / "no" / "out", "No such file")):
        with pytest.raises(Unwritable, match=reason), whole_file(path) as out:
            out.write(b"x")
    assert names(tmp_path) == []


_FULL = """
import sys
from pathlib import Path
from guardrail.cli.output import Unwritable, whole_file
from guardrail.evidence.store.graph import Graph
from tests.world import fill
try:
    with whole_file(Path(sys.argv[1])) as out:
        for _ in range(100):
            out.write(b"x" * 10_000)
except Unwritable as error:
    print(error)
"""


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """Here as a limit on the size of files, which the system keeps for one process."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    path = tmp_path / "out"
    path.write_text("before")
    command = [sys.executable, "-c", _FULL, str(path)]
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=True)
    assert done.stdout == f"cannot write {path}: File too large\n"
    assert names(tmp_path) == ["out"]
    assert path.read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_standard_output_on_a_full_disk_is_one_line(tmp_path: Path) -> None:
    """No traceback, also where all of it fits into the buffer."""
    fill(Graph.create(tmp_path / "world.db")).close()
    command = [*GUARDRAIL, "kg", "-k", str(tmp_path / "world.db"), "export"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: cannot write standard output: No space left on device\n"


def test_a_reader_that_has_enough_is_no_error(tmp_path: Path) -> None:
    """As with `head`: nothing is said."""
    fill(Graph.create(tmp_path / "world.db")).close()
    command = [*GUARDRAIL, "kg", "-k", str(tmp_path / "world.db"), "export"]
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
    os.close(theirs)
    assert done.stderr == ""
